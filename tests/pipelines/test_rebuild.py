"""A folder against a second build of its recipe."""

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pyrite.core import DataError, RecipeError
from pyrite.pipelines import build, rebuild

RECIPE = """\
kind = "benchmark"
name = "small"
language = "en"

[source.eval]
path = "rows/eval.jsonl"

[source.train]
path = "train.jsonl"
"""


@pytest.fixture
def built(tmp_path) -> Path:
    home = tmp_path / "home"
    (home / "rows").mkdir(parents=True)
    rows = [{"query": f"what is {n}?", "passage": f"passage {n}"} for n in range(4)]
    (home / "rows" / "eval.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (home / "train.jsonl").write_text("".join(json.dumps({"passage": f"other {n}"}) + "\n" for n in range(5)))
    (home / "small.toml").write_text(RECIPE)
    build(home / "small.toml", out=home / "small", work=tmp_path / "work")
    return home / "small"


def test_a_folder_is_what_its_recipe_makes(built):
    made = rebuild(built)
    assert made.same
    assert set(made.files.values()) == {"same"}
    assert "corpus/corpus.parquet" in made.files
    assert not {"README.md", "manifest.json"} & set(made.files)
    assert (made.versions, made.base) == ({}, built.parent)


def test_each_file_is_told_for_itself(built):
    table = pq.read_table(built / "corpus" / "corpus.parquet")
    pq.write_table(table.set_column(1, "text", pa.array(["x"] * len(table))), built / "corpus" / "corpus.parquet")
    (built / "qrels" / "test.parquet").unlink()
    (built / "notes.txt").write_text("x")
    made = rebuild(built)
    assert not made.same
    assert {path: outcome for path, outcome in made.files.items() if outcome != "same"} == {
        "corpus/corpus.parquet": "different",
        "qrels/test.parquet": "missing",
        "notes.txt": "not of the build",
    }


def test_results_and_words_that_came_later_are_no_difference(built):
    (built / "results" / "later").mkdir(parents=True)
    (built / "results" / "later" / "report.json").write_text("{}")
    (built / "README.md").write_text("mine")
    assert rebuild(built).same


def test_changed_sources_show(built):
    train = built.parent / "train.jsonl"
    train.write_text(train.read_text().replace("other 3", "another"))
    assert rebuild(built).files["corpus/corpus.parquet"] == "different"


def test_relative_sources_start_where_one_says(built, tmp_path):
    """A dataset names no folder of the machine on which it was made."""
    assert str(tmp_path) not in (built / "manifest.json").read_text()
    moved = built.rename(tmp_path / "elsewhere")
    with pytest.raises(RecipeError, match=r"the source 'rows/eval\.jsonl' is not in .*; name .* with --base"):
        rebuild(moved)
    assert rebuild(moved, base=tmp_path / "home").same
    with pytest.raises(RecipeError, match="is not in"):
        rebuild(moved, base=tmp_path)


def test_a_shipped_recipe_s_own_files_are_found(tmp_path):
    build("demo/de", out=tmp_path / "de", work=tmp_path / "work", overrides=["evaluate.distractors=[]"])
    assert rebuild(tmp_path / "de").same


def test_other_versions_are_named(built):
    manifest = json.loads((built / "manifest.json").read_text())
    manifest["versions"]["pyarrow"] = "1.0"
    (built / "manifest.json").write_text(json.dumps(manifest))
    made = rebuild(built)
    assert made.versions == {"pyarrow": ("1.0", pa.__version__)}
    assert made.to_json()["versions"] == {"pyarrow": ["1.0", pa.__version__]}


def of_another_version(folder: Path) -> None:
    """The manifest, the report and the page as a version before this one wrote them."""
    for place in ("manifest.json", "results/report.json"):
        told = json.loads((folder / place).read_text())
        told["versions"]["pyrite"] = "0.0.1"
        (folder / place).write_text(json.dumps(told))
    page = folder / "results" / "report.html"
    page.write_text(page.read_text().replace("<main", '<main class="of-before"'))


def test_a_page_is_not_compared_with_that_of_another_version_and_what_it_shows_is(tmp_path):
    build("demo/de", out=tmp_path / "de", work=tmp_path / "work", overrides=["evaluate.distractors=[]"])
    page = tmp_path / "de" / "results" / "report.html"
    whole = page.read_text()
    page.write_text(whole + " ")
    assert rebuild(tmp_path / "de").files["results/report.html"] == "different"
    of_another_version(tmp_path / "de")
    made = rebuild(tmp_path / "de")
    assert {path: outcome for path, outcome in made.files.items() if outcome != "same"} == {
        "results/report.html": "not compared"
    }
    assert made.same
    report = tmp_path / "de" / "results" / "report.json"
    report.write_text(report.read_text().replace('"mean": 0.', '"mean": 1.', 1))
    assert rebuild(tmp_path / "de").files["results/report.json"] == "different"


def test_nothing_of_a_rebuild_stays_and_the_folder_is_only_read(built, tmp_path):
    before = {path: path.read_bytes() for path in built.rglob("*") if path.is_file()}
    (tmp_path / "here").mkdir()
    rebuild(built, work=tmp_path / "here")
    assert list((tmp_path / "here").iterdir()) == []
    assert {path: path.read_bytes() for path in built.rglob("*") if path.is_file()} == before


def test_a_folder_without_a_recipe_is_a_sentence(built):
    (built / "recipe.toml").unlink()
    with pytest.raises(DataError, match=r"there is no recipe\.toml; name a folder that pyrite build made"):
        rebuild(built)
