"""What another dataset holds too: a table of training rows, a mined set, a collection."""

import json
from pathlib import Path

import pytest

from pyrite.core import Collection, Corpus, DataError, Document, Qrels, Queries, Query
from pyrite.formats import write_beir
from pyrite.pipelines.auditing_leaks import Other, leaks_of

LONG = "Pyrite is an iron sulfide whose brass colour earned it the name fool's gold among miners of the old west"
TOY = Collection(
    "toy",
    "en",
    Corpus.of([Document("p0", LONG), Document("p1", "Galena is lead sulfide."), Document("d2", "Coal is black.")]),
    Queries.of([Query("q0", "What is fool's gold?"), Query("q1", "Ore of lead?")]),
    Qrels.of({"q0": {"p0": 1}, "q1": {"p1": 1, "d2": 0}}),
)


def told(other: Other) -> list[tuple[int, int, str]]:
    return [(leak.query, leak.document, leak.reason) for leak in leaks_of(TOY, other)]


def table(folder: Path, *rows: dict[str, object]) -> str:
    path = folder / "train.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def test_a_tables_passages_and_queries_are_held_against_positives_and_queries(tmp_path: Path) -> None:
    # O39: exact, normalised and near-duplicate leaks between any two sets.
    path = table(
        tmp_path,
        {"question": "what is FOOL'S gold?", "text": "Galena is lead sulfide."},
        {"question": "else?", "text": LONG.replace(",", ";") + "!"},
        {"question": "else?", "text": "Coal is black."},
    )
    columns = {"query": "question", "passage": "text"}
    assert told(Other(path, columns)) == [
        (0, -1, "the same as a query, normalised"),
        (0, 0, "a near-duplicate of a document"),
        (1, 1, "the same as a document"),
    ], "d2 is no positive, so that it is no leak"
    assert told(Other(path, {"passage": "text"}, near=0)) == [(1, 1, "the same as a document")]


def test_lists_of_texts_are_taken_apart(tmp_path: Path) -> None:
    path = table(tmp_path, {"pos": ["else", "Galena is lead sulfide."]})
    assert told(Other(path, {"passage": "pos"})) == [(1, 1, "the same as a document")]


def test_a_collection_is_held_against_by_its_documents_and_queries(tmp_path: Path) -> None:
    other = Collection(
        "other",
        "en",
        Corpus.of([Document("x", LONG), Document("y", "ore of lead?")]),
        Queries.of([Query("q", "what is fool's gold?")]),
        Qrels.of({"q": {"x": 1}}),
    )
    write_beir(tmp_path / "other", other)
    assert told(Other(str(tmp_path / "other"))) == [
        (0, -1, "the same as a query, normalised"),
        (1, -1, "the same as a document, normalised"),
        (0, 0, "the same as a document"),
    ]


def test_a_mined_set_is_held_against_by_its_pairs(mined_folder: Path) -> None:
    asked = Queries.of([Query("a", "What is soft?"), Query("b", "Talc?")])
    corpus = Corpus.of([Document("d", "Talc is soft."), Document("e", "Coal is black.")])
    mine = Collection("toy", "en", corpus, asked, Qrels.of({"a": {"e": 1}, "b": {"d": 1}}))
    found = [(leak.query, leak.document, leak.reason) for leak in leaks_of(mine, Other(str(mined_folder)))]
    assert found == [(0, -1, "the same as a query, normalised"), (1, 0, "the same as a document")]


def test_a_column_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no column 'passage'"):
        told(Other(table(tmp_path, {"text": "a"})))
