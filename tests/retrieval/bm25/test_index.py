import random
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from pyrite.core import Corpus, DataError, Queries, Run
from pyrite.retrieval.bm25 import BM25, analyzer_for

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import bm25s

Make = Callable[[list[str]], Any]


def ranking(run: Run, query: str = "q0") -> list[str]:
    return [hit.doc_id for hit in run[query]]


def by_bm25s(retriever: BM25, corpus: Corpus, queries: Queries, depth: int) -> list[tuple[list[int], list[float]]]:
    """bm25s on the same tokens, in our order: it leaves equal scores and documents of score 0 in any."""
    oracle = bm25s.BM25(method=retriever.variant, k1=retriever.k1, b=retriever.b)
    oracle.index([retriever.resolved.tokens(text) for text in corpus.contents().to_pylist()], show_progress=False)
    found = []
    for text in queries.texts.to_pylist():
        ids = oracle.get_tokens_ids(retriever.resolved.tokens(text))
        scores = oracle.get_scores_from_ids(ids) if ids else np.zeros(len(corpus), np.float32)
        order = np.lexsort((np.arange(len(scores)), -scores))[:depth]
        order = order[scores[order] > 0]
        found.append((order.tolist(), scores[order].tolist()))
    return found


def rankings(run: Run) -> list[tuple[list[int], list[float]]]:
    bounds = list(zip(run.offsets[:-1].tolist(), run.offsets[1:].tolist(), strict=True))
    return [(run.positions[start:stop].tolist(), run.scores[start:stop].tolist()) for start, stop in bounds]


@pytest.mark.parametrize("depth", [1, 10, 1000])
@pytest.mark.parametrize(
    "retriever",
    [
        BM25("en"),
        BM25("en", k1=0.9, b=0.4),
        BM25("en", variant="robertson"),
        BM25("whitespace:en", b=1, k1=0),
        BM25("en", b=0),
    ],
    ids=lambda r: r.name,
)
def test_scores_are_those_of_bm25s_to_the_bit(retriever: BM25, depth: int, corpus_of: Make, queries_of: Make) -> None:
    source = random.Random(23)
    words = [f"word{int(source.paretovariate(0.6))}" for _ in range(3000)] + ["cats", "cat", "the", "été"]
    corpus = corpus_of([" ".join(source.choices(words, k=source.randint(0, 60))) for _ in range(400)])
    queries = queries_of([" ".join(source.choices(words, k=source.randint(0, 12))) for _ in range(60)])
    run = retriever.index(corpus).search(queries, depth)
    assert rankings(run) == by_bm25s(retriever, corpus, queries, depth)


@pytest.mark.parametrize(
    ("name", "split", "language"), [("medquad", "eval", "en"), ("xquad", "hi", "hi"), ("jsquad", "", "ja")]
)
def test_real_questions_are_ranked_as_by_bm25s_to_the_bit(
    name: str, split: str, language: str, shared_collection: Callable[..., tuple[Corpus, Queries]]
) -> None:
    corpus, queries = shared_collection(name, split)
    queries = queries.first(200)
    retriever = BM25(language)
    assert rankings(retriever.index(corpus).search(queries, 100)) == by_bm25s(retriever, corpus, queries, 100)


def test_a_depth_beyond_the_corpus_gives_what_there_is(corpus_of: Make, queries_of: Make) -> None:
    """O40."""
    run = BM25("en").index(corpus_of(["cat one", "cat", "dog"])).search(queries_of(["cat dog"]), 100)
    assert sorted(ranking(run)) == ["d0", "d1", "d2"]


def test_empty_texts_and_queries_are_no_error(corpus_of: Make, queries_of: Make) -> None:
    """O41."""
    run = BM25("en").index(corpus_of(["", "cat"])).search(queries_of(["", "cat", "  ..."]), 10)
    assert [ranking(run, query) for query in ("q0", "q1", "q2")] == [[], ["d1"], []]


def test_an_empty_document_keeps_its_position(corpus_of: Make, queries_of: Make) -> None:
    """O42."""
    run = BM25("en").index(corpus_of(["", "cat"])).search(queries_of(["cat"]), 10)
    assert ranking(run) == ["d1"]
    assert run.positions.tolist() == [1]


def test_a_document_that_does_not_match_is_no_hit(corpus_of: Make, queries_of: Make) -> None:
    """O43."""
    index = BM25("en").index(corpus_of(["cat", "cat cat", "dog", ""]))
    run = index.search(queries_of(["zebra", "cat"]), 4)
    assert ranking(run, "q0") == []
    assert sorted(ranking(run, "q1")) == ["d0", "d1"]


