"""A folder against the digests in its manifest."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from pyrite.core import DataError
from pyrite.publishing import verify_folder, write_card


def told(folder: Path) -> list[str]:
    return [str(offence) for offence in verify_folder(folder)]


def test_a_built_folder_is_what_was_built(published: Path) -> None:
    assert verify_folder(published) == []


def test_a_card_edited_by_hand_is_no_change_of_the_dataset(published: Path) -> None:
    with (published / "README.md").open("a") as file:
        file.write("\nby hand\n")
    write_card(published)
    assert verify_folder(published) == []


def test_missing_changed_and_extra_files_are_told_one_by_one(published: Path) -> None:
    (published / "queries" / "queries.parquet").unlink()
    (published / "recipe.toml").write_text('kind = "benchmark"\nname = "toy-mineralx"\n', encoding="utf-8")
    (published / "notes.txt").write_text("mine", encoding="utf-8")
    (published / ".git").mkdir()
    (published / ".git" / "config").write_text("", encoding="utf-8")
    lines = told(published)
    assert lines[:3] == [
        "queries/queries.parquet: is missing",
        "recipe.toml: is changed: same size, other bytes than the manifest's sha256",
        "notes.txt: is not in the manifest",
    ]
    assert len(lines) == 4
    assert lines[3].startswith("manifest.json: content.digest: is ")


def test_an_edited_row_is_told(published: Path, put_rows: Callable[[Path, list[dict[str, Any]]], None]) -> None:
    path = published / "qrels" / "test.parquet"
    put_rows(path, [{**row, "score": 2} for row in pq.read_table(path).to_pylist()])
    lines = told(published)
    assert lines[0].startswith("qrels/test.parquet: is changed")
    assert lines[1].startswith("manifest.json: content.digest: is ")


def test_a_file_written_anew_with_the_same_rows_is_told_as_that(published: Path) -> None:
    path = published / "corpus" / "corpus.parquet"
    pq.write_table(pq.read_table(path), path, compression="none")
    assert told(published)[1] == (
        "manifest.json: content.digest: still holds: files differ, the dataset in them does not"
    )


def test_a_truncated_file_is_told(published: Path) -> None:
    path = published / "corpus" / "corpus.parquet"
    path.write_bytes(path.read_bytes()[:-10])
    assert [line.split(":")[0] for line in told(published)] == ["corpus/corpus.parquet"]


def test_a_folder_without_a_manifest_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"manifest\.json: there is no such file"):
        verify_folder(tmp_path)
