"""Compiled loops from word ids to postings: counting by document, then filling by term."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrite.retrieval.bm25.compiled import compiled


class Counts(NamedTuple):
    """How often each document of a block holds which terms.

    Attributes:
        terms: int32; frequencies: how often, aligned; document i of the block has [bounds[i], bounds[i + 1]).
        bounds: int64, one more than documents.
        lengths: int64, tokens a document, repeats included.
    """

    terms: NDArray[np.int32]
    frequencies: NDArray[Any]
    bounds: NDArray[np.int64]
    lengths: NDArray[np.int64]


class Weights(NamedTuple):
    """What a posting's score is made of.

    Attributes:
        ranks: int32, by term as counted: its row in the index.
        idf: float32, by row.
        k1, b, average: float64.
    """

    ranks: NDArray[np.int32]
    idf: NDArray[np.float32]
    k1: float
    b: float
    average: float


class Postings(NamedTuple):
    """The index: term t is in documents[bounds[t]:bounds[t + 1]], ascending, with these scores.

    Attributes:
        bounds: int64. documents: int32. scores: float32.
        highest: float32, the highest score of each term.
    """

    bounds: NDArray[np.int64]
    documents: NDArray[np.int32]
    scores: NDArray[np.float32]
    highest: NDArray[np.float32]


@compiled
def count(
    ids: NDArray[np.int32],
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    term_of: NDArray[np.int32],
    seen: NDArray[np.int64],
    stamp: int,
) -> Any:
    """Terms and frequencies of each document, in order of first occurrence: (terms, frequencies, bounds, lengths).

    `seen` holds, by term, the last document that had it and where its count is; `stamp` is above every stamp
    that is in it, and the documents take stamp, stamp + 1, ...
    """
    documents = len(starts)
    terms = np.empty(len(ids), np.int32)
    frequencies = np.empty(len(ids), np.int32)
    bounds = np.zeros(documents + 1, np.int64)
    lengths = np.empty(documents, np.int64)
    used = 0
    for document in range(documents):
        first = used
        for at in range(starts[document], ends[document]):
            term = term_of[ids[at]]
            last = seen[term]
            if last >> 32 == stamp + document:
                frequencies[first + (last & 0xFFFFFFFF)] += 1
            else:
                seen[term] = ((stamp + document) << 32) | (used - first)
                terms[used] = term
                frequencies[used] = 1
                used += 1
        bounds[document + 1] = used
        lengths[document] = ends[document] - starts[document]
    return terms[:used].copy(), frequencies[:used].copy(), bounds, lengths


@compiled
def add_frequencies(terms: NDArray[np.int32], totals: NDArray[np.int64]) -> None:
    """Add to `totals`, by term, in how many documents it is."""
    for term in terms:
        totals[term] += 1


@compiled
def fill(counts: Counts, first: int, weights: Weights, heads: NDArray[np.int64], postings: Postings) -> None:
    """Write a block's postings to where `heads` says, by row of the index; its first document is `first`.

    The score is idf * tf / (k1 * (1 - b + b * length / average) + tf), idf in float32 and the rest in float64,
    rounded to float32: the arithmetic of bm25s, bit by bit.
    """
    k1, b = weights.k1, weights.b
    known = np.zeros(64, np.float64)
    for document in range(len(counts.lengths)):
        norm = k1 * ((1 - b) + b * counts.lengths[document] / weights.average)
        for frequency in range(64):
            known[frequency] = -1.0
        for at in range(counts.bounds[document], counts.bounds[document + 1]):
            term = weights.ranks[counts.terms[at]]
            frequency = counts.frequencies[at]
            if frequency < 64:
                part = known[frequency]
                if part < 0.0:
                    part = np.float64(frequency) / (norm + np.float64(frequency))
                    known[frequency] = part
            else:
                part = np.float64(frequency) / (norm + np.float64(frequency))
            score = np.float32(np.float64(weights.idf[term]) * part)
            head = heads[term]
            heads[term] = head + 1
            postings.documents[head] = first + document
            postings.scores[head] = score


@compiled
def find_highest(postings: Postings) -> None:
    """Fill in the highest score of each term."""
    for term in range(len(postings.highest)):
        highest = np.float32(0)
        for at in range(postings.bounds[term], postings.bounds[term + 1]):
            highest = max(highest, postings.scores[at])
        postings.highest[term] = highest
