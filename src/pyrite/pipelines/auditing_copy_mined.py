"""The cleaned copy of a mined set: what is relevant is no negative any more, and other candidates take its place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import tomlkit
from numpy.typing import NDArray

from pyrite.auditing import Remedies
from pyrite.core import DataError, Ledger, LedgerEntry, Pairs
from pyrite.formats import Manifest, open_parquet, read_manifest
from pyrite.mining import KnownPositives, negative_places
from pyrite.pipelines.auditing_copy import write_copied_card
from pyrite.pipelines.auditing_sources import MinedSet, Opened
from pyrite.pipelines.build import finish_build
from pyrite.pipelines.recipe import LoadedRecipe, check_recipe
from pyrite.pipelines.recipe_training import TrainingRecipe
from pyrite.pipelines.training import finish_folder
from pyrite.pipelines.training_refilter import StoredLogits, upstream_of, without_logits
from pyrite.pipelines.training_selecting import Mined, mine_pool


def copy_mined(opened: Opened, remedies: Remedies, told: Mapping[str, Any], fresh: Path, name: str) -> Manifest:
    """Write the copy of a mined set into a folder: selected again from its scored pairs, by its own rules.

    What is relevant to a query becomes a known positive of it, which no rule makes a negative again, and no row of its
    own: a document that is merged or taken out is one for every query that it was like a positive of, or for all. Rows
    of queries, and of positives, that are taken out go. Where a row would need pairs that were never scored it is
    short, as if there were none.
    """
    mined = opened.mined
    assert mined is not None
    assert remedies.entry is not None
    loaded = _renamed(mined, name)
    recipe = loaded.recipe
    assert isinstance(recipe, TrainingRecipe)
    changes = _Changes.of(opened, mined, remedies)
    placed, pairs_entry = changes.placed()
    pool = mined.stored.pool
    scored = np.bincount(pool.query_of[pool.rank > 0], minlength=len(pool.queries)).astype(np.int64)
    found = np.where(changes.touched, scored, mined.stored.found)
    again = mine_pool(recipe, without_logits(pool), placed, StoredLogits(pool), found=found)
    source = read_manifest(opened.folder)
    upstream = upstream_of(source)
    entries = (remedies.entry, pairs_entry, changes.negatives(_mined_rows(again)))
    told_of = replace(
        upstream,
        counts={**upstream.counts, "pairs": len(placed.pairs)},
        ledger=[*upstream.ledger, *Ledger(entries).to_json()],
        facts={**upstream.facts, "audit": dict(told)},
    )
    manifest = finish_build(fresh, loaded, finish_folder(fresh, recipe, told_of, again))
    write_copied_card(fresh, opened.folder)
    return manifest


def _renamed(mined: MinedSet, name: str) -> LoadedRecipe:
    """The recipe under the copy's name, without counts that were expected of the original."""
    text = tomlkit.parse(mined.loaded.text)
    text["name"] = name
    text.pop("expect", None)
    return LoadedRecipe(check_recipe(text.unwrap(), where="recipe.toml"), mined.loaded.base, tomlkit.dumps(text))


Row = tuple[str, str]
"""A mined row: the ids of its query and of its positive."""


