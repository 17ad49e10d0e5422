"""What audits say of a folder: what was found in it, and what was done to make it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyrite.core import DataError
from pyrite.formats import Manifest, read_json

AUDIT = "audit.json"
KEYS = ("split", "systems", "teacher", "against", "rules", "counts", "notes")


@dataclass(frozen=True)
class AuditFacts:
    """What the card tells of audits.

    Attributes:
        found: what each audit that lies in `results/` found, those of these very tables.
        stale: audits there that are of other tables.
        done: what the audit that made this folder did, as its manifest has it; empty for a folder that is no copy.
    """

    found: tuple[Mapping[str, Any], ...]
    stale: int
    done: Mapping[str, Any]

    @property
    def any(self) -> bool:
        """Whether there is anything to tell."""
        return bool(self.found or self.stale or self.done)


def audit_facts(folder: Path, manifest: Manifest, digest: str) -> AuditFacts:
    """Read the audits of a folder; DataError for one that is damaged.

    Args:
        folder: of the dataset. manifest: its own. digest: of its tables as they are now.
    """
    there = sorted((folder / "results").rglob(AUDIT)) if (folder / "results").is_dir() else []
    held = [(path, read_json(path)) for path in there]
    for path, told in held:
        if missing := [key for key in (*KEYS, "digest") if key not in told]:
            raise DataError(f"lacks '{missing[0]}'", where=str(path), fix="audit again")
    found = tuple(told for _, told in held if told["digest"] == digest)
    return AuditFacts(found, len(held) - len(found), dict(manifest.facts.get("audit") or {}))
