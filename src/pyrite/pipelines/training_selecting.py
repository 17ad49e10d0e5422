"""From a pool to mined rows: score what the rules look at, extend where a row is short, select, filter, count."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pyrite.core import DataError, Ledger, Pool, TrainingTuples, taken
from pyrite.mining import (
    Exclusion,
    Filtered,
    KnownPositives,
    MiningStatistics,
    Rows,
    Selection,
    alike,
    coarse_labels,
    exclude_near,
    exclude_positives,
    filter_rows,
    find_rows,
    mining_statistics,
    positives_beside,
    refuse_squashed,
    select,
    select_entry,
    tuples_of,
    unscored_rows,
)
from pyrite.pipelines.recipe_training import TrainingRecipe
from pyrite.pipelines.training_scoring import ScoreRows
from pyrite.preparation import FirstSeen, digests, signatures

NEAR_PAIRS = 25_000
"""Pairs of documents that are compared at a time, with the shingles of both in memory."""

TEXTS = 8192
"""Texts that are normalised at a time."""


@dataclass(frozen=True, eq=False)
class Mined:
    """A finished selection.

    Attributes:
        pool: every scored pair. found: int64, one a query: candidates, scored or not.
        placed: the pairs. rows, selection: what was decided, on what.
        tuples, short: the rows that are full, and those that are short. filtered: the verdict on the full rows.
        statistics: what came out. ledger: of the selection and the filter.
        warnings: what rounding did to the logits.
    """

    pool: Pool
    found: NDArray[np.int64]
    placed: KnownPositives
    rows: Rows
    selection: Selection
    tuples: TrainingTuples
    short: TrainingTuples
    filtered: Filtered
    statistics: MiningStatistics
    ledger: Ledger
    warnings: tuple[str, ...]


def mine_pool(
    recipe: TrainingRecipe, pool: Pool, placed: KnownPositives, score: ScoreRows, *, found: NDArray[np.int64]
) -> Mined:
    """Score, extend, select and filter by a recipe's rules.

    Args:
        recipe: with the rules.
        pool: the candidates of every query and the positives; what `score` cannot give need not be there.
        placed: the pairs.
        score: gives the logits of rows of the pool.
        found: int64, one a query: how many candidates it has, in the pool or not.

    Raises:
        DataError: the labels are squashed, or no row is left.
    """
    rules, query = recipe.rules(), placed.numbers[placed.pairs.query]
    positives = find_rows(pool.offsets, pool.documents, query=query, wanted=placed.pair_positions)
    first = (pool.rank > 0) & (pool.rank <= rules.depth)
    first[positives] = True
    pool = _with_scores(pool, np.flatnonzero(first), score)
    refuse_squashed(pool.logit[first], allow=recipe.select.allow_squashed, teacher=recipe.teacher.system)
    scored = pool.take(first)
    exclusion = exclusion_of(scored, placed, recipe.select.near)
    rows = _rows(scored, placed, exclusion, found)
    short = unscored_rows(scored, rows, rules)
    if len(short):
        extended = np.zeros(len(pool.queries), dtype=np.bool_)
        extended[query[short]] = True
        more = ~first & (pool.rank > rules.depth) & extended[pool.query_of]
        pool = _with_scores(pool, np.flatnonzero(more), score)
        scored = pool.take(first | more)
        exclusion = exclusion_of(scored, placed, recipe.select.near)
        rows = _rows(scored, placed, exclusion, found)
        lacking = rows.lacking
        assert lacking is not None
        if lacking[extended].any():
            raise unscored(int(lacking[extended].sum()))
    selection = select(scored, rows, rules)
    return _decided(recipe, scored, placed, (rows, exclusion, selection), found)


def unscored(pairs: int) -> DataError:
    """The error for pairs that a selection needs and that nobody scored."""
    return DataError(
        f"{pairs:,} pairs that these rules need were never scored",
        fix="build again with these rules, which scores them",
    )


def _with_scores(pool: Pool, rows: NDArray[np.int64], score: ScoreRows) -> Pool:
    return pool.with_logits(rows, score(pool, rows))


def _rows(scored: Pool, placed: KnownPositives, exclusion: Exclusion, found: NDArray[np.int64]) -> Rows:
    query = placed.numbers[placed.pairs.query]
    there = np.bincount(scored.query_of[scored.rank > 0], minlength=len(scored.queries))
    return Rows(
        query=query,
        positive=find_rows(scored.offsets, scored.documents, query=query, wanted=placed.pair_positions),
        excluded=exclusion.rows,
        lacking=found - there,
    )


def exclusion_of(scored: Pool, placed: KnownPositives, near: float) -> Exclusion:
    """What is no negative: positives, their copies, and, for `near` above 0, their near-duplicates."""
    known = np.stack([placed.numbers[placed.known.query], placed.positions])
    exclusion = exclude_positives(scored, known, _classes(scored, placed.positions))
    if not near:
        return exclusion
    rows, positives = positives_beside(scored, exclusion, known)
    return exclude_near(exclusion, rows, _near(scored, rows, positives, near))


def _classes(scored: Pool, positions: NDArray[np.int32]) -> NDArray[np.int64]:
    """Equal numbers for documents whose normalised texts are equal; -1 for those that nothing is asked of."""
    asked = np.unique(np.concatenate([scored.documents, positions]))
    classes, seen = np.full(len(scored.corpus), -1, dtype=np.int64), FirstSeen()
    for start in range(0, len(asked), TEXTS):
        part = asked[start : start + TEXTS]
        texts = taken(scored.corpus.texts, part).combine_chunks()
        classes[part] = seen.number(digests(texts, "normalised"))
    return classes


def _near(scored: Pool, rows: NDArray[np.int64], positives: NDArray[np.int64], threshold: float) -> NDArray[np.bool_]:
    """Which of these rows are near-duplicates of the positives beside them, some documents at a time."""
    marks = np.zeros(len(rows), dtype=np.bool_)
    left = scored.documents[rows].astype(np.int64)
    for start in range(0, len(rows), NEAR_PAIRS):
        stop = min(start + NEAR_PAIRS, len(rows))
        documents, inverse = np.unique(np.concatenate([left[start:stop], positives[start:stop]]), return_inverse=True)
        made = signatures(taken(scored.corpus.texts, documents), threshold=threshold)
        hashes = made.hashes
        assert isinstance(hashes, np.ndarray)
        count = stop - start
        marks[start:stop] = alike(hashes, made.sizes, left=inverse[:count], right=inverse[count:], threshold=threshold)
    return marks


def _decided(
    recipe: TrainingRecipe,
    scored: Pool,
    placed: KnownPositives,
    made: tuple[Rows, Exclusion, Selection],
    found: NDArray[np.int64],
) -> Mined:
    rows, exclusion, selection = made
    keep_short = recipe.select.short_rows == "keep"
    tuples = tuples_of(selection, scored, rows, selection.full)
    if not len(tuples):
        weak, rest = selection.weak, len(selection.state) - selection.weak
        raise DataError(
            f"no row is left: {weak:,} positives are weak and {rest:,} rows have too few candidates",
            where=f"recipe '{recipe.name}', [select]",
            fix="check the teacher's logits, then positive_min and the margins",
        )
    labels = tuples.labels()
    filtered = filter_rows(labels, recipe.filter.rules())
    statistics = mining_statistics(
        selection,
        filtered,
        labels,
        input_rows=placed.input_rows,
        logits=scored.logit,
        keep_short=keep_short,
    )
    return Mined(
        pool=scored,
        found=found,
        placed=placed,
        rows=rows,
        selection=selection,
        tuples=tuples,
        short=tuples_of(selection, scored, rows, selection.short if keep_short else selection.short[:0]),
        filtered=filtered,
        statistics=statistics,
        ledger=Ledger((exclusion.entry(scored), select_entry(statistics), filtered.entry)),
        warnings=coarse_labels(scored.logit),
    )
