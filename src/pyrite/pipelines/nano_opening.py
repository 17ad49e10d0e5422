"""The sources of a Nano recipe, opened: what is there, and the corpus tables scanned once."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from pyrite.core import RecipeError
from pyrite.engine import Done, Engine, Shard, digest_of
from pyrite.formats import DataWarning, layout
from pyrite.pipelines.evaluating import files_digest
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
    """A folder in a known layout, local or of the hub.

    Attributes:
        source: of the recipe. folder: where it lies. splits: there. digest: of its files.
    """

    source: SplitSource
    folder: Path
    splits: tuple[str, ...]
    digest: str

    def missing(self, query_split: str) -> str:
        """A folder without splits has no name for its one."""
        if query_split and query_split not in self.splits:
            return "it does not exist"
        return ""

    def shard(self, attempt: Attempt) -> Shard:
        """The work: read the folder."""
        whole = replace(attempt, folder=self.folder)
        return Shard(_name(attempt), digest_of(self.digest, *_decides(attempt)), whole)

    def told(self, used: str | None) -> dict[str, Any]:
        """A folder has no config."""
        path, revision = self.source.path, self.source.revision
        return {"path": path, "revision": revision, "config": None, "split": used or None, "digest": self.digest}


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
    folders: dict[tuple[str, str | None], OpenedFolder] = {}
    opened: list[Opened] = []
    for place, source in enumerate(sources):
        if place in corpora:
            opened.append(OpenedTables(source, base, corpora[place], scanned[place]))
            continue
        key = (source.path, source.revision)
        if key not in folders:
            folder = base / source.path if (base / source.path).is_dir() else fetch(source.path)
            folders[key] = OpenedFolder(source, folder, layout(folder).splits, files_digest(folder))
        opened.append(replace(folders[key], source=source))
    return opened


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
