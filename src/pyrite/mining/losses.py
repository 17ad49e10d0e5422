"""The distillation loss that mined labels are for, in float64: what any trainer's value is held against."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pyrite.core import DataError

TEMPERATURE = 2.0


def kl_distillation(
    student: Sequence[NDArray[np.floating]],
    teacher: Sequence[NDArray[np.floating]],
    *,
    temperature: float = TEMPERATURE,
) -> float:
    """KL(softmax(teacher / T) || softmax(student / T)), summed over candidates, mean over rows, times T squared.

    Hinton, Vinyals and Dean, Distilling the Knowledge in a Neural Network, 2015. Rows may have different lengths: each
    is a distribution over its own candidates, and nothing is padded. A candidate whose teacher logit is -inf is none:
    it is left out on both sides, so that the row is as if it were shorter.

    Args:
        student, teacher: logits a row, the positive first; float64 inside.
        temperature: T, above 0.

    >>> even, sure = np.array([0.0, 0.0]), np.array([2.0, 0.0])
    >>> round(kl_distillation([even], [sure]), 4), kl_distillation([sure], [sure])
    (0.4438, 0.0)
    """
    if len(student) != len(teacher):
        raise DataError(f"{len(student)} rows of the student and {len(teacher)} of the teacher do not align")
    if not student:
        return 0.0
    if temperature <= 0:
        raise DataError(f"the temperature is {temperature}", fix="give a number above 0")
    losses = [_row_loss(*row, temperature) for row in zip(student, teacher, strict=True)]
    return float(np.mean(losses)) * temperature**2


def _row_loss(student: NDArray[np.floating], teacher: NDArray[np.floating], temperature: float) -> float:
    if student.shape != teacher.shape:
        raise DataError(f"a row has {student.shape} logits of the student and {teacher.shape} of the teacher")
    there = teacher != -np.inf
    if not there.any():
        raise DataError("a row has no candidate with a teacher logit", fix="leave the row out")
    ours = log_softmax(np.asarray(student, np.float64)[there] / temperature)
    theirs = log_softmax(np.asarray(teacher, np.float64)[there] / temperature)
    return float(np.sum(np.exp(theirs) * (theirs - ours)))


def log_softmax(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    """The logarithm of the softmax of one row.

    >>> [round(float(value), 4) for value in log_softmax(np.array([1000.0, 1000.0]))]
    [-0.6931, -0.6931]
    """
    shifted = logits - logits.max()
    return np.asarray(shifted - np.log(np.exp(shifted).sum()), dtype=np.float64)
