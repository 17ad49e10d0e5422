"""Settings that have no sense are told before anything is loaded."""

from typing import Any

import pytest

from pyrite.core import RecipeError
from pyrite.training import OBJECTIVES, TrainingSettings


@pytest.mark.parametrize(
    ("name", "value", "fix"),
    [
        ("epochs", 0, "give 1 or more"),
        ("batch_size", 1, "give 2 or more"),
        ("seed", -1, "give 0 or more"),
        ("learning_rate", 0.0, "give a number above 0"),
        ("learning_rate", float("inf"), "give a number above 0"),
        ("temperature", float("nan"), "give a number above 0"),
        ("scale", -1.0, "give a number above 0"),
        ("contrast", -0.1, "give 0 or more"),
        ("warmup", 1.0, "from 0 to below 1"),
    ],
)
def test_a_setting_without_sense_is_refused(name: str, value: Any, fix: str) -> None:
    with pytest.raises(RecipeError, match=f"{name} is .*{fix}"):
        TrainingSettings(**{name: value})


def test_the_objectives_are_configs_of_a_mined_set() -> None:
    assert OBJECTIVES == ("pairs", "n-tuples", "n-tuples-filtered")
    assert TrainingSettings().temperature == 2.0
