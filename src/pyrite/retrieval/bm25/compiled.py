"""How the compiled loops are compiled: once a machine, and without holding the interpreter's lock."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from numba import njit

_Function = TypeVar("_Function", bound=Callable[..., Any])


@cache
def _stamp(folder: Path) -> tuple[tuple[str, int, int], ...]:
    files = [(path.name, path.stat()) for path in sorted(folder.glob("*.py"))]
    return tuple((name, state.st_mtime_ns, state.st_size) for name, state in files)


def compiled(function: _Function) -> _Function:
    """The function compiled at its first call; the machine code is kept beside the source, or in the user's cache."""
    made: _Function = njit(nogil=True, cache=True)(function)
    # Numba compares only the function's own file, and would go on with old code of what it calls in another file.
    kept: Any = getattr(getattr(made, "_cache", None), "_cache_file", None)
    if hasattr(kept, "_source_stamp"):
        own, ours = Path(function.__code__.co_filename).parent, Path(__file__).parent
        kept._source_stamp = (_stamp(own), _stamp(ours))
    return made
