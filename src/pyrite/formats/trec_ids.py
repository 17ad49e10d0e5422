"""Ids in TREC files, whose columns are separated by white space: one that holds white space is percent-encoded.

An encoded id is announced by its own row, in the second column, which trec_eval and its kin pass over: "%q" after the
usual "Q0" or "0" says that the query id is encoded, "%d" the document id, "%qd" both. A row without the mark is taken
as it stands, so that an id like "100%25" of somebody else's file is never decoded. Whether an id is encoded depends on
the id alone: it is spelled the same in a run and in qrels, and trec_eval finds that they agree.
"""

from __future__ import annotations

import re
from urllib.parse import unquote

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from pyrite.core import DataError

# \s has every separator of Unicode: trec_eval splits at ASCII's, Python's readers at all of them.
_UNFIT = re.compile(r"[\s\x00-\x1f\x7f]")
_ENCODED = re.compile(r"[\s\x00-\x1f\x7f%]")
_MARKS = {"%q": (True, False), "%d": (False, True), "%qd": (True, True)}


def encode_ids(ids: pa.Array, *, where: str) -> tuple[pa.Array, pa.Array]:
    """Ids fit for a TREC file, and which of them had to be encoded.

    DataError in the odd case that an encoded id is spelled like another one.

    >>> encoded, changed = encode_ids(pa.array(["d1", "Ann Lee", "50%"]), where="run.trec")
    >>> encoded.to_pylist(), changed.to_pylist()
    (['d1', 'Ann%20Lee', '50%'], [False, True, False])
    """
    distinct = ids.cast(pa.large_string()).dictionary_encode()
    plain = distinct.dictionary.to_pylist()
    unfit = [_UNFIT.search(one) is not None for one in plain]
    fit = [_encode(one) if odd else one for one, odd in zip(plain, unfit, strict=True)]
    if len(set(fit)) != len(fit):
        twice = next(one for one in fit if fit.count(one) > 1)
        raise DataError(
            f"two ids are both spelled '{twice}' once white space is encoded", where=where, fix="rename one"
        )
    return (
        pa.array(fit, pa.large_string()).take(distinct.indices),
        pa.array(unfit, pa.bool_()).take(distinct.indices),
    )


def _encode(one: str) -> str:
    return _ENCODED.sub(lambda match: "".join(f"%{byte:02X}" for byte in match[0].encode()), one)


def marked(second: str, queries: pa.Array, docs: pa.Array) -> pa.Array:
    """The second column of every row: `second`, and the mark of what is encoded in it."""
    mark = pc.if_else(queries, pc.if_else(docs, "%qd", "%q"), pc.if_else(docs, "%d", ""))
    return pc.binary_join_element_wise(pa.scalar(second), mark, "")


def decode_ids(queries: pa.Array, docs: pa.Array, second: pa.Array) -> tuple[pa.Array, pa.Array]:
    """Query and document ids as they were before `encode_ids`; unmarked rows are left alone.

    >>> ids = pa.array(["Ann%20Lee", "100%25"], pa.large_string())
    >>> decode_ids(ids, ids, pa.array(["Q0%d", "Q0"]))[1].to_pylist()
    ['Ann Lee', '100%25']
    """
    if not pc.any(pc.match_substring(second, "%")).as_py():
        return queries, docs
    marks = [_MARKS.get("%" + one.partition("%")[2], (False, False)) for one in second.to_pylist()]
    flags = np.array(marks, dtype=np.bool_)
    return _decode(queries, flags[:, 0]), _decode(docs, flags[:, 1])


def _decode(ids: pa.Array, encoded: NDArray[np.bool_]) -> pa.Array:
    plain = [unquote(one) if odd else one for one, odd in zip(ids.to_pylist(), encoded.tolist(), strict=True)]
    return pa.array(plain, pa.large_string())
