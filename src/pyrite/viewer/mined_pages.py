"""Pages about a mined set: its rows with those nearest to the margin first, and one row with why each was chosen."""

from __future__ import annotations

from typing import Any

import numpy as np

from pyrite.viewer.asked import Asked, NotThereError, Span
from pyrite.viewer.given import Shelf
from pyrite.viewer.mined import ORDERS, MinedDocument, MinedSet
from pyrite.viewer.shown import CUT, show


def mined_page(shelf: Shelf, asked: Asked) -> dict[str, Any]:
    """The rows of a mined set in the order that is asked for, and the distribution of the teacher's logits."""
    mined = asked.among("mined", shelf.mined)
    order, find = asked.choice("order", ORDERS), asked.text("find").strip()
    found = mined.search(find, order)
    span = Span.of(asked, len(found))
    numbers = found[span.rows]
    logits = [column[numbers].tolist() for column in (mined.positives, mined.hardest, mined.margins)]
    queries = [show(query, cut=CUT) for query in mined.queries(numbers)]
    rows = list(zip(numbers.tolist(), queries, *logits, strict=True))
    return {
        "mined": mined,
        "number": asked.number("mined"),
        "order": order,
        "orders": ORDERS,
        "find": find,
        "span": span,
        "rows": rows,
        "drawn": mined.drawn,
    }


def row_page(shelf: Shelf, asked: Asked) -> dict[str, Any]:
    """One mined row: its documents with logits and margins, where each came from, and why it was chosen."""
    mined = asked.among("mined", shelf.mined)
    number = asked.number("row")
    if number >= len(mined):
        raise NotThereError(f"there is no row {number}", where=mined.title, fix="go by the list of rows")
    order = asked.choice("order", ORDERS)
    places = mined.order(order)
    at = int(np.flatnonzero(places == number)[0])
    row, cut = mined.row(number), None if asked.text("whole") else CUT
    terms = mined.terms(row.query)
    return {
        "mined": mined,
        "number": asked.number("mined"),
        "row": row,
        "order": order,
        "shown": show(row.query),
        "documents": [(one, show(one.text, terms, cut=cut), why(one, mined)) for one in row.documents],
        "needed": float(mined.needed(np.asarray([row.documents[0].logit]))[0]),
        "place": at,
        "previous": int(places[at - 1]) if at else None,
        "next": int(places[at + 1]) if at + 1 < len(places) else None,
        "drawn": mined.drawn,
    }


def why(document: MinedDocument, mined: MinedSet) -> str:
    """Why a document is in its row, in one sentence; "" where the set does not tell."""
    if document.role == "positive":
        return "It is known to be relevant to the query."
    rules = [
        f"{name.replace('_', ' ')} {mined.select[name]:g}"
        for name in ("absolute_margin", "relative_margin")
        if mined.select.get(name)
    ]
    rule = f" ({', '.join(rules)})" if rules else ""
    reasons = {
        "margin": f"Among the first candidates, it has one of the highest logits that keep the margin{rule}.",
        "extended": f"The first candidates were too few: it keeps the margin{rule} and comes from a deeper rank.",
        "top-up": f"Too few candidates keep the margin{rule}: it has one of the highest logits of those that do not.",
    }
    return reasons.get(document.chosen, "")
