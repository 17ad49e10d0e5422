"""What near-duplicate detection knows of a text: MinHash keys to find candidates, shingle hashes to verify them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Protocol

import numpy as np
import pyarrow as pa
from numpy.lib import format as npy
from numpy.typing import NDArray

from pyrite.core import DataError
from pyrite.preparation.minhash import Bands
from pyrite.preparation.shingle_hashes import joined, shingle_hashes

_PART_BYTES = 8_000_000


class Hashes(Protocol):
    """Shingle hashes in memory or in a file: a slice gives them as uint64."""

    def __getitem__(self, span: slice, /) -> NDArray[np.uint64]:
        """The hashes of a span."""


@dataclass(frozen=True)
class StoredHashes:
    """Shingle hashes that stay in their file until a pair is verified.

    They are read, not memory-mapped: mapped pages would count as the process's memory.

    Attributes:
        path: the file. start: the byte at which hash 0 lies in it.
    """

    path: Path
    start: int

    def __getitem__(self, span: slice, /) -> NDArray[np.uint64]:
        """The hashes of a span, read from the file."""
        hashes = np.empty(span.stop - span.start, np.uint64)
        file = os.open(self.path, os.O_RDONLY)
        try:
            size = os.preadv(file, [hashes.view(np.uint8).data], self.start + span.start * 8)
        finally:
            os.close(file)
        if size != hashes.nbytes:
            raise DataError("the file ends before its shingle hashes do", where=str(self.path), fix="build it again")
        return hashes


@dataclass(frozen=True)
class Signatures:
    """The signatures of some texts, in order.

    Attributes:
        keys: uint32, shape (texts, bands): texts that share a key in a band are candidates.
        sizes: int32, how many distinct shingles each text has; 0 for one that is equal to nothing.
        starts: int64, where each text's shingles start in `hashes`.
        hashes: 64-bit hashes of the distinct shingles.
    """

    keys: NDArray[np.uint32]
    sizes: NDArray[np.int32]
    starts: NDArray[np.int64]
    hashes: Hashes

    def __len__(self) -> int:
        """How many texts."""
        return len(self.sizes)

    def take(self, rows: NDArray[np.integer]) -> Signatures:
        """The signatures at these rows, in this order; the hashes stay where they are."""
        return Signatures(self.keys[rows], self.sizes[rows], self.starts[rows], self.hashes)

    def shingles(self, row: int) -> NDArray[np.uint64]:
        """The hashes of one text's distinct shingles."""
        start = int(self.starts[row])
        return self.hashes[start : start + int(self.sizes[row])]


def signatures(
    texts: pa.Array | pa.ChunkedArray,
    *,
    threshold: float,
    seed: int = 0,
    wanted: NDArray[np.bool_] | None = None,
) -> Signatures:
    """One signature a text; a pure function of text, threshold and seed, whatever else is in the batch.

    Beside the texts it holds about 1.3 times their size; `signed_parts` bounds that.

    Args:
        texts: strings; a missing one has no shingles.
        threshold: the likeness that `NearIndex` is asked for; it decides how signatures are cut.
        seed: of the hash functions.
        wanted: bool, one a text; the others get no shingles, and cost nothing.

    >>> made = signatures(pa.array(["fool's gold is pyrite", "?!"]), threshold=0.8)
    >>> made.keys.shape, made.sizes.tolist()
    ((2, 18), [1, 0])
    """
    sizes, hashes = shingle_hashes(texts, wanted)
    keys = Bands.of(threshold, seed).keys(sizes, hashes)
    ends = np.cumsum(sizes, dtype=np.int64)
    return Signatures(keys, sizes, ends - sizes, hashes)


def signed_parts(
    texts: pa.Array | pa.ChunkedArray,
    *,
    threshold: float,
    seed: int = 0,
    wanted: NDArray[np.bool_] | None = None,
) -> Iterator[Signatures]:
    """The signatures of many texts, in parts of about 8 MB of text (one text at least), in order.

    >>> parts = signed_parts(pa.array(["fool's gold", "is", "pyrite"]), threshold=0.8)
    >>> [len(part) for part in parts]
    [3]
    """
    column = joined(texts)
    if not len(column):
        return
    ends = np.frombuffer(column.buffers()[1], np.int64)[column.offset : column.offset + len(column) + 1]
    start = 0
    while start < len(column):
        stop = max(start + 1, int(np.searchsorted(ends, ends[start] + _PART_BYTES, side="right")) - 1)
        yield signatures(
            column.slice(start, stop - start),
            threshold=threshold,
            seed=seed,
            wanted=None if wanted is None else wanted[start:stop],
        )
        start = stop


def write_signatures(path: Path, parts: Iterable[Signatures]) -> int:
    """Write signatures, part by part, and give the number of texts; the same parts give the same bytes.

    The file is a row of arrays in NumPy's .npy format: keys, sizes and hashes of the first part, of the second,
    and so on. Only one part is in memory at a time.
    """
    texts = 0
    with path.open("wb") as file:
        for part in parts:
            packed = _packed(part)
            for array in (part.keys, part.sizes, packed):
                npy.write_array(file, np.ascontiguousarray(array), version=(1, 0), allow_pickle=False)
            texts += len(part)
    return texts


def read_signatures(path: Path) -> Iterator[Signatures]:
    """The parts that `write_signatures` wrote; keys and sizes are read, the hashes stay in the file."""
    with path.open("rb") as file:
        end = os.fstat(file.fileno()).st_size
        while file.tell() < end:
            keys, sizes = (npy.read_array(file, allow_pickle=False) for _ in range(2))
            count = _header(file)
            ends = np.cumsum(sizes, dtype=np.int64)
            yield Signatures(keys, sizes, ends - sizes, StoredHashes(path, file.tell()))
            file.seek(count * 8, os.SEEK_CUR)


def _header(file: BinaryIO) -> int:
    npy.read_magic(file)
    shape, _, _ = npy.read_array_header_1_0(file)
    return int(shape[0])


def _packed(part: Signatures) -> NDArray[np.uint64]:
    """The hashes of a part, without what belongs to texts that are not in it."""
    ends = np.cumsum(part.sizes, dtype=np.int64)
    if isinstance(part.hashes, np.ndarray) and np.array_equal(part.starts, ends - part.sizes):
        return part.hashes[: part.sizes.sum()]
    return np.concatenate([np.empty(0, np.uint64), *(part.shingles(row) for row in range(len(part)))])
