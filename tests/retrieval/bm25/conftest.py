"""What the tests of BM25 share."""

import unicodedata
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pyrite.core import Corpus, Queries
from pyrite.retrieval.bm25.folding import fold


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder of the test's own."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("PYRITE_CACHE", str(folder))
    return folder


@pytest.fixture
def plain_words() -> Callable[..., list[str]]:
    """The rule for words in plain Python: fold all of the text, then look at each character's category."""

    def words(text: str, *, turkic: bool = False) -> list[str]:
        found, word = [], ""
        for character in fold(text, turkic=turkic) + " ":
            if unicodedata.category(character)[0] in "LNM":
                word += character
            elif word:
                found.append(word)
                word = ""
        return found

    return words


@pytest.fixture
def corpus_of() -> Callable[[list[str]], Corpus]:
    """A corpus of texts whose ids are d0, d1, ..."""

    def make(texts: list[str]) -> Corpus:
        ids = pa.array([f"d{row}" for row in range(len(texts))], pa.large_string())
        return Corpus(ids, pa.array(texts, pa.large_string()))

    return make


@pytest.fixture
def queries_of() -> Callable[[list[str]], Queries]:
    """Queries of texts whose ids are q0, q1, ..."""

    def make(texts: list[str]) -> Queries:
        ids = pa.array([f"q{row}" for row in range(len(texts))], pa.large_string())
        return Queries(ids, pa.array(texts, pa.large_string()))

    return make


@pytest.fixture
def shared_collection(shared_data: Path) -> Callable[..., tuple[Corpus, Queries]]:
    """Corpus and queries of a real collection by name and split."""

    def read(name: str, split: str = "") -> tuple[Corpus, Queries]:
        end = f"/{split}.parquet" if split else ".parquet"
        corpus = pq.read_table(f"{shared_data / name}/corpus{end}")
        queries = pq.read_table(f"{shared_data / name}/queries{end}")
        titles = corpus["title"] if "title" in corpus.column_names else None
        return Corpus(corpus["_id"], corpus["text"], titles), Queries(queries["_id"], queries["text"])

    return read
