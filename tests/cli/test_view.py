"""`pyrite view`: the address it prints, the browser it opens, its errors."""

from __future__ import annotations

import re
import webbrowser
from pathlib import Path

import pytest

from pyrite.cli import main
from pyrite.core import Run
from pyrite.formats import write_run
from pyrite.viewer import ViewerServer


@pytest.fixture
def run_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A run; a server that is stopped as soon as it serves."""
    write_run(tmp_path / "run.parquet", Run.of("x", {"q1": [("d1", 1.0)]}))

    def stopped(server: ViewerServer) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(ViewerServer, "serve_forever", stopped)
    return tmp_path / "run.parquet"


def viewed(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stopped:
        main(["view", *(str(argument) for argument in arguments)])
    out, err = capsys.readouterr()
    return int(stopped.value.code or 0), out, err


def test_it_says_where_it_is_opens_a_browser_and_ends_quietly(
    run_file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    code, out, err = viewed(capsys, run_file)
    assert (code, err) == (0, "")
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/ \(Ctrl-C ends it\)\n\n", out)
    assert opened == [out.split()[0]]


def test_no_open_opens_none(
    run_file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webbrowser, "open", lambda address: pytest.fail(f"{address} was opened"))
    assert viewed(capsys, run_file, "--no-open")[0] == 0


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["nowhere"], 2, "nowhere: there is no such file or folder"),
        (["."], 2, "holds nothing that can be shown"),
        ([], 2, "Missing argument 'PATH'"),
        (["run.parquet", "--port", "70000"], 2, "--port"),
    ],
)
def test_what_is_wrong_is_one_sentence(
    run_file: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    code: int,
    told: str,
) -> None:
    monkeypatch.chdir(run_file.parent)
    got, out, err = viewed(capsys, *arguments)
    assert (got, out) == (code, "")
    assert told in " ".join(err.split())
    assert "Traceback" not in err
