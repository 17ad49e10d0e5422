"""Bad input: one sentence with file, line or id, the right exit code, nothing half-written."""

import errno
import json
import os
import warnings
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pyrite.cli import main

RECIPE = """\
kind = "benchmark"
name = "small"
language = "en"

[source.eval]
path = "eval.parquet"
columns = { query = "question", passage = "passage" }

[source.train]
path = "train.jsonl"
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    pq.write_table(pa.table({"question": ["a?", "b?"], "passage": ["A.", "B."]}), tmp_path / "eval.parquet")
    (tmp_path / "train.jsonl").write_text('{"passage": "C."}\n{"passage": "D."}\n')
    (tmp_path / "small.toml").write_text(RECIPE)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stopped:
        main(list(arguments))
    out, err = capsys.readouterr()
    return int(stopped.value.code or 0), out, err


def _refused(capsys: pytest.CaptureFixture[str], place: Path, code: int, *arguments: str) -> str:
    """The one sentence of a build that failed; nothing is left where the dataset would have been."""
    got, out, err = _run(capsys, "build", "small.toml", "--out", "out", "--quiet", *arguments)
    assert (got, out) == (code, "")
    assert err.count("\n") == 1
    assert err.startswith("pyrite: ")
    assert "Traceback" not in err
    assert not (place / "out").exists()
    assert not [path for path in place.iterdir() if path.name.startswith(".out")]
    return err


def test_a_good_build_ends_zero_and_the_folder_passes_its_check(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = _run(capsys, "build", "small.toml", "--out", "out", "--json")
    assert code == 0
    assert json.loads(out)["counts"] == {"queries": 2, "gold": 2, "distractors": 2, "corpus": 4, "qrels": 2}
    assert _run(capsys, "check", "out")[0] == 0
    assert _run(capsys, "verify", "out")[0] == 0


def test_a_missing_column_names_the_file_the_column_and_the_columns_there_are(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    message = _refused(capsys, place, 1, "--set", "source.eval.columns.passage=passage_text")
    for part in ("eval.parquet", "passage_text", "question"):
        assert part in message


def test_a_number_where_a_text_belongs_names_file_and_line(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (place / "train.jsonl").write_text('{"passage": "C."}\n{"passage": 1.5}\n')
    message = _refused(capsys, place, 1)
    for part in ("train.jsonl", "line 2", "1.5"):
        assert part in message


@pytest.mark.filterwarnings("default")
def test_integers_are_cast_once_with_a_warning_that_names_file_and_column(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """O33: an id or a text that was written as a number is the same string everywhere."""
    (place / "train.jsonl").write_text('{"passage": 1}\n{"passage": 17}\n')
    code, _, err = _run(capsys, "build", "small.toml", "--out", "out", "--quiet")
    assert code == 0
    assert err.count("warning") == 1
    assert "train.jsonl" in err
    assert "'passage'" in err


def test_broken_json_names_file_and_line(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (place / "train.jsonl").write_text('{"passage": "C."}\n\n{"passage": "D."\n')
    message = _refused(capsys, place, 1)
    for part in ("train.jsonl", "line 3"):
        assert part in message


def test_invalid_utf_8_names_file_and_line(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (place / "train.jsonl").write_bytes(b'{"passage": "C."}\n{"passage": "\xff\xfe"}\n')
    message = _refused(capsys, place, 1)
    for part in ("train.jsonl", "line 2", "UTF-8"):
        assert part in message


def test_invalid_utf_8_in_parquet_names_file_and_row(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    raw = pa.array([b"A.", b"\xff\xfe"], pa.binary()).view(pa.string())
    pq.write_table(pa.table({"question": ["a?", "b?"], "passage": raw}), place / "eval.parquet")
    message = _refused(capsys, place, 1)
    for part in ("eval.parquet", "row 1", "UTF-8"):
        assert part in message


def test_a_truncated_parquet_file_is_named(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = (place / "eval.parquet").read_bytes()
    (place / "eval.parquet").write_bytes(whole[: len(whole) // 2])
    assert "eval.parquet" in _refused(capsys, place, 1)


def test_an_unknown_recipe_key_is_named(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "unknown key 'queries.limti'" in _refused(capsys, place, 2, "--set", "queries.limti=3")


def test_an_unreachable_hub_is_one_sentence(
    place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    assert "someone/something" in _refused(capsys, place, 1, "--set", "source.eval.path=someone/something")


def test_a_path_that_is_not_there_is_named(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "nowhere.parquet" in _refused(capsys, place, 2, "--set", "source.eval.path=nowhere.parquet")


def test_a_full_disk_is_one_sentence_and_the_next_run_goes_on(
    place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.fsync

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    assert "full" in _refused(capsys, place, 1)
    monkeypatch.setattr(os, "fsync", real)
    assert _run(capsys, "build", "small.toml", "--out", "out", "--quiet")[0] == 0


def test_dangling_qrels_are_named(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """O31, O32: a judgement of a document that is not there."""
    (place / "beir" / "qrels").mkdir(parents=True)
    (place / "beir" / "corpus.jsonl").write_text('{"_id": "d1", "text": "A."}\n')
    (place / "beir" / "queries.jsonl").write_text('{"_id": "q1", "text": "a?"}\n')
    (place / "beir" / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td9\t1\n")
    code, _, err = _run(capsys, "evaluate", "beir", "--system", "bm25:en", "--out", "results")
    assert code == 1
    assert "d9" in err
    assert not (place / "results").exists()


def test_an_unknown_verb_and_an_unknown_option_are_usage_errors(capsys: pytest.CaptureFixture[str]) -> None:
    assert _run(capsys, "bild")[0] == 2
    assert _run(capsys, "build", "x", "--wrokers", "2")[0] == 2


def test_help_fits_a_screen_and_every_verb_ends_with_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = _run(capsys, "--help")
    assert code == 0
    assert len(out.splitlines()) <= 40
    for verb in ("build", "search", "evaluate", "check", "verify", "inspect", "card", "demo", "recipes"):
        assert verb in out
        assert "Example: pyrite " in _run(capsys, verb, "--help")[1]


def test_a_list_where_a_question_is_due_is_named_with_its_line(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (place / "lists.jsonl").write_text('{"question": ["a?"], "passage": "A."}\n')
    err = _refused(capsys, place, 1, "--set", "source.eval.path=lists.jsonl")
    assert err.endswith("lists.jsonl, line 1: column 'question' holds the list ['a?']; write one string a row.\n")


def test_results_are_not_written_over_a_file(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _run(capsys, "build", "small.toml", "--out", "out", "--quiet")
    code, _, err = _run(capsys, "evaluate", "out", "--system", "bm25", "--quiet", "--out", "small.toml")
    assert (code, err) == (2, "pyrite: small.toml: is a file, not a folder; choose another --out.\n")
    assert (place / "small.toml").read_text() == RECIPE


def test_a_run_of_other_queries_is_told_of(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _run(capsys, "build", "small.toml", "--out", "out", "--quiet")
    (place / "other.trec").write_text("zz Q0 p0 1 2.0 x\n")
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        code, _, err = _run(capsys, "evaluate", "out", "--system", "run:other.trec", "--quiet")
    assert code == 0
    assert err.startswith("pyrite: warning: run:other finds no document for any query; check that it is made for")


def test_a_dataset_that_names_no_language_is_measured_in_that_of_its_queries(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As the folders of other tools are, which hold no manifest."""
    tables = {
        "corpus": {"_id": ["d1"], "text": ["Der Berg ist hoch."]},
        "queries": {"_id": ["q1", "q2"], "text": ["wie hoch ist der Berg?", "wer schrieb denn das Buch?"]},
        "qrels": {"query-id": ["q1"], "corpus-id": ["d1"], "score": [1]},
    }
    (place / "flat").mkdir()
    for name, columns in tables.items():
        pq.write_table(pa.table(columns), place / "flat" / f"{name}.parquet")
    for verb in (["evaluate", "flat", "--json"], ["search", "flat", "--out", "run.trec"]):
        code, out, _ = _run(capsys, *verb, "--system", "bm25")
        assert (code, "bm25:de" in out) == (0, True)


