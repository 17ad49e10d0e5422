"""The account of every row: in = kept + dropped, by reason."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from pyrite.core.errors import DataError


@dataclass(frozen=True)
class LedgerEntry:
    """One stage's account of its rows.

    Attributes:
        stage: what happened, in a few words ("exact duplicates among distractors").
        unit: what is counted ("rows", "queries", "documents", "qrels", "pairs").
        rows_in: how many came in.
        rows_out: how many were kept.
        dropped: reason -> how many were left out for it.
        notes: sentences for the reader (conflicts, rewritten ids), each true of this stage.
    """

    stage: str
    unit: str
    rows_in: int
    rows_out: int
    dropped: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.rows_in != self.rows_out + sum(self.dropped.values()):
            raise DataError(
                f"{self.rows_in} {self.unit} came in, {self.rows_out} were kept and {dict(self.dropped)} dropped, "
                "which does not add up",
                where=f"ledger stage '{self.stage}'",
                fix="report this as a bug in Pyrite",
            )


@dataclass(frozen=True)
class Ledger:
    """The stages of a build in order; adding one gives a new ledger.

    >>> ledger = Ledger().add(LedgerEntry("empty texts", "rows", 10, 9, {"empty passage": 1}))
    >>> ledger.dropped("empty passage")
    1
    >>> Ledger.from_json(ledger.to_json()) == ledger
    True
    """

    entries: tuple[LedgerEntry, ...] = ()

    def add(self, *entries: LedgerEntry) -> Ledger:
        """A ledger with these stages after the ones it has."""
        return Ledger((*self.entries, *entries))

    def dropped(self, reason: str) -> int:
        """How many were dropped for this reason, over all stages."""
        return sum(entry.dropped.get(reason, 0) for entry in self.entries)

    def to_json(self) -> list[dict[str, object]]:
        """Plain values for a manifest, stage by stage."""
        return [
            {
                "stage": entry.stage,
                "unit": entry.unit,
                "in": entry.rows_in,
                "kept": entry.rows_out,
                "dropped": dict(entry.dropped),
                "notes": list(entry.notes),
            }
            for entry in self.entries
        ]

    @classmethod
    def from_json(cls, rows: Iterable[Mapping[str, object]]) -> Ledger:
        """The ledger that `to_json` wrote."""
        entries = []
        for row in rows:
            dropped, notes = row["dropped"], row["notes"]
            assert isinstance(dropped, Mapping)
            assert isinstance(notes, list)
            entries.append(
                LedgerEntry(
                    stage=str(row["stage"]),
                    unit=str(row["unit"]),
                    rows_in=int(str(row["in"])),
                    rows_out=int(str(row["kept"])),
                    dropped={str(reason): int(count) for reason, count in dropped.items()},
                    notes=tuple(str(note) for note in notes),
                )
            )
        return cls(tuple(entries))
