import pytest

from pyrite.core import Collection, Corpus, DataError, Document, Qrels, Queries, Query
from pyrite.preparation.nano import (
    CorpusRules,
    NanoSelection,
    NanoSplit,
    assemble_split,
    choose_documents,
    choose_queries,
    source_of,
)


def split(collection: Collection, *, queries: int = 9, positives="all") -> NanoSplit:
    source = source_of(collection)
    chosen = choose_queries(source, limit=queries, positives=positives)
    selection = NanoSelection(source, chosen, choose_documents(source, chosen, CorpusRules()))
    names = {row: collection.corpus.ids[row].as_py() for row in selection.named_rows()}
    return assemble_split("en", "en", selection, collection.corpus.take(selection.documents.rows), names)


TOY = Collection(
    "toy",
    "en",
    Corpus.of(
        [
            Document("a", "A", title="T"),
            Document("b", "B"),
            Document("c", "C"),
            Document("d", "D"),
            Document("e", ""),
            Document("b2", "B"),
        ]
    ),
    Queries.of([Query("q1", "one?"), Query("q2", "two?"), Query("q3", "three?")]),
    Qrels.of({"q1": {"a": 2, "b": 1, "c": 1, "d": 0}, "q2": {"b2": 3, "a": 0}, "q3": {"e": 1}}),
)


def test_published_qrels_are_binary_and_hold_the_kept_then_the_extra_positives():
    made = split(TOY, positives=1)
    # q1 keeps a (grade 2); b is in the corpus as q2's kept positive (its twin b2 was judged), c stays out.
    assert made.collection.corpus.ids.to_pylist() == ["a", "b", "d"]
    assert list(made.collection.qrels.rows()) == [("q1", "a", 1), ("q1", "b", 1), ("q2", "b", 1)]
    assert made.counts["extra qrels"] == 1
    entry = made.ledger[-1]
    assert (entry.rows_in, entry.rows_out, dict(entry.dropped)) == (4, 3, {"beyond positives_per_query": 1})


def test_provenance_holds_every_grade_and_zero_of_the_chosen_queries():
    made = split(TOY, positives=1)
    assert list(made.graded.rows()) == [
        ("q1", "a", 2),
        ("q1", "b", 1),
        ("q1", "c", 1),
        ("q1", "d", 0),
        ("q2", "b", 3),
        ("q2", "a", 0),
    ]


def test_title_and_text_are_one_text_and_a_document_without_title_is_its_text_alone():
    """O30, O37."""
    made = split(TOY)
    assert made.collection.corpus.texts.to_pylist() == ["T\n\nA", "B", "C", "D"]
    assert made.collection.corpus.titles is None


def test_no_query_vanishes_when_its_only_positive_is_a_removed_twin():
    """X06."""
    made = split(TOY)
    assert made.collection.queries.ids.to_pylist() == ["q1", "q2"]
    assert made.collection.qrels["q2"] == {"b": 1}


def test_a_split_whose_documents_are_not_the_chosen_ones_is_refused():
    source = source_of(TOY)
    chosen = choose_queries(source, limit=9)
    selection = NanoSelection(source, chosen, choose_documents(source, chosen, CorpusRules()))
    names = {row: TOY.corpus.ids[row].as_py() for row in selection.named_rows()}
    with pytest.raises(DataError, match="not the ones that were chosen"):
        assemble_split("en", "en", selection, TOY.corpus.take(selection.documents.rows[::-1]), names)


def test_the_ledger_of_a_split_adds_up_from_stage_to_stage():
    made = split(TOY, positives=1, queries=1)
    by_stage = {entry.stage: entry for entry in made.ledger}
    assert by_stage["empty documents"].rows_out == by_stage["duplicate texts"].rows_in == 5
    assert by_stage["duplicate texts"].rows_out == by_stage["documents of the split"].rows_in == 4
    assert by_stage["queries of equal text"].rows_out == by_stage["queries of the split"].rows_in == 3
    assert by_stage["documents of the split"].rows_out == len(made.collection.corpus) == 2
