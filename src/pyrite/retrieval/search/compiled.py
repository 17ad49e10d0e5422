"""How the compiled loops are compiled: once a machine, and without holding the interpreter's lock."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from numba import njit

_Function = TypeVar("_Function", bound=Callable[..., Any])


def compiled(function: _Function) -> _Function:
    """The function compiled at its first call; the machine code is kept beside the source, or in the user's cache."""
    made: _Function = njit(nogil=True, cache=True)(function)
    return made
