import os
import pickle
import subprocess
import sys
from collections.abc import Callable

import pytest

from pyrite.core import Corpus, RecipeError, Retriever
from pyrite.retrieval.bm25 import BM25, segmenters


@pytest.mark.parametrize(
    ("retriever", "name"),
    [
        (BM25(), "bm25:en"),
        (BM25("Portuguese"), "bm25:pt"),
        (BM25("stemmer:de/german"), "bm25:de"),
        (BM25("whitespace:de"), "bm25:whitespace:de"),
        (BM25("en", k1=0.9, b=0.4, variant="robertson"), "bm25:en,k1=0.9,b=0.4,variant=robertson"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_name_tells_systems_apart(retriever: BM25, name: str) -> None:
    assert retriever.name == name
    assert retriever.family == "lexical"
    assert isinstance(retriever, Retriever)


def test_settings_are_everything_that_decides_the_rankings() -> None:
    """O47."""
    retriever = BM25("ja", k1=2)
    settings = retriever.settings()
    assert settings == {
        "analyzer": "wordseg:ja",
        "fingerprint": retriever.resolved.fingerprint,
        "versions": retriever.resolved.versions,
        "variant": "lucene",
        "k1": 2.0,
        "b": 0.75,
    }
    again = BM25(settings["analyzer"], variant=settings["variant"], k1=settings["k1"], b=settings["b"])
    assert again.settings() == settings


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"variant": "bm25+"}, "unknown BM25 variant 'bm25+'; take one of lucene, robertson"),
        ({"k1": -1}, "k1 is -1; give a number of 0 or more"),
        ({"k1": float("nan")}, "k1 is nan"),
        ({"b": 1.5}, "b is 1.5; give a number from 0 to 1"),
        ({"threads": 0}, "threads is 0; give 1 or more"),
        ({"analyzer": "klingon"}, "no analyzer for the language 'klingon'"),
        ({"analyzer": "auto"}, "the language of 0 texts cannot be told; give the language"),
    ],
)
def test_a_wrong_setting_is_known_before_anything_is_read(wrong: dict[str, object], message: str) -> None:
    with pytest.raises(RecipeError) as caught:
        BM25(**wrong)  # type: ignore[arg-type]
    assert message in str(caught.value)


def test_threads_are_no_part_of_what_it_is() -> None:
    assert BM25("en", threads=1) == BM25("en", threads=2) == BM25("en")
    assert BM25("en", threads=3).workers == 3
    assert BM25("en").workers >= 1


def test_a_retriever_can_be_sent_to_another_process() -> None:
    assert pickle.loads(pickle.dumps(BM25("en"))).settings() == BM25("en").settings()


def test_a_corpus_without_spaces_is_warned_of(corpus_of: Callable[[list[str]], Corpus]) -> None:
    """O48."""
    with pytest.warns(UserWarning, match="stemmer:en/english cannot cut"):
        BM25("en").index(corpus_of(["黄铁矿是一种矿物"]))


PROGRAM = """
import hashlib, sys
from pyrite.core import Corpus, Document
from pyrite.retrieval import BM25
texts = [f"w{n % 7} w{n % 11} words{n} été" for n in range(300)]
built = BM25("en", threads=2).index(Corpus.of(Document(str(n), text) for n, text in enumerate(texts))).built
content = b"".join(column.tobytes() for column in (*built.postings, *built.terms))
sys.stdout.write(hashlib.sha256(content).hexdigest())
assert "torch" not in sys.modules
"""


def test_an_index_does_not_depend_on_the_seed_of_hashes() -> None:
    def digest(seed: str) -> str:
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=True
        )
        return done.stdout

    assert digest("1") == digest("2") != ""


@pytest.mark.parametrize("analyzer", ["ngram:ja/2", "ngram:zh/1", "whitespace:th"])
def test_an_analyzer_that_needs_no_segmenter_works_where_none_is_installed(
    analyzer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(segmenters, "find_spec", lambda name: None)
    assert BM25(analyzer).name == f"bm25:{analyzer}"
    assert BM25(analyzer).settings()["analyzer"] == analyzer
