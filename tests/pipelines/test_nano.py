"""One build with every case in it, its counts worked out by hand."""

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from pyrite.core import DataError, Ledger, RecipeError
from pyrite.evaluation import measure
from pyrite.formats import read_collection, read_manifest, read_run


def rows(folder: Path, place: str) -> list[dict]:
    return pq.read_table(folder / f"{place}.parquet").to_pylist()


def metadata(folder: Path, split: str) -> dict:
    return json.loads((folder / f"metadata/{split}.json").read_text(encoding="utf-8"))


# 300 queries of one positive and four judged zeros each, over 1,500 documents: d0 ... d1499. Query i has the positive
# d(i) and the zeros d(300 + 4i) ... d(303 + 4i). Document d1 is a twin of d0, so that queries 0 and 1 share a positive;
# and d304, the first zero of query 1, is a twin of d300, the first zero of query 0.
def big_source(write_rows) -> None:
    texts = [f"mineral number{row} of the shelf" for row in range(1500)]
    texts[1], texts[304] = texts[0], texts[300]
    write_rows("big/corpus.parquet", [{"_id": f"d{row}", "text": text} for row, text in enumerate(texts)])
    write_rows("big/queries.parquet", [{"_id": f"q{i}", "text": f"where is number{i}?"} for i in range(300)])
    judged = [{"query-id": f"q{i}", "corpus-id": f"d{i}", "score": 1} for i in range(300)]
    judged += [
        {"query-id": f"q{i}", "corpus-id": f"d{300 + 4 * i + k}", "score": 0} for i in range(300) for k in range(4)
    ]
    write_rows("big/qrels.parquet", judged)


def beir(write_rows, name: str, splits: dict[str, list[tuple[str, str, int]]]) -> None:
    """Three documents and three queries, judged in these splits."""
    write_rows(f"{name}/corpus/corpus.parquet", [{"_id": f"d{n}", "text": f"text number{n}"} for n in range(3)])
    write_rows(f"{name}/queries/queries.parquet", [{"_id": f"q{n}", "text": f"which number{n}?"} for n in range(3)])
    for split, judged in splits.items():
        write_rows(
            f"{name}/qrels/{split}.parquet",
            [{"query-id": query, "corpus-id": doc, "score": grade} for query, doc, grade in judged],
        )


RECIPE = {
    "source": {"query_split": "testB", "fallback": ["testA", "dev"]},
    "nano": {"limit_queries": 200, "limit_documents": 500},
    "language": "en",
    "split": [
        {"name": "big", "path": "big", "query_split": "", "fallback": []},
        {"name": "second", "path": "second", "source_task": "second_queries"},
        {"name": "third", "path": "third"},
        {"name": "none", "path": "none", "source_task": "none_queries"},
    ],
}


@pytest.fixture
def built(write_rows, make_nano):
    big_source(write_rows)
    beir(write_rows, "second", {"testA": [("q0", "d0", 1), ("q1", "d1", 0)], "dev": [("q2", "d2", 1)]})
    beir(write_rows, "third", {"testB": [("q0", "d0", 0)], "testA": [("q0", "d9", 1)], "dev": [("q2", "d2", 2)]})
    beir(write_rows, "none", {"testB": [("q0", "d0", 0)]})
    return make_nano(RECIPE)


def test_the_round_robin_is_cut_at_the_limit(built):
    folder = built
    told = metadata(folder, "big")
    # 200 queries keep 199 different positives: d1 is d0. 500 - 199 = 301 judged zeros: round 0 has one for each query,
    # of which query 1's is query 0's twin, so 199; round 1 brings the 102 that are left, those of queries 0 to 101.
    assert told["counts"] == {
        "queries": 200,
        "corpus": 500,
        "qrels": 200,
        "positives": 199,
        "judged_negatives": 301,
        "fill": 0,
        "extra_qrels": 0,
    }
    ids = [row["_id"] for row in rows(folder, "corpus/big")]
    assert ids[:3] == ["d0", "d2", "d3"]
    first_round = [f"d{300 + 4 * i}" for i in range(200) if i != 1]
    second_round = [f"d{301 + 4 * i}" for i in range(102)]
    assert ids[199:] == [*first_round, *second_round]


def test_twins_across_qrels_share_the_kept_document_and_no_query_vanishes(built):
    folder = built
    judged = {row["query-id"]: row["corpus-id"] for row in rows(folder, "qrels/big")}
    assert (len(judged), judged["q0"], judged["q1"]) == (200, "d0", "d0")
    graded = [row for row in rows(folder, "provenance/qrels/big") if row["query-id"] == "q1"]
    assert [(row["corpus-id"], row["score"]) for row in graded] == [
        ("d0", 1),
        ("d300", 0),
        ("d305", 0),
        ("d306", 0),
        ("d307", 0),
    ]


