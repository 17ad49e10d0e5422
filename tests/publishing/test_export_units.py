"""What an export takes from a folder."""

import pyarrow as pa

from pyrite.core import Corpus, Document, Qrels, Queries, Query, Run
from pyrite.formats import write_parquet, write_published, write_run
from pyrite.publishing.export_units import export_units

TEXTS = Corpus.of([Document("d1", "a")]), Queries.of([Query("q1", "a?"), Query("q2", "b?")])


def put(folder, name, **columns):
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    write_parquet(folder / name, pa.table(columns))


def test_splits_of_one_corpus_are_one_unit(tmp_path):
    write_published(tmp_path, *TEXTS, {"test": Qrels.of({"q1": {"d1": 1}}), "dev": Qrels.of({"q2": {"d1": 1}})})
    (unit,) = export_units(tmp_path)
    assert (unit.name, list(unit.collections), unit.queries.ids.to_pylist()) == ("", ["dev", "test"], ["q1", "q2"])
    assert unit.collections["dev"].queries.ids.to_pylist() == ["q2"]
    assert unit.collections["dev"].corpus is unit.collections["test"].corpus


def test_configs_are_units_and_bring_no_candidates(tmp_path):
    for code in ("ja", "ko"):
        put(tmp_path, f"{code}-corpus/dev.parquet", id=["d"], text=["a"])
        put(tmp_path, f"{code}-queries/dev.parquet", id=["q"], text=["a?"])
        put(tmp_path, f"{code}-qrels/dev.parquet", **{"query-id": ["q"], "corpus-id": ["d"], "score": [1]})
    assert [(unit.name, list(unit.collections)) for unit in export_units(tmp_path)] == [
        ("ja", ["test"]),
        ("ko", ["test"]),
    ]


def test_only_a_table_of_lists_is_a_config_of_candidates(tmp_path):
    put(tmp_path, "corpus/ja.parquet", _id=["d"], text=["a"])
    put(tmp_path, "queries/ja.parquet", _id=["q"], text=["a?"])
    put(tmp_path, "qrels/ja.parquet", **{"query-id": ["q"], "corpus-id": ["d"]})
    put(tmp_path, "bm25/ja.parquet", **{"query-id": ["q"], "corpus-ids": [["d"]]})
    put(tmp_path, "source/ja.parquet", question=["a?"])
    (unit,) = export_units(tmp_path)
    assert (unit.name, list(unit.candidates), unit.graded) == ("ja", ["bm25"], None)


def test_runs_are_those_of_results_and_of_a_nano_build(tmp_path):
    folder = tmp_path / "toy"
    write_published(folder, *TEXTS, {"test": Qrels.of({"q1": {"d1": 1}})})
    place = tmp_path / "results" / "runs" / "bm25-en"
    place.mkdir(parents=True)
    write_run(place / "run.parquet", Run.of("x", {"q1": [("d1", 1.0)]}))
    (unit,) = export_units(folder, [tmp_path / "results"])
    assert {name: run.system for name, run in unit.runs.items()} == {"bm25-en": "bm25-en"}
