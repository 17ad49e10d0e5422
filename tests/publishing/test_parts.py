"""Which tables a folder has, in which files."""

from pathlib import Path

import pyarrow as pa
import pytest

from pyrite.core import DataError
from pyrite.formats import write_parquet
from pyrite.publishing.parts import Part, batches, benchmark_parts, data_tables, read_frame, row_count


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    names = ("corpus/corpus-00000-of-00002", "corpus/corpus-00001-of-00002", "qrels/dev", "qrels/test")
    for place, name in enumerate(names):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        write_parquet(tmp_path / f"{name}.parquet", pa.table({"_id": [str(place), f"0{place}"]}))
    return tmp_path


def test_a_table_cut_into_files_is_one_part_and_each_split_of_the_qrels_is_one(folder: Path) -> None:
    corpus = ("corpus/corpus-00000-of-00002.parquet", "corpus/corpus-00001-of-00002.parquet")
    assert benchmark_parts(folder) == [
        Part("corpus", "corpus", corpus),
        Part("qrels", "dev", ("qrels/dev.parquet",)),
        Part("qrels", "test", ("qrels/test.parquet",)),
    ]
    assert data_tables(folder)["corpus/corpus"] == list(corpus)


def test_the_rows_of_all_files_come_in_order(folder: Path) -> None:
    files = benchmark_parts(folder)[0].files
    assert read_frame(folder, files, ["_id"])["_id"].to_list() == ["0", "00", "1", "01"]
    assert [row for batch in batches(folder, files) for row in batch.column(0).to_pylist()] == ["0", "00", "1", "01"]
    assert row_count(folder, files) == 4


def test_provenance_results_and_hidden_files_are_no_data(folder: Path) -> None:
    for name in ("provenance/leaks", "results/per_query", ".cache/corpus"):
        (folder / name).parent.mkdir()
        write_parquet(folder / f"{name}.parquet", pa.table({"x": [1]}))
    assert list(data_tables(folder)) == ["corpus/corpus", "qrels/dev", "qrels/test"]


def test_a_broken_file_is_an_error_that_names_it(folder: Path) -> None:
    path = folder / "qrels" / "dev.parquet"
    path.write_bytes(path.read_bytes()[:-8])
    with pytest.raises(DataError, match=r"qrels/dev\.parquet: is not a whole Parquet file"):
        read_frame(folder, ["qrels/dev.parquet"], ["_id"])
