"""Splits of datasets in every layout, with their systems."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from pyrite.core import Candidates, Collection, Corpus, Document, Qrels, Queries, Query, Run
from pyrite.formats import write_beir, write_nano_split
from pyrite.viewer.dataset import Dataset, System, open_splits
from pyrite.viewer.stored import HeldTexts, StoredTexts


def test_a_published_folder_keeps_its_corpus_on_the_disk(dataset: Path) -> None:
    (found,) = open_splits(dataset)
    assert (found.title, found.language, len(found.texts), len(found.queries)) == ("minerals, test", "en", 4, 3)
    assert isinstance(found.texts, StoredTexts)
    assert found.qrels["q1"] == {"d1": 2, "d2": 0}
    assert found.texts.find(["d4"])["d4"].text == "Halite is salt."


def test_queries_are_found_by_any_part_whatever_its_case_or_by_id(dataset: Path) -> None:
    (found,) = open_splits(dataset)
    assert found.search("WHAT IS") == [0, 2]
    assert found.search("q2") == [1]
    assert found.search(".") == []
    assert found.search("") == [0, 1, 2]


def test_the_candidates_of_a_nano_split_are_a_system_and_say_what_was_put_in(tmp_path: Path) -> None:
    corpus, queries = Corpus.of([Document("d", "text"), Document("e", "")]), Queries.of([Query("q", "why?")])
    toy = Collection("ja", "ja", corpus, queries, Qrels.of({"q": {"d": 2}}))
    ranked = Candidates(Run.of("bm25", {"q": [("e", 1.0), ("d", 0.5)]}), {"q": ("d",)})
    told = {"language": "ja", "candidates": {"bm25": {"forced": {"q": ["d"]}}}}
    write_nano_split(tmp_path, toy, candidates={"bm25": ranked}, graded=toy.qrels, metadata=told)
    (found,) = open_splits(tmp_path)
    (system,) = found.systems
    assert (found.language, system.name) == ("ja", "bm25 (candidates)")
    assert (system.ranking("q"), system.ranking("q", 1), system.forced("q")) == (["e", "d"], ["e"], ("d",))
    assert system.scores("q", 1) == [1.0]
    assert (system.ranking("other"), system.scores("other", 5)) == ([], [])


def test_a_folder_of_another_format_is_read_whole(tmp_path: Path) -> None:
    corpus, queries = Corpus.of([Document("d", "text")]), Queries.of([Query("q", "why?")])
    write_beir(tmp_path, Collection("toy", "", corpus, queries, Qrels.of({"q": {"d": 1}})))
    (found,) = open_splits(tmp_path)
    assert isinstance(found.texts, HeldTexts)
    assert (len(found.texts), found.qrels["q"], found.search("WHY")) == (1, {"d": 1}, [0])


def test_the_language_is_told_or_named_or_found_in_the_queries(dataset: Path, tmp_path: Path) -> None:
    asked = ["wie hoch ist der Berg?", "wer schrieb das Buch?", "wo liegt die Stadt?"]
    corpus = Corpus.of([Document("d", "text")])
    queries = Queries.of([Query(f"q{n}", text) for n, text in enumerate(asked)])
    for name in ("german", "undecided"):
        kept = queries if name == "german" else Queries.of([Query("q0", "?")])
        write_beir(tmp_path / name, Collection(name, "", corpus, kept, Qrels.of({"q0": {"d": 1}})))
    pytest.importorskip("py3langid")
    assert open_splits(tmp_path / "german")[0].language == "de"
    assert open_splits(tmp_path / "undecided")[0].language == ""


def test_a_system_is_read_when_it_is_first_asked(dataset: Path) -> None:
    read = []

    def reading() -> Run:
        read.append(1)
        return Run.of("x", {"q1": [("d1", 1.0)]})

    system = System("x", reading)
    assert read == []
    assert [system.ranking("q1"), system.ranking("q1")] == [["d1"], ["d1"]]
    assert read == [1]
    assert Dataset(dataset, "test").asks(pa.array(["q1"]).to_pylist())
    assert not Dataset(dataset, "test").asks(["q1", "q9"])
