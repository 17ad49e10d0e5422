import random
from collections.abc import Callable

import numpy as np
import pyarrow as pa
import pytest

from pyrite.core import Corpus
from pyrite.retrieval.bm25 import build as building
from pyrite.retrieval.bm25.analyzers import Analyzer, analyzer_for
from pyrite.retrieval.bm25.build import Built, blocks, build
from pyrite.retrieval.bm25.formula import Formula

LUCENE = Formula("lucene", 1.5, 0.75)
PLAIN = Analyzer("whitespace", "en")


def some_texts(count: int) -> list[str]:
    source = random.Random(17)
    words = [f"w{number}" for number in range(500)] + ["cats", "cat", "é", "ﬁne", "e\u0301té"]
    return [" ".join(source.choices(words, k=source.randint(0, 40))) for _ in range(count)]


def content(built: Built) -> list[bytes]:
    return [column.tobytes() for column in (*built.postings, *built.terms)] + [str(built.average).encode()]


def test_an_index_by_hand(corpus_of: Callable[[list[str]], Corpus]) -> None:
    built = build(corpus_of(["b a b", "", "a"]), PLAIN, LUCENE, threads=1)
    assert built.terms.to_list() == ["a", "b"]
    assert built.average == 4 / 3
    assert built.postings.bounds.tolist() == [0, 2, 3]
    assert built.postings.documents.tolist() == [0, 2, 0]
    idf = LUCENE.idf(3, np.array([2, 1]))
    long, short = 1.5 * (0.25 + 0.75 * 3 / built.average), 1.5 * (0.25 + 0.75 * 1 / built.average)
    expected = [idf[0] / (long + 1), idf[0] / (short + 1), idf[1] * 2 / (long + 2)]
    np.testing.assert_allclose(built.postings.scores, expected, rtol=1e-6)


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("size", [1, 700, 10**9])
def test_the_same_bytes_whatever_the_threads_and_blocks(
    threads: int, size: int, corpus_of: Callable[[list[str]], Corpus], monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = corpus_of(some_texts(120))
    expected = content(build(corpus, analyzer_for("en"), LUCENE, threads=1))
    monkeypatch.setattr(building, "BLOCK_BYTES", size)
    assert content(build(corpus, analyzer_for("en"), LUCENE, threads=threads)) == expected


def test_a_corpus_in_many_chunks_is_one_corpus(corpus_of: Callable[[list[str]], Corpus]) -> None:
    whole = corpus_of(some_texts(50))
    chunks = [whole.texts.combine_chunks()[start : start + 7] for start in range(0, 50, 7)]
    parted = Corpus(whole.ids, pa.chunked_array([*chunks, chunks[0][:0]], pa.large_string()))
    assert content(build(parted, PLAIN, LUCENE, threads=2)) == content(build(whole, PLAIN, LUCENE, threads=2))


def test_titles_are_read_too() -> None:
    ids, texts = pa.array(["1", "2"]), pa.array(["shiny", "dull"])
    corpus = Corpus(ids, texts, pa.array(["gold", ""]))
    assert build(corpus, PLAIN, LUCENE, threads=1).terms.to_list() == ["dull", "gold", "shiny"]


@pytest.mark.parametrize("texts", [[], [""], ["", "...", ""]])
def test_a_corpus_without_words_has_an_index_without_terms(
    texts: list[str], corpus_of: Callable[[list[str]], Corpus]
) -> None:
    """O41."""
    built = build(corpus_of(texts), PLAIN, LUCENE, threads=2)
    assert built.terms.to_list() == []
    assert built.postings.bounds.tolist() == [0]


def test_each_distinct_word_is_stemmed_once(
    corpus_of: Callable[[list[str]], Corpus], monkeypatch: pytest.MonkeyPatch
) -> None:
    stemmed: list[str] = []
    monkeypatch.setattr(Analyzer, "stems", lambda self, words: stemmed.extend(words) or list(words))
    monkeypatch.setattr(building, "BLOCK_BYTES", 300)
    build(corpus_of(some_texts(80)), analyzer_for("en"), LUCENE, threads=3)
    assert len(stemmed) == len(set(stemmed)) > 400


def test_a_word_that_a_text_repeats_very_often_is_counted_right(corpus_of: Callable[[list[str]], Corpus]) -> None:
    built = build(corpus_of(["a " * 70_000, "b"]), PLAIN, Formula("lucene", 1e6, 0.0), threads=1)
    idf = float(LUCENE.idf(2, np.array([1]))[0])
    assert built.postings.scores[0] == pytest.approx(idf * 70_000 / (1e6 + 70_000))


def test_blocks_cover_the_corpus_in_order_and_hold_about_their_size(corpus_of: Callable[[list[str]], Corpus]) -> None:
    corpus = corpus_of(["x" * 10] * 7 + ["y" * 100] + [""] * 3)
    rows = list(blocks(corpus, 25))
    assert [row for start, stop in rows for row in range(start, stop)] == list(range(11))
    assert rows[:2] == [(0, 3), (3, 6)]
    assert list(blocks(corpus_of([]), 25)) == []
