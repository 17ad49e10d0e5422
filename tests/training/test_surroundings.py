"""What a trainer changes around itself is put back, whatever happens inside."""

import random
from logging import getLogger

import numpy as np
import pytest

from pyrite.training.surroundings import quietly, same_chance

torch = pytest.importorskip("torch")


def draw() -> tuple[float, float, float]:
    return random.random(), float(np.random.rand()), torch.rand(1).item()


def seed(number: int) -> None:
    random.seed(number)
    np.random.seed(number)
    torch.manual_seed(number)


def break_off() -> None:
    with same_chance():
        seed(2)
        raise ValueError("broken")


def test_generators_go_on_where_they_were() -> None:
    seed(1)
    expected = [draw(), draw()]
    seed(1)
    first = draw()
    with pytest.raises(ValueError, match="broken"):
        break_off()
    assert [first, draw()] == expected


def test_libraries_are_as_loud_as_before() -> None:
    import datasets
    from transformers.utils import logging

    def heard() -> tuple[object, ...]:
        theirs = getLogger("sentence_transformers").level
        bars = (logging.is_progress_bar_enabled(), datasets.are_progress_bars_disabled())
        return logging.get_verbosity(), theirs, *bars

    before = heard()
    with quietly():
        assert heard() == (logging.ERROR, 40, False, True)
    assert heard() == before