def test_the_ledger_of_the_big_split_counts_every_document(built):
    folder = built
    entries = {entry.stage: entry for entry in Ledger.from_json(metadata(folder, "big")["ledger"]).entries}
    assert dict(entries["duplicate texts"].dropped) == {"same text as an earlier one": 2}
    # Of 1,498 texts 500 are in. The other judged zeros of the 200 queries are 800 - 1 (the twin) - 301 = 498; the rest,
    # 1,498 - 500 - 498 = 500, is judged for none of them.
    assert dict(entries["documents of the split"].dropped) == {
        "beyond limit_documents": 498,
        "not judged for a chosen query": 500,
    }
    assert dict(entries["queries of the split"].dropped) == {"beyond limit_queries": 100}


def test_the_manifest_adds_the_accounts_of_the_splits_up(built):
    entries = {entry.stage: entry for entry in Ledger.from_json(read_manifest(built).ledger).entries}
    # 1,500 documents in big, three each in second and third; 300 queries and three in each of the others.
    assert (entries["duplicate texts"].rows_in, entries["duplicate texts"].rows_out) == (1506, 1504)
    assert (entries["queries of the split"].rows_in, entries["queries of the split"].rows_out) == (306, 202)
    assert dict(entries["queries of the split"].dropped) == {
        "beyond limit_queries": 100,
        "no positive in the corpus": 4,
    }
    assert entries["documents of the split"].rows_out == 502


def test_fallback_splits_say_which_one_is_used_and_why(built):
    folder = built
    assert metadata(folder, "second")["query_split"] == {
        "requested": "testB",
        "used": "testA",
        "refused": [{"split": "testB", "reason": "it does not exist"}],
    }
    assert metadata(folder, "third")["query_split"] == {
        "requested": "testB",
        "used": "dev",
        "refused": [
            {"split": "testB", "reason": "none of its queries has a positive"},
            {"split": "testA", "reason": "none of its queries has a positive that is in the corpus"},
        ],
    }


def test_a_split_with_nothing_usable_is_skipped_with_its_reasons(built):
    folder, manifest = built, read_manifest(built)
    assert not (folder / "corpus/none.parquet").exists()
    assert manifest.facts["skipped"] == [
        {
            "split": "none",
            "source_task": "none_queries",
            "reason": "testB: none of its queries has a positive; testA: it does not exist; dev: it does not exist",
        }
    ]


def test_counts_are_those_of_the_files(built):
    folder, manifest = built, read_manifest(built)
    # second: q0 keeps d0, and d1 is judged zero for a query that is not chosen. third: q2 keeps d2.
    assert manifest.counts == {"splits": 3, "queries": 202, "corpus": 502, "qrels": 202}
    for name in ("corpus", "queries", "qrels"):
        assert (
            sum(len(rows(folder, f"{name}/{split}")) for split in ("big", "second", "third")) == manifest.counts[name]
        )


def test_the_measures_are_those_of_the_raw_ranking(built):
    """X08."""
    folder = built
    collection = read_collection(folder, split="big")
    raw = read_run(folder / "provenance/runs/bm25/big.parquet")
    told = metadata(folder, "big")["candidates"]["bm25"]["measures"]
    assert told["nDCG@10"] == measure(collection.qrels, raw, "nDCG@10").mean("nDCG@10")


def test_a_recipe_with_no_usable_split_at_all_is_an_error(write_rows, make_nano):
    beir(write_rows, "none", {"testB": [("q0", "d0", 0)]})
    with pytest.raises(DataError, match=r"no split has a usable query split .*none of its queries has a positive"):
        make_nano({"source": {"path": "none", "split": "testB"}, "split": [{"name": "none", "language": "en"}]})


def test_an_expected_count_that_is_missed_shows_both(write_rows, make_nano):
    beir(write_rows, "one", {"test": [("q0", "d0", 1)]})
    recipe = {"source": {"path": "one"}, "split": [{"name": "one", "language": "en", "expect": {"queries": 2}}]}
    with pytest.raises(DataError, match="queries is 1, expected 2"):
        make_nano(recipe)


def test_more_positives_than_documents_is_an_error(write_rows, make_nano):
    beir(write_rows, "one", {"test": [("q0", "d0", 1), ("q1", "d1", 1)]})
    recipe = {"source": {"path": "one"}, "nano": {"limit_documents": 1}, "split": [{"name": "one", "language": "en"}]}
    with pytest.raises(RecipeError, match=r"2 kept positives of 2 queries are more than nano.limit_documents = 1"):
        make_nano(recipe)
