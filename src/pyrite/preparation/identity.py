"""When two texts are the same, as 16-byte digests: memory grows with digests, never with text."""

from __future__ import annotations

import unicodedata
from itertools import pairwise
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import xxhash
from numpy.typing import NDArray

Identical = Literal["exact", "normalised"]


def normalise(text: str) -> str:
    r"""NFKC, then case-folded, then white space collapsed and stripped.

    >>> normalise("  Fool\u2019s\u00a0 GOLD ﬁne ") == "fool\u2019s gold fine"
    True
    """
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def blank(texts: pa.Array) -> NDArray[np.bool_]:
    r"""True for each text that is missing, empty or only white space.

    >>> blank(pa.array([None, "", " \u3000", "a"], pa.large_string())).tolist()
    [True, True, True, False]
    """
    stripped = pc.fill_null(pc.utf8_trim_whitespace(texts), "")
    return np.asarray(pc.equal(stripped, "").to_numpy(zero_copy_only=False), dtype=np.bool_)


def digests(texts: pa.Array, identical: Identical = "exact") -> NDArray[np.uint64]:
    """One 128-bit digest a text, uint64 of shape (texts, 2); equal texts have equal digests.

    `exact` compares the bytes, `normalised` what `normalise` gives. A missing text counts as an empty one.
    The hash is xxh3_128: texts that nobody made collide on purpose do not collide in practice.

    >>> both = pa.array(["Gold", "gold "], pa.large_string())
    >>> bool((digests(both)[0] == digests(both)[1]).all()), bool((digests(both, "normalised")[:1] == digests(both,
    ... "normalised")[1:]).all())
    (False, True)
    """
    if identical == "normalised":
        texts = pa.array([normalise(text or "") for text in texts.to_pylist()], pa.large_string())
    texts = texts.cast(pa.large_string())
    digest = xxhash.xxh3_128_digest
    if not len(texts):
        return np.empty((0, 2), dtype=np.uint64)
    _, offsets_buffer, data = texts.buffers()
    offsets = np.frombuffer(offsets_buffer, np.int64)[texts.offset : texts.offset + len(texts) + 1].tolist()
    view = memoryview(data) if data is not None else memoryview(b"")
    joined = b"".join([digest(view[start:stop]) for start, stop in pairwise(offsets)])
    return np.frombuffer(joined, dtype=np.uint64).reshape(-1, 2)


def digest_numbers(column: pa.FixedSizeBinaryArray) -> NDArray[np.uint64]:
    r"""The digests of a column of 16 bytes a row, shape (rows, 2), as `digests` gives them; 0 where there is none.

    >>> digest_numbers(pa.array([b"\x01" + bytes(15), None], pa.binary(16))).tolist()
    [[1, 0], [0, 0]]
    """
    # The column's own bytes: as Python objects the digests of millions of rows are gigabytes.
    filled = column.fill_null(pa.scalar(bytes(16), pa.binary(16))) if column.null_count else column
    if not len(filled):
        return np.empty((0, 2), dtype=np.uint64)
    return np.frombuffer(filled.buffers()[1], np.uint64, 2 * len(filled), 16 * filled.offset).reshape(-1, 2)
