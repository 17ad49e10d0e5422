"""What a check found, one line each."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Offence:
    """One thing that is wrong with a published folder.

    Attributes:
        file: the file, relative to the folder ("qrels/test.parquet").
        where: the id, row, key or section in it; "" where the whole file is meant.
        what: what is wrong.

    >>> print(Offence("qrels/test.parquet", "query 'q5'", "is not in queries/queries.parquet"))
    qrels/test.parquet: query 'q5': is not in queries/queries.parquet
    """

    file: str
    where: str
    what: str

    def __str__(self) -> str:
        return ": ".join(part for part in (self.file, self.where, self.what) if part)

    def to_json(self) -> dict[str, str]:
        """Plain values for `--json`."""
        return {"file": self.file, "where": self.where, "what": self.what}
