"""The pool: positives first, then a seeded sample in corpus order, each text once."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyrite.mining import CorpusRows, choose_pool, sample_rows, threshold


def corpus(texts, priorities, blank=()):
    digests = np.stack([np.array(texts, np.uint64), np.zeros(len(texts), np.uint64)], axis=1)
    marks = np.isin(np.arange(len(texts)), blank)
    return CorpusRows(digests, marks, np.array(priorities, np.uint64))


def test_positives_come_by_first_appearance_then_the_sample_in_corpus_order():
    rows = corpus([10, 11, 12, 13, 14], [5, 1, 9, 2, 8])
    choice = choose_pool(rows, np.array([4, 2]), sample=2, corpus_documents=5)
    assert choice.rows.tolist() == [4, 2, 1, 3]
    assert choice.positives == 2
    assert choice.positions.tolist() == [-1, 2, 1, 3, 0]


def test_a_sampled_positive_falls_out_and_so_does_a_text_that_came_before():
    rows = corpus([10, 11, 10, 11, 12], [1, 2, 3, 4, 5])
    choice = choose_pool(rows, np.array([1]), sample="all", corpus_documents=5)
    # Row 1, then rows 0 and 4; row 2 has the text of row 0, row 3 that of the positive.
    assert choice.rows.tolist() == [1, 0, 4]
    assert choice.positions.tolist() == [1, 0, 1, 0, 2]
    assert choice.entry.dropped == {"a positive already": 1, "same text as an earlier document": 2}


def test_two_positives_of_one_text_are_one_document():
    choice = choose_pool(corpus([7, 7, 8], [0, 0, 0]), np.array([1, 0]), sample=0, corpus_documents=3)
    assert choice.rows.tolist() == [1]
    assert choice.positives == 1
    assert choice.positions.tolist() == [0, 0, -1]


def test_a_document_without_text_is_never_in_the_pool():
    choice = choose_pool(corpus([1, 2, 3], [0, 1, 2], blank=[0, 2]), np.array([2]), sample=2, corpus_documents=1)
    assert choice.rows.tolist() == [1]
    assert choice.positions.tolist() == [-1, 0, -1]


def test_a_sample_above_the_corpus_takes_all_and_says_so():
    choice = choose_pool(corpus([1, 2], [0, 1]), np.array([0]), sample=10, corpus_documents=2)
    assert choice.rows.tolist() == [0, 1]
    assert choice.entry.notes == ("a sample of 10 was asked for and the corpus has 2 documents: all joined",)


@given(
    st.lists(st.integers(0, 40), min_size=1, max_size=60),
    st.integers(0, 70),
    st.lists(st.integers(1, 59), max_size=4),
)
def test_a_sample_taken_shard_by_shard_is_the_sample_of_the_whole(priorities, sample, cuts):
    """One pass: what a shard leaves out by the threshold of those before it is never in the sample."""
    rows = corpus(range(len(priorities)), priorities)
    kept, seen = [], np.empty(0, np.uint64)
    ends = sorted({min(cut, len(priorities)) for cut in cuts} | {len(priorities)})
    start = 0
    for end in ends:
        limit = threshold(seen, sample)
        part = rows.priority[start:end]
        kept += [
            start + place for place in np.flatnonzero(np.full(len(part), True) if limit is None else part <= limit)
        ]
        seen = np.sort(np.concatenate([seen, part]))[:sample] if sample else np.empty(0, np.uint64)
        start = end
    part = CorpusRows(rows.texts[kept], rows.blank[kept], rows.priority[kept])
    assert [kept[row] for row in sample_rows(part, sample)] == sample_rows(rows, sample).tolist()


@pytest.mark.parametrize("sample", [0, 3, "all"])
def test_the_size_of_a_sample_is_what_was_asked_for(sample):
    rows = corpus(range(5), [4, 4, 4, 4, 4])
    assert len(sample_rows(rows, sample)) == (5 if sample == "all" else sample)
