"""Which evaluation rows become queries, worked out by hand."""

import numpy as np
import pytest

from pyrite.preparation import Questions, choose_questions

# row:       0     1     2     3     4      5     6
QUESTIONS = ["a?", "b?", "a?", None, "  ", "c?", "a?"]
GOLD = np.array([0, 1, 2, 3, 4, -1, 0])


def _choose(limit: int | str, duplicates: str) -> Questions:
    return choose_questions(QUESTIONS, GOLD, limit=limit, duplicates=duplicates)


def _pairs(questions: Questions) -> list[tuple[int, int]]:
    return list(zip(questions.query_rows.tolist(), questions.gold_numbers.tolist(), strict=True))


def test_merged_questions_are_one_query_with_the_union_of_their_positives() -> None:
    """X07: a repeated question keeps the positives of all its rows."""
    chosen = _choose("all", "merge")
    assert chosen.texts == ("a?", "b?")
    assert _pairs(chosen) == [(0, 0), (0, 2), (1, 1)]
    assert chosen.repeated == 0


def test_the_union_is_over_the_whole_split_even_past_the_limit() -> None:
    chosen = _choose(1, "merge")
    assert chosen.texts == ("a?",)
    assert _pairs(chosen) == [(0, 0), (0, 2)]
    assert dict(chosen.entries[1].dropped) == {"question text seen before": 2, "beyond the limit": 1}
    assert chosen.entries[1].notes == ("1 rows repeat a query and its passage",)


def test_kept_questions_are_a_query_a_row_and_the_repeats_are_counted() -> None:
    chosen = _choose(3, "keep")
    assert chosen.texts == ("a?", "b?", "a?")
    assert _pairs(chosen) == [(0, 0), (1, 1), (2, 2)]
    assert chosen.repeated == 1


@pytest.mark.parametrize("duplicates", ["merge", "keep"])
def test_rows_without_a_question_or_a_passage_are_left_out_and_counted(duplicates: str) -> None:
    entry = _choose("all", duplicates).entries[0]
    assert (entry.rows_in, entry.rows_out) == (7, 4)
    assert dict(entry.dropped) == {"empty question": 2, "empty passage": 1}


def test_a_limit_above_the_rows_takes_what_there_is() -> None:
    assert len(_choose(100, "keep").texts) == 4
