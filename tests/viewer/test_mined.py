"""Mined sets: their orders, one row with where each document came from."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from pyrite.core import DataError
from pyrite.formats import Manifest, write_manifest, write_parquet
from pyrite.viewer.mined import MinedSet, open_mined


def test_rows_near_the_margin_of_the_recipe_come_first(mined: Path) -> None:
    (found,) = open_mined(mined)
    assert found.margins.tolist() == [4.5, 1.0, 8.0]
    assert found.order("near").tolist() == [0, 1, 2]
    assert found.order("lowest").tolist() == [1, 0, 2]
    assert found.order("row").tolist() == [0, 1, 2]


def test_a_relative_margin_is_asked_too(mined: Path) -> None:
    (found,) = open_mined(mined)
    found.select = {"absolute_margin": 4.0, "relative_margin": 0.8}
    assert found.needed(np.array([1.0, -10.0, 9.0])).tolist() == pytest.approx([4.0, 8.0, 7.2])


def test_a_row_has_its_documents_with_margins_shares_and_origins(mined: Path) -> None:
    row = MinedSet(mined).row(1)
    positive, first, second = row.documents
    assert (row.query_id, row.margin, row.verdict, row.quality) == ("q2", 1.0, "valid", 1.9)
    assert (positive.doc_id, positive.text, positive.logit, positive.margin) == ("d3", "Galena.", 5.0, None)
    assert (second.chosen, second.retriever, second.rank, second.score) == ("top-up", "bm25:en", 1, 4.0)
    assert (first.margin, second.margin) == (5.0, 1.0)
    shares = np.exp(np.array([5.0, 0.0, 4.0]) / 2)
    assert [one.share for one in row.documents] == pytest.approx((shares / shares.sum()).tolist())


def test_rows_are_searched_by_their_query_in_the_order_that_is_shown(mined: Path) -> None:
    (found,) = open_mined(mined)
    assert found.search("what is", "lowest").tolist() == [0, 2]
    assert found.search("", "lowest").tolist() == [1, 0, 2]
    assert found.queries(np.array([2, 0])) == ["What is salt?", "What is fool's gold?"]


def test_a_set_of_other_tools_needs_no_provenance_and_no_recipe(tmp_path: Path) -> None:
    (tmp_path / "n-tuples").mkdir()
    rows = {"query": ["q"], "positive": ["p"], "negative_1": ["n"], "label": [[2.0, 1.0]]}
    write_parquet(tmp_path / "n-tuples/train.parquet", pa.table(rows))
    (found,) = open_mined(tmp_path)
    assert [(one.doc_id, one.chosen) for one in found.row(0).documents] == [("", ""), ("", "")]
    assert found.needed(np.array([2.0])).tolist() == [0.0]


def test_a_manifest_that_tells_nonsense_is_no_fault(mined: Path) -> None:
    recipe = {"select": {"absolute_margin": "wide"}, "teacher": ["judge"]}
    write_manifest(mined / "manifest.json", Manifest(kind="training", name="minerals-mined", recipe=recipe))
    (found,) = open_mined(mined)
    assert (found.select, found.teacher, found.needed(found.positives).tolist()) == ({}, "", [0.0, 0.0, 0.0])


def test_short_rows_are_a_set_of_their_own(mined: Path) -> None:
    (mined / "n-tuples-short").mkdir()
    rows = {"query": ["a", "b"], "positive": ["p", "p"], "negatives": [["n"], ["n", "m"]], "label": [[3, 1], [3, 2, 1]]}
    write_parquet(mined / "n-tuples-short/train.parquet", pa.table(rows))
    full, short = open_mined(mined)
    assert (full.config, short.config) == ("n-tuples", "n-tuples-short")
    assert short.margins.tolist() == [2.0, 1.0]
    assert [one.text for one in short.row(1).documents] == ["p", "n", "m"]


def test_what_does_not_fit_together_is_one_sentence(mined: Path) -> None:
    told = mined / "provenance/train.parquet"
    held = pa.parquet.read_table(told)
    write_parquet(told, held.slice(0, 2))
    with pytest.raises(DataError, match="has other rows than n-tuples"):
        open_mined(mined)
    told.unlink()
    rows = {"query": ["q"], "positive": ["p"], "negative_1": ["n"], "label": [[2.0]]}
    write_parquet(mined / "n-tuples/train.parquet", pa.table(rows))
    with pytest.raises(DataError, match="without a negative's logit"):
        _ = open_mined(mined)[0].margins
