import numpy as np

from pyrite.retrieval.bm25.splitting import Split
from pyrite.retrieval.bm25.vocabulary import longer, look_up, no_words, with_room, word_lines


def split_of(*words: tuple[int, int]) -> Split:
    """Words of one number each with hashes of our choice."""
    numbers, hashes = (np.array(column, np.uint64) for column in zip(*words, strict=True))
    return Split(numbers, hashes, np.ones(len(words), np.int32))


def test_two_words_with_one_hash_are_two_words() -> None:
    words = no_words(4)
    split = split_of((0x61, 7), (0x62, 7), (0x61, 7))
    turn = (0, 3, 0)
    words = with_room(split, turn, words)
    ids = np.zeros(3, np.int32)
    look_up(split, turn, words, ids, 0)
    assert ids.tolist() == [0, 1, 0]
    assert word_lines(words, 1).tobytes() == b"a\nb\n"


def test_a_vocabulary_that_grows_keeps_what_it_has() -> None:
    words = no_words(4)
    split = Split(np.array([0x61], np.uint64), np.array([0], np.uint64), np.ones(1, np.int32))
    words = with_room(split, (0, 1, 0), words)
    look_up(split, (0, 1, 0), words, np.zeros(1, np.int32), 0)
    many = Split(np.arange(1, 101, dtype=np.uint64), np.zeros(100, np.uint64), np.ones(100, np.int32))
    grown = with_room(many, (0, 100, 0), words)
    assert len(grown.slots) >= 200
    assert word_lines(grown, 1).tobytes() == b"a\n"


def test_a_longer_array_begins_with_the_old_one() -> None:
    grown = longer(np.array([1, 2, 3]), 5)
    assert (grown[:3].tolist(), len(grown) >= 5) == ([1, 2, 3], True)
