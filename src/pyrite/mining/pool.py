"""Which documents may be chosen: every positive, then a seeded sample of the corpus, no text twice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pyrite.core import LedgerEntry

Sample = int | Literal["all"]


@dataclass(frozen=True)
class CorpusRows:
    """What is known of the corpus rows that may join the pool, in corpus order.

    Every positive is among them, and every row whose priority may be among the sample's smallest.

    Attributes:
        texts: uint64, shape (rows, 2): a digest of each text.
        blank: True for a row without text, which is never sampled.
        priority: uint64, a seeded uniform number that depends on the document alone.
    """

    texts: NDArray[np.uint64]
    blank: NDArray[np.bool_]
    priority: NDArray[np.uint64]


@dataclass(frozen=True)
class PoolChoice:
    """The documents of the pool.

    Attributes:
        rows: int64, the corpus row of each, in pool order.
        positions: int64, one a corpus row: where its text is in the pool; -1 where it is not.
        positives: how many of the pool are positives; they are the first.
        entry: the account of the documents.
    """

    rows: NDArray[np.int64]
    positions: NDArray[np.int64]
    positives: int
    entry: LedgerEntry


def sample_rows(corpus: CorpusRows, sample: Sample) -> NDArray[np.int64]:
    """The rows with the `sample` smallest priorities, in corpus order; every row with a text where there are fewer.

    A row's priority depends on its own document and the seed, so the sample needs one pass and is the same whatever
    the shards, their order or the workers.

    >>> texts = np.arange(8, dtype=np.uint64).reshape(4, 2)
    >>> rows = CorpusRows(texts, np.array([False, False, True, False]), np.array([9, 3, 1, 5], dtype=np.uint64))
    >>> sample_rows(rows, 2).tolist(), sample_rows(rows, "all").tolist()
    ([1, 3], [0, 1, 3])
    """
    filled = np.flatnonzero(~corpus.blank)
    if sample == "all" or sample >= len(filled):
        return filled
    # Equal priorities are broken by corpus order.
    chosen = np.argsort(corpus.priority[filled], kind="stable")[:sample]
    return np.sort(filled[chosen])


def threshold(priorities: NDArray[np.uint64], sample: Sample) -> int | None:
    """What a later row's priority must not exceed to be sampled; None where any may be.

    >>> threshold(np.array([9, 3, 5], dtype=np.uint64), 2), threshold(np.array([9], dtype=np.uint64), 2)
    (5, None)
    """
    if sample == "all" or len(priorities) < sample:
        return None
    if sample == 0:
        return 0
    return int(np.partition(priorities, sample - 1)[sample - 1])


def choose_pool(
    corpus: CorpusRows, positives: NDArray[np.int64], *, sample: Sample, corpus_documents: int
) -> PoolChoice:
    """The pool: the positives, then the sample, and of equal texts the first.

    Args:
        corpus: the rows that may join.
        positives: int64, corpus rows of the distinct positives, by first appearance among the pairs.
        sample: how many corpus documents are drawn, or "all"; positives may be among them.
        corpus_documents: how many documents the corpus has with a text, for the account.
    """
    wanted = positives[~corpus.blank[positives]]
    drawn = sample_rows(corpus, sample)
    rows = np.concatenate([wanted, drawn])
    numbers = _first_numbers(corpus.texts[rows])
    _, first = np.unique(numbers, return_index=True)
    kept = rows[first]
    # A duplicate stands where the first document of its text stands; a row outside both lists stands nowhere.
    positions = np.full(len(corpus.blank), -1, dtype=np.int64)
    positions[rows] = numbers
    own_texts = int((first < len(wanted)).sum())
    again = int(np.isin(drawn, wanted).sum())
    notes: tuple[str, ...] = ()
    if sample != "all" and sample > corpus_documents:
        notes = (f"a sample of {sample:,} was asked for and the corpus has {corpus_documents:,} documents: all joined",)
    reasons = {
        "a positive already": again,
        "same text as an earlier document": len(rows) - len(kept) - again,
    }
    dropped = {reason: count for reason, count in reasons.items() if count}
    entry = LedgerEntry("pool", "documents", len(rows), len(kept), dropped, notes)
    return PoolChoice(kept, positions, own_texts, entry)


def _first_numbers(digests: NDArray[np.uint64]) -> NDArray[np.int64]:
    """The number of each digest, by first appearance."""
    order = np.lexsort((digests[:, 1], digests[:, 0]))
    ordered = digests[order]
    new = np.ones(len(order), dtype=np.bool_)
    new[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    # lexsort is stable, so the first row of a run of equal digests is the earliest.
    firsts = order[new]
    number_of_run = np.empty(len(firsts), dtype=np.int64)
    number_of_run[np.argsort(firsts, kind="stable")] = np.arange(len(firsts))
    numbers = np.empty(len(order), dtype=np.int64)
    numbers[order] = number_of_run[np.cumsum(new) - 1]
    return numbers
