"""The compiled loop beside a plain one, over drawn pools and rules."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from pyrite.core import Corpus, Document, Pool, Queries, Query
from pyrite.mining import HOW, Rows, SelectRules, select

DOCUMENTS = 9
MAYBE = st.none() | st.integers(-3, 3).map(float)


def plain(hits, positive, rules):
    """One row, as the rules are told: (state, [(document, how)])."""
    if positive < rules.positive_min:
        return "weak", []
    usable = [
        (doc, rank, logit)
        for doc, rank, logit, excluded in hits
        if not excluded
        and rank > rules.range_min
        and (rules.range_max is None or rank <= rules.range_max)
        and (rules.max_score is None or logit <= rules.max_score)
        and (rules.min_score is None or logit >= rules.min_score)
    ]

    def far(logit):
        absolute = rules.absolute_margin is None or positive - logit >= rules.absolute_margin
        return absolute and (rules.relative_margin is None or logit <= positive - rules.relative_margin * abs(positive))

    def best(rows):
        return [doc for doc, _, _ in sorted(rows, key=lambda row: (-row[2], row[0]))]

    stages = [
        best([row for row in usable if row[1] <= rules.depth and far(row[2])]),
        best([row for row in usable if row[1] > rules.depth and far(row[2])]),
        best([row for row in usable if not far(row[2])]) if rules.top_up else [],
    ]
    chosen = [(doc, HOW[stage]) for stage, docs in enumerate(stages) for doc in docs][: rules.num_negatives]
    if len(chosen) < rules.num_negatives:
        return "short", chosen
    return "top-up" if chosen[-1][1] == "top-up" else "full", chosen


@st.composite
def pools(draw):
    queries = draw(st.integers(1, 3))
    hits = []
    for _ in range(queries):
        docs = draw(st.permutations(range(DOCUMENTS)))[: draw(st.integers(0, DOCUMENTS))]
        hits.append(
            [(doc, rank, float(draw(st.integers(-4, 4))), draw(st.booleans())) for rank, doc in enumerate(docs, 1)]
        )
    rows = draw(st.lists(st.tuples(st.integers(0, queries - 1), st.integers(-2, 6)), min_size=1, max_size=4))
    return hits, rows


RULES = st.builds(
    SelectRules,
    num_negatives=st.integers(1, 4),
    positive_min=st.sampled_from([-1.0, 2.0]),
    absolute_margin=st.none() | st.sampled_from([0.0, 2.0, 4.0]),
    relative_margin=st.none() | st.sampled_from([0.0, 0.5, 1.0]),
    max_score=MAYBE,
    min_score=MAYBE,
    range_min=st.integers(0, 2),
    range_max=st.none() | st.integers(3, 9),
    depth=st.integers(1, 9),
    top_up=st.booleans(),
)


@settings(max_examples=300)
@given(pools(), RULES)
def test_every_row_is_what_the_rules_say(drawn, rules):
    hits, rows = drawn
    # Every row's positive is a document of its own, at the end of its query.
    own = [
        [(DOCUMENTS + place, 0, float(p), True) for place, (q, p) in enumerate(rows) if q == query]
        for query in range(len(hits))
    ]
    flat = [hit for query, found in enumerate(hits) for hit in [*found, *own[query]]]
    lengths = [len(found) + len(own[query]) for query, found in enumerate(hits)]
    rank = np.array([hit[1] for hit in flat], np.int32)
    pool = Pool(
        queries=Queries.of([Query(f"q{query}", f"{query}?") for query in range(len(hits))]),
        corpus=Corpus.of([Document(f"d{doc}", "text") for doc in range(DOCUMENTS + len(rows))]),
        retrievers=("toy",),
        offsets=np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
        documents=np.array([hit[0] for hit in flat], np.int32),
        retriever=np.zeros(len(flat), np.int16),
        rank=rank,
        score=np.zeros(len(flat)),
        logit=np.array([hit[2] for hit in flat], np.float32),
    )
    place = {hit[0]: row for row, hit in enumerate(flat) if hit[0] >= DOCUMENTS}
    asked = Rows(
        query=np.array([q for q, _ in rows]),
        positive=np.array([place[DOCUMENTS + number] for number in range(len(rows))]),
        excluded=np.array([hit[3] for hit in flat]),
    )
    selection = select(pool, asked, rules)
    names = ("full", "top-up", "short", "weak")
    for row, (query, positive) in enumerate(rows):
        state, chosen = plain(hits[query], float(positive), rules)
        span = slice(selection.offsets[row], selection.offsets[row + 1])
        got = list(
            zip(pool.documents[selection.taken[span]].tolist(), [HOW[how] for how in selection.how[span]], strict=True)
        )
        assert (names[selection.state[row]], got) == (state, chosen)
    counts = dict(selection.counts)
    assert counts.pop("looked at") == sum(counts.values())
