"""The BM25 candidates of a split, and further configs beside them."""

import json
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from pyrite.core import DataError, RecipeError
from pyrite.formats import DataWarning, read_collection, write_nano_split, write_run
from pyrite.retrieval import BM25, force_positives


def rows(folder: Path, place: str) -> list[dict]:
    return pq.read_table(folder / f"{place}.parquet").to_pylist()


def told(folder: Path, config: str, split: str = "en") -> dict:
    return json.loads((folder / f"metadata/{split}.json").read_text(encoding="utf-8"))["candidates"][config]


@pytest.fixture
def minerals(write_rows):
    """Two queries; q1's positive is d0, q2's is d3, which shares no word with it."""
    texts = ["gold is soft", "gold shines", "fool gold rusts", "quartz is hard", "halite is salt"]
    write_rows("minerals/corpus.parquet", [{"_id": f"d{n}", "text": text} for n, text in enumerate(texts)])
    write_rows(
        "minerals/queries.parquet", [{"_id": "q1", "text": "soft gold"}, {"_id": "q2", "text": "scratches glass"}]
    )
    judged = [("q1", "d0", 1), ("q2", "d3", 1)]
    write_rows("minerals/qrels.parquet", [{"query-id": q, "corpus-id": d, "score": grade} for q, d, grade in judged])


