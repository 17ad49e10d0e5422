"""Late interaction against sentence-transformers' maxsim and against a plain loop."""

import numpy as np
import pytest
import torch

from pyrite.core import DataError, rank_order
from pyrite.retrieval.search import TokenVectors, maxsim_search
from pyrite.retrieval.search import maxsim as module


def tokens_of(lengths: list[int], seed: int, dims: int = 16) -> TokenVectors:
    rows = np.random.default_rng(seed).standard_normal((sum(lengths), dims)).astype(np.float16)
    return TokenVectors(rows, np.concatenate([[0], np.cumsum(lengths)]))


def plain(queries: TokenVectors, documents: TokenVectors) -> np.ndarray:
    scores = np.zeros((len(queries), len(documents)))
    for query in range(len(queries)):
        for document in range(len(documents)):
            own = queries.part(query, query + 1).tokens.astype(np.float64)
            scores[query, document] = (
                (own @ documents.part(document, document + 1).tokens.astype(np.float64).T).max(1).sum()
            )
    return scores


@pytest.fixture(scope="module")
def toy() -> tuple[TokenVectors, TokenVectors]:
    chance = np.random.default_rng(3)
    queries = tokens_of(chance.integers(1, 9, 20).tolist(), 1)
    return TokenVectors(queries.tokens.astype(np.float32), queries.bounds), tokens_of(
        chance.integers(1, 30, 150).tolist(), 2
    )


def parts(documents: TokenVectors, size: int) -> list[TokenVectors]:
    return [documents.part(start, min(start + size, len(documents))) for start in range(0, len(documents), size)]


@pytest.mark.parametrize("size", [150, 7])
def test_the_hits_are_those_of_the_plain_loop(toy, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    queries, documents = toy
    monkeypatch.setattr(module, "TOKENS", 64)
    monkeypatch.setattr(module, "QUERY_TOKENS", 24)
    hits = maxsim_search(queries, parts(documents, size), 12)
    expected = plain(queries, documents)
    for query, row in enumerate(expected):
        order = rank_order(row, np.arange(150))[:12]
        assert hits.positions[query].tolist() == order.tolist()
        assert np.allclose(hits.scores[query], row[order], rtol=1e-5)


def test_the_scores_are_those_of_sentence_transformers(toy) -> None:
    from sentence_transformers.util import maxsim

    queries, documents = toy
    lists = [
        [torch.from_numpy(side.part(i, i + 1).tokens.astype(np.float32)) for i in range(len(side))]
        for side in (queries, documents)
    ]
    theirs = maxsim(*lists).numpy()
    hits = maxsim_search(queries, [documents], 150)
    ours = np.zeros_like(theirs)
    np.put_along_axis(ours, hits.positions.astype(np.int64), hits.scores, 1)
    assert np.allclose(ours, theirs, rtol=1e-5)


def test_the_way_through_a_device_gives_the_same_scores(toy, monkeypatch: pytest.MonkeyPatch) -> None:
    queries, documents = toy
    monkeypatch.setattr(module, "DEVICE_TOKENS", 200)
    there = module.on_device(torch.from_numpy(queries.tokens), queries.bounds, documents)
    assert np.allclose(there, plain(queries, documents), rtol=1e-5)


def test_the_mean_divides_by_the_tokens_of_the_query(toy) -> None:
    queries, documents = toy
    sums, means = (maxsim_search(queries, [documents], 5, mean=mean) for mean in (False, True))
    assert np.array_equal(sums.positions, means.positions)
    assert np.allclose(sums.scores / np.diff(queries.bounds)[:, None], means.scores)


def test_a_document_without_tokens_is_never_retrieved() -> None:
    """O41."""
    queries = TokenVectors(-np.ones((1, 2), np.float32), np.array([0, 1]))
    documents = TokenVectors(np.ones((2, 2), np.float16), np.array([0, 1, 1, 2]))
    hits = maxsim_search(queries, [documents], 3)
    assert hits.positions[0, : hits.counts[0]].tolist() == [0, 2]
    assert maxsim_search(queries, [], 3).counts.tolist() == [0]


def test_equal_documents_tie_and_go_by_position() -> None:
    queries = tokens_of([3], 5)
    document = tokens_of([4], 6).tokens
    same = TokenVectors(np.concatenate([document] * 3), np.array([0, 4, 8, 12]))
    hits = maxsim_search(TokenVectors(queries.tokens.astype(np.float32), queries.bounds), [same], 2)
    assert hits.positions.tolist() == [[0, 1]]


def test_a_depth_of_nothing_is_refused(toy) -> None:
    with pytest.raises(DataError, match="depth of a search is 0"):
        maxsim_search(toy[0], [toy[1]], 0)
