"""`pyrite evaluate`: what it prints, what it refuses, and the code that it ends with."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pyrite.cli import main


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A collection of three documents, one a near copy of the positive; the working directory is its parent."""
    tables = {
        "corpus": [("d1", "pyrite glitters"), ("d2", "pyrite glitters"), ("d3", "gold")],
        "queries": [("q1", "what glitters?"), ("q2", "gold")],
    }
    (tmp_path / "toy").mkdir()
    for name, rows in tables.items():
        table = pa.Table.from_pylist([{"_id": one, "text": text} for one, text in rows])
        pq.write_table(table, tmp_path / f"toy/{name}.parquet")
    judged = [{"query-id": "q1", "corpus-id": "d2", "score": 1}, {"query-id": "q2", "corpus-id": "d3", "score": 1}]
    pq.write_table(pa.Table.from_pylist(judged), tmp_path / "toy/qrels.parquet")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stopped:
        main(["evaluate", *arguments])
    said = capsys.readouterr()
    return int(stopped.value.code or 0), said.out, said.err


def test_it_ends_zero_and_says_the_ties_and_the_curve(toy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "toy", "--system", "bm25:en", "--distractors", "0,all", "--measures", "RR@10 P@1")
    assert code == 0
    assert "bm25:en  0.7500" in out
    assert "Queries with tied scores: bm25:en 50.0%." in out
    assert "toy: RR@10 by number of distractors" in out


def test_the_rules_are_printed_where_they_are_asked_for_and_kept_in_any_case(
    toy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rule = "A tied query has two documents of one score"
    _, plain, _ = run(capsys, "toy", "--system", "bm25:en", "--out", "results")
    assert rule not in plain
    assert plain.splitlines()[-1].startswith("results: report.html, report.json (with the rules")
    assert any(rule in one for one in json.loads((toy / "results/report.json").read_text())["rules"])
    assert rule in (toy / "results/report.html").read_text()
    _, unkept, _ = run(capsys, "toy", "--system", "bm25:en")
    assert unkept.splitlines()[-1] == "By which rules: --rules prints them, and --out keeps them beside the numbers."
    _, asked, _ = run(capsys, "toy", "--system", "bm25:en", "--rules")
    assert f"- {rule}" in asked
    assert "By which rules" not in asked


def test_json_is_the_report_and_nothing_else(toy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "toy", "--system", "bm25:en", "--json")
    (system,) = json.loads(out)["systems"]
    assert (code, err, system["tied"], system["truncated"]) == (0, "", 0.5, {})


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ([], 2, "no system is named"),
        (["--system", "nope"], 2, "unknown system 'nope'"),
        (["--system", "dense:./gone"], 2, "there is no such model folder"),
        (["--system", "dense:org/gone"], 1, "the hub can't be reached"),
        (["--system", "run:gone.trec"], 2, "there is no such run file"),
        (["--system", "bm25", "--measures", "nDCG@ten"], 2, "nDCG@ten"),
        (["--system", "bm25", "--max-length", "0"], 2, "'0' is not a whole number"),
        (["--system", "bm25", "--queries", "0"], 2, "0 queries are asked for"),
        (["--system", "bm25", "--system", "bm25"], 2, "is named twice"),
        (["--systems", "gone.toml"], 2, "can't be read"),
        (["--system", "bm25", "--out", "toy"], 2, "is a folder with other files in it"),
        (["--system", "run:other.trec"], 1, "document 'zz' is not in the corpus"),
    ],
)
def test_what_is_wrong_is_one_sentence_and_a_code(
    arguments: list[str],
    code: int,
    said: str,
    toy: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """2 where the command is wrong, 1 where the data or the world say no."""
    # A stand-in where the models extra is not installed: only its presence is looked at.
    monkeypatch.setattr("pyrite.retrieval.neural.model_files.find_spec", lambda name: name)
    (toy / "other.trec").write_text("q1 Q0 zz 1 1.0 x\n")
    ended, out, err = run(capsys, "toy", *arguments)
    assert (ended, out) == (code, "")
    assert said in err


def test_a_folder_that_cannot_be_written_is_refused_before_anything_is_searched(
    toy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, _ = run(capsys, "toy", "--system", "bm25", "--out", "toy")
    assert (code, (toy / "cache").exists()) == (2, False)
