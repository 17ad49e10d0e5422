"""How a page's numbers came to be: settings, versions, sources and protocol as rows of a name and a value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pyrite.formats import Manifest
from pyrite.reporting.naming import shown_path, shown_systems
from pyrite.reporting.values import Page


@dataclass(frozen=True)
class Facts:
    """Names and values under one heading."""

    heading: str
    rows: tuple[tuple[str, str], ...]


def flattened(value: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, str]]:
    """(dotted name, value in words) of every value that is there; what is missing or empty is left out.

    >>> list(flattened({"k1": 1.5, "versions": {"rules": "1"}, "prompt": None, "of": ["a", "b"]}))
    [('k1', '1.5'), ('versions.rules', '1'), ('of', 'a, b')]
    """
    for name, held in value.items():
        if isinstance(held, Mapping):
            yield from flattened(held, f"{before}{name}.")
        elif isinstance(held, list | tuple) and any(isinstance(one, Mapping) for one in held):
            for place, one in enumerate(held, start=1):
                inner = one if isinstance(one, Mapping) else {"": one}
                yield from flattened(inner, f"{before}{name} {place}.")
        elif isinstance(held, list | tuple):
            if held:
                yield f"{before}{name}", ", ".join(_plain(one) for one in held)
        elif held is not None and held != "":
            yield f"{before}{name}", _plain(held)


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int) else shown_path(str(value))


def system_facts(page: Page) -> list[Facts]:
    """The settings of every system; where they differ between sets, once for each kind and the sets it is of."""
    names, made = shown_systems(page.systems), []
    for system in page.systems:
        kinds: dict[tuple[tuple[str, str], ...], list[str]] = {}
        for one in page.sets:
            for held in one.report.systems:
                if held.system == system:
                    kinds.setdefault(tuple(flattened(held.settings)), []).append(one.name)
        for rows, sets in kinds.items():
            heading = names[system] + (f" ({', '.join(sets)})" if len(kinds) > 1 else "")
            made.append(Facts(heading, rows))
    return made


def version_facts(page: Page) -> list[Facts]:
    """Package -> version of the measuring, and of the build."""
    kinds: dict[tuple[tuple[str, str], ...], list[str]] = {}
    for one in page.sets:
        kinds.setdefault(tuple(sorted(one.report.versions.items())), []).append(one.name)
    made = [
        Facts("Versions of the measuring" + (f" ({', '.join(sets)})" if len(kinds) > 1 else ""), rows)
        for rows, sets in kinds.items()
    ]
    if page.manifest is not None:
        made.append(Facts("Versions of the build", tuple(sorted(page.manifest.versions.items()))))
    return made


def build_facts(manifest: Manifest, digest: str) -> list[Facts]:
    """What a manifest tells of its build."""
    kind = [("kind", manifest.kind), ("name", manifest.name), ("language", manifest.language), ("digest", digest)]
    published = [
        (str(row["name"]), f"{_told(row.get('built'))} (published: {_told(row.get('published'))})")
        for row in manifest.published
    ]
    made = [
        Facts("Dataset", tuple((name, value) for name, value in kind if value)),
        Facts(
            "Protocol",
            tuple((name, repr(value) if name == "template" else value) for name, value in flattened(manifest.protocol)),
        ),
        Facts("Beside what was published", tuple(published)),
        Facts("Further facts", tuple(flattened(manifest.facts))),
    ]
    return [facts for facts in made if facts.rows]


def _told(value: object) -> str:
    return "not measured" if value is None else f"{value:.4f}" if isinstance(value, float) else _plain(value)


def rules(page: Page) -> list[str]:
    """The sentences by which the numbers were made, each once."""
    return list(dict.fromkeys(shown_path(rule) for one in page.sets for rule in one.report.rules))
