"""Texts in blocks: cut by what they say, so that a change is one of its own block; and a system of any kind."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pyrite.engine import Engine
from pyrite.pipelines import encoding
from pyrite.pipelines.encoding import TextFile, blocks, encoded_for
from pyrite.retrieval import BM25, Fusion, NeuralRetriever, NeuralSystem


def test_a_text_more_at_the_front_leaves_the_blocks_behind_it_what_they_are() -> None:
    texts = [f"text {row}" for row in range(50_000)]

    def cut(texts: list[str], chunk: int) -> list[tuple[list[int], str]]:
        parts = [pa.array(texts[at : at + chunk], pa.large_string()) for at in range(0, len(texts), chunk)]
        column = pa.chunked_array(parts, pa.large_string())
        return [(rows.tolist(), digest) for rows, digest in blocks(column, np.arange(len(texts)), 8192)]

    whole = cut(texts, 50_000)
    assert cut(texts, 999) == whole
    assert [row for rows, _ in whole for row in rows] == list(range(50_000))
    assert max(len(rows) for rows, _ in whole) <= 8192
    assert len(whole) > 8
    more = {digest for *_, digest in cut(["one more", *texts], 50_000)}
    assert len({digest for *_, digest in whole} - more) <= 2
    assert cut([], 1) == []


def read(path: Path) -> pa.ChunkedArray:
    return pq.read_table(path)["text"].cast(pa.large_string())


def test_every_model_is_encoded_for_once_and_a_system_without_one_stays_as_it_is(
    make_model: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(encoding, "BLOCK", 2)
    for name, texts in (("a", ["gold", "iron", "gold"]), ("b", ["zinc"]), ("q", ["which is soft?", "which is hard?"])):
        pq.write_table(pa.table({"text": texts}), tmp_path / f"{name}.parquet")
    asked = TextFile(tmp_path / "q.parquet", read, np.array([1]))
    given = {"document": [TextFile(tmp_path / f"{name}.parquet", read) for name in "ab"], "query": [asked]}
    dense = NeuralRetriever(NeuralSystem("dense", str(make_model("dense"))))
    with Engine(tmp_path / "work") as engine:
        bm25 = BM25("en")
        assert encoded_for(bm25, given, engine) == (bm25, [])
        assert not engine.counts
        made, found = encoded_for(Fusion((bm25, dense, dense)), given, engine)
    first, second = made.members[1:]
    assert isinstance(first, NeuralRetriever)
    assert first == second != dense
    documents, queries = ([pa.ipc.open_file(path).read_all() for path in first.finished[role]] for role in given)
    # One text a block: with two at most, each digest is a multiple of one.
    assert [len(table) for table in documents] == [1, 1, 1, 1]
    assert documents[0].equals(documents[2])
    assert [len(table) for table in queries] == [1]
    assert len(found) == 5
    assert engine.counts["encode"].done_now == 4
