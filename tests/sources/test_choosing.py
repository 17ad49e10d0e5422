"""Which files are the table that is asked for."""

import pytest

from pyrite.core import DataError, RecipeError
from pyrite.sources.cards import CardConfig
from pyrite.sources.choosing import Asked, choose_files, glob_pattern

PUBLISHED = ["README.md", "corpus/corpus.parquet", "manifest.json", "qrels/test.parquet", "queries/queries.parquet"]
NANO = [f"{config}/{split}.parquet" for config in ("bm25", "corpus", "qrels", "queries") for split in ("en", "ja")]
CONVERTED = [f"{config}/{split}/000{n}.parquet" for config in ("a", "b") for split in ("test", "train") for n in (0, 1)]


def choose(names, config=None, split=None, configs=(), **more):
    return choose_files(names, Asked("here", config, split, **more), configs)


def test_tables_of_a_folder_without_a_card_are_told_apart():
    """X13, O50, O51: nothing is mixed, and nothing disappears."""
    assert choose(PUBLISHED, "corpus") == ["corpus/corpus.parquet"]
    assert choose(PUBLISHED, "queries", "queries") == ["queries/queries.parquet"]
    assert choose(PUBLISHED, "qrels", "test") == ["qrels/test.parquet"]
    assert choose(PUBLISHED, split="test") == ["qrels/test.parquet"]
    with pytest.raises(RecipeError, match="here: holds several tables: corpus/corpus, qrels/test, queries/queries"):
        choose([name for name in PUBLISHED if name.endswith("parquet")])
    assert choose(NANO, "qrels", "ja") == ["qrels/ja.parquet"]
    with pytest.raises(RecipeError, match="holds several tables: bm25/ja, corpus/ja, qrels/ja, queries/ja"):
        choose(NANO, split="ja")


@pytest.mark.parametrize(
    "names",
    [
        ["train-00000-of-00002.parquet", "train-00001-of-00002.parquet"],
        ["data/train-00000-of-00002-6e587552aa3c8ac8.parquet", "data/train-00001-of-00002-0a587552aa3c8ac8.parquet"],
        ["train/0000.parquet", "train/0001.parquet"],
        ["train_0.jsonl", "train_1.jsonl"],
        ["data/train.csv"],
    ],
)
def test_the_parts_of_a_split_are_one_table(names):
    others = [name.replace("train", "test") for name in names]
    assert choose([*others, *names], split="train") == names
    assert choose(names) == names
    with pytest.raises(RecipeError, match="holds several tables"):
        choose([*others, *names])


def test_files_side_by_side_that_name_no_table_are_one():
    assert choose(["b.jsonl", "a.jsonl", "LICENSE"]) == ["a.jsonl", "b.jsonl"]
    with pytest.raises(RecipeError, match="holds several tables: eval, train"):
        choose(["eval.parquet", "train.parquet"])
    with pytest.raises(RecipeError, match="holds several tables: corpus, queries"):
        choose(["corpus.jsonl", "queries.jsonl"])


def test_the_parquet_branch_has_a_folder_a_config_and_split():
    assert choose(CONVERTED, "b", "train") == ["b/train/0000.parquet", "b/train/0001.parquet"]
    with pytest.raises(
        RecipeError, match="has no config 'c' and split 'train'; the tables are a/test, a/train, b/test"
    ):
        choose(CONVERTED, "c", "train")


def test_a_number_at_a_names_end_may_be_the_splits_own():
    names = ["qrels/dl19.tsv", "qrels/dl20.tsv", "qrels/v-1.tsv", "qrels/v-2.tsv"]
    assert choose(names, split="dl20") == ["qrels/dl20.tsv"]
    assert choose(names, split="v-2") == ["qrels/v-2.tsv"]


def test_the_format_decides_where_there_are_several():
    names = ["train.csv", "train.parquet"]
    with pytest.raises(RecipeError, match="holds the table in several formats: csv, parquet; choose one by format"):
        choose(names)
    assert choose(names, format="csv") == ["train.csv"]
    with pytest.raises(RecipeError, match="here: holds no tsv file"):
        choose(names, format="tsv")
    with pytest.raises(RecipeError, match="here: holds no Parquet, JSONL, CSV or TSV file"):
        choose(["README.md", ".cache/train.csv"])


def test_a_missing_part_is_told():
    with pytest.raises(DataError, match=r"train-00001-of-00002\.parquet is missing"):
        choose(["train-00000-of-00002.parquet"], split="train")


CARD = (
    CardConfig("corpus", False, {"corpus": ("corpus/*.parquet",)}),
    CardConfig("qrels", True, {"test": ("qrels/test.parquet",), "no": ("qrels/no*",)}),
)


def test_a_card_decides_before_names_do():
    names = ["corpus/a.parquet", "corpus/deep/b.parquet", "qrels/test.parquet", "test.parquet"]
    assert choose(names, "corpus", configs=CARD) == ["corpus/a.parquet"]
    assert choose(names, split="test", configs=CARD) == ["qrels/test.parquet"]
    with pytest.raises(RecipeError, match="config 'qrels' has several splits; choose one of test, no"):
        choose(names, "qrels", configs=CARD)
    with pytest.raises(RecipeError, match="config 'qrels' has no split 'dev'; choose one of test, no"):
        choose(names, "qrels", "dev", CARD)
    with pytest.raises(RecipeError, match="has no config 'queries'; choose one of corpus, qrels"):
        choose(names, "queries", configs=CARD)
    with pytest.raises(RecipeError, match=r"the card names 'qrels/no\*' for split 'no', and no file fits it"):
        choose(names, "qrels", "no", CARD)


def test_a_card_that_leaves_the_files_to_their_names_is_followed():
    config = CardConfig("a", False, {}, folder="sub")
    assert choose(["sub/train.csv", "sub/test.csv", "train.csv"], "a", "train", [config]) == ["sub/train.csv"]
    with pytest.raises(RecipeError, match="has several configs; choose one of a, b"):
        choose(["train.csv"], configs=[config, CardConfig("b", False, {})])


@pytest.mark.parametrize(
    ("pattern", "fits", "misses"),
    [
        ("data/train-*", ["data/train-0.csv"], ["data/x/train-0.csv", "data/train/a.csv"]),
        ("**/*.csv", ["a.csv", "a/b/c.csv"], ["a.tsv"]),
        ("data/**", ["data/a/b.csv"], ["a.csv"]),
        ("part?.[ct]sv", ["part1.csv", "part2.tsv"], ["part10.csv", "part1.psv"]),
        ("[!a]*.csv", ["b.csv"], ["a.csv"]),
        ("a.csv", ["a.csv"], ["abcsv"]),
    ],
)
def test_patterns_fit_as_the_hub_has_them(pattern, fits, misses):
    found = glob_pattern(pattern)
    assert all(found.fullmatch(name) for name in fits)
    assert not any(found.fullmatch(name) for name in misses)
