"""What a path holds."""

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from pyrite.core import DataError, Qrels, Run
from pyrite.formats import write_beir, write_parquet, write_run, write_trec_qrels, write_trec_run
from pyrite.publishing import inspect_path


def test_a_built_folder_tells_its_counts_tables_and_language(published: Path) -> None:
    told = inspect_path(published)
    assert (told.kind, told.name, told.languages) == ("benchmark", "toy-minerals", ("en",))
    assert told.counts["distractors"] == 3
    tables = {table.name: table.rows for table in told.tables}
    assert tables == {"corpus/corpus": 6, "provenance/leaks": 4, "qrels/test": 3, "queries/queries": 3}


def test_the_lines_hold_the_first_rows_and_lengths(published: Path) -> None:
    lines = inspect_path(published).lines()
    assert "corpus/corpus: 6 rows; _id (string), text (string)" in lines
    assert "  text, words: mean 7.2, 5% 3, median 5, 95% 13, longest 13" in lines
    assert "  query-id='q0', corpus-id='p0', score=1" in lines


def test_it_renders_to_json(published: Path) -> None:
    for path in (published, published / "results", published / "corpus" / "corpus.parquet"):
        told = inspect_path(path)
        assert json.loads(json.dumps(told.to_json()))["kind"] == told.kind


def test_a_report_tells_its_systems(toy: Path) -> None:
    for path in (toy / "results", toy / "results" / "report.json"):
        told = inspect_path(path)
        assert told.kind == "report"
        assert told.counts["bm25:en"] == "nDCG@10 0.7500 (0.5000-1.0000), R@100 1.0000 (1.0000-1.0000)"


def test_a_run_tells_its_depth_whatever_its_form(tmp_path: Path) -> None:
    run = Run.of("bm25:en", {"q0": [("d1", 2.0), ("d2", 1.0)], "q1": [("d1", 1.0)]})
    write_run(tmp_path / "run.parquet", run)
    write_trec_run(tmp_path / "run.trec", run)
    for name in ("run.parquet", "run.trec"):
        told = inspect_path(tmp_path / name)
        assert (told.kind, told.counts) == ("run", {"queries": 2, "rows": 3, "depth": 2})


def test_judgements_tell_their_grades(tmp_path: Path) -> None:
    write_trec_qrels(tmp_path / "qrels.txt", Qrels.of({"q0": {"d1": 2, "d2": 0}, "q1": {"d1": 0}}))
    told = inspect_path(tmp_path / "qrels.txt")
    assert (told.kind, told.counts) == ("qrels", {"queries": 2, "judgements": 3, "by score": "2 of 0, 1 of 2"})


def test_a_table_of_text_lines_tells_its_text_columns(tmp_path: Path) -> None:
    """O33: "001" stays "001"."""
    rows = [{"_id": "001", "text": "iron", "n": {"x": 1}}, {"_id": "1", "text": "fool's gold", "n": {}}]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    (tmp_path / "rows.csv").write_text('_id,text\n001,iron\n1,"fool\'s gold"\n', encoding="utf-8")
    for name in ("rows.jsonl", "rows.csv"):
        told = inspect_path(tmp_path / name)
        assert told.kind == "table"
        assert told.tables[0].columns == {"_id": "string", "text": "string"}
        assert told.tables[0].rows == 2
        assert told.tables[0].sample[0] == {"_id": "001", "text": "iron"}
        assert told.tables[0].lengths["text"].words.longest == 2


def test_a_folder_of_another_layout_is_told_with_its_layout(tmp_path: Path) -> None:
    from pyrite.core import Collection, Corpus, Document, Queries, Query

    collection = Collection(
        "toy",
        "en",
        Corpus.of([Document("d1", "iron", title="Fe")]),
        Queries.of([Query("q1", "what is Fe?")]),
        Qrels.of({"q1": {"d1": 1}}),
    )
    write_beir(tmp_path / "toy", collection)
    told = inspect_path(tmp_path / "toy")
    assert told.kind == "collection (beir layout)"
    assert {table.name: table.rows for table in told.tables} == {"corpus": 1, "queries": 1, "qrels/test": 1}


def test_languages_are_guessed_where_the_extra_is_installed(tmp_path: Path) -> None:
    pytest.importorskip("py3langid", reason="the languages extra is not installed")
    texts = ["Pyrit ist ein weit verbreitetes Mineral und wird oft mit Gold verwechselt."] * 3
    write_parquet(tmp_path / "t.parquet", pa.table({"text": [*texts, "黄鉄鉱は鉄と硫黄からなる鉱物である。"]}))
    assert inspect_path(tmp_path / "t.parquet").detected == {"de": 3, "ja": 1}


def test_a_long_value_is_cut_in_lines_and_whole_in_json(tmp_path: Path) -> None:
    write_parquet(tmp_path / "t.parquet", pa.table({"text": ["x" * 500], "n": np.array([1])}))
    told = inspect_path(tmp_path / "t.parquet")
    assert all(len(line) < 150 for line in told.lines()[1:])
    assert told.to_json()["tables"][0]["sample"][0]["text"] == "x" * 500


def test_what_is_nothing_is_an_error_of_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("a b c\n", encoding="utf-8")
    (tmp_path / "empty").mkdir()
    for name, what in (
        ("nowhere", "there is no such file or folder"),
        ("notes.txt", "its first line has 3 fields"),
        ("empty", "holds no table"),
    ):
        with pytest.raises(DataError, match=what):
            inspect_path(tmp_path / name)


def test_json_lines_with_a_column_of_lists_tell_their_text_columns(tmp_path: Path) -> None:
    (tmp_path / "mined.jsonl").write_text('{"query": "why?", "positives": ["d1", "d2"]}\n')
    (told,) = inspect_path(tmp_path / "mined.jsonl").tables
    assert (told.columns, told.rows) == ({"query": "string"}, 1)
