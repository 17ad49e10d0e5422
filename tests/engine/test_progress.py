import io
import re
import sys
import time

from pyrite.engine import Silent, TerminalProgress
from pyrite.engine.progress import pace


class Terminal(io.StringIO):
    def isatty(self):
        return True


def lines_after(stream, seconds, count):
    deadline = time.monotonic() + seconds
    while len(stream.getvalue().splitlines()) < count and time.monotonic() < deadline:
        time.sleep(0.005)
    return stream.getvalue().splitlines()


def test_without_a_terminal_a_line_comes_by_the_clock_even_when_nothing_advances():
    stream = io.StringIO()
    progress = TerminalProgress(stream, every=0.02)
    progress.start("deduplicate", 8, "shards")
    assert lines_after(stream, 5, 2)[:2] == ["deduplicate: 0/8 shards, no rate yet"] * 2
    progress.advance(2)
    before = len(stream.getvalue().splitlines())
    line = lines_after(stream, 5, before + 2)[-1]
    assert line.startswith("deduplicate: 2/8 shards, ")
    assert line.endswith(" left")
    progress.finish()
    ended = stream.getvalue()
    time.sleep(0.1)
    assert stream.getvalue() == ended


def test_a_stage_that_ends_within_the_minute_writes_no_line():
    stream = io.StringIO()
    progress = TerminalProgress(stream)
    progress.start("deduplicate", 1, "shards")
    progress.advance(1)
    progress.finish()
    assert stream.getvalue() == ""


def test_a_second_stage_counts_from_nothing():
    stream = io.StringIO()
    progress = TerminalProgress(stream, every=0.02)
    progress.start("one", 3, "shards")
    progress.advance(3)
    progress.start("two", 5, "queries")
    assert lines_after(stream, 5, 1)[-1] == "two: 0/5 queries, no rate yet"
    progress.finish()


def test_on_a_terminal_the_bar_says_stage_count_rate_and_time_left(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "xterm")
    stream = Terminal()
    before = sys.stdout, sys.stderr
    progress = TerminalProgress(stream)
    progress.start("hash [texts]", 1200, "rows")
    progress.advance(1200)
    progress.finish()
    last = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", stream.getvalue()).splitlines()[-1]
    assert "hash [texts]" in last
    assert "1,200/1,200 rows" in last
    assert "/s, 0:00:00 left" in last
    assert (sys.stdout, sys.stderr) == before


def test_advance_and_finish_without_a_stage_do_nothing():
    for progress in (Silent(), TerminalProgress(io.StringIO())):
        progress.advance(1)
        progress.finish()


def test_time_left_is_what_remains_at_the_rate_so_far():
    assert pace(1, 3601, 1.0) == "1.0/s, 1:00:00 left"
    assert pace(5, 5, 2.0) == "2.5/s, 0:00:00 left"
