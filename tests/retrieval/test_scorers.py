"""Scorers by name."""

import pytest

from pyrite.core import RecipeError
from pyrite.retrieval import GivenScores, make_scorer


def test_a_file_of_scores_is_named_by_its_path_commas_included() -> None:
    made = make_scorer("scores:a,b/teacher.parquet")
    assert isinstance(made, GivenScores)
    assert (str(made.path), made.name) == ("a,b/teacher.parquet", "scores:teacher")


@pytest.mark.parametrize(
    ("system", "settings", "told"),
    [
        ("oracle:x", {}, "unknown scorer 'oracle:x'"),
        ("scores:", {}, "names no file"),
        ("scores:x.csv", {"dtype": "float16"}, "has no setting 'dtype'"),
    ],
)
def test_a_scorer_that_cannot_be_is_refused(system: str, settings: dict[str, str], told: str) -> None:
    with pytest.raises(RecipeError, match=told):
        make_scorer(system, settings)
