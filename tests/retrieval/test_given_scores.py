"""A table of logits as a scorer."""

from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyrite.core import Corpus, DataError, Document, Queries, Query, Scorer, TextPairs
from pyrite.formats import scores_table
from pyrite.retrieval import GivenScores, matched_logits

QUERIES = Queries.of([Query("q0", "a?"), Query("q1", "b?")])
CORPUS = Corpus.of([Document("d0", "A."), Document("d1", "B.")])


def given_scores(folder: Path) -> GivenScores:
    table = scores_table(["q1", "q0", "q9", "q1"], ["d0", "d1", "d0", "d9"], np.array([1.5, 2.5, 9.0, 9.0]))
    pq.write_table(table, folder / "teacher.parquet")
    return GivenScores(folder / "teacher.parquet")


def pairs(*places: tuple[int, int]) -> TextPairs:
    query, doc = (np.array([place[side] for place in places], np.int32) for side in (0, 1))
    return TextPairs(QUERIES, CORPUS, query, doc)


def test_pairs_are_looked_up_by_their_ids_in_the_order_of_the_pairs(tmp_path: Path) -> None:
    teacher = given_scores(tmp_path)
    assert isinstance(teacher, Scorer)
    assert teacher.score(pairs((0, 1), (1, 0), (0, 1))).tolist() == [2.5, 1.5, 2.5]
    assert (teacher.name, teacher.family) == ("scores:teacher", "scores")
    assert sorted(teacher.settings()) == ["digest", "file"]


def test_pairs_that_the_file_lacks_are_counted_and_the_first_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="2 of 3 pairs are not in it, the first is query 'q1' with document 'd1'"):
        given_scores(tmp_path).score(pairs((0, 1), (1, 1), (0, 0)))


@given(st.lists(st.tuples(st.integers(-1, 3), st.integers(-1, 3), st.integers(0, 9)), max_size=9), st.data())
def test_matching_is_a_dictionary_whose_first_entry_counts(held, data):
    place = st.integers(0, 3)
    wanted = data.draw(st.lists(st.tuples(place, place), max_size=6))
    columns = [np.array([row[side] for row in held], np.int64) for side in (0, 1)]
    logits = np.array([row[2] for row in held], np.float32)
    asked = tuple(np.array([row[side] for row in wanted], np.int64) for side in (0, 1))
    first = {}
    for query, doc, logit in held:
        first.setdefault((query, doc), float(logit))
    found = matched_logits((columns[0], columns[1]), logits, asked)
    expected = [first.get(pair, np.nan) for pair in wanted]
    assert np.array_equal(found, np.array(expected, np.float32), equal_nan=True)
