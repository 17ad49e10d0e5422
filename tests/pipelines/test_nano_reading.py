import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pyrite.core import Corpus, DataError, Document
from pyrite.pipelines.nano_reading import MemoryCorpus, TableCorpus, joined_texts, judged_table, names_in, read_folder
from pyrite.pipelines.nano_stages import scan
from pyrite.sources import SourceSpec, TableShard, open_table

IDS = pa.chunked_array([["d0", "d1", "d2"]], pa.large_string())


def shards(path: Path, rows: list[dict], needs: list[str], *, shard_bytes: int = 1 << 20) -> list[TableShard]:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    optional = [name for name in ("title", "negatives") if name not in needs]
    table = open_table(SourceSpec(path.name), needs=needs, optional=optional, base=path.parent)
    return table.shards(shard_bytes=shard_bytes)


def corpus_of(tmp_path: Path, rows: list[dict], *, shard_bytes: int = 1 << 20) -> TableCorpus:
    """A corpus table, scanned shard by shard as the stage does it."""
    made = shards(tmp_path / "corpus.jsonl", rows, ["id", "text"], shard_bytes=shard_bytes)
    scanned = []
    for number, shard in enumerate(made):
        scanned.append(tmp_path / f"{number}.parquet")
        scan(shard, {"template": "{title}: {text}", "identical": "exact"}, scanned[-1])
    return TableCorpus(tuple(made), tuple(scanned), "{title}: {text}")


ROWS = [
    {"id": "a", "title": "A", "text": "one"},
    {"id": "b", "text": "two"},
    {"id": "c", "title": None, "text": "  "},
    {"id": "d", "title": "", "text": "two"},
    {"id": "e", "title": "E", "text": None},
]


def test_a_corpus_table_and_the_same_corpus_in_memory_say_the_same(tmp_path):
    table = corpus_of(tmp_path, ROWS)
    documents = [Document(row["id"], row["text"] or "", row.get("title") or "") for row in ROWS]
    memory = MemoryCorpus(Corpus.of(documents, template="{title}: {text}"))
    assert table.ids.to_pylist() == memory.ids.to_pylist()
    assert table.document_map("exact").kept.tolist() == memory.document_map("exact").kept.tolist() == [0, 1, -1, 1, 4]
    rows = np.array([4, 0, 1])
    assert table.take(rows).contents().to_pylist() == memory.take(rows).contents().to_pylist() == ["E", "A: one", "two"]


def test_rows_are_counted_over_all_the_shards_of_a_table(tmp_path):
    rows = [{"id": f"d{number}", "text": f"text {number}"} for number in range(50)]
    table = corpus_of(tmp_path, rows, shard_bytes=200)
    assert len(table.shards) > 3
    assert table.take(np.array([49, 0, 25])).ids.to_pylist() == ["d49", "d0", "d25"]
    assert len(table.document_map("exact").documents) == 50


def test_a_repeated_document_id_is_an_error_that_names_it(tmp_path):
    with pytest.raises(DataError, match="document id 'a' occurs more than once"):
        _ = corpus_of(tmp_path, [{"id": "a", "text": "one"}, {"id": "a", "text": "two"}]).ids


def test_a_missing_title_is_no_title_and_a_missing_text_is_empty():
    """O30."""
    batch = pa.record_batch({"title": ["T", None, " "], "text": [None, "b", "c"]})
    assert joined_texts(batch, "{title} {text}") == ["T", "b", "c"]


def judged(tmp_path: Path, query: dict, *, refer_by) -> list[tuple[str, int, int]]:
    made = shards(tmp_path / "queries.jsonl", [{"id": "q", "query": "?", **query}], ["id", "query", "positives"])
    found = judged_table(made, None, IDS, refer_by=refer_by)
    return [(one.doc_id, one.row, one.grade) for one in found.judgements]


@pytest.mark.filterwarnings("ignore:.*cast to strings")
def test_row_numbers_become_the_ids_of_their_rows(tmp_path):
    assert judged(tmp_path, {"positives": [2], "negatives": [0, 1]}, refer_by="row") == [
        ("d2", 2, 1),
        ("d0", 0, 0),
        ("d1", 1, 0),
    ]


def test_ids_are_found_and_an_unknown_one_has_no_row(tmp_path):
    assert judged(tmp_path, {"positives": ["d9", "d1"]}, refer_by="id") == [("d9", -1, 1), ("d1", 1, 1)]


@pytest.mark.parametrize("number", ["3", "-1", "1.0", "²", ""])
def test_what_is_no_row_of_the_corpus_is_an_error_that_names_the_query(tmp_path, number):
    with pytest.raises(DataError, match=f"query 'q' refers to row '{number}' of a corpus of 3 rows"):
        judged(tmp_path, {"positives": [number]}, refer_by="row")


def test_judgements_of_what_a_folder_lacks_stay_for_the_ledger(write_rows, tmp_path):
    """O31, O32."""
    write_rows("toy/corpus.parquet", [{"_id": "d0", "text": "one"}])
    write_rows("toy/queries.parquet", [{"_id": "q0", "text": "?"}])
    write_rows("toy/qrels.parquet", [{"query-id": "q5", "corpus-id": "d9", "score": 1}])
    corpus, found = read_folder(tmp_path / "toy", None, "{title} {text}")
    assert (len(corpus), corpus.template) == (1, "{title} {text}")
    assert [(one.query_id, one.doc_id, one.row) for one in found.judgements] == [("q5", "d9", -1)]
    assert names_in(tmp_path / "toy") == ["corpus.parquet", "qrels.parquet", "queries.parquet"]


def test_a_table_without_queries_has_no_judgements(tmp_path):
    lists = pa.list_(pa.string())
    schema = pa.schema([("id", pa.string()), ("query", pa.string()), ("positives", lists)])
    pq.write_table(schema.empty_table(), tmp_path / "queries.parquet")
    table = open_table(SourceSpec("queries.parquet"), needs=schema.names, base=tmp_path)
    assert len(judged_table(table.shards(), None, IDS, refer_by="id").queries) == 0
