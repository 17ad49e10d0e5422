"""Rows that ask what is measured are found by their normalised text, and counted."""

import warnings
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pyrite.core import Collection, Corpus, DataError, Document, Qrels, Queries, Query
from pyrite.formats import DataWarning
from pyrite.pipelines.students_overlap import kept_rows, overlap_with
from pyrite.training import TrainingRows, training_rows

COLLECTION = Collection(
    "minerals",
    "en",
    Corpus.of([Document("d1", "Pyrite shines."), Document("d2", "Talc is soft."), Document("d3", "Coal is black.")]),
    Queries.of([Query("q1", "What shines?"), Query("q2", "what burns?")]),
    Qrels.of({"q1": {"d1": 1, "d3": 0}, "q2": {"d2": 2, "gone": 1}}),
)


def rows(folder: Path, *pairs: tuple[str, str]) -> TrainingRows:
    (folder / "pairs").mkdir(exist_ok=True)
    queries, positives = zip(*pairs, strict=True)
    pq.write_table(pa.table({"query": queries, "positive": positives}), folder / "pairs" / "train.parquet")
    return training_rows(folder, "pairs")


def test_a_query_in_other_letters_and_spaces_is_the_same_query(tmp_path: Path) -> None:
    mined = rows(tmp_path, ("who?", "a"), ("what  SHINES?", "b"), ("ｗｈａｔ burns?", "c"), ("what shine?", "d"))
    overlap = overlap_with(COLLECTION, mined, refuse=False)
    assert (overlap.leaks.tolist(), overlap.rows, overlap.dropped) == ([False, True, True, False], 4, 2)
    kept = pa.Table.from_batches(kept_rows(mined, overlap), mined.schema)
    assert kept.to_pylist() == [{"query": "who?", "positive": "a"}, {"query": "what shine?", "positive": "d"}]
    with pytest.raises(DataError, match="2 of 4 rows of 'pairs' have a query of minerals"):
        overlap_with(COLLECTION, mined, refuse=True)


def test_only_relevant_documents_count_among_the_positives(tmp_path: Path) -> None:
    mined = rows(tmp_path, ("a?", "PYRITE shines."), ("b?", "Talc is soft."), ("c?", "Coal is black."))
    with pytest.warns(DataWarning, match="the positives of 2 of 3 rows"):
        assert overlap_with(COLLECTION, mined, refuse=True).positives == 2


def test_rows_of_their_own_are_all_kept(tmp_path: Path) -> None:
    mined = rows(tmp_path, ("a?", "b"), ("c?", "d"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        overlap = overlap_with(COLLECTION, mined, refuse=True)
    assert (overlap.dropped, overlap.positives) == (0, 0)
    assert sum(len(batch) for batch in kept_rows(mined, overlap)) == 2
