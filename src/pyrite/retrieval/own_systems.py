"""Systems of other packages: each is named by an entry point of the group `pyrite.systems`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.metadata import entry_points

from pyrite.core import RecipeError, Retriever

GROUP = "pyrite.systems"
Maker = Callable[[str, Mapping[str, str]], Retriever]
"""(what follows "NAME:", the settings as text) -> the system."""


def own_families() -> list[str]:
    """The names of all that are installed, in alphabetical order."""
    return sorted({point.name for point in entry_points(group=GROUP)})


def own_system(name: str, argument: str, settings: Mapping[str, str]) -> Retriever:
    """The system that an installed package makes under this name; RecipeError where it does not make one."""
    point = next(point for point in entry_points(group=GROUP) if point.name == name)
    where = f"the system '{name}' of {point.dist.name if point.dist is not None else point.value}"
    try:
        make: Maker = point.load()
    except (ImportError, AttributeError) as error:
        raise RecipeError(f"can't be imported ({error})", where=where, fix="check its entry point") from error
    made = make(argument, settings)
    if not isinstance(made, Retriever):
        raise RecipeError(
            f"gives a {type(made).__name__}, which has no `name` and `index`",
            where=where,
            fix="return a pyrite.core.Retriever",
        )
    return made
