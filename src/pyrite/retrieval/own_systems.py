"""Systems of other packages: each is named by an entry point of the group `pyrite.systems`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.metadata import entry_points

from pyrite.core import RecipeError, Retriever, Scorer

GROUP = "pyrite.systems"
Maker = Callable[[str, Mapping[str, str]], Retriever | Scorer]
"""(what follows "NAME:", the settings as text) -> the system."""


def own_families() -> list[str]:
    """The names of all that are installed, in alphabetical order."""
    return sorted({point.name for point in entry_points(group=GROUP)})


def own_system(name: str, argument: str, settings: Mapping[str, str]) -> Retriever:
    """The retriever that an installed package makes under this name; RecipeError where it does not make one."""
    made, where = _made(name, argument, settings)
    if not isinstance(made, Retriever):
        raise RecipeError(
            f"gives a {type(made).__name__}, which has no `name` and `index`",
            where=where,
            fix="return a pyrite.core.Retriever",
        )
    return made


def own_scorer(name: str, argument: str, settings: Mapping[str, str]) -> Scorer:
    """The scorer of pairs that an installed package makes under this name; RecipeError where it does not make one."""
    made, where = _made(name, argument, settings)
    if not isinstance(made, Scorer):
        raise RecipeError(
            f"gives a {type(made).__name__}, which has no `name` and `score`, so it cannot be a teacher",
            where=where,
            fix="return a pyrite.core.Scorer",
        )
    return made


def _made(name: str, argument: str, settings: Mapping[str, str]) -> tuple[object, str]:
    point = next(point for point in entry_points(group=GROUP) if point.name == name)
    where = f"the system '{name}' of {point.dist.name if point.dist is not None else point.value}"
    try:
        make: Maker = point.load()
    except (ImportError, AttributeError) as error:
        raise RecipeError(f"can't be imported ({error})", where=where, fix="check its entry point") from error
    return make(argument, settings), where
