"""How a measure is written, and what is refused."""

import pytest

from pyrite.core import RecipeError
from pyrite.evaluation import Measure, parse_measures


def test_a_measure_prints_as_it_is_written():
    spellings = ["nDCG", "nDCG@10", "RR@1000", "AP(rel=2)@100", "R@5", "P@1", "Success@3", "Judged@10"]
    assert [str(parsed) for parsed in parse_measures(spellings)] == spellings
    assert parse_measures(" ".join(spellings)) == parse_measures(",  ".join(spellings)) == parse_measures(spellings)


def test_a_repeated_measure_is_taken_once():
    assert parse_measures(["P@5", "P@05", Measure("P", 5), "P(rel=1)@5"]) == (Measure("P", 5),)


@pytest.mark.parametrize(
    ("written", "suggested"),
    [
        ("ndcg@10", "nDCG@10"),
        ("ndcg_cut_10", "nDCG@10"),
        ("MRR@10", "RR@10"),
        ("map", "AP"),
        ("recall_100", "R@100"),
        ("Recal@7", "R@7"),
        ("hit-rate@5", "Success@5"),
        ("precision", "P@10"),
    ],
)
def test_an_unknown_measure_is_refused_with_a_suggestion_and_what_is_accepted(written, suggested):
    with pytest.raises(RecipeError) as refused:
        parse_measures([written])
    assert f"'{written}' is not known; write {suggested}; accepted are nDCG[@k], RR[@k]" in str(refused.value)


@pytest.mark.parametrize("written", ["nDCG@ten", "NDCG@10.5", "nDCG@"])
def test_a_cutoff_that_is_no_whole_number_is_told_as_such(written):
    with pytest.raises(RecipeError, match="not known; write a whole number after the @, as in nDCG@10; accepted are"):
        parse_measures([written])


@pytest.mark.parametrize("written", ["", [], "zzz@1", "P", "Success", "nDCG@0", "nDCG(rel=2)@10", "AP(rel=0)", "@10"])
def test_what_is_no_measure_is_refused_in_one_sentence(written):
    with pytest.raises(RecipeError) as refused:
        parse_measures(written)
    assert str(refused.value).endswith(".")
    assert "\n" not in str(refused.value)


def test_a_measure_made_in_code_is_checked_like_a_written_one():
    with pytest.raises(RecipeError, match="'MRR@10' is not known; write RR@10"):
        Measure("MRR", 10)
