"""What goes with an export beside its tables."""

import pytest
import yaml

from pyrite.core import RecipeError
from pyrite.formats import Manifest, write_manifest
from pyrite.publishing.export_card import ExportSource, export_card
from pyrite.publishing.export_forms import Written


def test_a_folder_without_a_manifest_has_the_licence_of_its_card(tmp_path):
    (tmp_path / "README.md").write_text("---\nlicense: mit\n---\n# Toy\n")
    source = ExportSource.of(tmp_path)
    assert (source.manifest.name, source.licence, source.credits) == (tmp_path.name, "mit", [])
    assert ExportSource.of(tmp_path / "none").licence == ""


def test_a_share_alike_source_decides_and_a_lesser_licence_is_refused(tmp_path):
    recipe = {"credit": [{"name": "M", "license": "CC BY-SA 4.0"}], "card": {"license": ""}}
    write_manifest(tmp_path / "manifest.json", Manifest("benchmark", "toy", recipe=recipe))
    assert ExportSource.of(tmp_path).licence == "cc-by-sa-4.0"
    recipe["card"] = {"license": "mit"}
    write_manifest(tmp_path / "manifest.json", Manifest("benchmark", "toy", recipe=recipe))
    with pytest.raises(RecipeError, match="does not keep the share-alike terms"):
        _ = ExportSource.of(tmp_path).licence


def test_scalars_that_yaml_would_take_for_something_else_are_quoted(tmp_path):
    written = Written(languages={"no": "no"}, configs={"1e3": {"on": ["a.parquet"]}})
    card = export_card(ExportSource.of(tmp_path), written, "mteb")
    front = yaml.safe_load(card.split("---")[1])
    assert front["language"] == ["no"]
    assert front["configs"] == [
        {"config_name": "1e3", "default": True, "data_files": [{"split": "on", "path": "a.parquet"}]}
    ]


def test_an_unknown_licence_is_other_and_says_so(tmp_path):
    card = export_card(ExportSource.of(tmp_path), Written(languages={"": ""}), "beir")
    assert "license: other" in card
    assert "No licence identifier is known" in card
    assert "not known" in card


def test_the_task_for_mteb_has_what_the_recipe_says(tmp_path):
    credit = {"name": "M", "url": "https://example.org", "license": "MIT", "bibtex": "@misc{m}\n"}
    manifest = Manifest("benchmark", "toy-set", recipe={"credit": [credit]}, protocol={"remove_self": True})
    task = ExportSource(manifest, {}).mteb_task(Written(languages={"": "no"}, splits=["test"]), "org/toy")
    assert (task.name, task.licence, task.reference, task.bibtex) == (
        "ToySet",
        "mit",
        "https://example.org",
        "@misc{m}",
    )
    assert (task.remove_self, task.dataset_id, task.description) == (True, "org/toy", "toy-set, a retrieval dataset.")
