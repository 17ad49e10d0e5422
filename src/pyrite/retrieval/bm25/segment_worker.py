"""A process that segments what it is sent.

It reads pickled lists of texts from standard input and writes pickled lists of their segments to standard output.
A plain process, not multiprocessing: that would run the caller's script again in each worker.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from contextlib import suppress
from typing import Any

from pyrite.core import PyriteError
from pyrite.retrieval.bm25.segmenters import segmenter


class SegmentWorker:
    """A running worker process, spoken to by one thread at a time.

    Args:
        language: what it segments.
    """

    def __init__(self, language: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", f"from {__name__} import main; main()", language],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        )

    def segment(self, texts: list[str]) -> list[str]:
        """The texts with spaces between their segments; a worker that died is a PyriteError."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            pickle.dump(texts, self._process.stdin)
            self._process.stdin.flush()
            segmented: list[str] = pickle.load(self._process.stdout)
        except (OSError, EOFError, pickle.UnpicklingError):
            code = self._process.wait()
            raise PyriteError(
                f"a process that segments text ended (exit code {code})", fix="run again, with threads=1 if it recurs"
            ) from None
        return segmented

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with suppress(OSError):  # what a dead process was still to be told
            self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()


def serve(language: str, source: Any, target: Any) -> None:
    """Answer requests until the source ends."""
    segment = segmenter(language)
    while True:
        try:
            texts = pickle.load(source)
        except EOFError:
            return
        pickle.dump([segment(text) for text in texts], target)
        target.flush()


def main() -> None:
    """What the process runs: the language is its argument."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints must not get among the answers
    serve(sys.argv[1], sys.stdin.buffer, answers)