@dataclass(frozen=True, eq=False)
class _Changes:
    """What the decisions change of a mined set.

    Attributes:
        opened, mined: the set.
        relevant: (pool query, pool document) that is no negative any more.
        rows: known positives whose row goes -> why.
    """

    opened: Opened
    mined: MinedSet
    relevant: frozenset[tuple[int, int]]
    rows: Mapping[int, str]

    @classmethod
    def of(cls, opened: Opened, mined: MinedSet, remedies: Remedies) -> _Changes:
        collection, placed, pool = opened.collection, mined.placed, mined.stored.pool
        query_of = placed.numbers[placed.known.query]
        relevant = {
            (int(query), int(doc))
            for query, doc in zip(
                collection.queries.positions(pa.array([query for query, _ in remedies.add], pa.large_string())),
                collection.corpus.positions(pa.array([doc for _, doc in remedies.add], pa.large_string())),
                strict=True,
            )
        }
        for doc, positive in remedies.merge.items():
            asked = query_of[placed.positions == collection.corpus.position(positive)]
            relevant |= {(query, collection.corpus.position(doc)) for query in asked.tolist()}
        documents = {collection.corpus.position(doc): why for doc, why in remedies.documents.items()}
        for query, doc in zip(pool.query_of.tolist(), pool.documents.tolist(), strict=True):
            if doc in documents:
                relevant.add((query, doc))
        queries = {collection.queries.position(query): why for query, why in remedies.queries.items()}
        rows: dict[int, str] = {}
        for place, row in enumerate(placed.rows.tolist()):
            asked_by, answer = int(query_of[place]), int(placed.positions[place])
            if row >= 0 and (asked_by in queries or answer in documents):
                rows[place] = queries.get(asked_by) or documents[answer]
        known = set(zip(query_of.tolist(), placed.positions.tolist(), strict=True))
        candidates = set(zip(pool.query_of.tolist(), pool.documents.tolist(), strict=True))
        return cls(opened, mined, frozenset(relevant & candidates - known), rows)

    @property
    def touched(self) -> NDArray[np.bool_]:
        """Which queries of the pool have documents that are no negatives any more."""
        marks = np.zeros(len(self.mined.stored.pool.queries), dtype=np.bool_)
        marks[[query for query, _ in self.relevant]] = True
        return marks

    def placed(self) -> tuple[KnownPositives, LedgerEntry]:
        """The known positives of the copy, and the account of those that are rows."""
        before = self.mined.placed
        added = sorted(self.relevant)
        first = {int(number): place for place, number in reversed(list(enumerate(before.numbers.tolist())))}
        corpus = self.opened.collection.corpus
        ids = corpus.ids.take(pa.array([doc for _, doc in added], pa.int64()))
        known = Pairs(
            before.known.queries,
            np.concatenate([before.known.query, np.array([first[query] for query, _ in added], np.int32)]),
            pa.chunked_array([*before.known.doc_ids.chunks, *ids.chunks], pa.large_string()),
        )
        kept = before.rows.copy()
        kept[list(self.rows)] = -1
        # The rows that are left are numbered anew, in their order.
        order = np.flatnonzero(kept >= 0)[np.argsort(kept[kept >= 0], kind="stable")]
        kept[order] = np.arange(len(order))
        if not len(order):
            raise DataError("no pair is left", where=str(self.opened.folder), fix="take out less, or review by hand")
        positions = np.concatenate([before.positions, np.array([doc for _, doc in added], np.int32)])
        rows = np.concatenate([kept, np.full(len(added), -1, dtype=np.int64)])
        why = dict(sorted(Counter(self.rows.values()).items()))
        notes = (f"{len(added):,} pairs became known positives, which are no rows",) if added else ()
        entry = LedgerEntry("audit: pairs", "rows", len(before.pairs), len(order), why, notes)
        return KnownPositives(known, positions, rows, before.input_rows, entry), entry

    def negatives(self, now: Mapping[Row, list[str]]) -> LedgerEntry:
        """What became of the negatives of n-tuples."""
        collection, placed = self.opened.collection, self.mined.placed
        numbers = dict(zip(placed.known.queries.ids.to_pylist(), placed.numbers.tolist(), strict=True))
        gone = {(numbers[pair.query_id], pair.doc_id) for pair in (placed.known[place] for place in self.rows)}
        why: Counter[str] = Counter()
        before = _stored_rows(self.opened.folder)
        kept = 0
        for (query, positive), negatives in before.items():
            held = set(now.get((query, positive), ()))
            for doc in negatives:
                if doc in held:
                    kept += 1
                elif (numbers[query], collection.corpus.position(doc)) in self.relevant:
                    why["decided to be no negative of the query"] += 1
                elif (numbers[query], positive) in gone:
                    why["their row was taken out"] += 1
                elif (query, positive) not in now:
                    why["their row is short now"] += 1
                else:
                    why["another candidate takes their place"] += 1
        total = sum(len(negatives) for negatives in before.values())
        new = sum(len(negatives) for negatives in now.values()) - kept
        notes = (f"{new:,} other candidates are negatives now",) if new else ()
        return LedgerEntry("audit: negatives of n-tuples", "negatives", total, kept, dict(sorted(why.items())), notes)


def _stored_rows(folder: Path) -> dict[Row, list[str]]:
    with open_parquet(folder / "provenance" / "train.parquet") as file:
        table = file.read(columns=["query-id", "positive-id", "negative-ids"])
    return {(row["query-id"], row["positive-id"]): row["negative-ids"] for row in table.to_pylist()}


def _mined_rows(mined: Mined) -> dict[Row, list[str]]:
    selection, rows = mined.selection, mined.selection.full
    pairs = mined.placed.pairs.take(rows)
    taken = mined.pool.documents[selection.taken[negative_places(selection, rows)]]
    ids = mined.pool.corpus.ids.take(pa.array(taken)).to_pylist()
    ends = np.concatenate([[0], np.cumsum(np.diff(selection.offsets)[rows])]).tolist()
    return {
        (pair.query_id, pair.doc_id): ids[start:stop]
        for pair, start, stop in zip(pairs, ends[:-1], ends[1:], strict=True)
    }
