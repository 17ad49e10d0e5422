"""Rows of a query's documents, against the plain way of finding them."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pyrite.mining.lookup import find_rows, mark_known


@given(st.lists(st.lists(st.integers(0, 6), max_size=6, unique=True), min_size=1, max_size=5), st.data())
def test_rows_and_marks_are_those_of_a_plain_search(rankings, data):
    offsets = np.concatenate([[0], np.cumsum([len(one) for one in rankings])]).astype(np.int64)
    documents = np.array([doc for one in rankings for doc in one], np.int32)
    pair = st.tuples(st.integers(0, len(rankings) - 1), st.integers(0, 6))
    pairs = data.draw(st.lists(pair, max_size=8))
    classes = np.array(data.draw(st.lists(st.integers(0, 3), min_size=7, max_size=7)), np.int64)
    query, wanted = (np.array([one[side] for one in pairs], np.int64) for side in (0, 1))
    rows = find_rows(offsets, documents, query=query, wanted=wanted)
    expected = [int(offsets[q]) + rankings[q].index(doc) if doc in rankings[q] else -1 for q, doc in pairs]
    assert rows.tolist() == expected
    known = np.stack([query, wanted]).astype(np.int32)
    marks = mark_known(offsets, documents, known=known, classes=classes)
    plain = []
    for q, ranking in enumerate(rankings):
        own = [doc for asked, doc in pairs if asked == q]
        for doc in ranking:
            alike = any(classes[doc] == classes[one] for one in own)
            plain.append(1 if doc in own else 2 if alike else 0)
    assert marks.tolist() == plain
