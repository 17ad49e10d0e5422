"""The sources of a Nano recipe, opened: what is there, and the corpus tables scanned once."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from pyrite.core import DataError, RecipeError
from pyrite.engine import Done, Engine, Shard, digest_file, digest_of
from pyrite.formats import DataWarning, collection_files
from pyrite.pipelines.nano_reading import names_in
from pyrite.pipelines.nano_stages import SCAN, Attempt
from pyrite.pipelines.recipe_nano import NanoRecipe, SplitSource
from pyrite.sources import SourceSpec, Table, fetch, open_table


class Opened(Protocol):
    """The source of one split."""

    def missing(self, query_split: str) -> str:
        """Why there is no such query split; "" where there is."""
        ...

    def shard(self, attempt: Attempt) -> Shard:
        """The attempt on one of its query splits, completed, as a unit of work."""
        ...

    def told(self, used: str | None) -> dict[str, Any]:
        """What a manifest says of it: path, revision, config, split, digest."""
        ...


@dataclass(frozen=True)
class OpenedFolder:
    """A folder in a known layout, local or of the hub; of a hub dataset only the tables of a query split are fetched.

    Attributes:
        source: of the recipe. base: what its path is relative to.
    """

    source: SplitSource
    base: Path

    def _folder(self, query_split: str) -> Path:
        local = self.base / Path(self.source.path).expanduser()
        if local.exists():
            return local
        return fetch(self.source.path, split=query_split or None, revision=self.source.revision)

    def _files(self, query_split: str) -> dict[str, Path]:
        """Name -> file, of the tables of a query split."""
        folder = self._folder(query_split)
        names = collection_files(names_in(folder), query_split or None, where=str(folder)).all()
        return {name: folder / name for name in names}

    def missing(self, query_split: str) -> str:
        """Anything but the lack of the split is an error."""
        try:
            self._files(query_split)
        except DataError as error:
            if query_split and error.what == f"has no split '{query_split}'":
                return "it does not exist"
            raise
        return ""

    def shard(self, attempt: Attempt) -> Shard:
        """The work: read the folder."""
        folder = self._folder(attempt.query_split)
        key = digest_of(self._digest(attempt.query_split), *_decides(attempt))
        return Shard(_name(attempt), key, replace(attempt, folder=folder), folders=(folder,))

    def _digest(self, query_split: str) -> str:
        return digest_of([[name, digest_file(path)] for name, path in self._files(query_split).items()])

    def told(self, used: str | None) -> dict[str, Any]:
        """A folder has no config; a copy from the hub lies in a folder with the commit's name."""
        revision, digest = self.source.revision, None
        if used is not None:
            digest, folder = self._digest(used), self._folder(used)
            revision = folder.name if folder.parent.name == "snapshots" else revision
        path = self.source.path
        return {"path": path, "revision": revision, "config": None, "split": used or None, "digest": digest}


@dataclass(frozen=True)
class OpenedTables:
    """Raw tables, the corpus scanned.

    Attributes:
        source: of the recipe. base: what its paths are relative to.
        corpus: the table. scanned: what was scanned of each of its shards.
    """

    source: SplitSource
    base: Path
    corpus: Table
    scanned: tuple[Done, ...]

    def missing(self, query_split: str) -> str:
        """The tables of the query split are opened; anything else that is wrong with them is an error."""
        try:
            self._tables(query_split)
        except RecipeError as error:
            if query_split and "has no" in error.what and f"split '{query_split}'" in error.what:
                return "it does not exist"
            raise
        return ""

    def _tables(self, query_split: str) -> tuple[Table, Table | None]:
        source = self.source
        assert source.queries is not None
        listed = source.qrels is None
        optional = ["negatives"] if listed else []
        needs = ["id", "query", "positives"] if listed else ["id", "query"]
        queries = _open(source.spec(source.queries, query_split or None), needs, optional, self.base)
        if source.qrels is None:
            return queries, None
        spec = source.spec(source.qrels, query_split or None)
        return queries, _open(spec, ["query_id", "doc_id", "relevance"], [], self.base)

    def shard(self, attempt: Attempt) -> Shard:
        """The work: read the tables of the query split, and of the corpus what is chosen."""
        queries, qrels = self._tables(attempt.query_split)
        assert self.source.queries is not None
        whole = replace(
            attempt,
            corpus=tuple(self.corpus.shards()),
            scanned=tuple(done.path for done in self.scanned),
            queries=tuple(queries.shards()),
            qrels=None if qrels is None else tuple(qrels.shards()),
            refer_by=self.source.queries.refer_by,
        )
        read = [shard.digest for shard in (*whole.corpus, *whole.queries, *(whole.qrels or ()))]
        key = digest_of(read, [done.digest for done in self.scanned], whole.refer_by, *_decides(attempt))
        return Shard(_name(attempt), key, whole)

    def told(self, used: str | None) -> dict[str, Any]:
        """Of the queries; the corpus is of the same source."""
        queries, _ = self._tables(used or "") if used is not None else (None, None)
        origin = dict((queries or self.corpus).origin())
        return {**origin, "digest": digest_of((queries.digest if queries else None), self.corpus.digest)}


def open_sources(recipe: NanoRecipe, sources: Sequence[SplitSource], base: Path, engine: Engine) -> list[Opened]:
    """Every source, in order; a corpus table that several splits share is scanned once."""
    corpora: dict[int, Table] = {}
    for place, source in enumerate(sources):
        if source.corpus is not None:
            corpora[place] = _open(source.spec(source.corpus, None), ["id", "text"], ["title"], base)
    scanned = _scan(recipe, corpora, engine)
    return [
        OpenedTables(source, base, corpora[place], scanned[place]) if place in corpora else OpenedFolder(source, base)
        for place, source in enumerate(sources)
    ]


def _scan(recipe: NanoRecipe, corpora: Mapping[int, Table], engine: Engine) -> dict[int, tuple[Done, ...]]:
    shards = {place: [Shard(one.name, one.digest, one) for one in table.shards()] for place, table in corpora.items()}
    params = {"template": recipe.nano.template, "identical": recipe.nano.identical}
    done = iter(engine.run(SCAN, [shard for own in shards.values() for shard in own], params) if shards else [])
    return {place: tuple(next(done) for _ in own) for place, own in shards.items()}


def _open(spec: SourceSpec, needs: list[str], optional: list[str], base: Path) -> Table:
    with warnings.catch_warnings():
        # Row numbers are integers by right.
        warnings.filterwarnings("ignore", ".*(positives|negatives)", DataWarning)
        return open_table(spec, needs=needs, optional=optional, base=base)


def _name(attempt: Attempt) -> str:
    return f"{attempt.split} from {attempt.query_split}" if attempt.query_split else attempt.split


def _decides(attempt: Attempt) -> list[str]:
    return [attempt.split, attempt.language, attempt.query_split, attempt.analyzer]
