"""manifest.json: what a published folder is, and what it was made of."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from pyrite.core import DataError
from pyrite.formats.opening import unreadable

SCHEMA = 1
NAME = "manifest.json"
UNFINISHED = ".unfinished"
"""What is in a folder of an object store as long as files are on their way: the manifest that is to come."""


@dataclass(frozen=True)
class Manifest:
    """What a folder says of itself; plain JSON values, and no time among them.

    Attributes:
        kind: "benchmark", "nano" or "training". name: the dataset's. language: ISO 639 code, or "".
        recipe: the whole recipe, defaults filled in. versions: package -> version.
        protocol: headline_queries, remove_self, template.
        counts: "queries", "gold", "distractors", "corpus", "qrels" -> number.
        ledger: the stages, as `Ledger.to_json` gives them.
        sources: role -> path, revision, config, split, rows, digest.
        published: rows of name, published, built: a number that the recipe's set was published with, beside ours.
        facts: what else is true of the set and needed by its card.
        content: digest, and files: path in the folder -> bytes, rows, sha256.
        schema: version of this form.

    >>> Manifest(kind="benchmark", name="toy").language
    ''
    """

    kind: str
    name: str
    language: str = ""
    recipe: Mapping[str, Any] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    protocol: Mapping[str, Any] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)
    ledger: Sequence[Mapping[str, Any]] = ()
    sources: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    published: Sequence[Mapping[str, Any]] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)
    content: Mapping[str, Any] = field(default_factory=dict)
    schema: int = SCHEMA


def write_manifest(path: Path, manifest: Manifest) -> None:
    """Write the file: keys sorted, so that the same manifest is the same bytes."""
    text = json.dumps(asdict(manifest), sort_keys=True, indent=1, ensure_ascii=False, allow_nan=False)
    path.write_text(text + "\n", encoding="utf-8", newline="\n")


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a folder; DataError where there is none, or it is not one that this version reads.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_manifest(Path(folder, "manifest.json"), Manifest(kind="nano", name="toy", counts={"queries": 3}))
    ...     read_manifest(Path(folder)).counts
    {'queries': 3}
    """
    path = folder / NAME
    held = read_json(path)
    if held.get("schema") != SCHEMA:
        raise DataError(
            f"has schema {held.get('schema')!r}, and this version of Pyrite reads {SCHEMA}",
            where=str(path),
            fix="use the version that wrote it",
        )
    known = {one.name: one for one in fields(Manifest)}
    for name in ("kind", "name"):
        if not isinstance(held.get(name), str):
            raise DataError(f"has no {name}", where=str(path), fix="build the folder again")
    return Manifest(**{name: value for name, value in held.items() if name in known})


def held_files(manifest: bytes) -> dict[str, dict[str, Any]]:
    """Place -> bytes, rows and SHA-256 of the files that a manifest answers for; none for what is no such manifest.

    >>> held_files(b'{"content": {"files": {"README.md": {"bytes": 3}}}}'), held_files(b"[]")
    ({'README.md': {'bytes': 3}}, {})
    """
    try:
        return dict(json.loads(manifest)["content"]["files"])
    except (ValueError, KeyError, TypeError):
        return {}


def read_json(path: Path) -> dict[str, Any]:
    """The object in a JSON file; DataError where it is absent, or no JSON object."""
    try:
        held = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise unreadable(error, path) from error
    except (ValueError, RecursionError) as error:
        raise DataError("is not a JSON file", where=str(path), fix="write it again") from error
    if not isinstance(held, dict):
        raise DataError("holds no JSON object", where=str(path), fix="write it again")
    return held
