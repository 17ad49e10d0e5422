"""Words and characters, against the regular expression that says what a word is."""

import random

import numpy as np
import polars as pl
import pyarrow as pa

from pyrite.publishing.word_counts import UNSPACED, count_words

LETTERS = "ab0-\u00e9\u0301\U0001f600 \t\n\u00a0\u0085\u2003\u3000\u200b黄鉱は金カทຂខမ한ب"


def test_words_are_what_the_expression_finds() -> None:
    chance = random.Random(3)
    texts = ["".join(chance.choices(LETTERS, k=chance.randrange(30))) for _ in range(2000)]
    words, characters = count_words(pa.array(texts))
    found = pl.Series(texts).str.count_matches(rf"[{UNSPACED}]|[^\s{UNSPACED}]+")
    assert words.tolist() == found.to_list()
    assert characters.tolist() == [len(text) for text in texts]


def test_every_character_is_white_space_or_a_word() -> None:
    every = [chr(point) for point in range(0x110000) if not 0xD800 <= point < 0xE000]
    words, characters = count_words(pa.array(every))
    assert words.tolist() == pl.Series(every).str.count_matches(rf"[{UNSPACED}]|[^\s{UNSPACED}]+").to_list()
    assert set(characters.tolist()) == {1}


def test_slices_missing_texts_and_none_at_all() -> None:
    texts = pa.array(["a b", None, "", "黄 x", "last"]).slice(1, 3)
    assert [part.tolist() for part in count_words(texts)] == [[0, 0, 2], [0, 0, 3]]
    assert [len(part) for part in count_words(pa.array([], pa.string()))] == [0, 0]
    assert [part.tolist() for part in count_words(pa.nulls(2))] == [[0, 0], [0, 0]]


def test_bytes_that_are_no_utf8_are_not_read_beyond_their_text() -> None:
    cut = "é".encode()[:1]
    broken = pa.LargeStringArray.from_buffers(2, pa.py_buffer(np.array([0, 1, 2])), pa.py_buffer(cut + b"x"))
    assert [part.tolist() for part in count_words(broken)] == [[1, 1], [1, 1]]
