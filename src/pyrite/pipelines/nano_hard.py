"""For a hard fill: the source corpus ranked by BM25, and which of what it finds may be relevant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrite.core import Corpus, Run, TextPairs
from pyrite.pipelines.guarding import held_scores, is_file, pair_scores
from pyrite.pipelines.nano_reading import SourceCorpus
from pyrite.preparation import ChosenQueries, HardFill, NanoSource, close_in_score, near_positives
from pyrite.retrieval import BM25, analyzer_for


def rank_source(
    source: NanoSource, chosen: ChosenQueries, corpus: SourceCorpus, params: Mapping[str, Any], *, by: tuple[str, str]
) -> HardFill:
    """The rankings and the guarded rows; the texts of the whole source corpus are in memory for it.

    Params: `nano` (fill_depth, guard), `bm25` (variant, k1, b) and `base`. `by` is the analyzer as the recipe names it,
    and the language.
    """
    rules, bm25, rows = params["nano"], params["bm25"], source.documents
    texts = chosen.queries.texts.to_pylist()
    analyzer = analyzer_for(by[0], language=by[1], texts=texts)
    retriever = BM25(analyzer.name, variant=bm25["variant"], k1=bm25["k1"], b=bm25["b"])
    whole = corpus.take(rows)
    run = retriever.index(whole).search(chosen.queries, rules["fill_depth"])
    found = _by_query(run, rows)
    positives = {query_id: source.positives(query_id) for query_id in chosen.kept}
    guard = rules["guard"]
    guarded: frozenset[int] = frozenset()
    if guard["near"] is not None:
        place = dict(zip(rows.tolist(), range(len(rows)), strict=True))
        read = whole.contents()

        def text(row: int) -> str:
            return str(read[place[row]].as_py())

        guarded |= near_positives(
            {query_id: [text(row) for row in known] for query_id, known in positives.items()},
            {query_id: {row: text(row) for row in ranked} for query_id, ranked in found.items()},
            guard["near"],
        )
    if guard["system"]:
        wanted = {query_id: [*found.get(query_id, ()), *known] for query_id, known in positives.items()}
        scores = _guard_scores(
            guard["system"], chosen, (whole, rows), wanted, base=Path(params["base"]), language=by[1]
        )
        guarded |= close_in_score(scores, positives, guard["margin"])
    return HardFill(found, guarded)


def _by_query(run: Run, rows: Any) -> dict[str, Sequence[int]]:
    """Query id -> source rows, best first; the run's documents are those of the ranked corpus, in its order."""
    taken = rows[run.positions]
    ends = run.offsets.tolist()
    ids = run.query_ids.to_pylist()
    return {query_id: taken[ends[place] : ends[place + 1]].tolist() for place, query_id in enumerate(ids)}


def _guard_scores(
    system: str,
    chosen: ChosenQueries,
    corpus: tuple[Corpus, NDArray[np.int64]],
    wanted: Mapping[str, Sequence[int]],
    *,
    base: Path,
    language: str,
) -> dict[str, dict[int, float]]:
    """Query id -> source row -> the guard's score: of a file all that it holds, of another system what is wanted.

    `corpus` is the source's, with the source row of each document.
    """
    whole, rows = corpus
    numbers = dict(zip(whole.ids.to_pylist(), rows.tolist(), strict=True))
    if is_file(system):
        return held_scores(system, base, numbers)
    place = dict(zip(rows.tolist(), range(len(rows)), strict=True))
    asked = [(query_id, row) for query_id, own in wanted.items() for row in own]
    pairs = TextPairs(
        chosen.queries,
        whole,
        chosen.queries.positions([query_id for query_id, _ in asked]),
        np.array([place[row] for _, row in asked], np.int32),
    )
    texts = chosen.queries.texts.to_pylist()
    made = pair_scores(system, pairs, language=language, base=base, texts=texts)
    scores: dict[str, dict[int, float]] = {}
    for (query_id, row), score in zip(asked, made.tolist(), strict=True):
        scores.setdefault(query_id, {})[row] = score
    return scores
