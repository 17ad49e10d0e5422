"""One collection by hand: two queries with a positive each, one query with two, one with none."""

from collections.abc import Callable

import numpy as np
import pytest

from pyrite.auditing import NearPairs, Ranked, Sightings, sight
from pyrite.core import Collection, Corpus, Document, Qrels, Queries, Query, Run

DOCUMENTS = {
    "p0": "Pyrite is called fool's gold.",
    "p1": "Galena is the ore of lead.",
    "p2": "Quartz is hard.",
    "d3": "PYRITE is called  fool's gold.",
    "d4": "Iron sulfide looks like gold.",
    "d5": "Coal is black.",
    "d6": "Topaz is hard too.",
}
JUDGED = {"q0": {"p0": 1, "d5": 0}, "q1": {"p1": 2}, "q2": {"p2": 2, "d6": 1}}
QUESTIONS = {"q0": "what is fool's gold?", "q1": "ore of lead?", "q2": "what is hard?", "q3": "what is soft?"}


@pytest.fixture
def minerals() -> Collection:
    return Collection(
        "minerals",
        "en",
        Corpus.of(Document(doc, text) for doc, text in DOCUMENTS.items()),
        Queries.of(Query(query, text) for query, text in QUESTIONS.items()),
        Qrels.of(JUDGED),
    )


@pytest.fixture
def look(minerals: Collection) -> Callable[..., Sightings]:
    """Sightings of rankings, given as query -> documents, with logits, given as (query, document) -> logit."""

    def looked(
        *runs: dict[str, list[str]],
        logits: dict[tuple[str, str], float] | None = None,
        near: NearPairs | None = None,
        depth: int = 10,
    ) -> Sightings:
        made = [
            Run.of(f"s{place}", {query: [(doc, 9.0 - n) for n, doc in enumerate(docs)] for query, docs in run.items()})
            for place, run in enumerate(runs)
        ]
        ranked = [Ranked.of(run, minerals, depth=depth) for run in made]
        seen = sight(minerals, ranked, near or NearPairs.of([]))
        values = np.full(len(seen), np.nan, dtype=np.float32)
        for (query, doc), logit in (logits or {}).items():
            place = seen.find(np.array([minerals.queries.position(query)]), np.array([minerals.corpus.position(doc)]))
            values[place[0]] = logit
        return seen.with_logits(values)

    return looked