def run_file(path: Path, ranked: dict[str, list[str]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [
        f"{query} Q0 {doc} {rank} {1 / rank:.4f} dense\n"
        for query, docs in ranked.items()
        for rank, doc in enumerate(docs, start=1)
    ]
    path.write_text("".join(lines))


RECIPE = {
    "source": {"path": "minerals"},
    "nano": {"fill": "source-order"},
    "split": [{"name": "en", "language": "en"}],
    "candidates": [
        {"name": "dense", "system": "run:runs/{split}.trec", "depth": 2},
        {"name": "hybrid", "of": ["bm25", "dense"], "k": 1, "depth": 2},
    ],
}


def test_a_run_file_beside_the_recipe_makes_a_config(minerals, make_nano, tmp_path):
    run_file(tmp_path / "runs/en.trec", {"q1": ["d1", "d2", "d0"], "q2": ["d4", "d2"]})
    folder = make_nano(RECIPE)
    assert rows(folder, "dense/en") == [
        {"query-id": "q1", "corpus-ids": ["d1", "d2"]},
        {"query-id": "q2", "corpus-ids": ["d4", "d2"]},
    ]
    assert told(folder, "dense")["measures"]["nDCG@10"] == 0.0
    assert told(folder, "dense")["settings"]["file"] == "en.trec"


def test_a_fusion_that_missed_every_positive_ends_with_the_safeguard(minerals, make_nano, tmp_path):
    run_file(tmp_path / "runs/en.trec", {"q1": ["d1", "d2", "d0"], "q2": ["d4", "d2"]})
    folder = make_nano(RECIPE)
    # q1: bm25 has d0, d1, d2 (d0 has both words, and d1 is shorter than d2); dense has d1, d2. With k = 1 the sums are
    # d0: 1/2; d1: 1/3 + 1/2; d2: 1/4 + 1/3. q2: bm25 finds nothing, so the fusion is dense alone, and lacks d3.
    assert [hit["corpus-id"] for hit in rows(folder, "provenance/runs/bm25/en")] == ["d0", "d1", "d2"]
    assert rows(folder, "hybrid/en") == [
        {"query-id": "q1", "corpus-ids": ["d1", "d2", "d0"]},
        {"query-id": "q2", "corpus-ids": ["d4", "d2", "d3"]},
    ]
    assert told(folder, "hybrid")["forced"] == {"q1": ["d0"], "q2": ["d3"]}
    assert told(folder, "hybrid")["positives"] == "safeguard at depth + 1"


def test_a_run_over_another_corpus_is_refused(minerals, make_nano, tmp_path):
    run_file(tmp_path / "runs/en.trec", {"q1": ["d9"]})
    with pytest.raises(DataError, match="document 'd9' is not in the corpus"):
        make_nano(RECIPE)


def test_a_changed_run_file_is_ranked_again(minerals, make_nano, tmp_path):
    run_file(tmp_path / "runs/en.trec", {"q1": ["d1"], "q2": ["d4"]})
    make_nano(RECIPE)
    run_file(tmp_path / "runs/en.trec", {"q1": ["d2"], "q2": ["d4"]})
    folder = make_nano(RECIPE, out="again")
    assert rows(folder, "dense/en")[0]["corpus-ids"] == ["d2"]


def test_a_run_file_that_is_not_there_is_an_error_that_names_it(minerals, make_nano):
    with pytest.raises(RecipeError, match=r"runs/en\.trec: there is no such run file"):
        make_nano(RECIPE)


def test_forced_positives_are_in_the_candidates_and_not_in_the_raw_run(write_rows, make_nano):
    # The query shares no word with its positive; it shares one with d1 alone, so the list is short.
    write_rows(
        "odd/corpus.parquet",
        [{"_id": "d0", "text": "alpha"}, {"_id": "d1", "text": "beta"}, {"_id": "d2", "text": "c"}],
    )
    write_rows("odd/queries.parquet", [{"_id": "q0", "text": "beta"}])
    write_rows("odd/qrels.parquet", [{"query-id": "q0", "corpus-id": "d0", "score": 1}])
    folder = make_nano(
        {"source": {"path": "odd"}, "nano": {"fill": "source-order"}, "split": [{"name": "odd", "analyzer": "en"}]}
    )
    assert rows(folder, "bm25/odd") == [{"query-id": "q0", "corpus-ids": ["d1", "d0"]}]
    assert [row["corpus-id"] for row in rows(folder, "provenance/runs/bm25/odd")] == ["d1"]
    facts = told(folder, "bm25", split="odd")
    assert (facts["forced"], facts["forced_documents"], facts["short_lists"]) == ({"q0": ["d0"]}, 1, 1)
    assert facts["measures"] == {"nDCG@10": 0.0, "R@100": 0.0}


def test_positives_may_be_left_as_they_were_retrieved(write_rows, make_nano):
    write_rows("odd/corpus.parquet", [{"_id": "d0", "text": "alpha"}, {"_id": "d1", "text": "beta"}])
    write_rows("odd/queries.parquet", [{"_id": "q0", "text": "beta"}])
    write_rows("odd/qrels.parquet", [{"query-id": "q0", "corpus-id": "d0", "score": 1}])
    folder = make_nano(
        {
            "source": {"path": "odd"},
            "nano": {"fill": "source-order"},
            "bm25": {"force_positives": False},
            "split": [{"name": "odd", "analyzer": "en"}],
        }
    )
    assert rows(folder, "bm25/odd") == [{"query-id": "q0", "corpus-ids": ["d1"]}]


def test_the_build_says_where_a_query_has_more_positives_than_places(write_rows, make_nano):
    write_rows("many/corpus.parquet", [{"_id": f"d{n}", "text": f"word{n}"} for n in range(4)])
    write_rows("many/queries.parquet", [{"_id": "q0", "text": "word0"}])
    write_rows("many/qrels.parquet", [{"query-id": "q0", "corpus-id": f"d{n}", "score": 1} for n in range(4)])
    recipe = {
        "source": {"path": "many"},
        "nano": {"positives_per_query": "all"},
        "bm25": {"depth": 2},
        "split": [{"name": "many", "analyzer": "en"}],
    }
    with pytest.warns(DataWarning, match="'many': 2 positives of 1 queries found no place in candidates of depth 2"):
        folder = make_nano(recipe)
    assert rows(folder, "bm25/many")[0]["corpus-ids"] == ["d0", "d1"]
    assert told(folder, "bm25", split="many")["positives_left_out"] == {"q0": ["d2", "d3"]}
    assert "In many, 2 positives of 1 queries found no place" in (folder / "README.md").read_text(encoding="utf-8")


def test_the_candidates_can_be_made_again_from_the_folder_alone(minerals, make_nano, tmp_path):
    """O47."""
    bm25 = {"variant": "robertson", "k1": 0.9, "b": 0.4, "depth": 2}
    folder = make_nano({**RECIPE, "candidates": [], "bm25": bm25})
    facts = told(folder, "bm25")
    split = read_collection(folder, split="en")
    settings = facts["settings"]
    retriever = BM25(settings["analyzer"], variant=settings["variant"], k1=settings["k1"], b=settings["b"])
    assert retriever.settings() == settings
    run = retriever.index(split.corpus).search(split.queries, facts["depth"])
    positives = {query: split.qrels.positives(query) for query in split.queries.ids.to_pylist()}
    again = force_positives(run, positives, depth=facts["depth"])
    write_nano_split(
        tmp_path / "again", replace(split, name="en"), candidates={"bm25": again}, graded=split.qrels, metadata={}
    )
    assert (tmp_path / "again/bm25/en.parquet").read_bytes() == (folder / "bm25/en.parquet").read_bytes()
    write_run(tmp_path / "again.parquet", run)
    assert (tmp_path / "again.parquet").read_bytes() == (folder / "provenance/runs/bm25/en.parquet").read_bytes()
