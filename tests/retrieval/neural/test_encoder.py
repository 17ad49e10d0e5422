"""Encoding: each distinct text once, shards that outlive a kill, and an honest share of texts that are cut."""

from __future__ import annotations

import importlib.util
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pyarrow as pa
import pytest

from pyrite.retrieval.neural import NeuralSettings, NeuralSystem
from pyrite.retrieval.neural import encoder as module
from pyrite.retrieval.neural.encoder import Encoder
from pyrite.retrieval.neural.stored import StoredVectors

SCRIPT = Path(__file__).with_name("kill_me.py")
SHARDS = "[!.]*.arrow"
"""Not the temporary file that a killed process leaves."""


def column(*texts: str) -> pa.ChunkedArray:
    return pa.chunked_array([pa.array(texts, pa.large_string())])


def vectors(encoding) -> np.ndarray:
    return StoredVectors(encoding.store, encoding.rows).rows(0, len(encoding.rows))


@pytest.fixture
def stand(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """The script's stand-in for a model, which is taken out of the encoder afterwards."""
    for name in ("load_model", "TokenCounter", "encode_call", "TEXTS"):
        monkeypatch.setattr(module, name, getattr(module, name))
    spec = importlib.util.spec_from_file_location("kill_me", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    held = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(held)
    return held


@pytest.mark.filterwarnings("ignore:.*cuts.*documents")
def test_after_a_kill_finished_shards_are_not_encoded_again(stand: ModuleType, tmp_path: Path) -> None:
    """kill -9 in the middle; the second run encodes only what is missing, and the numbers are those of one run."""
    killed, whole = tmp_path / "killed", tmp_path / "whole"
    process = subprocess.Popen([sys.executable, str(SCRIPT), str(killed), "400"], stderr=subprocess.PIPE)
    deadline = time.monotonic() + 60
    while len(list(killed.rglob(SHARDS))) < 2:
        assert process.poll() is None, process.stderr.read().decode()
        assert time.monotonic() < deadline
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    finished = 50 * len(list(killed.rglob(SHARDS)))
    again = stand.encode(killed, 400)
    assert (again.before, again.now) == (finished, 400 - finished)
    assert 0 < finished < 400
    once = stand.encode(whole, 400)
    assert np.array_equal(vectors(again), vectors(once))
    assert sorted(p.name for p in killed.rglob(SHARDS)) == sorted(p.name for p in whole.rglob(SHARDS))
    assert stand.encode(killed, 400).now == 0


@pytest.mark.filterwarnings("ignore:.*cuts.*documents")
def test_a_larger_corpus_encodes_only_what_it_has_more(stand: ModuleType, tmp_path: Path) -> None:
    assert stand.encode(tmp_path, 120).now == 120
    grown = stand.encode(tmp_path, 300)
    assert (grown.before, grown.now) == (120, 180)


def test_equal_texts_are_encoded_once(make_model: Callable[..., Path], tmp_path: Path) -> None:
    encoder = Encoder(NeuralSystem("dense", str(make_model("dense"))), tmp_path)
    encoding = encoder.encode(column("gold", "iron", "gold"), "document")
    assert (encoding.before, encoding.now) == (0, 2)
    assert np.array_equal(*vectors(encoding)[[0, 2]])
    assert encoder.encode(column("iron"), "document").now == 0
    assert encoder.encode(column("iron"), "query").now == 1


def test_two_prompts_two_lengths_and_two_fine_tunes_never_share_a_vector(
    make_model: Callable[..., Path], tmp_path: Path
) -> None:
    """O05, X03."""
    texts = column("pyrite is a deep old mineral of iron", "what glitters")
    systems = [
        NeuralSystem("dense", str(make_model("dense", seed)), NeuralSettings(**own))
        for seed, own in (
            (0, {}),
            (0, {"document_prompt": "gold "}),
            (0, {"max_length": 4}),
            (0, {"max_length": 5}),
            (1, {}),
        )
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = [vectors(Encoder(system, tmp_path).encode(texts, "document")) for system in systems]
    for one in range(len(found)):
        for other in range(one):
            assert not np.allclose(found[one], found[other], atol=1e-4)
    assert len(list(tmp_path.iterdir())) == len(systems)


def test_the_share_of_texts_that_are_cut_is_told_and_warned_of(make_model: Callable[..., Path], tmp_path: Path) -> None:
    """[CLS] gold [SEP] are 3 tokens; a prompt of one word makes 4."""
    texts = column("gold", "gold iron", "gold iron zinc", "ore")
    plain = Encoder(NeuralSystem("dense", str(make_model("dense")), NeuralSettings(max_length=4)), tmp_path)
    with pytest.warns(UserWarning, match="cuts 25.0% of 4 documents at 4 tokens"):
        assert plain.encode(texts, "document").cut == 0.25
    with pytest.warns(UserWarning, match=r"25\.0%"):
        assert plain.encode(texts, "document").cut == 0.25  # from the cache, where no model is asked
    prompted = NeuralSettings(max_length=4, document_prompt="the ")
    with pytest.warns(UserWarning, match=r"50\.0%"):
        Encoder(NeuralSystem("dense", str(make_model("dense")), prompted), tmp_path).encode(texts, "document")
    whole = Encoder(NeuralSystem("dense", str(make_model("dense"))), tmp_path)
    assert whole.encode(texts, "document").cut == 0.0


def test_what_the_model_decides_is_told(make_model: Callable[..., Path]) -> None:
    used = Encoder(NeuralSystem("dense", str(make_model("dense")), NeuralSettings(query_prompt="q: "))).used()
    assert used == {
        "max_length": 64,
        "query_prompt": "q: ",
        "document_prompt": "",
        "similarity": "cosine",
        "dimensions": 32,
        "dtype": "float32",
    }


def test_documents_of_a_half_precision_system_are_stored_in_float16(make_model: Callable[..., Path]) -> None:
    encoder = Encoder(NeuralSystem("dense", str(make_model("dense")), NeuralSettings(dtype="bfloat16")))
    assert vectors(encoder.encode(column("gold"), "document")).dtype == np.float16
    assert vectors(encoder.encode(column("gold"), "query")).dtype == np.float32


def test_token_vectors_are_kept_only_where_they_fit(
    make_model: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoder = Encoder(NeuralSystem("multi-vector", str(make_model("dense"))), tmp_path)
    assert encoder.fits(column("gold " * 100))
    monkeypatch.setattr(module, "KEPT", 1000)
    assert not encoder.fits(column("gold " * 100))
