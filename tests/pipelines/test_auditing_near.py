"""Near-duplicates of positives: every document of the corpus against every positive, copies told apart."""

from pyrite.core import Collection, Corpus, Document, Qrels, Queries, Query
from pyrite.pipelines.auditing_near import LAYERS, near_pairs

LONG = "Pyrite is an iron sulfide whose brass colour earned it the name fool's gold among miners of the old west"


def collection(texts: dict[str, str], judged: dict[str, dict[str, int]]) -> Collection:
    return Collection(
        "toy",
        "en",
        Corpus.of(Document(doc, text) for doc, text in texts.items()),
        Queries.of(Query(query, f"{query}?") for query in judged),
        Qrels.of(judged),
    )


def found(texts: dict[str, str], judged: dict[str, dict[str, int]], near: float = 0.8) -> list[tuple[str, ...]]:
    made = collection(texts, judged)
    pairs, notes = near_pairs(made, near)
    assert notes == ()
    docs = list(texts)
    rows = zip(pairs.query, pairs.document, pairs.positive, pairs.same, strict=True)
    return [(made.queries.ids[int(q)].as_py(), docs[d], docs[p], "same" if same else "near") for q, d, p, same in rows]


def test_copies_by_case_width_space_and_unicode_form_are_found_and_called_the_same() -> None:
    # O11: a copy under another id is a positive whatever its letters.
    texts = {
        "p": f"{LONG}, écrit",
        "case": f"{LONG.upper()}, ÉCRIT",
        "space": f"  {LONG.replace(' ', '  ')}, écrit ",
        "width": f"{LONG}, écrit".replace("Pyrite", "Ｐyrite"),
        "nfd": f"{LONG}, e\u0301crit",
        "near": f"{LONG}, indeed",
        "other": "Galena is the ore of lead.",
    }
    assert found(texts, {"q": {"p": 1}}) == [
        *(("q", doc, "p", "same") for doc in ("case", "space", "width", "nfd")),
        ("q", "near", "p", "near"),
    ]


def test_a_document_that_is_known_to_be_relevant_is_no_duplicate_and_one_judged_0_is() -> None:
    texts = {"p": LONG, "also": LONG + " indeed", "zero": LONG + " perhaps"}
    judged = {"q": {"p": 2, "also": 1, "zero": 0}}
    assert {row[1] for row in found(texts, judged)} == {"zero"}


def test_positives_that_are_alike_each_find_what_is_like_them() -> None:
    texts = {"p1": LONG, "p2": LONG, "copy": LONG.lower()}
    assert found(texts, {"q1": {"p1": 1}, "q2": {"p2": 1}}) == [
        *(("q1", doc, "p1", "same") for doc in ("p2", "copy")),
        *(("q2", doc, "p2", "same") for doc in ("p1", "copy")),
    ]


def test_nothing_is_looked_for_at_0_or_without_positives() -> None:
    assert found({"p": LONG, "copy": LONG}, {"q": {"p": 1}}, near=0) == []
    assert found({"p": LONG, "copy": LONG}, {"q": {"p": 0}}) == []


def test_of_a_template_so_many_are_looked_at_and_the_rest_is_told() -> None:
    texts = {f"p{n}": f"{LONG} {n}" for n in range(LAYERS + 3)}
    _, notes = near_pairs(collection(texts, {f"q{n}": {f"p{n}": 1} for n in range(LAYERS + 3)}), 0.8)
    assert notes == (
        f"3 positives are like {LAYERS} others or more (a template?); their near-duplicates were not looked for.",
    )
