"""Out of memory halves the batch and says so; several devices share the work; the outputs do not change."""

import threading
from typing import Any

import numpy as np
import pytest
import torch

from pyrite.core import DataError
from pyrite.engine import Silent
from pyrite.retrieval.neural.batches import token_batches
from pyrite.retrieval.neural.loading import LoadedModel
from pyrite.retrieval.neural.running import Runner, token_budget

LENGTHS = np.array([8, 3, 8, 5, 1, 8, 8, 2], np.int64)


def runner(copies: int = 1, budget: int = 64) -> Runner:
    devices = tuple(f"device:{number}" for number in range(copies))
    return Runner(LoadedModel(tuple(range(copies)), devices, (None, None, None), None), "dense:toy", budget)


class Memory:
    """Does a batch unless it holds more than so many tokens."""

    def __init__(self, room: int, error: type[Exception] = torch.OutOfMemoryError) -> None:
        self.room, self.error = room, error
        self.sizes: list[int] = []

    def __call__(self, copy: Any, rows: np.ndarray) -> list[int]:
        tokens = len(rows) * int(LENGTHS[rows].max())
        self.sizes.append(tokens)
        if tokens > self.room:
            raise self.error("CUDA out of memory. Tried to allocate 2.00 GiB")
        return [10 * int(row) for row in rows]


@pytest.mark.parametrize("error", [torch.OutOfMemoryError, RuntimeError])
def test_a_batch_that_does_not_fit_is_halved_and_so_are_those_after_it(error: type[Exception]) -> None:
    run, memory = runner(), Memory(20, error)
    batches = token_batches(LENGTHS, 64)
    with pytest.warns(UserWarning, match="device:0 ran out of memory with . texts of 8 tokens; it goes on") as said:
        outputs = run.run(batches, LENGTHS, memory, Silent())
    assert [str(warning.message).split("with ")[1][:7] for warning in said] == ["8 texts", "4 texts"]
    assert outputs == [10 * row for row in range(8)]
    assert run.budget == 16
    assert max(memory.sizes[-3:]) <= 16


def test_a_text_that_does_not_fit_alone_is_an_error() -> None:
    with (
        pytest.warns(UserWarning, match="out of memory"),
        pytest.raises(DataError, match="one text of 8 tokens does not fit into the memory of device:0"),
    ):
        runner().run(token_batches(LENGTHS, 64), LENGTHS, Memory(4), Silent())


def test_any_other_error_comes_out_as_it_is() -> None:
    def broken(copy: Any, rows: np.ndarray) -> list[int]:
        raise RuntimeError("shapes do not match")

    with pytest.raises(RuntimeError, match="shapes do not match"):
        runner().run(token_batches(LENGTHS, 64), LENGTHS, broken, Silent())


def test_several_devices_share_the_batches_and_the_outputs_keep_their_rows() -> None:
    both = threading.Barrier(2, timeout=30)
    served: set[int] = set()

    def work(copy: int, rows: np.ndarray) -> list[int]:
        if copy not in served:
            served.add(copy)
            both.wait()  # neither goes on before the other has a batch
        return [10 * int(row) for row in rows]

    assert runner(copies=2).run(token_batches(LENGTHS, 8), LENGTHS, work, Silent()) == [10 * row for row in range(8)]
    assert served == {0, 1}


def test_progress_is_told_of_every_row() -> None:
    class Count(Silent):
        done = 0

        def advance(self, n: int) -> None:
            self.done += n

    progress = Count()
    runner(copies=2).run(token_batches(LENGTHS, 8), LENGTHS, Memory(99), progress)
    assert progress.done == 8


def test_the_budget_is_the_batch_size_in_full_texts_or_the_devices() -> None:
    on_cpu, elsewhere = (LoadedModel((None,), (name,), (None, None, None), None) for name in ("cpu", "cuda:0"))
    assert token_budget(on_cpu, 8, 256) == 2048
    assert token_budget(on_cpu, None, 256) < token_budget(elsewhere, None, 256)
