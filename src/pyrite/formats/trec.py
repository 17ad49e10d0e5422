"""TREC runs and qrels, read in the order and by the rules of trec_eval."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from pyrite.core import DataError, Qrels, Run
from pyrite.formats.columns import TEXT, Kind, Origin
from pyrite.formats.conversion import convert
from pyrite.formats.falling import falling_scores
from pyrite.formats.judgements import Conflicts, judged
from pyrite.formats.opening import not_utf8, open_bytes
from pyrite.formats.rankings import run_of_scores
from pyrite.formats.trec_ids import decode_ids, encode_ids, marked

_BLOCK = 32 << 20
_RUN_COLUMNS = 6
_QRELS_COLUMNS = 4


def read_trec_run(path: Path) -> Run:
    r"""The run of a TREC file: query, Q0, document, rank, score, tag, and what follows is not read.

    Ordered as trec_eval does: score as float32 descending, ties by the greater document id (bytes of UTF-8); the rank
    column is not looked at. The system is the tag, or the file's name where there are several. DataError with line and
    value for a row that is not fit, and for a document twice in one ranking.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "toy.run")
    ...     _ = path.write_text("q1 Q0 d1 1 2.5 toy\nq1 Q0 d2 2 2.5 toy\n")
    ...     [hit.doc_id for hit in read_trec_run(path)["q1"]]
    ['d2', 'd1']
    """
    lines = _Lines(path, _RUN_COLUMNS)
    scores = lines.column(4, "score", "number")
    queries, docs = decode_ids(lines.text(0), lines.text(2), lines.text(1))
    tags = pc.unique(lines.text(5)).to_pylist()
    return run_of_scores(tags[0] if len(tags) == 1 else path.stem, queries, docs, scores.to_numpy(), file=str(path))


def write_trec_run(path: Path, run: Run) -> None:
    """Write a run so that trec_eval, which sorts by score, finds its order: the scores fall strictly.

    Each score is the run's own where that falls; the raw scores are in what `write_run` writes. An id with white space
    is percent-encoded and marked, which `read_trec_run` undoes (see `trec_ids`).
    """
    queries = _array(run.query_ids.take(pa.array(np.repeat(np.arange(len(run)), np.diff(run.offsets)))))
    query_ids, query_marks = encode_ids(queries, where=str(path))
    doc_ids, doc_marks = encode_ids(_array(run.hit_ids()), where=str(path))
    scores = [str(score) for score in falling_scores(run.scores, run.offsets)]
    ranks = pa.array(run.ranks()).cast(pa.string())
    tag = "_".join(run.system.split()) or "run"
    second = marked("Q0", query_marks, doc_marks)
    _write(path, [query_ids, second, doc_ids, ranks, pa.array(scores, pa.string()), pa.scalar(tag)])


def read_trec_qrels(path: Path, *, conflicts: Conflicts = "error") -> Qrels:
    """The judgements of a TREC file: query, iteration, document, grade; negative grades are kept.

    DataError with line and value for a row that is not fit; for repeated and conflicting rows see `judged`.
    """
    lines = _Lines(path, _QRELS_COLUMNS)
    grades = lines.column(3, "relevance", "integer")
    queries, docs = decode_ids(lines.text(0), lines.text(2), lines.text(1))
    table = pa.table({"query": queries, "doc": docs, "relevance": grades})
    return judged(table, where=str(path), conflicts=conflicts)


def write_trec_qrels(path: Path, qrels: Qrels) -> None:
    """Write judgements as query, 0, document, grade; ids with white space as `write_trec_run` has them."""
    query_ids, query_marks = encode_ids(qrels.repeated_query_ids(), where=str(path))
    doc_ids, doc_marks = encode_ids(qrels.doc_ids, where=str(path))
    grades = pa.array(qrels.relevance).cast(pa.string())
    _write(path, [query_ids, marked("0", query_marks, doc_marks), doc_ids, grades])


def _write(path: Path, columns: list[pa.Array]) -> None:
    lines = pc.binary_join_element_wise(*(column.cast(TEXT) for column in columns), pa.scalar(" ", TEXT))
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{line}\n" for line in lines.to_pylist())


def _array(column: pa.Array | pa.ChunkedArray) -> pa.Array:
    return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column


class _Lines:
    """The fields of a file of lines, split at white space; blank lines are passed over."""

    def __init__(self, path: Path, width: int) -> None:
        self._path = path
        fields: list[pa.Array] = []
        numbers: list[NDArray[np.int64]] = []
        first = 1
        for block in _blocks(path):
            count, kept, split = _split(block, width, path, first)
            numbers.append(first + np.flatnonzero(kept))
            fields.append(split)
            first += count
        self._fields = pa.chunked_array(fields, pa.large_list(TEXT)).combine_chunks()
        self._numbers = np.concatenate(numbers) if numbers else np.empty(0, np.int64)

    def text(self, place: int) -> pa.Array:
        """One column, as it is written."""
        return pc.list_element(self._fields, place)

    def column(self, place: int, name: str, kind: Kind) -> pa.Array:
        """One column of numbers."""
        return convert(self.text(place), kind, Origin(str(self._path), name, self._place))

    def _place(self, index: int) -> str:
        return f"{self._path}, line {self._numbers[index]}"


def _blocks(path: Path) -> Iterator[bytes]:
    """Parts of the file that end at a line's end."""
    with open_bytes(path) as stream:
        held = b""
        if (start := stream.read(3)) != b"\xef\xbb\xbf":
            held = start
        for block in iter(partial(stream.read, _BLOCK), b""):
            whole, end, rest = (held + block).rpartition(b"\n")
            if end:
                yield whole + end
            held = rest
        if held:
            yield held + b"\n"


def _split(block: bytes, width: int, path: Path, first: int) -> tuple[int, NDArray[np.bool_], pa.Array]:
    """How many lines, which are not blank, and the fields of those."""
    ends = np.flatnonzero(np.frombuffer(block, dtype=np.uint8) == ord("\n")) + 1
    offsets = np.concatenate([[0], ends]).astype(np.int64)
    lines = pa.Array.from_buffers(TEXT, len(ends), [None, pa.py_buffer(offsets), pa.py_buffer(block)])
    try:
        lines.validate(full=True)
    except pa.ArrowInvalid as error:
        raise _first_bad_line(block, path, first) from error
    trimmed = pc.ascii_trim_whitespace(lines)
    kept = np.asarray(pc.not_equal(trimmed, ""), dtype=np.bool_)
    fields = pc.ascii_split_whitespace(trimmed.filter(pa.array(kept)), max_splits=width)
    short = np.flatnonzero(np.asarray(pc.list_value_length(fields)) < width)
    if len(short):
        number = first + int(np.flatnonzero(kept)[short[0]])
        found = fields[int(short[0])].as_py()
        raise DataError(
            f"has {len(found)} columns where {width} are due: {' '.join(found)[:60]!r}", where=f"{path}, line {number}"
        )
    return len(ends), kept, fields.cast(pa.large_list(TEXT))


def _first_bad_line(block: bytes, path: Path, first: int) -> DataError:
    for number, line in enumerate(block.split(b"\n"), start=first):
        try:
            line.decode()
        except UnicodeDecodeError as error:
            return not_utf8(line, error, f"{path}, line {number}")
    raise AssertionError("every line is UTF-8")
