"""Runs as Parquet."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pyrite.core import DataError, Run
from pyrite.formats import read_run, write_run

RUN = Run.of("toy", {"q2": [("001", 0.1 + 0.2), ("a b", 3.0)], "q1": [("é", -1.0)], "q3": []})


def test_a_run_comes_back_in_its_order_with_its_raw_scores(tmp_path):
    write_run(tmp_path / "toy.parquet", RUN)
    table = pq.read_table(tmp_path / "toy.parquet")
    assert table.schema.names == ["query-id", "corpus-id", "rank", "score"]
    assert table.schema.types == [pa.string(), pa.string(), pa.int64(), pa.float64()]
    found = read_run(tmp_path / "toy.parquet")
    assert found.system == "toy"
    assert list(found) == [(query, ranking) for query, ranking in RUN if ranking]


def test_ranks_decide_and_not_scores_or_the_order_of_rows(tmp_path):
    rows = {"query-id": ["q1", "q2", "q1"], "corpus-id": ["b", "x", "a"], "rank": [2, 7, 1], "score": [9.0, 1.0, 3.0]}
    pq.write_table(pa.table(rows), tmp_path / "run.parquet")
    run = read_run(tmp_path / "run.parquet")
    assert [(query, [hit.doc_id for hit in hits]) for query, hits in run] == [("q1", ["a", "b"]), ("q2", ["x"])]


def test_without_ranks_ties_go_to_the_greater_document_id(tmp_path):
    rows = {"query-id": ["q1"] * 3, "corpus-id": ["a", "b", "c"], "score": [1.0, 1.0, 2.0]}
    pq.write_table(pa.table(rows), tmp_path / "run.parquet")
    assert [hit.doc_id for hit in read_run(tmp_path / "run.parquet")["q1"]] == ["c", "b", "a"]


def test_a_shared_rank_and_a_repeated_document_are_errors(tmp_path):
    path = tmp_path / "run.parquet"
    rows = {"query-id": ["q1", "q1"], "corpus-id": ["a", "b"], "rank": [1, 1], "score": [1.0, 2.0]}
    pq.write_table(pa.table(rows), path)
    with pytest.raises(DataError, match=r"run\.parquet: two documents of query 'q1' have rank 1"):
        read_run(path)
    pq.write_table(pa.table(rows | {"corpus-id": ["a", "a"], "rank": [1, 2]}), path)
    with pytest.raises(DataError, match=r"run\.parquet, run 'run', query 'q1': document 'a' is retrieved twice"):
        read_run(path)


def test_a_parquet_run_is_known_by_its_bytes(tmp_path):
    write_run(tmp_path / "toy.parquet", RUN)
    (tmp_path / "toy.parquet").rename(tmp_path / "toy.run")
    assert len(read_run(tmp_path / "toy.run")["q2"]) == 2


def test_an_absent_file_and_a_missing_column_are_sentences(tmp_path):
    with pytest.raises(DataError, match=r"none\.run: there is no such file\.$"):
        read_run(tmp_path / "none.run")
    pq.write_table(pa.table({"query-id": ["q"], "corpus-id": ["d"]}), tmp_path / "run.parquet")
    with pytest.raises(DataError, match="there is no column 'score'"):
        read_run(tmp_path / "run.parquet")


def test_the_real_runs_of_a_first_stage_are_read(shared_data):
    run = read_run(shared_data / "medquad" / "runs" / "minilm-top100.parquet")
    assert (len(run), run.depth, len(run.scores)) == (600, 100, 60_000)
