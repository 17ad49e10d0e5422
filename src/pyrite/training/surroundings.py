"""What a trainer changes around itself, and how it is put back."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterator
from logging import getLogger
from typing import Any

import numpy as np


@contextlib.contextmanager
def same_chance() -> Iterator[None]:
    """Afterwards the generators of Python, numpy and torch are where they were: a trainer seeds them all."""
    import torch

    python, legacy = random.getstate(), np.random.get_state()
    devices = list(range(torch.cuda.device_count()))
    with torch.random.fork_rng(devices=devices):
        try:
            yield
        finally:
            random.setstate(python)
            np.random.set_state(legacy)


@contextlib.contextmanager
def quietly() -> Iterator[None]:
    """Without what transformers, datasets and sentence-transformers write to the terminal."""
    import datasets
    from transformers.utils import logging

    log: Any = logging
    shown, level, bars = log.is_progress_bar_enabled(), log.get_verbosity(), datasets.are_progress_bars_disabled()
    theirs = getLogger("sentence_transformers")
    their_level = theirs.level
    theirs.setLevel("ERROR")
    log.disable_progress_bar()
    log.set_verbosity_error()
    datasets.disable_progress_bars()
    try:
        yield
    finally:
        log.set_verbosity(level)
        theirs.setLevel(their_level)
        if shown:
            log.enable_progress_bar()
        if not bars:
            datasets.enable_progress_bars()
