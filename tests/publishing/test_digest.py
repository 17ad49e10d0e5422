"""The digest of a dataset is of its values, not of how files hold them."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pyrite.publishing import content_digest

TABLE = pa.table({"_id": ["p0", "p1", "p2"], "text": ["ab", "", "c\u00e9"], "score": [1, 0, 2]})


def written(folder: Path, table: pa.Table, **options: object) -> str:
    (folder / "corpus").mkdir(parents=True)
    pq.write_table(table, folder / "corpus" / "corpus.parquet", **options)
    return content_digest(folder)


def test_encoding_and_row_groups_make_no_difference(tmp_path: Path) -> None:
    plain = written(tmp_path / "a", TABLE)
    assert written(tmp_path / "b", TABLE, compression="zstd", row_group_size=1, use_dictionary=False) == plain
    large = TABLE.cast(pa.schema([("_id", pa.large_string()), ("text", pa.large_string()), ("score", pa.int64())]))
    assert written(tmp_path / "c", large) == plain


def test_a_dictionary_column_says_the_same(tmp_path: Path) -> None:
    encoded = TABLE.set_column(1, "text", TABLE["text"].dictionary_encode())
    assert written(tmp_path / "a", encoded) == written(tmp_path / "b", TABLE)


def test_a_table_cut_into_files_is_the_same_table(tmp_path: Path) -> None:
    whole = written(tmp_path / "a", TABLE)
    (tmp_path / "b" / "corpus").mkdir(parents=True)
    pq.write_table(TABLE.slice(0, 1), tmp_path / "b" / "corpus" / "corpus-00000-of-00002.parquet")
    pq.write_table(TABLE.slice(1), tmp_path / "b" / "corpus" / "corpus-00001-of-00002.parquet")
    assert content_digest(tmp_path / "b") == whole


@pytest.mark.parametrize(
    "other",
    [
        TABLE.set_column(1, "text", pa.array(["a", "b", "c\u00e9"])),
        TABLE.set_column(1, "text", pa.array(["ab", None, "c\u00e9"])),
        TABLE.set_column(2, "score", pa.array([1, 0, 3])),
        TABLE.set_column(2, "score", pa.array([1, 0, 2], pa.int32())),
        TABLE.rename_columns(["_id", "body", "score"]),
        TABLE.slice(0, 2),
        TABLE.take(pa.array([1, 0, 2])),
    ],
    ids=["moved border", "null", "grade", "type", "name", "fewer rows", "order"],
)
def test_every_value_counts(tmp_path: Path, other: pa.Table) -> None:
    assert written(tmp_path / "a", TABLE) != written(tmp_path / "b", other)


def test_lists_count_with_their_borders(tmp_path: Path) -> None:
    one = pa.table({"ids": pa.array([["a"], ["b", "c"]], pa.list_(pa.string()))})
    other = pa.table({"ids": pa.array([["a", "b"], ["c"]], pa.list_(pa.string()))})
    assert written(tmp_path / "a", one) != written(tmp_path / "b", other)
    assert written(tmp_path / "c", one, row_group_size=1) == written(tmp_path / "d", one)


def test_an_empty_table_has_its_columns(tmp_path: Path) -> None:
    assert written(tmp_path / "a", TABLE.slice(0, 0)) != written(tmp_path / "b", TABLE.select(["_id"]).slice(0, 0))


def test_what_goes_with_a_dataset_is_not_in_its_digest(toy: Path) -> None:
    before = content_digest(toy)
    (toy / "provenance" / "leaks.parquet").unlink()
    (toy / "recipe.toml").write_text("", encoding="utf-8")
    assert content_digest(toy) == before
