"""A whole collection by its path or hub id."""

import json
import socket

import pytest

from pyrite.core import DataError, RecipeError
from pyrite.sources import load

DOCS, QUERIES = {"_id": ["d1", "d2"], "text": ["a", "b"]}, {"_id": ["q1"], "text": ["?"]}
QRELS = {"query-id": ["q1"], "corpus-id": ["d1"], "score": [1]}


@pytest.fixture
def no_network(monkeypatch):
    """Whoever opens a connection fails the test."""

    def refuse(*_args, **_more):
        raise AssertionError("the network was asked")

    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


def test_a_local_folder_is_read_with_the_network_off(put, tmp_path, no_network):
    """O38."""
    for name, table in (("corpus", DOCS), ("queries", QUERIES), ("qrels", QRELS)):
        put(f"org/toy/{name}.parquet", table)
    found = load(str(tmp_path / "org" / "toy"))
    assert (found.name, len(found.corpus), found.qrels["q1"]) == ("toy", 2, {"d1": 1})


def test_a_local_folder_comes_before_a_hub_id_of_its_name(put, tmp_path, no_network, monkeypatch):
    """O38."""
    for name, table in (("corpus", DOCS), ("queries", QUERIES), ("qrels", QRELS)):
        put(f"org/toy/{name}.parquet", table)
    monkeypatch.chdir(tmp_path)
    assert load("org/toy").name == "toy"


def published(put, place):
    put(f"{place}/corpus/corpus.parquet", DOCS)
    put(f"{place}/queries/queries.parquet", QUERIES)
    put(f"{place}/qrels/test.parquet", QRELS)


def test_a_hub_benchmark_is_read_from_its_tables_and_manifest(hub, put):
    published(put, "hub/org/toy/main")
    put("hub/org/toy/main/README.md", "# Card")
    put("hub/org/toy/main/results/report.json", "{}")
    manifest = {"schema": 1, "kind": "benchmark", "name": "the toy", "protocol": {"headline_queries": 1}}
    put("hub/org/toy/main/manifest.json", json.dumps(manifest))
    found = load("org/toy", hub=hub)
    assert (found.name, found.headline_queries, len(found.corpus)) == ("the toy", 1, 2)
    assert hub.fetched == [
        "corpus/corpus.parquet", "queries/queries.parquet", "qrels/test.parquet", "manifest.json",
    ]  # fmt: skip


def test_of_a_hub_nano_set_only_the_split_is_fetched(hub, put):
    for split in ("ja", "en"):
        for config, table in (("corpus", DOCS), ("queries", QUERIES), ("qrels", QRELS)):
            put(f"hub/org/nano/v2/{config}/{split}.parquet", table)
    found = load("org/nano", split="ja", revision="v2", hub=hub)
    assert (found.name, len(found.queries)) == ("nano", 1)
    assert hub.fetched == ["corpus/ja.parquet", "queries/ja.parquet", "qrels/ja.parquet"]
    with pytest.raises(DataError, match="org/nano: has several splits; choose one of en, ja"):
        load("org/nano", revision="v2", hub=hub)


def test_a_dataset_that_only_its_script_could_load_is_read_from_the_hub_s_copy(hub, put):
    put("hub/org/jp/main/jp.py", "raise SystemExit")
    copy = "hub/org/jp/refs-convert-parquet"
    put(f"{copy}/jaqket-query/train/0000.parquet", {"query": ["?"], "relevant_docs": [["d2"]]})
    put(f"{copy}/jaqket-corpus/corpus/0000.parquet", {"docid": ["d1", "d2"], "text": ["a", "b"]})
    assert list(load("org/jp", split="jaqket", hub=hub).qrels.rows()) == [("q0", "d2", 1)]


def test_what_lists_hold_can_be_said(put, tmp_path):
    put("toy/corpus.parquet", DOCS)
    put("toy/queries.parquet", {"text": ["?"], "positives": [[1]]})
    assert load(str(tmp_path / "toy"), refer_by="row").qrels["q0"] == {"d2": 1}


def test_a_hub_that_cannot_be_reached_is_one_sentence(hub):
    with pytest.raises(DataError, match=r"org/none: is not a path here, and the hub cannot be reached \(Connection"):
        load("org/none", hub=hub)


def test_what_is_no_path_and_no_id_is_a_sentence(tmp_path):
    with pytest.raises(RecipeError, match="there is no such folder; check the path"):
        load(str(tmp_path / "none"))
