"""Progress goes to whoever asked for it, and only inside the block."""

from pyrite.retrieval.neural import progress_to
from pyrite.retrieval.neural.telling import shown


class Log:
    def __init__(self) -> None:
        self.said: list[object] = []

    def start(self, stage: str, total: int, unit: str) -> None:
        self.said.append((stage, total, unit))

    def advance(self, n: int) -> None:
        self.said.append(n)

    def finish(self) -> None:
        self.said.append("finish")


def work() -> None:
    with shown("encode", 3, "texts") as progress:
        progress.advance(3)


def test_a_stage_is_told_to_the_listener_inside_the_block_only() -> None:
    log = Log()
    with progress_to(log):
        work()
    work()
    assert log.said == [("encode", 3, "texts"), 3, "finish"]


def test_nothing_to_do_and_nobody_to_tell_say_nothing() -> None:
    log = Log()
    with progress_to(log), shown("encode", 0, "texts") as progress:
        progress.advance(0)
    with progress_to(None):
        work()
    assert log.said == []
