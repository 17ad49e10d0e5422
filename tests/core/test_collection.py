"""Corpus and queries: ids, titles, templates."""

import numpy as np
import pyarrow as pa
import pytest

from pyrite.core import Corpus, DataError, Document, Queries, Query, rows_of, taken


def test_a_missing_empty_or_blank_title_leaves_no_trace() -> None:
    """O30: no "None", no separator."""
    titles = pa.array([None, "", "  ", "T"], pa.large_string())
    corpus = Corpus(pa.array(list("abcd")), pa.array(["x"] * 4), titles)
    assert corpus.contents().to_pylist() == ["x", "x", "x", "T\n\nx"]


def test_three_templates_give_three_texts() -> None:
    """O37: what a system reads follows the template."""
    documents = [Document("d", "B", "A")]
    texts = {
        Corpus.of(documents, template=t).contents()[0].as_py()
        for t in ("{title}\n\n{text}", "{title} {text}", "{text}")
    }
    assert texts == {"A\n\nB", "A B", "B"}


def test_braces_in_texts_are_text() -> None:
    assert Corpus.of([Document("d", "{title}", "{text}")], template="{title}: {text}").contents()[0].as_py() == (
        "{text}: {title}"
    )


def test_a_template_without_text_is_refused() -> None:
    with pytest.raises(DataError, match=r"has no \{text\}"):
        Corpus.of([Document("d", "x")], template="{title}")


def test_repeated_ids_are_refused_by_name() -> None:
    with pytest.raises(DataError, match="document id 'b' occurs more than once"):
        Corpus.of([Document("a", "x"), Document("b", "y"), Document("b", "z")])
    with pytest.raises(DataError, match="query id 'q' occurs more than once"):
        Queries.of([Query("q", "x"), Query("q", "y")])


def test_a_missing_text_names_its_row() -> None:
    with pytest.raises(DataError, match="row 1: document text is missing"):
        Corpus(pa.array(["a", "b"]), pa.array(["x", None]))


def test_positions_of_unknown_ids_are_minus_one() -> None:
    corpus = Corpus.of([Document("001", "x"), Document("1", "y")])
    assert corpus.positions(["1", "01", "001"]).tolist() == [1, -1, 0]


def test_rows_are_found_across_chunks_for_ids_in_any_order() -> None:
    ids = pa.chunked_array([["d0", "d1"], [], ["d2", "d3"]])
    wanted = ["d3", "d9", "d0", "d3", None]
    assert rows_of(pa.array(wanted), ids).tolist() == [3, -1, 0, 3, -1]
    assert rows_of(pa.chunked_array([], pa.string()), ids).tolist() == []
    assert rows_of(pa.array(["d1"]), iter(ids.chunks)).tolist() == [1]


def test_taking_from_chunks_copies_the_taken_rows_alone() -> None:
    column = pa.chunked_array([pa.array([f"{chunk}{'x' * 10_000}"] * 100) for chunk in range(10)])
    assert taken(column, np.array([950, 3, 420, 3])).to_pylist() == [column[row].as_py() for row in (950, 3, 420, 3)]
    assert len(taken(column, np.array([], np.int64))) == 0
    held = pa.default_memory_pool()
    before = held.bytes_allocated()
    few = taken(column, np.array([950, 3]))
    assert held.bytes_allocated() - before < 100_000 < column.nbytes
    assert len(few) == 2


def test_a_whole_corpus_is_as_it_was_given() -> None:
    ids, texts = pa.chunked_array([pa.array(["a"], pa.large_string())]), pa.chunked_array([["x"]], pa.large_string())
    corpus = Corpus.whole(ids, texts)
    assert (corpus[0], corpus.positions(["a"]).tolist()) == (Document("a", "x"), [0])
    assert (corpus.titles, corpus.contents()) == (None, texts)


def test_a_corpus_without_titles_is_not_copied_to_be_read() -> None:
    corpus = Corpus.of([Document("a", "x"), Document("b", "y")])
    assert corpus.contents().chunk(0).buffers()[2].address == corpus.texts.chunk(0).buffers()[2].address


def test_taking_rows_keeps_titles_with_texts() -> None:
    corpus = Corpus.of([Document("a", "x", "A"), Document("b", "y"), Document("c", "z", "C")])
    assert list(corpus.take(np.array([2, 0]))) == [Document("c", "z", "C"), Document("a", "x", "A")]


def test_titles_are_joined_part_by_part_to_the_same_contents(monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = Corpus.of([Document(f"d{n}", f"text {n}", f"Title {n}" if n % 3 else "") for n in range(10)])
    whole = corpus.contents().to_pylist()
    monkeypatch.setattr("pyrite.core.collection._JOINED", 4)
    assert corpus.contents().to_pylist() == whole
    assert corpus.contents().num_chunks == 3
    assert corpus.contents(2, 7).to_pylist() == whole[2:7]
    assert whole[:2] == ["text 0", "Title 1\n\ntext 1"]
