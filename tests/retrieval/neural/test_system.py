"""What identifies a stored vector: everything that it depends on, and nothing else."""

from dataclasses import replace
from pathlib import Path

import pytest

from pyrite.retrieval.neural import NeuralSettings, NeuralSystem


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "runs" / "tiny"
    made.mkdir(parents=True)
    (made / "model.safetensors").write_bytes(b"weights")
    return made


def test_each_setting_that_changes_a_vector_changes_its_key(folder: Path) -> None:
    """O05: prompt, length, dimensions, dtype and normalisation."""
    plain = NeuralSystem("dense", str(folder))
    changed = [
        {"document_prompt": "passage: "},
        {"document_prompt": ""},
        {"prompt": "text: "},
        {"max_length": 64},
        {"max_length": 128},
        {"truncate_dim": 16},
        {"dtype": "float16"},
        {"dtype": "bfloat16"},
        {"normalize": True},
        {"normalize": False},
    ]
    keys = [replace(plain, settings=NeuralSettings(**own)).fingerprint("document") for own in changed]
    assert len({plain.fingerprint("document"), plain.fingerprint("query"), *keys}) == len(keys) + 2
    assert replace(plain, family="sparse").fingerprint("document") not in keys


def test_a_setting_that_changes_no_vector_changes_no_key(folder: Path) -> None:
    plain = NeuralSystem("dense", str(folder))
    same = [{"batch_size": 3}, {"devices": ("cpu",)}, {"name": "x"}, {"scale": 2.0}, {"query_prompt": "q: "}]
    same.append({"dtype": "float32"})
    keys = {replace(plain, settings=NeuralSettings(**own)).fingerprint("document") for own in same}
    assert keys == {plain.fingerprint("document")}


def test_the_weights_are_in_the_key_and_the_path_is_not(folder: Path, tmp_path: Path) -> None:
    """X03."""
    other = tmp_path / "other"
    other.mkdir()
    (other / "model.safetensors").write_bytes(b"weights")
    key = NeuralSystem("dense", str(folder)).fingerprint("document")
    assert NeuralSystem("dense", str(other)).fingerprint("document") == key
    (other / "model.safetensors").write_bytes(b"tuned..")
    assert NeuralSystem("dense", str(other)).fingerprint("document") != key


def test_the_name_shows_what_changes_the_numbers(folder: Path) -> None:
    settings = NeuralSettings(max_length=64, normalize=True, batch_size=3)
    assert NeuralSystem("dense", str(folder), settings).name == "dense:runs/tiny,max_length=64,normalize=true"
    assert NeuralSystem("sparse", "org/m", NeuralSettings(revision="v1")).name == "sparse:org/m@v1"
    assert NeuralSystem("dense", str(folder), NeuralSettings(name="mine")).name == "dense:mine"


def test_what_is_told_names_model_fingerprint_versions_and_settings(folder: Path) -> None:
    system = NeuralSystem("dense", str(folder), NeuralSettings(query_prompt="q: "))
    told = system.told()
    assert (told["model"], told["fingerprint"], told["query_prompt"]) == ("runs/tiny", system.files.digest, "q: ")
    assert set(told["versions"]) == {"sentence-transformers", "torch", "transformers"}
