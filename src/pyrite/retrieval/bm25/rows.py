"""The scores of frequent terms by document: added without a jump, and looked up without a search."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrite.retrieval.bm25.compiled import compiled
from pyrite.retrieval.bm25.postings import Postings

_SHARE = 8
"""Rows take at most this part of the postings' memory, and only terms of more than this part of the documents."""


class Rows(NamedTuple):
    """The most frequent terms' scores by document: term t's are values[row_of[t]], where that is not -1."""

    row_of: NDArray[np.int32]
    values: NDArray[np.float32]


@compiled
def dense_rows(postings: Postings, terms: NDArray[np.int64], documents: int) -> Rows:
    """The rows of these terms."""
    row_of = np.full(len(postings.highest), -1, np.int32)
    values = np.zeros((len(terms), documents), np.float32)
    for row in range(len(terms)):
        row_of[terms[row]] = row
        for at in range(postings.bounds[terms[row]], postings.bounds[terms[row] + 1]):
            values[row, postings.documents[at]] = postings.scores[at]
    return Rows(row_of, values)


def frequent_rows(postings: Postings, documents: int) -> Rows:
    """The rows of the most frequent terms, in at most an eighth of the memory of the postings."""
    frequencies = np.diff(postings.bounds)
    room = len(postings.scores) * 8 // _SHARE // (4 * max(documents, 1))
    order = np.argsort(-frequencies, kind="stable")[:room]
    return dense_rows(postings, order[frequencies[order] > documents // _SHARE], documents)
