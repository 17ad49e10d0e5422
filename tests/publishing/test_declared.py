"""What a card declares, in every form that `datasets` takes."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from pyrite.formats import write_parquet
from pyrite.publishing.declared import read_declared
from pyrite.publishing.parts import Part


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "data").mkdir()
    for name in ("a", "b"):
        write_parquet(tmp_path / "data" / f"{name}.parquet", pa.table({"x": ["1"]}))
    return tmp_path


@pytest.mark.parametrize(
    ("data_files", "parts"),
    [
        ("data/a.parquet", [("train", ["a"])]),
        (["data/a.parquet", "data/b.parquet"], [("train", ["a", "b"])]),
        ("data/*.parquet", [("train", ["a", "b"])]),
        ({"dev": "data/a.parquet", "test": ["data/b.parquet"]}, [("dev", ["a"]), ("test", ["b"])]),
        (
            [{"split": "dev", "path": "data/b.parquet"}, {"path": ["data/a.parquet"]}],
            [("dev", ["b"]), ("train", ["a"])],
        ),
    ],
)
def test_every_form_of_data_files_is_read(folder: Path, data_files: Any, parts: list[tuple[str, list[str]]]) -> None:
    front = {"configs": [{"config_name": "c", "default": True, "data_files": data_files}]}
    assert read_declared(folder, front).parts == tuple(
        Part("c", split, tuple(f"data/{name}.parquet" for name in names)) for split, names in parts
    )


def test_a_pattern_that_finds_nothing_is_told(folder: Path) -> None:
    front = {"configs": [{"config_name": "c", "default": True, "data_files": ["data/*.parquet", "more/*.parquet"]}]}
    assert [str(one) for one in read_declared(folder, front).offences] == [
        "README.md: config 'c', split 'train': there is no file more/*.parquet"
    ]


def test_a_config_twice_or_without_files_or_name_is_told(folder: Path) -> None:
    named = {"config_name": "c", "default": True, "data_files": "data/*.parquet"}
    front = {"configs": [named, {"config_name": "c"}, {"config_name": False, "data_files": "data/a.parquet"}]}
    assert [str(one) for one in read_declared(folder, front).offences] == [
        "README.md: config 'c': names no data_files",
        "README.md: configs: has an entry without a config_name that is text",
        "README.md: config 'c': is declared more than once",
    ]


def test_a_split_that_datasets_refuses_is_not_loadable(folder: Path) -> None:
    """O52."""
    files = [{"split": split, "path": "data/*.parquet"} for split in ("ja-dev", "ja_dev", "v1.1", "日本")]
    declared = read_declared(folder, {"configs": [{"config_name": "c", "default": True, "data_files": files}]})
    assert [part.split for part in declared.loadable()] == ["ja_dev", "v1.1", "日本"]


def test_the_counts_of_dataset_info_are_read_in_both_forms(folder: Path) -> None:
    """O53."""
    one = {"config_name": "c", "splits": [{"name": "train", "num_examples": 5}]}
    configs = [{"config_name": "c", "default": True, "data_files": "data/*.parquet"}]
    for info in (one, [one, {"config_name": "d"}]):
        assert read_declared(folder, {"configs": configs, "dataset_info": info}).counts == {("c", "train"): 5}
