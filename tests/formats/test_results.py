"""Reports as files."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pyrite.core import DataError, Estimate, QueryCounts, Report, SweepPoint, SystemReport
from pyrite.formats import read_report, write_parquet, write_report


def system(name, *, shift):
    values = {"nDCG@10": np.array([0.1, 1 / 3, 1.0]) - shift, "R@100": np.array([0.0, 1.0, 0.5])}
    measures = {measure: Estimate(float(v.mean()), float(v.min()), float(v.max())) for measure, v in values.items()}
    return SystemReport(name, "lexical", {"k1": 1.5, "b": 0.75}, measures, values, {"documents": 0.25})


REPORT = Report(
    dataset="toy",
    split="test",
    queries=QueryCounts(5, 4, 3, 1, {"run:b": 2}),
    query_ids=("q2", "001", "é (x)"),
    systems=(system("run:b", shift=0.0), system("bm25:en", shift=0.1)),
    sweeps={"distractors": (SweepPoint("bm25:en", "nDCG@10", 0, 9, Estimate(0.9, 0.8, 1.0)),)},
    rules=("A query without positives is left out.",),
    versions={"pyrite": "0.1.0"},
)


def test_a_report_comes_back_whole_and_in_order(tmp_path):
    write_report(tmp_path / "results", REPORT)
    found = read_report(tmp_path / "results")
    assert found.to_json() == REPORT.to_json()
    assert list(found.systems[0].measures) == ["nDCG@10", "R@100"]
    assert found.query_ids == REPORT.query_ids
    for one, other in zip(found.systems, REPORT.systems, strict=True):
        assert {name: values.tolist() for name, values in one.values.items()} == {
            name: values.tolist() for name, values in other.values.items()
        }


def test_the_files_have_the_published_form_and_the_same_bytes(tmp_path):
    for name in ("a", "b"):
        write_report(tmp_path / name, REPORT)
    for file in ("report.json", "per_query.parquet"):
        assert (tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes()
    assert json.loads((tmp_path / "a" / "report.json").read_text())["schema"] == 1
    table = pq.read_table(tmp_path / "a" / "per_query.parquet")
    assert table.schema.names == ["system", "query-id", "measure", "value"]
    assert table.schema.types == [pa.string(), pa.string(), pa.string(), pa.float64()]
    assert len(table) == 2 * 2 * 3


def test_values_are_joined_by_query_and_not_by_place(tmp_path):
    write_report(tmp_path, REPORT)
    table = pq.read_table(tmp_path / "per_query.parquet")
    head = table.slice(0, 3)
    write_parquet(tmp_path / "per_query.parquet", pa.concat_tables([head, table.slice(3).take(list(range(8, -1, -1)))]))
    found = read_report(tmp_path)
    assert found.systems[1].values["nDCG@10"].tolist() == REPORT.systems[1].values["nDCG@10"].tolist()


def test_a_missing_value_another_schema_and_a_broken_file_are_sentences(tmp_path):
    write_report(tmp_path, REPORT)
    write_parquet(tmp_path / "per_query.parquet", pq.read_table(tmp_path / "per_query.parquet").slice(1))
    with pytest.raises(DataError, match="'run:b' does not have one nDCG@10 a query: 2 values, 3 queries"):
        read_report(tmp_path)
    write_report(tmp_path, REPORT)
    (tmp_path / "report.json").write_text('{"schema": 9}')
    with pytest.raises(DataError, match="has schema 9, and this version of Pyrite reads 1"):
        read_report(tmp_path)
    (tmp_path / "report.json").write_text('{"schema": 1}')
    with pytest.raises(DataError, match=r"report\.json: is not a whole report"):
        read_report(tmp_path)
    (tmp_path / "report.json").write_text("{")
    with pytest.raises(DataError, match=r"report\.json: is not a JSON file"):
        read_report(tmp_path)
