"""`pyrite refilter`: other rules from the command line."""

import json
from pathlib import Path

import pytest

from pyrite.cli import main
from pyrite.pipelines import build


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stopped:
        main(list(arguments))
    out, err = capsys.readouterr()
    return int(stopped.value.code or 0), out, err


def contents(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_options_say_what_settings_say_and_the_bytes_are_those_of_a_build(
    mined_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    parent = mined_folder.parent
    options = ["--absolute-margin", "3", "--num-negatives", "1", "--positive-min", "5.5", "--margin-min", "4.5"]
    code, out, _ = run(
        capsys, "refilter", str(mined_folder), "--out", str(parent / "again"), *options, "--margin-penalty", "0"
    )
    assert code == 0
    assert "filled by the margin alone" in out
    settings = ["select.absolute_margin=3", "select.num_negatives=1", "select.positive_min=5.5"]
    settings = ["select.num_negatives=1", "select.positive_min=5.5", "filter.positive_min=5.5", *settings[:1]]
    settings += ["filter.margin_min=4.5", "filter.margin_penalty=0"]
    build(parent / "minerals.toml", out=parent / "built", work=parent / "work", overrides=settings)
    assert contents(parent / "again") == contents(parent / "built")


def test_json_tells_the_statistics(mined_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = mined_folder.parent / "again"
    code, told, err = run(
        capsys, "refilter", str(mined_folder), "--out", str(out), "--relative-margin", "0.4", "--json"
    )
    assert (code, err) == (0, "")
    assert json.loads(told)["statistics"]["pairs"] == 5


@pytest.mark.parametrize(
    ("options", "code", "told"),
    [
        (["--absolute-margin", "wide"], 2, "'wide' is not a number"),
        (["--absolute-margin", "nan"], 2, "'nan' is not a number"),
        (["--absolute-margin", "7"], 1, "3 pairs that these rules need were never scored"),
        (["--set", "pool.seed=1"], 2, "cannot be changed without building again"),
        (["--num-negatives", "0"], 2, "'--num-negatives': write 1 or more"),
        (["--num-negatives", "500"], 2, "pyrite: --num-negatives 500: select.num_negatives is 500"),
        (["--set", "select.num_negatives=500"], 2, "--set select.num_negatives=500: select.num_negatives is 500"),
    ],
)
def test_what_cannot_be_is_one_sentence(
    mined_folder: Path, capsys: pytest.CaptureFixture[str], options: list[str], code: int, told: str
) -> None:
    out = mined_folder.parent / "again"
    got, printed, err = run(capsys, "refilter", str(mined_folder), "--out", str(out), "--quiet", *options)
    assert (got, printed) == (code, "")
    assert told in " ".join(err.split())
    assert not out.exists()
