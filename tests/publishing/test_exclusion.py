"""The command on the card, as it can be typed."""

import shlex

import pytest

from pyrite.publishing.exclusion import exclude_line


def line(table, train, dedup=None):
    return exclude_line({"source": {"train": table}, "dedup": dedup or {}}, {"train": train}, "org/toy")


def test_a_table_is_named_with_its_config_split_and_column():
    told = line({"columns": {"passage": "positive"}}, {"path": "org/rows", "config": "en", "split": "train"})
    assert told == (
        "pyrite exclude org/rows --config en --split train --column passage=positive --against org/toy "
        "--out clean.parquet"
    )


@pytest.mark.parametrize(
    ("table", "path", "out"),
    [
        ({}, "rows.jsonl", "clean.jsonl"),
        ({"format": "csv"}, "rows.txt", "clean.csv"),
        ({}, "rows.jsonl.gz", "clean.parquet"),
        ({}, "org/rows.v2", "clean.parquet"),
    ],
)
def test_the_output_is_of_the_table_s_format(table, path, out):
    assert line(table, {"path": path}).endswith(f"--out {out}")


def test_near_duplicates_are_left_out_where_the_build_merged_them():
    assert "--near 0.8 " in line({}, {"path": "rows.jsonl"}, {"identical": "exact", "near": 0.8})


def test_names_with_spaces_and_signs_are_one_word_of_a_shell():
    told = line({"columns": {"passage": "my text"}}, {"path": "/home/me/my rows.jsonl", "split": "a;b"})
    assert shlex.split(told)[2:7] == ["my rows.jsonl", "--split", "a;b", "--column", "passage=my text"]
    assert "/home/me" not in told


def test_a_benchmark_without_training_table_names_any():
    told = exclude_line({"source": {"train": None}, "dedup": {}}, {"eval": {"path": "e"}}, "toy")
    assert told == "pyrite exclude TRAIN --column passage=TEXT --against toy --out clean.parquet"
