"""What a build will take, said before it is done."""

import json
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pyrite.core import RecipeError
from pyrite.pipelines import build, plan

RECIPE = """\
kind = "benchmark"
name = "small"
language = "en"

[source.eval]
path = "eval.jsonl"

[source.train]
path = "train.parquet"

[evaluate]
systems = ["bm25"]
"""
NANO = """\
kind = "nano"
name = "NanoToy"

[source]
path = "beir"

[[split]]
name = "toy"
language = "en"
"""
MINING = """\
kind = "training"
name = "mined"
language = "en"

[source.queries]
path = "queries.jsonl"

[source.corpus]
path = "corpus.parquet"

[[retriever]]
system = "bm25"

[teacher]
system = "scores:scores.parquet"
depth = 30
"""


@pytest.fixture
def recipe(tmp_path) -> Path:
    rows = [{"query": f"what is mineral {n}?", "passage": f"mineral {n} is a stone. " * 20} for n in range(200)]
    (tmp_path / "eval.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    passages = [f"stone {n} is no mineral. " * 20 for n in range(6000)]
    pq.write_table(pa.table({"passage": passages}), tmp_path / "train.parquet", row_group_size=500)
    (tmp_path / "small.toml").write_text(RECIPE)
    return tmp_path / "small.toml"


def size(folder):
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


FALLBACK = """
kind = "nano"
name = "NanoToy"
language = "en"

[source]
path = "queries"
query_split = "test"
fallback = ["dev", "train"]
corpus = { path = "corpus.parquet" }
queries = { columns = { positives = "positives" } }

[[split]]
name = "toy"
"""


def test_rows_bytes_disk_and_time_are_ranges_that_hold(recipe, tmp_path):
    planned = plan(recipe)
    assert [(one.role, one.what.rows) for one in planned.sources] == [("eval", (200, 200)), ("train", (6000, 6000))]
    assert planned.sources[1].what.bytes == (tmp_path / "train.parquet").stat().st_size
    started = time.perf_counter()
    build(recipe, out=tmp_path / "out", work=tmp_path / "work", overrides=["evaluate.distractors=[]"])
    assert planned.seconds.low / 10 < time.perf_counter() - started
    assert planned.out.low < size(tmp_path / "out") < planned.out.high
    assert planned.work.low < size(tmp_path / "work") < planned.work.high


def test_what_is_not_in_the_numbers_is_said(recipe):
    told = plan(recipe, overrides=["distractors.choose='hard'", "distractors.count=10"]).notes
    assert told == (
        "Not in the time: measuring bm25.",
        "Hard distractors: the time of ranking grows with queries and training rows together.",
    )


def test_nothing_is_left_behind_and_nothing_built(recipe, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    before = sorted(path.name for path in tmp_path.iterdir())
    plan(recipe)
    assert sorted(path.name for path in tmp_path.iterdir()) == before


def test_the_lines_say_what_the_json_says(recipe):
    planned = plan(recipe)
    text = "\n".join(planned.lines())
    assert "reads train: train.parquet" in text
    assert "6,000 rows" in text
    held = json.loads(json.dumps(planned.to_json()))
    assert held["sources"][1]["what"]["rows"] == [6000, 6000]
    assert held["seconds"]["low"] <= held["seconds"]["high"]


def test_distractors_that_a_sample_cannot_hold_are_no_error(recipe):
    assert plan(recipe, overrides=["distractors.count=5999"]).seconds is not None


def test_a_recipe_without_training_table_is_planned(recipe):
    planned = plan(recipe, overrides=["distractors.count=0"])
    assert [one.role for one in planned.sources] == ["eval"]
    assert planned.seconds.high > 0


def test_a_source_that_is_not_here_is_told_and_not_probed(recipe, monkeypatch):
    from pyrite.pipelines import planning
    from pyrite.sources import Outline

    monkeypatch.setattr(planning, "outline", lambda spec, base: Outline(spec.path, 3, 7_000_000_000, None, False))
    planned = plan(recipe)
    assert (planned.seconds, planned.work, planned.probe) == (None, None, None)
    text = "\n".join(planned.lines())
    assert "7.0 GB, to be downloaded, rows not known before the download" in text
    assert "Nothing could be probed" in text


def test_a_nano_dataset_is_probed_by_its_smallest_split(tmp_path):
    (tmp_path / "beir" / "qrels").mkdir(parents=True)
    documents = [{"_id": f"d{n}", "text": f"text {n}"} for n in range(50)]
    (tmp_path / "beir" / "corpus.jsonl").write_text("".join(json.dumps(one) + "\n" for one in documents))
    (tmp_path / "beir" / "queries.jsonl").write_text('{"_id": "q", "text": "text 7"}\n')
    (tmp_path / "beir" / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq\td7\t1\n")
    (tmp_path / "nano.toml").write_text(NANO)
    planned = plan(tmp_path / "nano.toml")
    assert [(one.role, one.what.rows) for one in planned.sources] == [("toy", (52, 52))]
    assert planned.seconds.high > 0
    assert not (tmp_path / "NanoToy").exists()


def test_a_fallback_is_planned_where_the_wished_query_split_is_not_there(tmp_path):
    pq.write_table(pa.table({"id": [f"d{n}" for n in range(9)], "text": ["x"] * 9}), tmp_path / "corpus.parquet")
    (tmp_path / "queries").mkdir()
    rows = pa.table({"id": ["q1", "q2"], "query": ["what?", "why?"], "positives": [["d1"], ["d2"]]})
    pq.write_table(rows, tmp_path / "queries" / "dev.parquet")
    pq.write_table(rows.slice(1), tmp_path / "queries" / "train.parquet")
    (tmp_path / "nano.toml").write_text(FALLBACK)
    assert [one.what.rows for one in plan(tmp_path / "nano.toml").sources] == [(9, 9), (2, 2)]
    with pytest.raises(RecipeError, match="has no split 'test'"):
        plan(tmp_path / "nano.toml", overrides=["source.fallback=['other']"])


def test_a_training_recipe_says_its_pairs_to_score(recipe, tmp_path):
    rows = [{"query": f"what is {n}?", "relevant": [f"d{n}"]} for n in range(7)]
    (tmp_path / "queries.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    pq.write_table(pa.table({"id": [f"d{n}" for n in range(9)], "text": ["x"] * 9}), tmp_path / "corpus.parquet")
    (tmp_path / "mine.toml").write_text(MINING)
    planned = plan(tmp_path / "mine.toml")
    assert [(one.role, one.what.rows) for one in planned.sources] == [("queries", (7, 7)), ("corpus", (9, 9))]
    assert planned.notes[0] == "Pairs to score: up to 210, 30 for each row of the queries, and the positives."
    assert planned.seconds is None


def test_a_missing_source_is_a_sentence(recipe, tmp_path):
    (tmp_path / "train.parquet").unlink()
    with pytest.raises(RecipeError, match="there is no such file or folder"):
        plan(recipe)
