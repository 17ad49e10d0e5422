"""A collection: documents, queries and judgements, columnar inside, ids opaque strings end to end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from pyrite.core.errors import DataError
from pyrite.core.qrels import Qrels
from pyrite.core.texts import rows_of, strings, taken

_JOINED = 1 << 16
TEMPLATE = "{title}\n\n{text}"
"""How title and text become what a system reads, unless a manifest says otherwise."""


@dataclass(frozen=True)
class Document:
    """One unit of the corpus; an empty title is no title."""

    doc_id: str
    text: str
    title: str = ""


@dataclass(frozen=True)
class Query:
    """One thing that is asked."""

    query_id: str
    text: str


class _Texts:
    """Ids and texts side by side; what Corpus and Queries share."""

    _unit = "document"

    def __init__(self, ids: pa.ChunkedArray | pa.Array, texts: pa.ChunkedArray | pa.Array) -> None:
        self.ids: pa.ChunkedArray = strings(ids)
        self.texts: pa.ChunkedArray = strings(texts)
        if len(self.ids) != len(self.texts):
            raise DataError(f"{len(self.ids)} {self._unit} ids and {len(self.texts)} texts do not align")
        for name, column in (("id", self.ids), ("text", self.texts)):
            if column.null_count:
                row = pc.index(column.is_null(), True).as_py()
                raise DataError(f"{self._unit} {name} is missing", where=f"row {row}", fix=f"give it a {name}")
        if pc.count_distinct(self.ids).as_py() != len(self.ids):
            counts = pc.value_counts(self.ids.combine_chunks())
            first = next(c["values"].as_py() for c in counts if c["counts"].as_py() > 1)
            raise DataError(f"{self._unit} id '{first}' occurs more than once", fix="make the ids unique")

    def __len__(self) -> int:
        return len(self.ids)

    @cached_property
    def _positions(self) -> dict[str, int]:
        return {doc_id: position for position, doc_id in enumerate(self.ids.to_pylist())}

    def position(self, identifier: str) -> int:
        """The row of an id, from 0; KeyError where it is absent."""
        return self._positions[identifier]

    def __contains__(self, identifier: object) -> bool:
        return identifier in self._positions

    def positions(self, identifiers: pa.Array | pa.ChunkedArray | Sequence[str]) -> NDArray[np.int32]:
        """Rows of many ids, int32, -1 for an id that is absent."""
        wanted = pa.array(identifiers, pa.large_string()) if isinstance(identifiers, Sequence) else identifiers
        return rows_of(wanted, self.ids).astype(np.int32)


class Corpus(_Texts):
    r"""The documents of a collection, in corpus order.

    Args:
        ids: document ids, unique strings.
        texts: one text a document; may be empty, never missing.
        titles: one title a document ("" = none), or None where the corpus has no titles.
        template: how title and text become what a system reads.

    >>> corpus = Corpus.of([Document("d1", "Fool's gold."), Document("d2", "An element.", title="Gold")])
    >>> corpus[1].title, corpus.position("d2"), corpus.contents().to_pylist()
    ('Gold', 1, ["Fool's gold.", 'Gold\n\nAn element.'])
    """

    _unit = "document"

    def __init__(
        self,
        ids: pa.ChunkedArray | pa.Array,
        texts: pa.ChunkedArray | pa.Array,
        titles: pa.ChunkedArray | pa.Array | None = None,
        *,
        template: str = TEMPLATE,
    ) -> None:
        super().__init__(ids, texts)
        if "{text}" not in template:
            raise DataError(f"the template {template!r} has no {{text}}", fix="write one, as in '{title} {text}'")
        self.template = template
        self.titles: pa.ChunkedArray | None = None
        if titles is not None:
            filled = pc.fill_null(strings(titles), "")
            if len(filled) != len(self.ids):
                raise DataError(f"{len(self.ids)} document ids and {len(filled)} titles do not align")
            self.titles = filled if pc.any(pc.not_equal(pc.utf8_trim_whitespace(filled), "")).as_py() else None

    @classmethod
    def of(cls, documents: Iterable[Document], *, template: str = TEMPLATE) -> Corpus:
        """A corpus of records, in their order."""
        rows = list(documents)
        return cls(
            pa.array([d.doc_id for d in rows], pa.large_string()),
            pa.array([d.text for d in rows], pa.large_string()),
            pa.array([d.title for d in rows], pa.large_string()),
            template=template,
        )

    @classmethod
    def whole(cls, ids: pa.ChunkedArray, texts: pa.ChunkedArray) -> Corpus:
        """A corpus of large_string columns that are known to align, without a missing value or a repeated id.

        Nothing is looked at, so that a mapped file costs no memory before its texts are read.
        """
        corpus = cls.__new__(cls)
        corpus.ids, corpus.texts, corpus.titles, corpus.template = ids, texts, None, TEMPLATE
        return corpus

    def __getitem__(self, position: int) -> Document:
        title = self.titles[position].as_py() if self.titles is not None else ""
        return Document(self.ids[position].as_py(), self.texts[position].as_py(), title)

    def __iter__(self) -> Iterator[Document]:
        return (self[position] for position in range(len(self)))

    def contents(self, start: int = 0, stop: int | None = None) -> pa.ChunkedArray:
        """What a system reads of rows [start, stop), large_string, one a document.

        Without titles it is the text column itself, not a copy; a document without a title is its text alone,
        with no separator; a title without text is the title alone.
        """
        texts = self.texts.slice(start, None if stop is None else stop - start)
        if self.titles is None:
            return texts
        titles = self.titles.slice(start, None if stop is None else stop - start)
        parts = []
        # As Python strings the texts of millions of documents are gigabytes: a part at a time.
        for at in range(0, len(texts), _JOINED):
            pairs = zip(titles.slice(at, _JOINED).to_pylist(), texts.slice(at, _JOINED).to_pylist(), strict=True)
            joined = [join_title(title, text, self.template) for title, text in pairs]
            parts.append(pa.array(joined, pa.large_string()))
        return pa.chunked_array(parts, pa.large_string())

    def take(self, positions: NDArray[np.integer]) -> Corpus:
        """The documents at these rows, in this order."""
        titles = None if self.titles is None else taken(self.titles, positions)
        return Corpus(taken(self.ids, positions), taken(self.texts, positions), titles, template=self.template)


def join_title(title: str | None, text: str, template: str = TEMPLATE) -> str:
    """Title and text by the template; a missing, empty or blank one leaves no separator.

    >>> join_title(None, "B"), join_title("  ", "B"), join_title("A", "B", "{title} {text}"), join_title("A", "")
    ('B', 'B', 'A B', 'A')
    """
    if title is None or not title.strip():
        return text
    if not text.strip():
        return title
    # Not str.format: braces in a title or a text are text.
    before, after = template.split("{text}", 1)
    return before.replace("{title}", title) + text + after.replace("{title}", title)


class Queries(_Texts):
    """The queries of a collection, in source order.

    >>> queries = Queries.of([Query("q1", "what is fool's gold?")])
    >>> queries[0].text, len(queries)
    ("what is fool's gold?", 1)
    """

    _unit = "query"

    @classmethod
    def of(cls, queries: Iterable[Query]) -> Queries:
        """Queries from records, in their order."""
        rows = list(queries)
        return cls(
            pa.array([q.query_id for q in rows], pa.large_string()),
            pa.array([q.text for q in rows], pa.large_string()),
        )

    def __getitem__(self, position: int) -> Query:
        return Query(self.ids[position].as_py(), self.texts[position].as_py())

    def __iter__(self) -> Iterator[Query]:
        return (self[position] for position in range(len(self)))

    def take(self, positions: NDArray[np.integer]) -> Queries:
        """The queries at these rows, in this order."""
        return Queries(taken(self.ids, positions), taken(self.texts, positions))

    def first(self, count: int) -> Queries:
        """The first `count` queries (all, where there are fewer)."""
        return Queries(self.ids.slice(0, count), self.texts.slice(0, count))


@dataclass(frozen=True)
class Collection:
    """What the benchmark rooms take and return.

    Attributes:
        name: what reports and cards call it.
        language: ISO 639 code, or "" where it is not known.
        corpus, queries, qrels: the three tables.
        headline_queries: the protocol's prefix of queries, or None for all of them.
        remove_self: whether a document whose id is the query's id is taken out of every ranking.
    """

    name: str
    language: str
    corpus: Corpus
    queries: Queries
    qrels: Qrels
    headline_queries: int | None = None
    remove_self: bool = False
