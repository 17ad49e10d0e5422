"""What can be set of a training run, checked before anything is loaded."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, get_args

from pyrite.core import RecipeError

Objective = Literal["pairs", "n-tuples", "n-tuples-filtered"]
"""What a student is trained on: the config of a mined set that has the rows."""

OBJECTIVES: tuple[Objective, ...] = get_args(Objective)

TEMPERATURE = 2.0
"""Of the teacher's and the student's distribution, as the cards of mined sets give it."""


@dataclass(frozen=True)
class TrainingSettings:
    """How a student is trained; None is what suits the kind of student.

    Attributes:
        epochs: how often each row is seen.
        batch_size: rows in one step; in-batch negatives are the documents of the other rows.
        learning_rate: the highest; it rises over `warmup` and falls to 0. None: see `Student.learning_rate`.
        temperature: T of the distillation loss.
        scale: what the student's similarities are multiplied with. None: 20 for a cosine, 1 for a dot product.
        contrast: weight of the contrastive loss beside the distillation loss; 0: distillation alone.
        warmup: share of the steps in which the learning rate rises.
        seed: of the order of the rows and of dropout.

    >>> TrainingSettings(epochs=0)
    Traceback (most recent call last):
    pyrite.core.errors.RecipeError: epochs is 0; give 1 or more.
    """

    epochs: int = 3
    batch_size: int = 32
    learning_rate: float | None = None
    temperature: float = TEMPERATURE
    scale: float | None = None
    contrast: float = 1.0
    warmup: float = 0.1
    seed: int = 0

    def __post_init__(self) -> None:
        for name, least in (("epochs", 1), ("batch_size", 2), ("seed", 0)):
            if getattr(self, name) < least:
                raise RecipeError(f"{name} is {getattr(self, name)}", fix=f"give {least} or more")
        for name in ("learning_rate", "temperature", "scale"):
            value = getattr(self, name)
            if value is not None and not 0 < value < math.inf:
                raise RecipeError(f"{name} is {value}", fix="give a number above 0")
        if not 0 <= self.contrast < math.inf:
            raise RecipeError(f"contrast is {self.contrast}", fix="give 0 or more")
        if not 0 <= self.warmup < 1:
            raise RecipeError(f"warmup is {self.warmup}", fix="give a share of the steps, from 0 to below 1")
