"""Which documents of a hard fill may be relevant to a chosen query, and are left out for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pyrite.preparation.shingles import likeness, shingles


def near_positives(
    positives: Mapping[str, Sequence[str]], ranked: Mapping[str, Mapping[int, str]], near: float
) -> frozenset[int]:
    """Rows whose text is a near-duplicate of a positive of the query that ranks them.

    Args:
        positives: query id -> the texts of all its known positives.
        ranked: query id -> row -> text of what its ranking offers.
        near: the least share of common 5-word shingles, above 0 and up to 1.

    >>> near_positives({"q": ["a b c d e f g h"]}, {"q": {4: "A b c d e f g h!", 9: "x y"}}, near=0.8)
    frozenset({4})
    """
    guarded: set[int] = set()
    for query_id, offered in ranked.items():
        known = [shingles(text) for text in positives.get(query_id, ())]
        for row, text in offered.items():
            own = shingles(text)
            if row not in guarded and any(likeness(own, one) >= near for one in known):
                guarded.add(row)
    return frozenset(guarded)


def close_in_score(
    scores: Mapping[str, Mapping[int, float]], positives: Mapping[str, Sequence[int]], margin: float
) -> frozenset[int]:
    """Rows that a system scores within the margin of the query's best positive, or above it.

    Args:
        scores: query id -> row -> the system's score; higher is more relevant.
        positives: query id -> rows of its known positives. A query of which none is scored guards nothing.
        margin: in the system's own unit; 0 guards what scores as high as the positive.

    >>> sorted(close_in_score({"q": {1: 8.0, 2: 7.5, 3: 2.0, 4: 9.0}}, {"q": [1]}, margin=1.0))
    [2, 4]
    """
    guarded: set[int] = set()
    for query_id, found in scores.items():
        known = positives.get(query_id, ())
        scored = [found[row] for row in known if row in found]
        if scored:
            guarded.update(row for row, score in found.items() if score >= max(scored) - margin and row not in known)
    return frozenset(guarded)
