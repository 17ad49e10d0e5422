"""Training: the loss that mined labels are for, and the short loop that proves a mined set on a student."""

from pyrite.training.losses import distillation_loss, kl_loss
from pyrite.training.rows import TrainingRows, training_rows
from pyrite.training.settings import OBJECTIVES, TEMPERATURE, Objective, TrainingSettings
from pyrite.training.students import Student, Training, train_student

__all__ = [
    "OBJECTIVES",
    "TEMPERATURE",
    "Objective",
    "Student",
    "Training",
    "TrainingRows",
    "TrainingSettings",
    "distillation_loss",
    "kl_loss",
    "train_student",
    "training_rows",
]
