"""An index in a folder: one NumPy file an array, and what they are in `index.json`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pyrite.core import DataError
from pyrite.engine import atomic_folder
from pyrite.retrieval.bm25.build import Built
from pyrite.retrieval.bm25.index import BM25Index
from pyrite.retrieval.bm25.postings import Postings
from pyrite.retrieval.bm25.retriever import BM25
from pyrite.retrieval.bm25.terms import Terms

_SCHEMA = 1
_DTYPES: dict[str, type[np.generic]] = {
    "bounds": np.int64,
    "documents": np.int32,
    "scores": np.float32,
    "highest": np.float32,
    "terms": np.uint8,
    "term_bounds": np.int64,
    "ids": np.uint8,
    "id_bounds": np.int64,
}


def save(index: BM25Index, folder: Path) -> None:
    """Write the index; see `BM25Index.save`."""
    ids = Terms.of(index.doc_ids.to_pylist())
    arrays = {
        **index.built.postings._asdict(),
        "terms": index.built.terms.text,
        "term_bounds": index.built.terms.bounds,
        "ids": ids.text,
        "id_bounds": ids.bounds,
    }
    facts = {
        "schema": _SCHEMA,
        **index.retriever.settings(),
        "average_length": index.built.average,
        "sizes": {name: len(array) for name, array in arrays.items()},
    }
    with atomic_folder(folder) as out:
        for name, array in arrays.items():
            np.save(out / f"{name}.npy", array, allow_pickle=False)
        (out / "index.json").write_text(json.dumps(facts, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def load(folder: Path, *, memory_map: bool) -> BM25Index:
    """Read an index; see `BM25Index.load`."""
    facts = _facts(folder)
    arrays = {name: _array(folder, name, facts, memory_map=memory_map) for name in _DTYPES}
    retriever = BM25(facts["analyzer"], variant=facts["variant"], k1=facts["k1"], b=facts["b"])
    if retriever.resolved.fingerprint != facts["fingerprint"]:
        now, then = retriever.resolved.versions, facts["versions"]
        changed = ", ".join(f"{name} {then.get(name)}, now {now.get(name)}" for name in sorted({**then, **now}))
        raise DataError(f"the index was made with {changed}", where=str(folder), fix="index the corpus again")
    id_bounds, ids = arrays["id_bounds"], arrays["ids"]
    doc_ids = pa.LargeStringArray.from_buffers(len(id_bounds) - 1, pa.py_buffer(id_bounds), pa.py_buffer(ids))
    postings = Postings(arrays["bounds"], arrays["documents"], arrays["scores"], arrays["highest"])
    terms = Terms(arrays["terms"], arrays["term_bounds"])
    return BM25Index(retriever, Built(postings, terms, facts["average_length"]), pa.chunked_array([doc_ids]))


def _facts(folder: Path) -> dict[str, Any]:
    try:
        facts: dict[str, Any] = json.loads((folder / "index.json").read_text(encoding="utf-8"))
        if facts["schema"] == _SCHEMA:
            return facts
    except (OSError, ValueError, KeyError, TypeError):
        raise DataError("this is not a BM25 index", where=str(folder), fix="give a folder that save has made") from None
    raise DataError(
        f"the index has schema {facts['schema']}, this Pyrite reads {_SCHEMA}",
        where=str(folder),
        fix="index the corpus again",
    )


def _array(folder: Path, name: str, facts: dict[str, Any], *, memory_map: bool) -> NDArray[Any]:
    path = folder / f"{name}.npy"
    try:
        array = np.load(path, mmap_mode="r" if memory_map else None, allow_pickle=False)
    except (OSError, ValueError, EOFError):
        array = None
    if array is None or array.dtype != _DTYPES[name] or array.shape != (facts["sizes"][name],):
        raise DataError("a part of the index is missing or damaged", where=str(path), fix="index the corpus again")
    # A plain array over the mapped memory, and never written to: one type for the compiled loops.
    plain: NDArray[Any] = np.asarray(array)
    plain.flags.writeable = False
    return plain
