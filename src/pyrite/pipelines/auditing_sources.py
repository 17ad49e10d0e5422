"""What is audited, opened: a dataset in any layout, or a mined set by its own provenance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pyrite.auditing import NearPairs, Ranked, Sightings, pair_keys, sight
from pyrite.core import Collection, DataError, Ledger, LedgerEntry, Qrels, RecipeError
from pyrite.formats import StoredPool, layout, open_parquet, read_collection, read_manifest, read_pool
from pyrite.mining import KnownPositives
from pyrite.pipelines.evaluating import files_digest, gold_documents
from pyrite.pipelines.recipe import LoadedRecipe, load_recipe
from pyrite.pipelines.recipe_training import TrainingRecipe
from pyrite.pipelines.searching import Dataset
from pyrite.pipelines.training_selecting import exclusion_of
from pyrite.publishing import content_digest


@dataclass(frozen=True, eq=False)
class MinedSet:
    """A mined set as it was made.

    Attributes:
        stored: its provenance. placed: its known positives. loaded: its recipe.
    """

    stored: StoredPool
    placed: KnownPositives
    loaded: LoadedRecipe

    @property
    def recipe(self) -> TrainingRecipe:
        """The recipe."""
        assert isinstance(self.loaded.recipe, TrainingRecipe)
        return self.loaded.recipe


@dataclass(frozen=True, eq=False)
class Opened:
    """A dataset that is audited.

    Attributes:
        folder: where it is. kind: of its manifest, or "collection" where it has none.
        split: the one that is audited, "" where there is only one.
        digest: of what the folder holds.
        collection: the queries, documents and judgements; of a mined set those that its provenance names.
        mined: what a mined set was made of; None for any other.
    """

    folder: Path
    kind: str
    split: str
    digest: str
    collection: Collection
    mined: MinedSet | None = None

    @property
    def dataset(self) -> Dataset:
        """The dataset as a stage is told of it."""
        return Dataset(self.folder, self.split or None, files_digest(self.folder), gold_documents(self.folder))


def open_dataset(folder: Path, split: str | None) -> Opened:
    """Open a dataset folder; DataError where it is damaged, or has several splits and none is named."""
    manifest = read_manifest(folder) if (folder / "manifest.json").is_file() else None
    # An export may be of files that are no tables, which its own digest does not cover.
    if manifest is None or manifest.kind == "collection":
        return _opened(folder, "collection", split, files_digest(folder))
    digest = content_digest(folder)
    if manifest.kind != "training":
        return _opened(folder, manifest.kind, split, digest)
    if split is not None:
        raise DataError(f"is a mined set, which has no split '{split}'", where=str(folder), fix="leave the split out")
    stored = read_pool(folder / "provenance")
    entries = {entry.stage: entry for entry in Ledger.from_json(manifest.ledger).entries}
    entry = entries.get("pairs", LedgerEntry("pairs", "rows", 0, 0))
    known = stored.known
    placed = KnownPositives(known.pairs, known.positions, known.rows, entry.rows_in, entry)
    mined = MinedSet(stored, placed, load_recipe(str(folder / "recipe.toml")))
    return Opened(folder, manifest.kind, "", digest, _collection(manifest.name, manifest.language, mined), mined)


def _opened(folder: Path, kind: str, split: str | None, digest: str) -> Opened:
    collection = read_collection(folder, split=split)
    found = layout(folder).splits
    chosen = split or (found[0] if len(found) == 1 else "test" if "test" in found else "")
    return Opened(folder, kind, chosen, digest, collection)


def first_queries(opened: Opened, count: int) -> Opened:
    """The same with the first so many queries and their judgements; RecipeError for a mined set, or for none."""
    if opened.mined is not None:
        raise RecipeError("is a mined set, which is audited whole", where=str(opened.folder), fix="leave --queries out")
    if count < 1:
        raise RecipeError(f"{count} queries are asked for", fix='ask for 1 or more, or for "all"')
    queries, qrels = opened.collection.queries.first(count), opened.collection.qrels
    own = np.flatnonzero(queries.positions(qrels.repeated_query_ids()) >= 0)
    kept = Qrels(
        qrels.repeated_query_ids().take(pa.array(own)), qrels.doc_ids.take(pa.array(own)), qrels.relevance[own]
    )
    return replace(opened, collection=replace(opened.collection, queries=queries, qrels=kept))


def _collection(name: str, language: str, mined: MinedSet) -> Collection:
    """The pool's queries and documents; what is known to be relevant is judged 1."""
    pool, placed = mined.stored.pool, mined.placed
    query = placed.numbers[placed.known.query]
    rows = np.unique(np.stack([query, placed.positions]), axis=1)
    qrels = Qrels(
        pool.queries.ids.take(pa.array(rows[0])),
        pool.corpus.ids.take(pa.array(rows[1])),
        np.ones(rows.shape[1], dtype=np.int32),
    )
    return Collection(name, language, pool.corpus, pool.queries, qrels)


def sight_opened(opened: Opened, ranked: Sequence[Ranked], near: NearPairs) -> Sightings:
    """Every pair that is worth a look; of a mined set with its own retrievers, logits and rows too."""
    if opened.mined is None:
        return sight(opened.collection, ranked, near)
    pool = opened.mined.stored.pool
    own = [
        Ranked(name, pool.query_of[rows], pool.documents[rows], pool.rank[rows], pool.score[rows])
        for place, name in enumerate(pool.retrievers)
        for rows in [np.flatnonzero((pool.retriever == place) & (pool.rank > 0))]
    ]
    seen = sight(opened.collection, [*own, *ranked], near)
    rows = seen.find(pool.query_of, pool.documents)
    logits = np.full(len(seen), np.nan, dtype=np.float32)
    logits[rows[rows >= 0]] = pool.logit[rows >= 0]
    exclusion = exclusion_of(pool, opened.mined.placed, opened.mined.recipe.select.near)
    settled = np.zeros(len(seen), dtype=np.bool_)
    settled[rows[exclusion.rows & (rows >= 0)]] = True
    return seen.with_logits(logits).with_uses(_uses(opened, seen), settled)


def only_candidates(opened: Opened, near: NearPairs) -> NearPairs:
    """Near-duplicates that could be negatives: of a mined set only what was found for the very query."""
    if opened.mined is None:
        return near
    pool, collection = opened.mined.stored.pool, opened.collection
    there = np.isin(
        pair_keys(collection, near.query, near.document), pair_keys(collection, pool.query_of, pool.documents)
    )
    return NearPairs(near.query[there], near.document[there], near.positive[there], near.same[there])


def _uses(opened: Opened, seen: Sightings) -> NDArray[np.int32]:
    """Of how many mined rows the document of each pair is a negative for the query of the pair."""
    mined = opened.mined
    assert mined is not None
    uses = np.zeros(len(seen), dtype=np.int32)
    for name in ("train", "short"):
        path = opened.folder / "provenance" / f"{name}.parquet"
        if not path.is_file():
            continue
        with open_parquet(path) as file:
            table = file.read(columns=["query-id", "negative-ids"])
        lists = table["negative-ids"].combine_chunks()
        lengths = np.asarray(lists.value_lengths().fill_null(0), dtype=np.int64)
        query = mined.placed.numbers[mined.placed.known.queries.positions(table["query-id"])]
        documents = opened.collection.corpus.positions(lists.flatten())
        places = seen.find(np.repeat(query, lengths), documents)
        np.add.at(uses, places[places >= 0], 1)
    return uses
