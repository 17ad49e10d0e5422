"""A model is known by what decides its output, and a missing one is told in one sentence."""

import json
from pathlib import Path

import pytest

from pyrite.core import DataError, MissingExtraError, RecipeError
from pyrite.retrieval.neural.model_files import find_model, model_digest


def write(folder: Path, **files: bytes) -> Path:
    for name, held in files.items():
        path = folder / name.replace("__", "/").replace("_safetensors", ".safetensors").replace("_json", ".json")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(held)
    return folder


def test_two_fine_tunes_of_one_base_are_two_models(tmp_path: Path) -> None:
    """O05, X03: also where both say that they come from the same base."""
    config = json.dumps({"base_model": "org/base"}).encode()
    first, second = (
        write(tmp_path / name, model_safetensors=held, config_json=config)
        for name, held in (("a", b"weights 1"), ("b", b"weights 2"))
    )
    assert model_digest(first) != model_digest(second)


def test_where_a_model_lies_and_what_its_readme_says_do_not_count(tmp_path: Path) -> None:
    first = write(tmp_path / "a", model_safetensors=b"w", config_json=b"{}", **{"README.md": b"one"})
    second = write(tmp_path / "b", model_safetensors=b"w", config_json=b"{}", onnx__model_safetensors=b"other")
    assert model_digest(first) == model_digest(second)
    write(second, config_json=b'{"a": 1}')
    assert model_digest(first) != model_digest(second)


def test_weights_in_another_form_beside_safetensors_do_not_count(tmp_path: Path) -> None:
    first = write(tmp_path / "a", model_safetensors=b"w")
    second = write(tmp_path / "b", model_safetensors=b"w", **{"pytorch_model.bin": b"old"})
    assert model_digest(first) == model_digest(second)
    third = write(tmp_path / "c", **{"pytorch_model.bin": b"old"})
    assert model_digest(third) != model_digest(first)


def test_a_local_model_is_named_by_the_end_of_its_path(tmp_path: Path) -> None:
    found = find_model(str(write(tmp_path / "runs" / "final", model_safetensors=b"w")))
    assert (found.name, found.revision) == ("runs/final", "")


def test_a_folder_without_weights_is_no_model(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="has no weights"):
        find_model(str(tmp_path))


@pytest.mark.parametrize(
    ("model", "said"),
    [("./gone", "no such model folder"), ("a/b/c", "no such model folder"), ("org/model", "hub can't be reached")],
)
def test_a_model_that_is_not_there_is_told_in_one_sentence(
    model: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """O38: a wrong path is a wrong command, a hub that can't be reached is none."""
    import huggingface_hub.constants

    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    # A stand-in where the models extra is not installed: only its presence is looked at.
    monkeypatch.setattr("pyrite.retrieval.neural.model_files.find_spec", lambda name: name)
    with pytest.raises(DataError if model == "org/model" else RecipeError, match=said):
        find_model(model)


def test_without_the_extra_it_is_named_before_the_hub_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    import huggingface_hub

    monkeypatch.setattr("pyrite.retrieval.neural.model_files.find_spec", lambda _: None)
    monkeypatch.setattr(huggingface_hub, "snapshot_download", lambda *_, **__: pytest.fail("the hub was asked"))
    told = r'the model org/model needs packages .*; run: pip install "pyrite\[models'
    with pytest.raises(MissingExtraError, match=told):
        find_model("org/model")
