import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pyrite.core import DataError
from pyrite.retrieval.bm25 import BM25, BM25Index
from pyrite.retrieval.bm25.analyzers import Analyzer

Make = Callable[[list[str]], Any]
TEXTS = ["Fool's gold glitters.", "", "été gold", "iron"]


@pytest.fixture
def saved(tmp_path: Path, corpus_of: Make) -> Path:
    folder = tmp_path / "index"
    BM25("en", k1=0.9, variant="robertson").index(corpus_of(TEXTS)).save(folder)
    return folder


@pytest.mark.parametrize("memory_map", [True, False])
def test_a_loaded_index_searches_as_the_one_that_was_saved(
    tmp_path: Path, memory_map: bool, corpus_of: Make, queries_of: Make
) -> None:
    index = BM25("en").index(corpus_of(TEXTS))
    index.save(tmp_path / "index")
    loaded = BM25Index.load(tmp_path / "index", memory_map=memory_map)
    queries = queries_of(["gold", "glittering e\u0301te\u0301", "tin"])
    first, second = index.search(queries, 10), loaded.search(queries, 10)
    assert list(first) == list(second)
    assert (loaded.retriever.name, len(loaded)) == (index.retriever.name, 4)


def test_settings_come_back(saved: Path) -> None:
    assert BM25Index.load(saved).retriever == BM25("stemmer:en/english", k1=0.9, variant="robertson")


def test_the_same_corpus_is_saved_in_the_same_bytes(tmp_path: Path, corpus_of: Make) -> None:
    folders = [tmp_path / "one", tmp_path / "two"]
    for threads, folder in enumerate(folders, start=1):
        BM25("en", threads=threads).index(corpus_of(TEXTS)).save(folder)
    first, second = ({path.name: path.read_bytes() for path in folder.iterdir()} for folder in folders)
    assert first == second
    assert "index.json" in first


def test_an_index_without_documents_can_be_kept(tmp_path: Path, corpus_of: Make, queries_of: Make) -> None:
    BM25("en").index(corpus_of([])).save(tmp_path / "index")
    loaded = BM25Index.load(tmp_path / "index")
    assert (len(loaded), loaded.search(queries_of(["gold"]), 5)["q0"]) == (0, [])


def test_an_index_of_another_analyzer_version_is_refused(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """O47."""
    monkeypatch.setattr(Analyzer, "versions", {"PyStemmer": "99", "rules": "1"})
    with pytest.raises(DataError, match=r"index was made with PyStemmer .*, now 99.*; index the corpus again"):
        BM25Index.load(saved)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda folder: (folder / "scores.npy").unlink(), "scores.npy: a part of the index is missing or damaged"),
        (lambda folder: (folder / "terms.npy").write_bytes(b"\x93NUMPY"), "terms.npy: a part of the index"),
        (lambda folder: np.save(folder / "bounds.npy", np.zeros(1, np.int64)), "bounds.npy: a part of the index"),
        (lambda folder: np.save(folder / "scores.npy", np.zeros(3)), "scores.npy: a part of the index"),
        (lambda folder: (folder / "index.json").write_text("{"), "this is not a BM25 index"),
        (lambda folder: (folder / "index.json").unlink(), "this is not a BM25 index"),
        (lambda folder: (folder / "index.json").write_text(json.dumps({"schema": 2})), "has schema 2, this Pyrite"),
    ],
)
def test_a_damaged_folder_is_one_sentence(saved: Path, damage: Callable[[Path], object], message: str) -> None:
    damage(saved)
    with pytest.raises(DataError) as caught:
        BM25Index.load(saved)
    assert message in str(caught.value)
    assert str(saved) in str(caught.value)
