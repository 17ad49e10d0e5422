"""One Nano split: what is published, and what is kept beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from pyrite.core import Collection, Corpus, DataError, LedgerEntry, Qrels
from pyrite.preparation.nano.account import account
from pyrite.preparation.nano.choose_documents import ChosenDocuments
from pyrite.preparation.nano.choose_queries import ChosenQueries
from pyrite.preparation.nano.source import NanoSource


@dataclass(frozen=True)
class NanoSplit:
    """One split, ready for candidates and for a folder.

    Attributes:
        collection: the corpus, the queries and the published qrels, which are binary and hold positives only: those
            that a query keeps, then the extra ones, which are in the corpus as another query's kept positive.
        graded: every source judgement of these queries, grades and zeros, whether or not its document is in the
            corpus.
        counts: documents by origin ("positives", "judged negatives", "fill"), and "extra qrels".
        ledger: what was left out, stage by stage, from the source to the split.
    """

    collection: Collection
    graded: Qrels
    counts: Mapping[str, int]
    ledger: tuple[LedgerEntry, ...]


@dataclass(frozen=True)
class NanoSelection:
    """A split in rows of its source: the source, the chosen queries and the chosen documents."""

    source: NanoSource
    chosen: ChosenQueries
    documents: ChosenDocuments

    def named_rows(self) -> list[int]:
        """Every source row whose id the split needs: its corpus, and what its queries' judgements name."""
        judged = (row for query_id in self.chosen.kept for row in self.source.judged[query_id])
        return sorted({*self.documents.rows.tolist(), *judged})


def assemble_split(
    name: str, language: str, selection: NanoSelection, corpus: Corpus, names: Mapping[int, str]
) -> NanoSplit:
    """The split with its texts.

    Args:
        name: of the split.
        language: ISO 639 code, or "".
        selection: what was chosen.
        corpus: the chosen documents, in the selection's order; title and text become one text.
        names: source row -> document id, for each of `selection.named_rows()`.
    """
    rows = selection.documents.rows.tolist()
    expected = [names[row] for row in rows]
    if corpus.ids.to_pylist() != expected:
        raise DataError(
            "the documents that were read are not the ones that were chosen",
            where=f"split '{name}'",
            fix="build again; a source changed during the build",
        )
    inside, chosen, source = frozenset(rows), selection.chosen, selection.source
    published: list[tuple[str, str, int]] = []
    graded: list[tuple[str, str, int]] = []
    known = extra = 0
    for query_id, kept in chosen.kept.items():
        positives = source.positives(query_id)
        others = [row for row in positives if row in inside and row not in kept]
        known += len(positives)
        extra += len(others)
        published.extend((query_id, names[row], 1) for row in (*kept, *others))
        graded.extend((query_id, names[row], grade) for row, grade in source.judged[query_id].items())
    notes = (f"{extra} extra: in the corpus as another query's kept positive",) if extra else ()
    entry = account(
        "qrels of the split",
        "qrels",
        rows_in=known,
        rows_out=len(published),
        dropped={"beyond positives_per_query": known - len(published)},
        notes=notes,
    )
    return NanoSplit(
        Collection(name, language, Corpus(corpus.ids, corpus.contents()), chosen.queries, _qrels(published)),
        _qrels(graded),
        {**selection.documents.counts, "extra qrels": extra},
        (*source.ledger, chosen.entry, selection.documents.entry, entry),
    )


def _qrels(rows: list[tuple[str, str, int]]) -> Qrels:
    return Qrels(
        pa.array([query for query, _, _ in rows], pa.large_string()),
        pa.array([doc for _, doc, _ in rows], pa.large_string()),
        np.array([grade for _, _, grade in rows], dtype=np.int32),
    )
