from hypothesis import given, settings
from hypothesis import strategies as st

from pyrite.retrieval.bm25.terms import Terms


@settings(deadline=None)
@given(
    st.sets(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=4)),
    st.lists(st.text("aé日", max_size=4)),
)
def test_a_term_is_found_where_it_is_and_nowhere_else(terms: set[str], wanted: list[str]) -> None:
    rows = sorted(terms)
    held = Terms.of(rows)
    assert held.to_list() == rows
    assert held.find(rows).tolist() == list(range(len(rows)))
    assert held.find(wanted).tolist() == [rows.index(term) if term in terms else -1 for term in wanted]


def test_no_terms_hold_nothing() -> None:
    empty = Terms.of([])
    assert (empty.find(["a"]).tolist(), empty.find([]).tolist(), empty.to_list()) == ([-1], [], [])


def test_a_term_is_not_found_by_its_beginning() -> None:
    assert Terms.of(["gold", "golden"]).find(["gol", "golde", "goldens", ""]).tolist() == [-1, -1, -1, -1]
