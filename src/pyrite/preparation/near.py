"""Near-duplicates: each text is compared with the documents kept before it, and never by way of another."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pyrite.preparation.minhash import Bands
from pyrite.preparation.near_buckets import (
    BUCKET,
    CANDIDATES,
    Buckets,
    likeness_reaches,
    link,
    lookup,
    no_search,
    put,
    skip_to_candidates,
)
from pyrite.preparation.signatures import Hashes, Signatures, signed_parts


class NearIndex:
    """Kept documents, and which of them a text is a near-duplicate of: Jaccard of 5-word shingles >= `threshold`.

    A pair is compared where MinHash makes it a candidate, which happens to 99.5% of the pairs at the threshold and
    more above it, and counts only when its exact Jaccard says so. Of several kept documents the earliest is named.
    What is kept depends on the texts' order, the threshold and the seed, not on batches or workers.

    Memory for a kept document: 10 to 12 bytes a band (18 bands at 0.8, about 240 bytes with the rest). Its shingles
    stay where the signatures have them: in a file if they come from `read_signatures`, else in memory.

    Args:
        threshold: 0.2 to 1.
        seed: of the hash functions; the same one as the signatures'.

    >>> from pyrite.preparation.signatures import signatures
    >>> index = NearIndex(0.5)
    >>> texts = pa.array(["pyrite is called fool's gold", "Pyrite is called fool's gold!", "gold"])
    >>> index.add(signatures(texts, threshold=0.5)).tolist(), len(index)
    ([-1, 0, -1], 2)
    """

    def __init__(self, threshold: float, seed: int = 0) -> None:
        self.threshold = threshold
        self.bands = Bands.of(threshold, seed)
        self._buckets = _no_buckets(self.bands.bands)
        self._search = no_search(self.bands.bands)
        self._count = 0
        self._blocks: list[Hashes] = []
        self._places = np.empty((0, 2), np.int64)  # of each document: block, and where its shingles start in it

    def __len__(self) -> int:
        """How many documents are kept."""
        return self._count

    @property
    def bounded(self) -> int:
        """Texts so far that may be near-duplicates all the same: they had more candidates than are compared."""
        return int(self._search.outcome[2])

    @property
    def nbytes(self) -> int:
        """Bytes of memory that are held for the kept documents."""
        blocks = sum(block.nbytes for block in self._blocks if isinstance(block, np.ndarray))
        return sum(array.nbytes for array in self._buckets) + self._places.nbytes + blocks

    def notes(self) -> tuple[str, ...]:
        """What a ledger should say of texts that were not compared with every candidate; empty where all were."""
        if not self.bounded:
            return ()
        return (
            f"{self.bounded} texts share shingles with so many documents (a template?) that not all of them were "
            f"compared: {BUCKET} by each MinHash key, {CANDIDATES} for each text, the most similar first; "
            "near-duplicates may be left among them",
        )

    def add(self, batch: Signatures) -> NDArray[np.int64]:
        """For each text, the number of the kept document that it is a near-duplicate of, or -1: it is kept.

        Kept documents are numbered from 0 in the order of their coming; a text of a batch is compared with those
        kept before it in the same batch too. A text without words is equal to nothing, and kept.
        """
        self._open(batch)
        targets = np.full(len(batch), -1, np.int64)
        first, row = self._count, 0
        while row < len(batch):
            start, row = row, self._skip(batch, row, keep=True)
            self._places[self._count - (row - start) : self._count] = self._spans(batch, slice(start, row))
            if row < len(batch):
                targets[row] = self._first_near(batch, row)
                if targets[row] < 0:
                    put(self._buckets, batch.keys[row], batch.sizes[row], self._count)
                    self._places[self._count] = self._spans(batch, slice(row, row + 1))
                    self._count += 1
                row += 1
        self._settle(first)
        return targets

    def keep(self, batch: Signatures) -> None:
        """Make every text a document, whatever it is like: for a side that must stay whole."""
        self._open(batch)
        start, stop = self._count, self._count + len(batch)
        self._buckets.keys[start:stop] = batch.keys
        self._buckets.sizes[start:stop] = batch.sizes
        self._places[start:stop] = self._spans(batch, slice(None))
        link(self._buckets, start, stop)
        self._count = stop
        self._settle(start)

    def find(self, batch: Signatures) -> NDArray[np.int64]:
        """For each text, the number of the earliest kept document that it is a near-duplicate of, or -1."""
        self._must_fit(batch)
        found = np.full(len(batch), -1, np.int64)
        row = self._skip(batch, 0, keep=False)
        while row < len(batch):
            found[row] = self._first_near(batch, row)
            row = self._skip(batch, row + 1, keep=False)
        return found

    def _must_fit(self, batch: Signatures) -> None:
        if batch.keys.shape[1] != self.bands.bands:
            raise ValueError(f"the signatures have {batch.keys.shape[1]} bands, the index {self.bands.bands}")

    def _open(self, batch: Signatures) -> None:
        """Make room for a batch, whose hashes are the last block."""
        self._must_fit(batch)
        self._make_room(len(batch))
        self._blocks.append(batch.hashes)

    def _skip(self, batch: Signatures, row: int, *, keep: bool) -> int:
        """The next row, from this one on, that has candidates; those passed become documents where `keep` says so."""
        place = (row, self._count if keep else -1)
        row, count = skip_to_candidates(self._buckets, (batch.keys, batch.sizes), place, self.threshold, self._search)
        self._count = count if keep else self._count
        return int(row)

    def _first_near(self, batch: Signatures, row: int) -> int:
        """The earliest candidate whose exact Jaccard reaches the threshold, or -1."""
        own = batch.shingles(row)
        table = lookup(own)
        candidates = self._search.found[: self._search.outcome[0]]
        places, sizes = self._places[candidates].tolist(), self._buckets.sizes[candidates].tolist()
        for document, (block, start), size in zip(candidates.tolist(), places, sizes, strict=True):
            if likeness_reaches(table, len(own), self._blocks[block][start : start + size], self.threshold):
                return int(document)
        self._search.outcome[2] += self._search.outcome[1]
        return -1

    def _spans(self, batch: Signatures, rows: slice) -> NDArray[np.int64]:
        """Where the shingles of texts of the last block are: block, start."""
        starts = batch.starts[rows]
        return np.stack([np.full(len(starts), len(self._blocks) - 1), starts], axis=1)

    def _settle(self, first: int) -> None:
        """Let go of the shingles in memory that belong to no document kept from `first` on."""
        hashes = self._blocks[-1]
        if first == self._count:
            self._blocks.pop()
        elif isinstance(hashes, np.ndarray):
            sizes = self._buckets.sizes[first : self._count]
            starts = self._places[first : self._count, 1]
            spans = [hashes[one : one + size] for one, size in zip(starts.tolist(), sizes.tolist(), strict=True)]
            self._blocks[-1] = np.concatenate(spans)
            starts[:] = np.cumsum(sizes, dtype=np.int64) - sizes

    def _make_room(self, more: int) -> None:
        wanted, buckets = self._count + more, self._buckets
        room = len(buckets.sizes)
        if wanted > room:
            room = max(wanted, room + room // 8)
            # In place: a copy would need the memory twice.
            for array in (buckets.next, buckets.keys, buckets.sizes, self._places):
                array.resize((room, *array.shape[1:]), refcheck=False)
        slots = buckets.heads.shape[1]
        if room > 2 * slots:
            while room > 2 * slots:
                slots *= 2
            bands = len(buckets.heads)
            self._buckets = buckets = buckets._replace(heads=np.empty((bands, 0), np.int32))
            self._buckets = buckets._replace(heads=np.full((bands, slots), -1, np.int32))
            link(self._buckets, 0, self._count)


def _no_buckets(bands: int) -> Buckets:
    return Buckets(
        np.full((bands, 1024), -1, np.int32),
        np.empty((0, bands), np.int32),
        np.empty((0, bands), np.uint32),
        np.empty(0, np.int32),
    )


def near_duplicates(
    texts: pa.Array | pa.ChunkedArray, *, threshold: float, seed: int = 0
) -> tuple[NDArray[np.int64], tuple[str, ...]]:
    """For each text the row of the one that is kept for it (its own row, where it is kept), and notes for a ledger.

    For texts that fit into memory; their shingles, about 1.3 times the size of the texts, are held there too.

    >>> rows, notes = near_duplicates(pa.array(["cat", "dog", "Cat.", "..."]), threshold=0.8)
    >>> rows.tolist(), notes
    ([0, 1, 0, 3], ())
    """
    index = NearIndex(threshold, seed)
    targets = [index.add(part) for part in signed_parts(texts, threshold=threshold, seed=seed)]
    rows = np.concatenate([np.empty(0, np.int64), *targets])
    kept = np.flatnonzero(rows < 0)
    rows[kept] = np.arange(len(kept))
    return kept[rows], index.notes()
