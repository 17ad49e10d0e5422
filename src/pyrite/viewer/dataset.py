"""One split of a dataset as the pages read it: queries and judgements held, the corpus on the disk."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pyrite.core import Candidates, Collection, DataError, PyriteError, Qrels, Queries, Run
from pyrite.formats import (
    NANO_TABLES,
    CollectionFiles,
    collection_files,
    format_of,
    layout,
    names_in,
    open_parquet,
    read_candidates,
    read_collection,
    read_json,
    read_manifest,
    read_qrels,
    read_queries,
    table_name,
)
from pyrite.retrieval import detect_language
from pyrite.viewer.shown import Terms, analyzer_of, common_terms
from pyrite.viewer.stored import HeldTexts, StoredTexts, Texts


class System:
    """Somebody's rankings, read when they are first asked for.

    Args:
        name: of the system. read: gives its run, or candidates with forced positives.
        file: the file of a run that was given by itself, and that no report may speak of.
    """

    def __init__(self, name: str, read: Callable[[], Run | Candidates], file: Path | None = None) -> None:
        self.name, self.file = name, file
        self._read = read

    @cached_property
    def _ranked(self) -> Run | Candidates:
        return self._read()

    @property
    def run(self) -> Run:
        """The rankings."""
        return self._ranked.run if isinstance(self._ranked, Candidates) else self._ranked

    def forced(self, query_id: str) -> tuple[str, ...]:
        """The documents that were put into one query's ranking, not found."""
        return self._ranked.forced.get(query_id, ()) if isinstance(self._ranked, Candidates) else ()

    @cached_property
    def _rows_of(self) -> dict[str, int]:
        return {query_id: row for row, query_id in enumerate(self.run.query_ids.to_pylist())}

    def ranking(self, query_id: str, depth: int | None = None) -> list[str]:
        """The documents of one query, best first, down to a depth; none where the run lacks the query."""
        row = self._rows_of.get(query_id)
        if row is None:
            return []
        start, stop = int(self.run.offsets[row]), int(self.run.offsets[row + 1])
        stop = stop if depth is None else min(stop, start + depth)
        ids: list[str] = self.run.doc_ids.take(pa.array(self.run.positions[start:stop])).to_pylist()
        return ids

    def scores(self, query_id: str, depth: int) -> list[float]:
        """The scores of the first documents of one query, aligned with `ranking`."""
        row = self._rows_of.get(query_id)
        if row is None:
            return []
        start, stop = int(self.run.offsets[row]), int(self.run.offsets[row + 1])
        scores: list[float] = self.run.scores[start : min(stop, start + depth)].tolist()
        return scores


class Dataset:
    """One split of a dataset folder.

    Args:
        folder: of the dataset. split: which one, "" in a folder without splits.

    A corpus in Parquet stays on the disk; one of another format is read whole when it is first asked for.
    """

    def __init__(self, folder: Path, split: str) -> None:
        self.folder, self.split = folder, split
        self._files: CollectionFiles = collection_files(names_in(folder), split or None, where=str(folder))
        manifest = read_manifest(folder) if (folder / "manifest.json").is_file() else None
        self.name = manifest.name if manifest else folder.name
        told = read_json(folder / self._files.metadata).get("language") if self._files.metadata else ""
        self._language = str(told or (manifest.language if manifest else "") or _code(split))
        self.systems: list[System] = [System(f"{one} (candidates)", self._candidates(one)) for one in self._configs()]

    @property
    def title(self) -> str:
        """Name and split."""
        return f"{self.name}, {self.split}" if self.split else self.name

    @cached_property
    def language(self) -> str:
        """An ISO code: as the dataset tells, or else that of its queries; "" where neither is known."""
        if not self._language:
            # Without the extra `languages`, or where the texts decide nothing, there is none.
            with suppress(PyriteError):
                return detect_language(self.queries.texts.slice(0, 200).to_pylist())
        return self._language

    @property
    def _stays(self) -> bool:
        tables = [*self._files.corpus, *self._files.queries, *self._files.qrels]
        return bool(self._files.qrels) and all(format_of(name) == "parquet" for name in tables)

    def _configs(self) -> list[str]:
        """The configs of a Nano dataset that are candidates."""
        if self._files.layout.kind != "nano":
            return []
        tables = {table_name(name): name for name in names_in(self.folder) if format_of(name) == "parquet"}
        found = []
        for table, name in sorted(tables.items()):
            config, _, split = table.partition("/")
            if split == self.split and config not in NANO_TABLES:
                with open_parquet(self.folder / name) as file:
                    if {"corpus-ids", "corpus_ids"} & set(file.schema_arrow.names):
                        found.append(config)
        return found

    def _candidates(self, config: str) -> Callable[[], Candidates]:
        return lambda: read_candidates(self.folder, self.split, config=config)

    @cached_property
    def _held(self) -> Collection:
        return read_collection(self.folder, split=self.split or None, dangling="drop")

    @cached_property
    def texts(self) -> Texts:
        """The documents, by id."""
        if not self._stays:
            return HeldTexts(self._held.corpus)
        return StoredTexts([self.folder / name for name in self._files.corpus])

    @cached_property
    def queries(self) -> Queries:
        """The queries, in the order of their file."""
        return read_queries([self.folder / name for name in self._files.queries]) if self._stays else self._held.queries

    @cached_property
    def qrels(self) -> Qrels:
        """Who judged what relevant."""
        return read_qrels([self.folder / name for name in self._files.qrels]) if self._stays else self._held.qrels

    @cached_property
    def _common(self) -> frozenset[str]:
        return common_terms(self.queries.texts.slice(0, 500).to_pylist(), self.language)

    def terms(self, query: str) -> Terms:
        """What is marked in a document for this query."""
        return Terms.of(query, self.language, self._common)

    def search(self, text: str) -> list[int]:
        """The places of the queries that have `text` in them, whatever the case, or as their id; all for "".

        >>> import tempfile
        >>> from pyrite.core import Document, Query, Corpus
        >>> from pyrite.formats import write_beir
        >>> queries = Queries.of([Query("q1", "What is gold?"), Query("q2", "Where is tin?")])
        >>> corpus = Corpus.of([Document("d1", "An element.")])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     write_beir(Path(folder), Collection("toy", "en", corpus, queries, Qrels.of({"q1": {"d1": 1}})))
        ...     toy = Dataset(Path(folder), "test")
        ...     toy.search("GOLD"), toy.search("q2"), toy.search("")
        ([0], [1], [0, 1])
        """
        if not text:
            return list(range(len(self.queries)))
        there = pc.match_substring(self.queries.texts, text, ignore_case=True)
        return [int(at) for at in np.flatnonzero(np.asarray(pc.or_(there, pc.equal(self.queries.ids, text))))]

    def asks(self, query_ids: Sequence[str]) -> bool:
        """Whether these queries are all of this split; True where there are none."""
        wanted = pa.array(query_ids, pa.large_string())
        return bool(pc.all(pc.is_in(wanted, value_set=self.queries.ids.combine_chunks())).as_py())


def open_splits(folder: Path) -> list[Dataset]:
    """Every split of a dataset folder; DataError where the folder is none."""
    found = [Dataset(folder, split) for split in layout(folder).splits or ("",)]
    if not found:
        raise DataError("has no split", where=str(folder))
    return found


def _code(split: str) -> str:
    """The language that a split is named after, as those of many Nano sets are."""
    analyzer = analyzer_of(split)
    return analyzer.language if analyzer is not None else ""
