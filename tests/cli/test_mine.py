"""`pyrite mine`: the recipe that it ran, the set that it made, its errors."""

import json
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from pyrite.cli import main
from pyrite.pipelines import check_recipe

Make = Callable[..., Path]


@pytest.fixture
def place(make_mining: Make, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = make_mining().parent
    monkeypatch.chdir(folder)
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
    return folder


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stopped:
        main(list(arguments))
    out, err = capsys.readouterr()
    return int(stopped.value.code or 0), out, err


MINE = [
    *("mine", "queries.parquet", "--corpus", "corpus.parquet", "--retriever", "run:run.parquet"),
    *("--teacher", "scores:scores.parquet", "--depth", "6", "--teacher-depth", "3", "--language", "en"),
    *("--num-negatives", "2", "--absolute-margin", "4", "--out", "mined"),
]


def test_it_prints_the_recipe_that_it_ran_and_what_came_out(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, *MINE)
    assert code == 0
    text = out.partition("Where the rows went")[0]
    recipe = tomllib.loads(text)
    assert check_recipe(recipe, where="stdout")
    assert recipe["select"] == {"num_negatives": 2, "positive_min": 2.0, "absolute_margin": 4.0, "top_up": False}
    assert (place / "mined" / "recipe.toml").read_text(encoding="utf-8") == text.rstrip("\n") + "\n"
    for told in ("filled by the margin alone", "weak positive", "hardest negative", "mined: 3 queries"):
        assert told in out


def test_json_is_all_that_stands_on_stdout(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, *MINE, "--json")
    told = json.loads(out)
    assert (code, err) == (0, "")
    assert told["counts"]["n-tuples"] == 4
    assert told["statistics"]["origins"] == {"margin": 4, "extended": 4, "top-up": 0}
    assert check_recipe(tomllib.loads(told["recipe"]), where="json")


def test_further_settings_and_columns_are_taken(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    columns = ["--columns", "query=query, relevant=relevant", "--corpus-columns", "id=id"]
    extra = [*columns, "--sample", "11", "--seed", "3"]
    code, out, err = run(capsys, *MINE, *extra, "--missing", "drop", "--set", "select.short_rows=keep", "--json")
    assert (code, err) == (0, "")
    recipe = tomllib.loads(json.loads(out)["recipe"])
    assert recipe["pool"] == {"sample": 11, "seed": 3}
    assert recipe["select"]["short_rows"] == "keep"
    assert recipe["source"]["corpus"]["columns"] == {"id": "id"}


@pytest.mark.parametrize(
    ("change", "code", "told"),
    [
        (["--num-negatives", "7"], 2, "num_negatives is 7 and the retrievers find 6"),
        (["--teacher", "scores:nowhere.parquet"], 2, "there is no such file"),
        (["--retriever", "oracle"], 2, "unknown system 'oracle'"),
        (["--columns", "query"], 2, "is not NAME=THEIRS"),
        (["--sample", "many"], 2, "neither a whole number nor 'all'"),
        (["--set", "select.topup=true"], 2, "did you mean 'top_up'"),
        (["--corpus", "nowhere.parquet"], 2, "nowhere.parquet"),
        (["--corpus-columns", "id=docid"], 1, "docid"),
        (["--absolute-margin", "99"], 1, "no row is left"),
        (["--absolute-margin", "nan"], 2, "--absolute-margin nan: 'select.absolute_margin' is nan"),
        (["--num-negatives", "500"], 2, "--num-negatives 500: select.num_negatives is 500"),
        (["--teacher-depth", "500"], 2, "--teacher-depth 500: teacher.depth is 500"),
        (["--language", "english"], 2, "--language english: 'language' is 'english'"),
        (["--set", "select.num_negatives=abc"], 2, "--set select.num_negatives=abc: 'select.num_negatives' is 'abc'"),
    ],
)
def test_what_is_wrong_is_one_sentence(
    place: Path, capsys: pytest.CaptureFixture[str], change: list[str], code: int, told: str
) -> None:
    got, out, err = run(capsys, *MINE, *change, "--quiet")
    assert (got, out) == (code, "")
    assert told in " ".join(err.split())
    assert "Traceback" not in err
    assert not (place / "mined").exists()
