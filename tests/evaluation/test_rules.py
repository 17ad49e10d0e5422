"""A report says how its numbers were made."""

from pyrite.core import Run
from pyrite.evaluation import parse_measures
from pyrite.evaluation.rules import ALWAYS, depth_rules, interval_rule, measure_rules, selection_rule, self_rule


def test_each_family_of_measures_is_explained_once():
    rules = measure_rules(parse_measures("nDCG@5 nDCG@10 P@1 nDCG AP(rel=3) AP(rel=2)@5"))
    assert rules[: len(ALWAYS)] == ALWAYS
    assert [rule.split()[0] for rule in rules[len(ALWAYS) :]] == ["nDCG's", "P@k", "AP@k", "With", "With"]
    assert [rule[:12] for rule in rules[-2:]] == ["With (rel=2)", "With (rel=3)"]


def test_the_selection_is_said_with_its_reason():
    assert selection_rule(5, 5, headline=True) == "The queries are all 5."
    assert selection_rule(2, 5, headline=False) == "The queries are the first 2 of 5, as asked for."


def test_self_matches_and_intervals_are_said():
    assert "is taken out of every ranking, for every system alike" in self_rule(removed=True)
    assert "is kept in every ranking, for every system alike" in self_rule(removed=False)
    assert interval_rule(10_000, 3).endswith("10,000 bootstrap resamples of the queries (seed 3).")


def test_only_a_run_shallower_than_a_cutoff_and_than_the_corpus_is_called_shallow():
    shallow, deep = (Run.of(f"{n}", {"q": [(f"d{row}", 1.0) for row in range(n)]}) for n in (3, 10))
    asked = parse_measures("nDCG@5 P@3 AP R@10")
    assert depth_rules([shallow, deep], asked) == (
        "The run 3 is at most 3 deep, which is all that nDCG@5, R@10 can see.",
    )
    assert depth_rules([shallow], asked, documents=3) == ()
