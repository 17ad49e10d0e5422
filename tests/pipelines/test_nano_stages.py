import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pyrite.pipelines.nano_reading import SCANNED
from pyrite.pipelines.nano_stages import HELD, Attempt, Held, Ranking, choose, rank, scan
from pyrite.retrieval import BM25
from pyrite.sources import SourceSpec, open_table

NANO = {
    "limit_queries": 9,
    "limit_documents": 9,
    "positives_per_query": 1,
    "identical": "exact",
    "template": "{title} {text}",
    "fill": "none",
    "order": "selection",
    "seed": 0,
}


@pytest.fixture
def folder(write_rows, tmp_path) -> Path:
    write_rows("toy/corpus.parquet", [{"_id": f"d{n}", "text": t} for n, t in enumerate(["gold", "iron", "lead"])])
    write_rows("toy/queries.parquet", [{"_id": "q0", "text": "gold?"}, {"_id": "q1", "text": "zinc?"}])
    judged = [("q0", "d0", 2), ("q0", "d2", 0), ("q1", "d9", 1)]
    write_rows("toy/qrels.parquet", [{"query-id": q, "corpus-id": d, "score": grade} for q, d, grade in judged])
    return tmp_path / "toy"


def chosen(folder: Path, out: Path) -> dict:
    return choose(Attempt("en", "en", "", folder=folder), {"nano": NANO}, out)


def test_a_chosen_split_is_read_back_as_it_was_chosen(folder, tmp_path):
    facts = chosen(folder, tmp_path / "held.parquet")
    held = Held.read(tmp_path / "held.parquet", "en", "en")
    assert held.collection.corpus.ids.to_pylist() == ["d0", "d2"]
    assert held.collection.corpus.contents().to_pylist() == ["gold", "lead"]
    assert held.collection.queries.texts.to_pylist() == ["gold?"]
    assert list(held.collection.qrels.rows()) == [("q0", "d0", 1)]
    assert list(held.graded.rows()) == [("q0", "d0", 2), ("q0", "d2", 0)]
    assert held.positives() == {"q0": ["d0"]}
    assert facts["counts"] == {
        "queries": 1,
        "corpus": 2,
        "qrels": 1,
        "positives": 1,
        "judged negatives": 1,
        "fill": 0,
        "extra qrels": 0,
    }
    assert json.loads(json.dumps(facts)) == facts


@pytest.mark.parametrize(
    ("judged", "reason"),
    [
        ([("q0", "d0", 0)], "none of its queries has a positive"),
        ([("q0", "d9", 1)], "none of its queries has a positive that is in the corpus"),
    ],
)
def test_a_query_split_without_a_usable_query_says_why_and_leaves_an_empty_file(
    folder, write_rows, tmp_path, judged, reason
):
    write_rows("toy/qrels.parquet", [{"query-id": q, "corpus-id": d, "score": grade} for q, d, grade in judged])
    assert chosen(folder, tmp_path / "held.parquet") == {"unusable": reason}
    assert pq.read_table(tmp_path / "held.parquet").num_rows == 0


def test_a_query_split_without_queries_says_so(folder, tmp_path):
    empty = pa.table({"_id": pa.array([], pa.string()), "text": pa.array([], pa.string())})
    pq.write_table(empty, folder / "queries.parquet")
    assert chosen(folder, tmp_path / "held.parquet") == {"unusable": "it has no queries"}


def test_a_scan_has_an_id_a_row_and_no_digest_for_an_empty_text(tmp_path):
    (tmp_path / "corpus.jsonl").write_text(
        '{"id": "001", "text": "a"}\n{"id": "1", "text": " "}\n{"id": "x", "text": "a"}\n'
    )
    table = open_table(SourceSpec("corpus.jsonl"), needs=["id", "text"], optional=["title"], base=tmp_path)
    params = {"template": "{title} {text}", "identical": "exact"}
    assert scan(table.shards()[0], params, tmp_path / "out.parquet") == {"rows": 3}
    found = pq.read_table(tmp_path / "out.parquet")
    assert found.schema.names == SCANNED.names
    assert found["id"].to_pylist() == ["001", "1", "x"]
    first, second, third = found["digest"].to_pylist()
    assert (first == third, second) == (True, None)


def test_a_ranking_writes_the_raw_run_of_the_split(folder, tmp_path):
    chosen(folder, tmp_path / "held.parquet")
    job = Ranking(tmp_path / "held.parquet", "en", "en", BM25("en"))
    assert rank(job, {"depth": 5}, tmp_path / "run.parquet") == {"system": "bm25:en"}
    assert pq.read_table(tmp_path / "run.parquet", columns=["query-id", "corpus-id", "rank"]).to_pylist() == [
        {"query-id": "q0", "corpus-id": "d0", "rank": 1}
    ]
    assert HELD.names[0] == "table"
