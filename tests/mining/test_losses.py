"""The distillation loss: by hand, beside torch, and for rows of different lengths."""

import numpy as np
import pytest

from pyrite.core import DataError
from pyrite.mining import kl_distillation

torch = pytest.importorskip("torch")


def published(student, teacher, temperature):
    """The loss as the published set shows it."""
    functional = torch.nn.functional
    log_p_student = functional.log_softmax(torch.tensor(student) / temperature, dim=-1)
    p_teacher = functional.softmax(torch.tensor(teacher) / temperature, dim=-1)
    return float(functional.kl_div(log_p_student, p_teacher, reduction="batchmean") * temperature**2)


def test_the_loss_is_the_published_one():
    chance = np.random.default_rng(0)
    student, teacher = chance.normal(size=(7, 6)), chance.normal(0, 5, size=(7, 6))
    for temperature in (1.0, 2.0):
        ours = kl_distillation(list(student), list(teacher), temperature=temperature)
        assert ours == pytest.approx(published(student, teacher, temperature), rel=1e-12)


def test_rows_of_different_lengths_give_the_loss_of_each_row_alone():
    """O16."""
    chance = np.random.default_rng(1)
    student = [chance.normal(size=length) for length in (2, 5, 3)]
    teacher = [chance.normal(size=length) for length in (2, 5, 3)]
    alone = [kl_distillation([s], [t]) for s, t in zip(student, teacher, strict=True)]
    assert kl_distillation(student, teacher) == pytest.approx(np.mean(alone), rel=1e-12)


def test_a_candidate_without_a_teacher_logit_is_as_if_it_were_not_there():
    """X05: masked on both sides, the loss is finite and that of the narrower row."""
    student, teacher = np.array([2.0, 0.5, 9.0]), np.array([3.0, -1.0, -np.inf])
    masked = kl_distillation([student], [teacher])
    assert masked == pytest.approx(published(student[None, :2], teacher[None, :2], 2.0), rel=1e-12)
    # Not so where only the teacher is masked: the student would still be pushed away from the candidate.
    assert abs(published(student[None], np.array([[3.0, -1.0, -1e9]]), 2.0) - masked) > 0.1


def test_what_cannot_be_is_refused():
    with pytest.raises(DataError, match="no candidate with a teacher logit"):
        kl_distillation([np.zeros(2)], [np.full(2, -np.inf)])
    with pytest.raises(DataError, match="temperature is 0"):
        kl_distillation([np.zeros(2)], [np.zeros(2)], temperature=0)
    with pytest.raises(DataError, match="do not align"):
        kl_distillation([np.zeros(2)], [])
    with pytest.raises(DataError, match="logits of the student"):
        kl_distillation([np.zeros(2)], [np.zeros(3)])
