"""Datasets on the hub, answered by folders; and the sentences for a hub that does not answer."""

import errno
from types import SimpleNamespace

import pytest
from huggingface_hub import errors

from pyrite.core import DataError, RecipeError
from pyrite.sources import SourceSpec, open_table
from pyrite.sources.hub import is_hub_id, open_dataset

CARD = "---\nconfigs:\n- config_name: default\n  data_files:\n  - {split: eval, path: data/eval-*}\n---\n"


def read(hub, tmp_path, **spec):
    table = open_table(SourceSpec("org/rows", **spec), needs=["query"], base=tmp_path, hub=hub)
    return [row["query"] for batch in table.read() for row in batch.to_pylist()], table


def test_the_cards_config_and_split_are_fetched_and_nothing_else(hub, put, tmp_path):
    put("hub/org/rows/main/README.md", CARD)
    put("hub/org/rows/main/data/eval-00000-of-00001.parquet", {"query": ["a", "b"]})
    put("hub/org/rows/main/data/train-00000-of-00001.parquet", {"query": ["c"]})
    found, table = read(hub, tmp_path, split="eval")
    assert found == ["a", "b"]
    assert hub.fetched == ["README.md", "data/eval-00000-of-00001.parquet"]
    assert table.origin() == {"path": "org/rows", "revision": "main", "config": None, "split": "eval"}


def test_without_a_card_the_names_decide(hub, put, tmp_path):
    put("hub/org/rows/v1/train.csv", "query\n001\n")
    put("hub/org/rows/v1/test.csv", "query\nx\n")
    found, table = read(hub, tmp_path, split="train", revision="v1")
    assert found == ["001"]
    assert table.revision == "v1"


def test_a_script_is_never_run_and_its_parquet_copy_is_read(hub, put, tmp_path):
    put("hub/org/rows/main/rows.py", "raise SystemExit('run')")
    put("hub/org/rows/main/raw/train.jsonl", '{"query": "raw"}')
    put("hub/org/rows/refs-convert-parquet/ja/train/0000.parquet", {"query": ["a"]})
    put("hub/org/rows/refs-convert-parquet/ja/train/0001.parquet", {"query": ["b"]})
    put("hub/org/rows/refs-convert-parquet/en/train/0000.parquet", {"query": ["c"]})
    found, table = read(hub, tmp_path, config="ja", split="train")
    assert found == ["a", "b"]
    assert table.revision == "refs-convert-parquet"
    assert not any(name.endswith(".py") for name in hub.fetched)


def test_a_dataset_with_no_file_that_is_read_is_looked_for_in_its_parquet_copy(hub, put, tmp_path):
    put("hub/org/rows/main/rows.zip", b"PK")
    put("hub/org/rows/refs-convert-parquet/default/train/0000.parquet", {"query": ["a"]})
    assert read(hub, tmp_path, split="train")[0] == ["a"]


def test_a_pinned_script_asks_for_the_commit_of_its_copy(hub, put, tmp_path):
    put("hub/org/rows/abc/rows.py", "")
    put("hub/org/rows/refs-convert-parquet/default/train/0000.parquet", {"query": ["a"]})
    with pytest.raises(RecipeError, match="holds a loading script, which is never run; pin the commit of its Parquet"):
        read(hub, tmp_path, split="train", revision="abc")
    assert read(hub, tmp_path, split="train", revision="refs-convert-parquet")[0] == ["a"]


def test_a_shards_digest_is_the_commits_and_not_the_downloads(hub, put, tmp_path):
    import os

    path = put("hub/org/rows/main/train.parquet", {"query": ["a"]})
    before = [shard.digest for shard in read(hub, tmp_path)[1].shards()]
    os.utime(path, (1, 1))
    assert [shard.digest for shard in read(hub, tmp_path)[1].shards()] == before


class Failing:
    def __init__(self, error):
        self.error = error

    def repo_info(self, repo_id, *, revision=None, repo_type=None):
        raise self.error

    def hf_hub_download(self, repo_id, filename, *, repo_type=None, revision=None):
        raise self.error


def answer(status):
    return SimpleNamespace(status_code=status, headers={}, request=None, text="", url="")


@pytest.mark.parametrize(
    ("error", "kind", "said"),
    [
        (ConnectionError("no route"), DataError, "the hub cannot be reached (ConnectionError); try again"),
        (TimeoutError(), DataError, "the hub cannot be reached (TimeoutError)"),
        (errors.OfflineModeIsEnabled("off"), DataError, "the hub is not asked while HF_HUB_OFFLINE is set; unset it"),
        (errors.RepositoryNotFoundError("404", response=answer(404)), RecipeError, "is neither a path here nor"),
        (errors.GatedRepoError("403", response=answer(403)), RecipeError, "the dataset is gated on the hub; ask"),
        (errors.RevisionNotFoundError("404", response=answer(404)), RecipeError, "has no revision 'v9' on the hub"),
        (errors.HFValidationError("bad"), RecipeError, "is neither a path here nor a dataset on the hub"),
        (OSError(errno.ENOSPC, "No space left on device"), DataError, "the disk is full; free some space"),
    ],
)  # fmt: skip
def test_a_hub_that_does_not_answer_is_one_sentence(error, kind, said):
    with pytest.raises(kind) as caught:
        open_dataset("org/rows", "v9", api=Failing(error))
    assert type(caught.value) is kind
    assert str(caught.value).startswith("org/rows: ")
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_real_hub_is_not_asked_while_offline(monkeypatch, tmp_path):
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    with pytest.raises(DataError, match="org/rows: is not a path here, and the hub is not asked while HF_HUB_OFFLINE"):
        open_table(SourceSpec("org/rows"), needs=["query"], base=tmp_path)


def test_an_unreachable_hub_is_one_sentence(tmp_path):
    """The real client, and an address where nobody listens."""
    from huggingface_hub import HfApi

    with pytest.raises(DataError, match=r"org/rows: is not a path here, and the hub cannot be reached \(\w+\)"):
        open_dataset("org/rows", api=HfApi(endpoint="http://127.0.0.1:9"))


@pytest.mark.parametrize("path", ["a/b/c", "./a", "../a/b", "a", "/a/b", "a/b c"])
def test_a_path_is_no_hub_id(path):
    assert is_hub_id("org/na.me-1")
    assert not is_hub_id(path)
