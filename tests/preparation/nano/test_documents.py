import numpy as np
import pytest

from pyrite.core import Corpus, DataError, Document
from pyrite.preparation.nano import map_corpus, map_documents


def pairs(*numbers: int) -> np.ndarray:
    return np.array([[number, number] for number in numbers], np.uint64)


def test_the_first_in_source_order_stands_for_all_that_share_its_text():
    found = map_documents(pairs(7, 8, 7, 9, 8, 7), np.zeros(6, bool))
    assert found.kept.tolist() == [0, 1, 0, 3, 1, 0]
    assert found.documents.tolist() == [0, 1, 3]
    assert [dict(entry.dropped) for entry in found.entries] == [{}, {"same text as an earlier one": 3}]


def test_empty_texts_stand_for_nothing_and_are_no_duplicates_of_each_other():
    found = map_documents(pairs(0, 5, 0), np.array([True, False, True]))
    assert found.kept.tolist() == [-1, 1, -1]
    assert [dict(entry.dropped) for entry in found.entries] == [{"empty text": 2}, {}]


def test_no_documents_at_all_are_mapped_to_nothing():
    assert map_documents(np.empty((0, 2), np.uint64), np.empty(0, bool)).documents.tolist() == []


def test_digests_and_marks_of_different_lengths_are_refused():
    with pytest.raises(DataError, match="1 digests and 2 marks"):
        map_documents(pairs(1), np.zeros(2, bool))


def test_what_a_system_reads_decides_and_not_the_text_alone():
    texts = [Document("a", "B", title="A"), Document("b", "B"), Document("c", "A\n\nB"), Document("d", "", title="B")]
    assert map_corpus(Corpus.of(texts)).kept.tolist() == [0, 1, 0, 1]
