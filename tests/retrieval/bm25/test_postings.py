import numpy as np

from pyrite.retrieval.bm25.postings import Counts, Postings, Weights, add_frequencies, count, fill, find_highest

# Two documents, "a b a" and "b", whose words are 0 and 1; both words are the terms 4 and 2.
IDS = np.array([0, 1, 0, 1], np.int32)
STARTS, ENDS = np.array([0, 3]), np.array([3, 4])
TERM_OF = np.array([4, 2], np.int32)


def counted(stamp: int, seen: np.ndarray) -> Counts:
    return Counts(*count(IDS, STARTS, ENDS, TERM_OF, seen, stamp))


def test_terms_are_counted_in_each_document() -> None:
    counts = counted(1, np.zeros(5, np.int64))
    assert counts.terms.tolist() == [4, 2, 2]
    assert counts.frequencies.tolist() == [2, 1, 1]
    assert (counts.bounds.tolist(), counts.lengths.tolist()) == ([0, 2, 3], [3, 1])


def test_what_an_earlier_block_had_is_forgotten() -> None:
    seen = np.zeros(5, np.int64)
    counted(1, seen)
    assert counted(3, seen).frequencies.tolist() == [2, 1, 1]


def test_two_words_with_one_stem_are_one_term() -> None:
    counts = Counts(*count(IDS, STARTS, ENDS, np.array([3, 3], np.int32), np.zeros(4, np.int64), 1))
    assert (counts.terms.tolist(), counts.frequencies.tolist()) == ([3, 3], [3, 1])


def test_documents_of_a_term_are_added_up() -> None:
    totals = np.zeros(5, np.int64)
    add_frequencies(counted(1, np.zeros(5, np.int64)).terms, totals)
    assert totals.tolist() == [0, 0, 2, 0, 1]


def test_postings_are_filled_by_term_with_the_scores_of_the_formula() -> None:
    counts = counted(1, np.zeros(5, np.int64))
    ranks = np.array([0, 0, 1, 0, 0], np.int32)  # term 4 is row 0, term 2 is row 1
    weights = Weights(ranks, np.array([0.7, 0.2], np.float32), 1.5, 0.75, 2.0)
    postings = Postings(np.array([0, 1, 3]), np.zeros(3, np.int32), np.zeros(3, np.float32), np.zeros(2, np.float32))
    fill(counts, 10, weights, np.array([0, 1]), postings)
    find_highest(postings)
    long, short = 1.5 * (0.25 + 0.75 * 3 / 2), 1.5 * (0.25 + 0.75 * 1 / 2)
    expected = [0.7 * 2 / (long + 2), 0.2 / (long + 1), 0.2 / (short + 1)]
    assert postings.documents.tolist() == [10, 10, 11]
    np.testing.assert_allclose(postings.scores, expected, rtol=1e-6)
    assert postings.highest.tolist() == [postings.scores[0], postings.scores[2]]


def test_a_word_that_fills_a_document_is_counted_without_a_limit() -> None:
    many = 70_000
    ids = np.zeros(many, np.int32)
    counts = count(ids, np.array([0]), np.array([many]), np.array([0], np.int32), np.zeros(1, np.int64), 1)
    assert counts[1].tolist() == [many]
