import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pyrite.core import Candidates, Collection, Corpus, DataError, Document, Qrels, Queries, Query, Run
from pyrite.formats.nano_write import write_nano_split

TOY = Collection(
    "en",
    "en",
    Corpus.of([Document("d1", "one"), Document("d2", "two", title="T"), Document("001", "three")]),
    Queries.of([Query("q1", "what?"), Query("q2", "why?")]),
    Qrels.of({"q1": {"d2": 2, "d1": 0}, "q2": {"001": 1}}),
)
RUN = Run.of("bm25:en", {"q1": [("d2", 2.0), ("001", 1.0)], "q2": []})


def write(folder: Path, **overrides: Candidates) -> list[Path]:
    candidates = {"bm25": Candidates(RUN), **overrides}
    return write_nano_split(folder, TOY, candidates=candidates, graded=TOY.qrels, metadata={"limit": 2, "b": "é"})


def test_every_config_has_exactly_the_columns_that_other_tools_read(tmp_path):
    write(tmp_path)
    text, lists = pa.string(), pa.list_(pa.string())
    assert {
        place: [(f.name, f.type) for f in pq.read_schema(tmp_path / place)]
        for place in ("corpus/en.parquet", "queries/en.parquet", "qrels/en.parquet", "bm25/en.parquet")
    } == {
        "corpus/en.parquet": [("_id", text), ("text", text)],
        "queries/en.parquet": [("_id", text), ("text", text)],
        "qrels/en.parquet": [("query-id", text), ("corpus-id", text)],
        "bm25/en.parquet": [("query-id", text), ("corpus-ids", lists)],
    }


def test_published_qrels_hold_positives_and_provenance_the_grades(tmp_path):
    write(tmp_path)
    assert pq.read_table(tmp_path / "qrels/en.parquet").to_pylist() == [
        {"query-id": "q1", "corpus-id": "d2"},
        {"query-id": "q2", "corpus-id": "001"},
    ]
    assert pq.read_table(tmp_path / "provenance/qrels/en.parquet").to_pylist() == [
        {"query-id": "q1", "corpus-id": "d2", "score": 2},
        {"query-id": "q1", "corpus-id": "d1", "score": 0},
        {"query-id": "q2", "corpus-id": "001", "score": 1},
    ]


def test_texts_are_joined_with_their_titles_and_ids_stay_strings(tmp_path):
    """O33."""
    write(tmp_path)
    assert pq.read_table(tmp_path / "corpus/en.parquet").to_pydict() == {
        "_id": ["d1", "d2", "001"],
        "text": ["one", "T\n\ntwo", "three"],
    }


def test_a_query_without_candidates_has_an_empty_list(tmp_path):
    write(tmp_path)
    assert pq.read_table(tmp_path / "bm25/en.parquet").to_pylist() == [
        {"query-id": "q1", "corpus-ids": ["d2", "001"]},
        {"query-id": "q2", "corpus-ids": []},
    ]


def test_metadata_are_sorted_json_in_utf_8(tmp_path):
    write(tmp_path)
    text = (tmp_path / "metadata/en.json").read_text(encoding="utf-8")
    assert text == '{\n "b": "é",\n "limit": 2\n}\n'
    assert json.loads(text)["limit"] == 2


def test_candidates_of_other_queries_or_another_order_are_refused(tmp_path):
    turned = Run.of("dense", {"q2": [("d1", 1.0)], "q1": [("d1", 1.0)]})
    with pytest.raises(DataError, match="queries of the candidates 'dense'"):
        write(tmp_path, dense=Candidates(turned))


def test_a_candidate_that_is_not_in_the_corpus_is_refused_with_its_id(tmp_path):
    foreign = Run.of("dense", {"q1": [("d9", 1.0)], "q2": []})
    with pytest.raises(DataError, match="document 'd9'"):
        write(tmp_path, dense=Candidates(foreign))


def test_a_candidate_config_cannot_take_the_name_of_a_table(tmp_path):
    with pytest.raises(DataError, match="'qrels' names no candidates"):
        write(tmp_path, qrels=Candidates(RUN))


def test_the_same_split_is_the_same_bytes(tmp_path):
    first, second = write(tmp_path / "a"), write(tmp_path / "b")
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]
