"""Candidates by hand-made keys: which are found, and which of too many."""

import numpy as np

from pyrite.preparation.near_buckets import (
    BUCKET,
    CANDIDATES,
    Buckets,
    likeness_reaches,
    lookup,
    no_search,
    put,
    search,
)


def _buckets(documents: int, bands: int) -> Buckets:
    return Buckets(
        np.full((bands, 8), -1, np.int32),
        np.zeros((documents, bands), np.int32),
        np.zeros((documents, bands), np.uint32),
        np.zeros(documents, np.int32),
    )


def _keys(*values: int) -> np.ndarray:
    return np.array(values, np.uint32)


def _found(buckets: Buckets, keys: np.ndarray, size: int = 10, threshold: float = 0.5) -> tuple[list[int], bool]:
    result = no_search(len(keys))
    count = search(buckets, keys, size, threshold, result)
    return result.found[:count].tolist(), bool(result.outcome[1])


def test_documents_with_an_equal_key_in_a_band_are_found_once_each_in_order() -> None:
    buckets = _buckets(5, 2)
    # 9 and 17 fall into the same slot of 8 as 1, and are other keys; 3 of band 0 is not 3 of band 1.
    for document, keys in enumerate([(1, 2), (9, 2), (1, 3), (17, 5), (3, 1)]):
        put(buckets, _keys(*keys), 10, document)
    assert _found(buckets, _keys(1, 2)) == ([0, 1, 2], False)
    assert _found(buckets, _keys(17, 3)) == ([2, 3], False)
    assert _found(buckets, _keys(2, 4)) == ([], False)


def test_a_document_whose_size_alone_rules_it_out_is_no_candidate() -> None:
    buckets = _buckets(3, 1)
    for document, size in enumerate([7, 8, 13]):
        put(buckets, _keys(1), size, document)
    # At 0.8, 10 shingles can be like 8 (8/10) and 12.5 at most.
    assert _found(buckets, _keys(1), size=10, threshold=0.8) == ([1], False)


def test_a_document_without_shingles_is_never_found() -> None:
    buckets = _buckets(1, 1)
    put(buckets, _keys(1), 0, 0)
    assert _found(buckets, _keys(1)) == ([], False)


def test_of_too_many_candidates_those_that_share_most_bands_are_compared() -> None:
    # Five bands fill a bucket of 256 each, with documents that share that band alone; the last shares two others.
    bands = 7
    buckets = _buckets(5 * BUCKET + 1, bands)
    for document in range(5 * BUCKET):
        own = [10_000 * (band + 1) + document for band in range(bands)]
        own[document // BUCKET] = 1
        put(buckets, _keys(*own), 10, document)
    put(buckets, _keys(*range(2, 7), 1, 1), 10, 5 * BUCKET)
    assert 5 * BUCKET > CANDIDATES
    assert _found(buckets, _keys(*[1] * bands)) == ([*range(CANDIDATES - 1), 5 * BUCKET], True)


def test_a_bucket_stops_growing_and_a_document_beyond_it_is_found_by_other_bands() -> None:
    last = BUCKET + 50
    buckets = _buckets(last + 1, 2)
    for document in range(last + 1):
        put(buckets, _keys(1, 1000 + document), 10, document)
    assert _found(buckets, _keys(1, 0)) == ([*range(BUCKET)], True)
    assert _found(buckets, _keys(1, 1000 + last)) == ([*range(BUCKET), last], True)


def test_likeness_is_enough_from_the_threshold_on() -> None:
    # 80 shared of 100: a number of bit 63 and more numbers than one block of 64.
    shared = np.arange(2**63, 2**63 + 80, dtype=np.uint64)
    one = np.concatenate([np.arange(1, 11, dtype=np.uint64), shared])
    other = np.concatenate([shared, np.arange(101, 111, dtype=np.uint64)])
    for first, second in ((one, other), (other, one)):
        assert likeness_reaches(lookup(first), len(first), second, 0.8)
        assert not likeness_reaches(lookup(first), len(first), second, 0.801)
    assert not likeness_reaches(lookup(one), len(one), np.empty(0, np.uint64), 0.2)
    assert not likeness_reaches(lookup(shared[:1]), 1, shared[1:2], 0.2)
    assert likeness_reaches(lookup(shared[:1]), 1, shared[:1], 1.0)
