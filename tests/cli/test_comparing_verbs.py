"""`compare`, `leaderboard` and `fidelity`: what they print, as tables and for machines."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from pyrite.cli import main
from pyrite.core import QueryCounts, Report, SystemReport
from pyrite.evaluation import bootstrap
from pyrite.formats import write_report


@pytest.fixture
def results(tmp_path: Path) -> Path:
    systems = []
    for number in range(5):
        values = np.linspace(0, 1, 30) * (number + 1) / 5
        systems.append(SystemReport(f"s{number}", "dense", {}, {"RR@10": bootstrap(values)}, {"RR@10": values}))
    ids = tuple(f"q{number}" for number in range(30))
    write_report(tmp_path / "r", Report("toy", "", QueryCounts(30, 30, 30, 0), ids, tuple(systems)))
    return tmp_path / "r"


def printed(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str]:
    with pytest.raises(SystemExit) as stopped:
        main([str(argument) for argument in arguments])
    return int(stopped.value.code or 0), capsys.readouterr().out


def test_compare_prints_groups_and_pairs(results: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, said = printed(capsys, "compare", results)
    assert code == 0
    assert "Systems by RR@10" in said
    assert "30 / 0 / 0" not in said  # the first query is 0 for all
    assert "29 / 0 / 1" in said
    held = json.loads(printed(capsys, "compare", results, "--json")[1])
    assert len(held["pairs"]) == 10
    assert held["systems"][0][0] == "s4"


def test_leaderboard_prints_a_table_markdown_or_csv(results: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "Leaderboard: RR@10" in printed(capsys, "leaderboard", results)[1]
    assert printed(capsys, "leaderboard", results, "--markdown")[1].startswith("| system | family | group | toy |\n")
    lines = printed(capsys, "leaderboard", results, "--csv")[1].splitlines()
    assert lines[0] == "system,family,dataset,measure,mean,low,high"
    assert lines[1].startswith("s4,dense,toy,RR@10,0.5,")
    assert printed(capsys, "leaderboard", results, "--csv", "--markdown")[0] == 2


def test_leaderboard_writes_a_page_with_charts(results: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = results.parent / "board.html"
    assert printed(capsys, "leaderboard", results, "--html", page) == (0, f"{page}: the leaderboard, with charts.\n")
    assert "<h1><bdi>toy</bdi></h1>" in page.read_text(encoding="utf-8")
    assert printed(capsys, "leaderboard", results, "--html", page, "--csv")[0] == 2
    assert printed(capsys, "leaderboard", results, "--html", results)[0] == 2


def test_fidelity_prints_both_correlations(results: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, said = printed(capsys, "fidelity", results, results)
    assert code == 0
    assert "Kendall's tau 1.0000 [1.0000, 1.0000]" in said
    assert json.loads(printed(capsys, "fidelity", results, results, "--json")[1])["spearman"]["mean"] == 1.0
    assert printed(capsys, "fidelity", results, results, "--measure", "AP")[0] == 2
