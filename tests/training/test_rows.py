"""Rows are checked before a model is loaded, and the one that is wrong is named."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pyrite.core import DataError
from pyrite.training import training_rows
from pyrite.training.rows import write_batches

Write = Callable[..., Path]
NAN = float("nan")
GOOD = [5.0, 0.0, -1.0, -2.0]


def table(folder: Path, objective: str = "n-tuples") -> pa.Table:
    rows = training_rows(folder, objective)  # type: ignore[arg-type]
    return pa.Table.from_batches(rows.batches(), rows.schema)


def test_rows_come_as_they_are_published(write_set: Write) -> None:
    folder = write_set()
    assert table(folder, "pairs").equals(pq.read_table(folder / "pairs" / "train.parquet"))
    assert table(folder).to_pylist() == pq.read_table(folder / "n-tuples" / "train.parquet").to_pylist()
    assert training_rows(folder, "n-tuples").documents == ("positive", "negative_1", "negative_2", "negative_3")


def test_short_rows_have_their_positive_and_nan_where_they_have_no_negative(write_set: Write) -> None:
    folder = write_set(short=[("what glitters", "fool gold", ["iron"], [6.0, 1.0])])
    assert len(table(folder)) == 13
    last = table(folder).to_pylist()[-1]
    assert list(last.values())[:5] == ["what glitters", "fool gold", "iron", "fool gold", "fool gold"]
    np.testing.assert_array_equal(last["label"], [6.0, 1.0, NAN, NAN])


@pytest.mark.parametrize(
    ("labels", "told"),
    [
        ([GOOD] * 11 + [[5.0, 0.0, -1.0]], "row 11: has 3 logits for 4 documents"),
        ([GOOD] * 3 + [None] + [GOOD] * 8, "row 3: has 0 logits"),
        ([GOOD] * 7 + [[5.0, NAN, -1.0, 0.0]] + [GOOD] * 4, "row 7: has the logit nan"),
        ([GOOD] * 2 + [[5.0, float("-inf"), -1.0, 0.0]] + [GOOD] * 9, "row 2: has the logit -inf"),
        ([[5.0, None, -1.0, 0.0]] + [GOOD] * 11, "row 0: has the logit nan"),
        ([[0.99, 0.5, 0.1, 0.0]] * 12, r"all labels lie within \[-1, 1\], as after a sigmoid"),
        (pa.array([1.0] * 12), "column 'label' is double, no list of logits"),
        (pa.array([["5"]] * 12), r"column 'label' is list<.*string>, no list of logits"),
    ],
)
def test_a_label_column_that_teaches_nothing_is_refused(write_set: Write, labels: object, told: str) -> None:
    with pytest.raises(DataError, match=told):
        table(write_set(labels=labels))


def test_squashed_labels_are_taken_where_the_set_was_built_with_them(write_set: Write) -> None:
    rows = training_rows(write_set(labels=[[0.9, 0.5, 0.1, 0.0]] * 12), "n-tuples", allow_squashed=True)
    assert sum(len(batch) for batch in rows.batches()) == 12


def test_a_row_without_a_text_is_named(write_set: Write) -> None:
    asked = [f"question {number}" for number in range(12)]
    with pytest.raises(DataError, match=r"train.parquet, row 4: has no text in 'query'"):
        table(write_set(queries=[*asked[:4], " \u3000", *asked[5:]]), "pairs")
    with pytest.raises(DataError, match="row 9: has no text in 'query'"):
        table(write_set(queries=[*asked[:9], None, *asked[10:]]))
    folder = write_set(short=[("q", "p", ["a", "b"], [6.0, 1.0, 0.0]), ("q", "p", ["a", ""], [6.0, 1.0, 0.0])])
    with pytest.raises(DataError, match="row 1: has no text in 'negatives'"):
        table(folder)


def test_short_rows_have_a_negative_and_no_more_than_there_are_columns(write_set: Write) -> None:
    for negatives in ([], ["a", "b", "c", "d"]):
        folder = write_set(short=[("q", "p", negatives, [6.0, *([0.0] * len(negatives))])])
        with pytest.raises(DataError, match=f"row 0: has {len(negatives)} negatives"):
            table(folder)


def test_a_folder_without_the_table_or_its_columns_is_refused(write_set: Write, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="has no table 'n-tuples-filtered'; name the folder of a mined set"):
        training_rows(write_set(), "n-tuples-filtered")
    path = write_set() / "n-tuples" / "train.parquet"
    pq.write_table(pq.read_table(path).drop_columns(["label"]), path)
    with pytest.raises(DataError, match="has no column 'label'"):
        training_rows(path.parents[1], "n-tuples")
    path.write_bytes(b"PAR1")
    with pytest.raises(DataError, match="is not a whole Parquet file"):
        training_rows(path.parents[1], "n-tuples")


def test_rows_written_as_one_arrow_file_are_the_same_rows(write_set: Write, tmp_path: Path) -> None:
    import datasets

    rows = training_rows(write_set(), "n-tuples")
    assert write_batches(rows.batches(), rows.schema, tmp_path / "rows.arrow") == 12
    read = datasets.Dataset.from_file(str(tmp_path / "rows.arrow"))
    assert read[:] == pa.Table.from_batches(rows.batches()).to_pydict()