@pytest.mark.parametrize("threads", [1, 2, 7])
def test_equal_scores_are_in_corpus_order_before_the_cut(threads: int, corpus_of: Make, queries_of: Make) -> None:
    """O44."""
    run = BM25("en", threads=threads).index(corpus_of(["same text"] * 6)).search(queries_of(["text"] * 200), 5)
    assert all(ranking(run, query) == ["d0", "d1", "d2", "d3", "d4"] for query in run.query_ids.to_pylist())


def test_a_robertson_match_of_idf_zero_is_no_match(corpus_of: Make, queries_of: Make) -> None:
    corpus = corpus_of(["common rare", "common", "common", "common other"])
    run = BM25("en", variant="robertson").index(corpus).search(queries_of(["common", "common rare"]), 10)
    assert [ranking(run, "q0"), ranking(run, "q1")] == [[], ["d0"]]


def test_a_word_asked_twice_counts_twice(corpus_of: Make, queries_of: Make) -> None:
    run = BM25("en").index(corpus_of(["gold iron", "tin"])).search(queries_of(["gold", "gold gold"]), 10)
    assert run["q1"][0].score == pytest.approx(2 * run["q0"][0].score)


def test_results_do_not_depend_on_threads(corpus_of: Make, queries_of: Make) -> None:
    source = random.Random(29)
    words = [f"w{number}" for number in range(60)]
    corpus = corpus_of([" ".join(source.choices(words, k=12)) for _ in range(500)])
    queries = queries_of([" ".join(source.choices(words, k=5)) for _ in range(300)])
    runs = [BM25("en", threads=threads).index(corpus).search(queries, 20) for threads in (1, 2, 5)]
    assert rankings(runs[0]) == rankings(runs[1]) == rankings(runs[2])


def test_a_query_that_needs_folding_keeps_its_place(corpus_of: Make, queries_of: Make) -> None:
    index = BM25("fr").index(corpus_of(["été", "hiver", "printemps"]))
    run = index.search(queries_of(["hiver", "e\u0301te\u0301", "printemps"]), 10)
    assert [ranking(run, query) for query in ("q0", "q1", "q2")] == [["d1"], ["d0"], ["d2"]]


def test_no_corpus_and_no_queries_are_empty_rankings(corpus_of: Make, queries_of: Make) -> None:
    assert len(BM25("en").index(corpus_of(["cat"])).search(queries_of([]), 10)) == 0
    assert ranking(BM25("en").index(corpus_of([])).search(queries_of(["cat"]), 10)) == []


def test_a_depth_of_nothing_is_refused(corpus_of: Make, queries_of: Make) -> None:
    with pytest.raises(DataError, match="the depth of a search is 0; ask for 1 or more"):
        BM25("en").index(corpus_of(["cat"])).search(queries_of(["cat"]), 0)


@pytest.mark.parametrize(
    ("language", "texts", "query"),
    [
        ("ko", ["부산은 크다.", "서울은 한국의 수도이다."], "서울"),
        ("ja", ["大阪は広い", "ﾗﾃﾞｨｵを聞く"], "ラディオ"),
        ("th", ["วิทยาศาสตร์สนุก", "ฉันฟังวิทยุทุกวัน"], "วิทยุ"),
        ("zh", ["他在上海工作", "我们在北京大学学习"], "北京大学"),
    ],
)
def test_a_word_is_found_inside_a_sentence_without_spaces(
    language: str, texts: list[str], query: str, corpus_of: Make, queries_of: Make
) -> None:
    """O45, O46."""
    run = BM25(language).index(corpus_of(texts)).search(queries_of([query]), 1)
    assert ranking(run) == ["d1"]


def test_an_index_of_the_right_analyzer_is_better_than_that_of_spaces(
    shared_collection: Callable[..., tuple[Corpus, Queries]],
) -> None:
    """O48: how many questions of a Chinese collection find anything at all."""
    corpus, queries = shared_collection("xquad", "zh")
    with pytest.warns(UserWarning, match="script without spaces"):
        spaces = BM25("whitespace:zh").index(corpus).search(queries, 10)
    segments = BM25("zh").index(corpus).search(queries, 10)
    assert np.diff(segments.offsets).min() > 0
    assert (np.diff(spaces.offsets) == 0).mean() > 0.2
    assert analyzer_for("zh").name == "wordseg:zh"
