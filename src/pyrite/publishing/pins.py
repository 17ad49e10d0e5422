"""Whether a dataset can be built again from what its recipe names: sources on the hub pinned to a commit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from pyrite.core import RecipeError
from pyrite.formats import Manifest

_COMMIT = re.compile(r"[0-9a-f]{40}")


def refuse_unpinned(manifest: Manifest) -> None:
    """RecipeError where a source on the hub was read at a commit that the recipe does not name.

    >>> recipe, read = {"source": {"eval": {"path": "org/rows"}}}, {"eval": {"path": "org/rows", "revision": "4f"}}
    >>> refuse_unpinned(Manifest("benchmark", "toy", recipe=recipe, sources=read))
    Traceback (most recent call last):
    pyrite.core.errors.RecipeError: source 'eval': org/rows is on the hub and not pinned; write revision = "4f" in its \
table of the recipe and build again.
    """
    for role, told in manifest.sources.items():
        commit = told.get("revision")
        # A local file has no revision.
        if commit and not _pinned(manifest.recipe, str(told.get("path")), str(commit)):
            raise RecipeError(
                f"{told['path']} is on the hub and not pinned",
                where=f"source '{role}'",
                fix=f'write revision = "{commit}" in its table of the recipe and build again',
            )


def _pinned(recipe: Mapping[str, Any], path: str, commit: str) -> bool:
    """Whether every table of the recipe that names this path names a commit, or the one that was read."""
    told = [revision for table, revision in _revisions(recipe) if table == path]
    return bool(told) and all(one == commit or _COMMIT.fullmatch(str(one)) for one in told)


def _revisions(value: object) -> Iterator[tuple[str, Any]]:
    """(path, revision) of every table that has a path, at any depth."""
    if isinstance(value, Mapping):
        if isinstance(value.get("path"), str):
            yield value["path"], value.get("revision")
        for held in value.values():
            yield from _revisions(held)
    elif isinstance(value, list):
        for held in value:
            yield from _revisions(held)
