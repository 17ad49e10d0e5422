"""Running batches through a model: by every device at once, and with less at a time where memory ends."""

from __future__ import annotations

import queue
import threading
import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from pyrite.core import DataError
from pyrite.engine import Progress
from pyrite.retrieval.neural.loading import LoadedModel

BUDGET, DEVICE_BUDGET = 2048, 65536
"""Tokens in a batch, on a CPU and on an accelerator."""
_Output = TypeVar("_Output")
Work = Callable[[Any, NDArray[np.int64]], Sequence[_Output]]
"""(model, rows) -> one output a row."""


class Runner:
    """Runs batches; a batch that does not fit into the device's memory is halved, and so are those that follow.

    Args:
        model: one copy a device.
        name: of the system, for what is said.
        budget: tokens in a batch, as `token_batches` takes it; it shrinks when memory ends.
    """

    def __init__(self, model: LoadedModel, name: str, budget: int) -> None:
        self._model, self._name = model, name
        self.budget = budget
        self._lock = threading.Lock()

    def run(
        self,
        batches: Sequence[NDArray[np.int64]],
        lengths: NDArray[np.int64],
        work: Work[_Output],
        progress: Progress,
    ) -> list[_Output]:
        """One output a row of all batches, by row.

        Args:
            batches: rows 0..n-1, each once. lengths: tokens of each row.
            work: what is done with a batch.
            progress: told of every row that is done.

        DataError where one row alone does not fit.
        """
        outputs: list[_Output | None] = [None] * len(lengths)
        waiting: queue.SimpleQueue[NDArray[np.int64]] = queue.SimpleQueue()
        for batch in batches:
            waiting.put(batch)

        def serve(place: int) -> None:
            while True:
                try:
                    batch = waiting.get_nowait()
                except queue.Empty:
                    return
                for part, found in self._parts(place, batch, lengths, work):
                    for row, output in zip(part.tolist(), found, strict=True):
                        outputs[row] = output
                    with self._lock:
                        progress.advance(len(part))

        if len(self._model.copies) == 1:
            serve(0)
        else:
            with ThreadPoolExecutor(len(self._model.copies)) as pool:
                list(pool.map(serve, range(len(self._model.copies))))
        return [output for output in outputs if output is not None]

    def _parts(
        self, place: int, batch: NDArray[np.int64], lengths: NDArray[np.int64], work: Work[_Output]
    ) -> list[tuple[NDArray[np.int64], Sequence[_Output]]]:
        todo = [batch]
        done = []
        while todo:
            part = todo.pop()
            tokens = len(part) * int(lengths[part].max(initial=1))
            if len(part) > 1 and tokens > self.budget:
                todo += [part[len(part) // 2 :], part[: len(part) // 2]]
                continue
            try:
                found = work(self._model.copies[place], part)
            except Exception as error:
                if not _is_out_of_memory(error):
                    raise
                self._shrink(place, part, tokens, error)
                todo.append(part)
                continue
            done.append((part, found))
        return done

    def _shrink(self, place: int, part: NDArray[np.int64], tokens: int, error: Exception) -> None:
        device = self._model.devices[place]
        _let_go(device)
        if len(part) == 1:
            raise DataError(
                f"one text of {tokens} tokens does not fit into the memory of {device}",
                where=self._name,
                fix="set a smaller max_length, dtype=float16, or another device",
            ) from error
        with self._lock:
            self.budget = min(self.budget, max(tokens // 2, 1))
        warnings.warn(
            f"{self._name}: {device} ran out of memory with {len(part)} texts of {tokens // len(part)} tokens; "
            f"it goes on with half as many",
            stacklevel=2,
        )


def token_budget(model: LoadedModel, batch_size: int | None, limit: int | None) -> int:
    """Tokens in a batch: `batch_size` texts of full length (`limit` tokens), or what suits the device."""
    if batch_size is not None:
        return batch_size * (limit or 512)
    return BUDGET if model.devices[0] == "cpu" else DEVICE_BUDGET


def _is_out_of_memory(error: Exception) -> bool:
    import torch

    said = str(error).lower()
    return isinstance(error, torch.OutOfMemoryError) or (
        isinstance(error, RuntimeError) and ("out of memory" in said or "can't allocate memory" in said)
    )


def _let_go(device: str) -> None:
    """Give back what the failed attempt still holds."""
    import torch

    if device.startswith("cuda"):
        torch.cuda.empty_cache()
