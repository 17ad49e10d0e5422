"""Models are loaded once, on the devices that are asked for, and set to the length that is asked for."""

from __future__ import annotations

import sys
from collections.abc import Callable
from multiprocessing import current_process
from pathlib import Path

import pytest

from pyrite.core import DataError, MissingExtraError, RecipeError
from pyrite.retrieval.neural import NeuralSettings, NeuralSystem
from pyrite.retrieval.neural.loading import _best_device, load_model


def system(folder: Path, family: str = "dense", **settings: object) -> NeuralSystem:
    return NeuralSystem(family, str(folder), NeuralSettings(**settings))  # type: ignore[arg-type]


def test_a_model_is_loaded_once_for_all_its_lengths(make_model: Callable[..., Path]) -> None:
    whole = load_model(system(make_model("dense")))
    assert whole.limit("document") == 64
    cut = load_model(system(make_model("dense"), max_length=16))
    assert cut.first is whole.first
    assert cut.limit("document") == 16
    assert load_model(system(make_model("dense"))).limit("query") == 64


def test_every_device_has_a_copy(make_model: Callable[..., Path]) -> None:
    model = load_model(system(make_model("dense"), devices=("cpu", "cpu")))
    assert len(model.copies) == 2
    assert model.copies[0] is not model.copies[1]


def test_the_dtype_is_that_of_the_weights_and_float32_without_one(make_model: Callable[..., Path]) -> None:
    assert str(load_model(system(make_model("dense"), dtype="bfloat16")).first.dtype) == "torch.bfloat16"
    assert str(load_model(system(make_model("dense"))).first.dtype) == "torch.float32"


def test_a_length_that_the_model_cannot_read_is_refused(make_model: Callable[..., Path]) -> None:
    with pytest.raises(RecipeError, match="max_length=65 is more than the 64 tokens that the model can read"):
        load_model(system(make_model("dense"), max_length=65))


def test_a_device_that_is_not_there_is_refused(make_model: Callable[..., Path]) -> None:
    with pytest.raises(RecipeError, match="there is no device 'cuda:99'"):
        load_model(system(make_model("dense"), devices=("cuda:99",)))


@pytest.mark.parametrize(("identity", "device"), [((), 0), ((1,), 0), ((4,), 3), ((5,), 0)])
def test_the_processes_of_a_pool_take_the_gpus_in_turn(
    identity: tuple[int, ...], device: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    torch = pytest.importorskip("torch")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 4)
    monkeypatch.setattr(current_process(), "_identity", identity)
    assert _best_device() == f"cuda:{device}"


def test_a_folder_that_is_no_model_is_told_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"no weights")
    with pytest.raises(DataError, match="can't be loaded as a SentenceTransformer"):
        load_model(system(tmp_path))


def test_without_the_packages_the_command_that_installs_them_is_named(
    make_model: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(MissingExtraError, match=r'pip install "pyrite\[models\]"'):
        load_model(system(make_model("dense")))


def test_the_lengths_of_a_late_interaction_model_follow_its_sides(make_model: Callable[..., Path]) -> None:
    model = load_model(system(make_model("dense"), "multi-vector"))
    model.first[0].query_length, model.first[0].document_length = 8, 32
    held = type(model)(model.copies, model.devices, (64, 8, 32), model.positions)
    assert (held.limit("query"), held.limit("document")) == (8, 32)
    held.read_at_most(16)
    assert (held.limit("query"), held.limit("document")) == (8, 16)
    held.read_at_most(None)
    assert (held.limit("query"), held.limit("document")) == (8, 32)
    model.first[0].query_length = model.first[0].document_length = None