def test_a_stop_while_pyrite_is_loading_is_one_sentence(
    place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("pyrite.cli.app.load_verbs", stopped)
    code, _, err = _run(capsys, "--version")
    assert (code, err.count("\n"), err.startswith("pyrite: Stopped.")) == (130, 1, True)


@pytest.mark.parametrize(
    "command",
    [
        "card nope",
        "check nope",
        "diff nope small.toml",
        "diff small.toml nope",
        "export eval.parquet beir --out out --results nope",
        "inspect nope",
        "publish nope a/b --dry-run",
        "refilter nope --out out",
        "verify nope",
        "evaluate nope --system bm25",
        "search nope --system bm25 --out out",
    ],
)
def test_a_path_that_is_not_there_is_a_wrong_command(
    command: str, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = _run(capsys, *command.split())
    assert (code, out) == (2, "")
    assert err.startswith("pyrite: nope: there is no such ")
    assert err.endswith("check the path.\n")
    assert not (place / "out").exists()


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("search x --system bm25 --out out --depth -5", "Invalid value for '--depth': write 1 or more"),
        ("search x --system bm25 --out out --depth many", "Invalid value for '--depth': write a whole number"),
        ("export x list --out out", "Invalid value for 'form': 'list' is not one of 'mteb', 'hakari', 'beir'"),
    ],
)
def test_a_wrong_value_of_an_option_is_told_in_plain_words(
    command: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = _run(capsys, *command.split())
    assert (code, out) == (2, "")
    assert told in " ".join(err.split())
