from pathlib import Path

import pytest

from pyrite.core import RecipeError
from pyrite.pipelines.nano_systems import system_of
from pyrite.pipelines.searching import settings_of


def test_a_run_file_is_found_beside_the_recipe_with_the_names_filled_in(tmp_path: Path):
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs/ja.trec").write_text("q1 Q0 d1 1 2.0 toy\n")
    system = system_of("run:runs/{split}.trec", language="ja", base=tmp_path, names={"split": "ja"})
    assert system.path == tmp_path / "runs/ja.trec"


def test_the_settings_of_a_run_file_change_with_its_content(tmp_path: Path):
    path = tmp_path / "a.trec"
    path.write_text("q1 Q0 d1 1 2.0 toy\n")
    before = settings_of(system_of("run:a.trec", language="", base=tmp_path))
    path.write_text("q1 Q0 d2 1 2.0 toy\n")
    after = settings_of(system_of("run:a.trec", language="", base=tmp_path))
    assert before["file"] == after["file"] == "a.trec"
    assert before["digest"] != after["digest"]


def test_a_run_file_that_is_not_there_is_an_error_that_names_it(tmp_path: Path):
    with pytest.raises(RecipeError, match=r"b\.trec: there is no such run file"):
        system_of("run:b.trec", language="", base=tmp_path)


def test_a_system_without_a_file_takes_the_language(tmp_path: Path):
    assert system_of("bm25", language="de", base=tmp_path).name == "bm25:de"
