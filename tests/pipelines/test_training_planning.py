"""What mining will take, said before it is begun."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from pyrite.core import TextPairs
from pyrite.pipelines import load_recipe, plan, training_systems
from pyrite.pipelines.training_planning import PROBED, plan_mining

Make = Callable[..., Path]


@dataclass
class Slow:
    """A teacher that counts its pairs."""

    seen: list[int]
    name = "slow"

    def score(self, pairs: TextPairs) -> np.ndarray:
        self.seen.append(len(pairs))
        return np.zeros(len(pairs), np.float32)


def test_pairs_to_score_are_counted_from_queries_and_depths(make_mining: Make) -> None:
    told = plan_mining(load_recipe(str(make_mining(pairs={"duplicates": "keep"}))))
    # Three distinct queries: the first 3 ranks of each, or 6 of each and every positive.
    assert (told.queries, told.pairs, told.least, told.most, told.a_second) == (3, 5, 9, 23, None)
    assert told.notes()[1] == "The logits are read from a file."


def test_a_teacher_is_asked_for_a_few_pairs_and_no_more(make_mining: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    monkeypatch.setattr(training_systems, "make_scorer", lambda *_: Slow(seen))
    told = plan_mining(load_recipe(str(make_mining())))
    assert seen == [1, PROBED]
    assert told.a_second is not None
    assert "pairs a second here" in told.notes()[1]


def test_the_plan_of_a_recipe_says_it_and_builds_nothing(make_mining: Make) -> None:
    path = make_mining()
    told = "\n".join(plan(path).lines())
    assert "9 to 23 pairs to score" in told
    assert "training minerals-mined" in told
    assert not (path.parent / "minerals-mined").exists()
