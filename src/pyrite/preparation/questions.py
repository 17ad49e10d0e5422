"""Evaluation rows become queries with positives: which questions, whose passages, by which rule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pyrite.core import LedgerEntry


@dataclass(frozen=True)
class Questions:
    """The chosen queries and their positives.

    Attributes:
        texts: one a query, in source order; query i has the id "q{i}".
        query_rows, gold_numbers: the qrels: aligned int64, by query, then by gold number (= corpus order).
        repeated: how many chosen queries have a text that an earlier one has (under "keep").
        entries: the account of the evaluation rows.
    """

    texts: tuple[str, ...]
    query_rows: NDArray[np.int64]
    gold_numbers: NDArray[np.int64]
    repeated: int
    entries: tuple[LedgerEntry, ...]


def choose_questions(
    questions: Sequence[str | None],
    gold_numbers: NDArray[np.int64],
    *,
    limit: int | Literal["all"],
    duplicates: Literal["merge", "keep"],
) -> Questions:
    """The first `limit` questions in source order, each with its own passage, or the union of equal texts' passages.

    Args:
        questions: one an evaluation row; None, "" or blank is no question.
        gold_numbers: int64, one a row: the number of the row's passage among the gold ones, -1 for no passage.
        limit: distinct questions under "merge", rows under "keep".
        duplicates: what rows with equal question texts become. Under "merge" a query's positives are those of
            the whole split, so that no later row is an unmarked positive.

    >>> chosen = choose_questions(["a?", "b?", "a?"], np.array([0, 1, 2]), limit=1, duplicates="merge")
    >>> chosen.texts, chosen.gold_numbers.tolist()
    (('a?',), [0, 2])
    """
    no_question = np.array([question is None or not question.strip() for question in questions], dtype=np.bool_)
    no_passage = gold_numbers < 0
    usable = np.flatnonzero(~no_question & ~no_passage)
    wanted = len(usable) if limit == "all" else limit
    rows = LedgerEntry(
        "evaluation rows",
        "rows",
        len(questions),
        len(usable),
        _counts({"empty question": int(no_question.sum()), "empty passage": int((no_passage & ~no_question).sum())}),
    )
    first_row: dict[str, int] = {}
    query_of_row = np.empty(len(usable), dtype=np.int64)
    texts: list[str] = []
    for place, row in enumerate(usable.tolist()):
        text = questions[row]
        assert text is not None
        number = first_row.setdefault(text, len(first_row))
        query_of_row[place] = number if duplicates == "merge" else place
        if duplicates == "keep" or number == len(texts):
            texts.append(text)
    chosen = texts[:wanted]
    mine = query_of_row < len(chosen)
    pairs = np.unique(np.stack([query_of_row[mine], gold_numbers[usable][mine]], axis=1), axis=0)
    merged = int(len(usable) - len(texts))
    dropped = _counts({"question text seen before": merged, "beyond the limit": len(texts) - len(chosen)})
    notes = (f"{int(mine.sum()) - len(pairs)} rows repeat a query and its passage",) if mine.sum() > len(pairs) else ()
    queries = LedgerEntry("queries", "rows", len(usable), len(chosen), dropped, notes)
    return Questions(tuple(chosen), pairs[:, 0], pairs[:, 1], len(chosen) - len(dict.fromkeys(chosen)), (rows, queries))


def _counts(reasons: dict[str, int]) -> dict[str, int]:
    return {reason: count for reason, count in reasons.items() if count}
