"""Reports and built folders become pages: what is put together, what is refused, and that bytes stay the same."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pyrite.core import (
    Collection,
    Corpus,
    DataError,
    Document,
    Estimate,
    Qrels,
    Queries,
    Query,
    QueryCounts,
    RecipeError,
    Report,
    SweepPoint,
    SystemReport,
)
from pyrite.formats import write_report
from pyrite.pipelines import build, rebuild, write_leaderboard_page
from pyrite.pipelines.reports import collection_lengths, folder_lengths, results_page
from pyrite.publishing import check_folder, read_folder, verify_folder


def report(values: dict[str, float], *, dataset: str = "toy", split: str = "", forced: str = "") -> Report:
    """Thirty queries on which a system has one value everywhere."""
    systems = tuple(
        SystemReport(
            name,
            "lexical",
            {"forced_positives": 1} if name == forced else {},
            {"RR@10": Estimate(value, value, value), "R@10": Estimate(1.0, 1.0, 1.0)},
            {"RR@10": np.full(30, value), "R@10": np.ones(30)},
        )
        for name, value in values.items()
    )
    points = tuple(SweepPoint(name, "RR@10", 0, 5, Estimate(1.0, 1.0, 1.0)) for name in values)
    ids = tuple(f"q{number}" for number in range(30))
    counts = QueryCounts(30, 30, 30, 0, dict.fromkeys(values, 0))
    return Report(dataset, split, counts, ids, systems, {"distractors": points})


def test_reports_of_one_dataset_are_one_set_with_each_system_once() -> None:
    page = results_page([report({"a": 0.5, "b": 0.25}), report({"b": 0.25, "c": 0.75})])
    (one,) = page.sets
    assert page.title == "toy"
    assert [system.system for system in one.report.systems] == ["a", "b", "c"]
    assert [point.system for point in one.report.sweeps["distractors"]] == ["a", "b", "c"]
    assert [board.measure for board in page.boards] == ["RR@10", "R@10"]
    assert page.boards[0].systems == ("c", "a", "b")
    # Thirty queries that all differ tell every pair apart.
    assert one.groups["RR@10"] == {"c": "a", "a": "b", "b": "c"}
    assert (one.hardness["RR@10"].pairs, one.hardness["RR@10"].separated) == (3, 3)


def test_two_numbers_for_one_system_are_refused() -> None:
    with pytest.raises(DataError, match=r"have RR@10 0\.2500 and 0\.7500 for b"):
        results_page([report({"b": 0.25}), report({"b": 0.75})])


def test_the_measure_that_is_asked_for_comes_first_and_must_be_there() -> None:
    assert [board.measure for board in results_page([report({"a": 0.5})], measure="R@10").boards] == ["R@10", "RR@10"]
    with pytest.raises(RecipeError, match=r"has no AP; ask for one of RR@10, R@10"):
        results_page([report({"a": 0.5})], measure="AP")


def test_splits_of_one_dataset_go_by_their_own_names_and_others_by_both() -> None:
    splits = results_page([report({"a": 0.5}, split="de"), report({"a": 0.5}, split="en")])
    assert (splits.title, [one.name for one in splits.sets]) == ("toy", ["de", "en"])
    datasets = results_page([report({"a": 0.5}, split="de"), report({"a": 0.5}, dataset="other")])
    assert (datasets.title, [one.name for one in datasets.sets]) == ("Leaderboard", ["toy, de", "other"])
    assert results_page([report({"a": 0.5}, split="de")]).title == "toy, de"


def test_bm25_of_each_language_is_one_system_over_languages() -> None:
    page = results_page(
        [
            report({"bm25:de": 0.5, "bm25:de,k1=0.9": 0.25, "fusion:rrf,of=bm25:de+x": 0.75}, split="de"),
            report({"bm25:en": 0.25, "bm25:en,k1=0.9": 0.5, "fusion:rrf,of=bm25:en+x": 0.75}, split="en"),
        ]
    )
    assert set(page.systems) == {"bm25", "bm25,k1=0.9", "fusion:rrf,of=bm25+x"}
    assert page.boards[0].means["bm25"] == 0.375
    assert {point.system for point in page.sets[0].report.sweeps["distractors"]} == set(page.systems)


def test_bm25_keeps_its_analyzer_where_that_is_what_differs() -> None:
    fixed = results_page([report({"bm25:en": 0.5}, split="de"), report({"bm25:en": 0.5}, split="en")])
    assert fixed.systems == ("bm25:en",)
    both = results_page([report({"bm25:de": 0.5, "bm25:en": 0.25}, split="de"), report({"bm25:en": 0.5}, split="en")])
    assert [system.system for system in both.sets[0].report.systems] == ["bm25:de", "bm25:en"]
    assert results_page([report({"bm25:de": 0.5})]).systems == ("bm25:de",)


def test_a_reranker_that_was_given_the_positives_is_shown_and_neither_ranked_nor_grouped() -> None:
    page = results_page([report({"a": 0.5, "a, given all": 0.9, "b": 0.4}, forced="a, given all")])
    (one,) = page.sets
    assert one.hardness["RR@10"].best == 0.5
    assert (page.boards[0].systems, page.boards[0].means["a, given all"]) == (("a", "b"), 0.9)
    assert page.systems == ("a", "b", "a, given all")
    assert one.groups["RR@10"] == {"a": "a", "b": "b"}
    alone = results_page([report({"a": 0.5, "a, given all": 0.9}, forced="a, given all")])
    assert alone.sets[0].groups == {}


def test_lengths_are_of_title_and_text_together() -> None:
    corpus = Corpus.of([Document("d1", "Zoë"), Document("d2", "日本語", title="Japan")])
    asked = Queries.of([Query("q1", "x" * 7)])
    documents, queries = collection_lengths(Collection("toy", "en", corpus, asked, Qrels.of({"q1": {"d1": 1}})))
    assert (documents.p5, documents.longest, documents.count) == (3, 8, 2)
    assert (queries.texts, queries.median) == ("queries", 7)


def test_a_leaderboard_page_is_an_html_file_and_nothing_else(tmp_path: Path) -> None:
    write_report(tmp_path / "r", report({"a": 0.5}))
    with pytest.raises(RecipeError, match=r"board\.txt: ends in '\.txt'; name it \.html"):
        write_leaderboard_page([tmp_path / "r"], tmp_path / "board.txt")
    write_leaderboard_page([tmp_path / "r"], tmp_path / "board.html")
    assert "<title>toy</title>" in (tmp_path / "board.html").read_text(encoding="utf-8")


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    texts = ["Pyrite shines.", "Gold is soft.", "Copper is red.", "Gold is soft."]
    asked = ["what shines?", "what is soft?", "what is red?", None]
    pq.write_table(pa.table({"query": asked, "passage": texts}), tmp_path / "eval.parquet")
    pq.write_table(
        pa.table({"passage": ["Talc is soft.", "Rust is red.", "Gold is soft."]}), tmp_path / "train.parquet"
    )
    path = tmp_path / "minerals.toml"
    path.write_text(
        'kind = "benchmark"\nname = "minerals"\nlanguage = "en"\n'
        '[source.eval]\npath = "eval.parquet"\ncolumns = { query = "query", passage = "passage" }\n'
        '[source.train]\npath = "train.parquet"\ncolumns = { passage = "passage" }\n'
        '[distractors]\ncount = "all"\n'
        '[evaluate]\nsystems = ["bm25", "bm25:en,k1=0.9"]\ndistractors = [0, "all"]\n'
        '[card]\npretty_name = "Minerals & ores"\n'
        '[[credit]]\nname = "The Mineral Book"\nlicense = "CC BY 4.0"\n'
    )
    return path


def data_of(text: str) -> dict[str, Any]:
    found = re.search(r'id="data">(.*?)</script>', text, re.S)
    assert found is not None
    return json.loads(found[1])


def test_a_built_folder_has_its_page_among_its_files_and_gives_the_same_bytes_again(
    recipe: Path, tmp_path: Path
) -> None:
    folder = build(recipe, out=tmp_path / "out", work=tmp_path / "work").folder
    text = (folder / "results" / "report.html").read_text(encoding="utf-8")
    assert "<h1><bdi>Minerals &amp; ores</bdi></h1>" in text
    assert str(tmp_path) not in text
    data = data_of(text)
    assert data["systems"] == ["bm25:en", "bm25:en,k1=0.9"]
    assert [point[1] for point in data["sets"][0]["sweeps"]["distractors"]["nDCG@10"]] == [0, 0, 2, 2]
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest["content"]["digest"] in text
    assert "results/report.html" in manifest["content"]["files"]
    assert [(one["in"], one["kept"]) for one in data["ledger"]] == [
        (one["in"], one["kept"]) for one in manifest["ledger"]
    ]
    assert verify_folder(folder) == []
    assert check_folder(folder) == []
    again = rebuild(folder, base=tmp_path, work=tmp_path)
    assert again.files["results/report.html"] == "same"
    assert again.same


def test_the_splits_of_a_nano_build_are_sets_in_the_order_of_the_recipe(
    make_nano: Callable[..., Path], write_rows: Callable[..., Path]
) -> None:
    for split in ("xx", "aa"):
        write_rows(f"source/corpus/{split}.parquet", [{"_id": f"d{n}", "text": f"stone {n}"} for n in range(3)])
        write_rows(f"source/queries/{split}.parquet", [{"_id": f"q{n}", "text": f"stone {n}"} for n in range(3)])
        qrels = [{"query-id": f"q{n}", "corpus-id": f"d{n}", "score": 1} for n in range(3)]
        write_rows(f"source/qrels/{split}.parquet", qrels)
    folder = make_nano(
        {
            "source": {"path": "source", "split": "{split}"},
            "split": [{"name": "xx", "language": "en"}, {"name": "aa", "language": "de"}],
            "evaluate": {"systems": ["bm25"]},
        }
    )
    data = data_of((folder / "results" / "report.html").read_text(encoding="utf-8"))
    assert data["systems"] == ["bm25"]
    assert [(one["name"], one["language"]) for one in data["sets"]] == [("xx", "en"), ("aa", "de")]
    assert [(one["of"], one["texts"], one["count"]) for one in data["lengths"]] == [
        ("xx", "documents", 3),
        ("xx", "queries", 3),
        ("aa", "documents", 3),
        ("aa", "queries", 3),
    ]


def test_a_mined_set_has_a_page_of_its_rows_and_its_ledger(mined_folder: Path) -> None:
    from pyrite.formats import read_manifest

    text = (mined_folder / "results" / "report.html").read_text(encoding="utf-8")
    data = data_of(text)
    assert data["sets"] == []
    assert [one["texts"] for one in data["lengths"]] == ["queries", "positives", "negatives"]
    manifest = read_manifest(mined_folder)
    queries, positives, negatives = folder_lengths(mined_folder, manifest, read_folder(mined_folder))
    assert queries.count == positives.count == manifest.counts["n-tuples"]
    assert negatives.count == 2 * positives.count
    assert verify_folder(mined_folder) == []
    assert check_folder(mined_folder) == []
