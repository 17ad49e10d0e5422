"""What would spoil a training run is found before anyone publishes it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pyrite.formats import write_parquet
from pyrite.publishing import check_folder, verify_folder
from pyrite.publishing.parts import Part
from pyrite.publishing.training_check import is_training


def change(folder: Path, config: str, edit: Callable[[list[dict[str, Any]]], None]) -> None:
    """Edit the rows of a config in place."""
    path = folder / config / "train.parquet"
    schema = pq.read_schema(path)
    rows = pq.read_table(path).to_pylist()
    edit(rows)
    write_parquet(path, pa.Table.from_pylist(rows, schema=schema))


def told(folder: Path) -> str:
    return "\n".join(str(offence) for offence in check_folder(folder))


def test_a_built_folder_can_be_published_and_is_what_was_built(mined_folder: Path) -> None:
    assert check_folder(mined_folder) == []
    assert verify_folder(mined_folder) == []


@pytest.mark.parametrize(
    ("config", "column", "value", "offence"),
    [
        ("n-tuples", "negative_2", " PYRITE  shines. ", "row 0: has its positive, or a copy of it, as negative_2"),
        ("n-tuples", "negative_2", "Coal is black.", "row 0: has a negative twice"),
        ("n-tuples", "negative_1", "", "row 0: has an empty negative_1"),
        ("n-tuples", "query", " ", "row 0: has an empty query"),
        ("n-tuples", "label", [1.0], "row 0: has no 3 logits"),
        ("n-tuples", "label", [8.0, float("nan"), 1.0], "row 0: has a logit that is no finite number"),
        ("triplets", "negative", "Ice is cold.", "triplets/train.parquet: row 0: is not the row of n-tuples"),
        ("pairs", "positive", None, "pairs/train.parquet: row 0: has an empty positive"),
        (
            "n-tuples-filtered",
            "label",
            [7.0, 3.0, 1.0],
            "n-tuples-filtered/train.parquet: row 0: is not its row of n-tuples",
        ),
        ("provenance", "negative-ids", ["p1", "n3"], "row 0: has its positive as a negative"),
        ("provenance", "filtered_row", None, "has rows that no row of provenance names"),
        ("provenance", "quality_score", -9.0, "is better than the row before it"),
    ],
)
def test_a_row_that_is_wrong_is_named(mined_folder: Path, config: str, column: str, value: Any, offence: str) -> None:
    change(mined_folder, config, lambda rows: rows[0].update({column: value}))
    assert offence in told(mined_folder)


def test_a_row_that_is_gone_is_told(mined_folder: Path) -> None:
    change(mined_folder, "triplets", lambda rows: rows.pop())
    found = told(mined_folder)
    assert "has 4 rows, and there are 3 triplets and 4 rows of provenance" in found
    assert "counts.triplets is 4, the files hold 3" in found.replace(": ", " ")


def test_labels_and_texts_of_another_type_are_told(mined_folder: Path) -> None:
    path = mined_folder / "n-tuples" / "train.parquet"
    table = pq.read_table(path)
    texts = pa.array([str(label) for label in table["label"].to_pylist()])
    write_parquet(path, table.set_column(4, "label", texts))
    assert "column 'label': is string, and labels are lists of float32" in told(mined_folder)
    write_parquet(path, table.drop_columns(["negative_1"]))
    assert "column 'negative_1': is missing" in told(mined_folder)


def test_many_rows_of_one_kind_are_counted(mined_folder: Path) -> None:
    def many(rows: list[dict[str, Any]]) -> None:
        rows[0]["positive"] = ""
        rows.extend(dict(rows[0]) for _ in range(30))

    change(mined_folder, "pairs", many)
    assert "11 more: has an empty positive" in told(mined_folder)


def test_only_the_tables_of_a_mined_set_are_held_against_these_rules() -> None:
    assert is_training([Part("n-tuples", "train", ("n-tuples/train.parquet",))])
    assert not is_training([Part("corpus", "corpus", ("corpus/corpus.parquet",))])
