"""Compiled shingles against the rule in plain Python and against `shingles`, in many scripts."""

import random
import unicodedata

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pyrite.preparation.identity import normalise
from pyrite.preparation.shingle_hashes import shingle_hashes
from pyrite.preparation.shingles import shingles
from pyrite.preparation.word_characters import KIND_SHIFT, MARK, normalising_table

UNSPACED = (
    "CJK UNIFIED",
    "CJK COMPATIBILITY IDEOGRAPH",
    "IDEOGRAPHIC ITERATION",
    "IDEOGRAPHIC CLOSING",
    "IDEOGRAPHIC NUMBER",
    "VERTICAL IDEOGRAPHIC ITERATION",
    "HANGZHOU",
    "HIRAGANA",
    "HENTAIGANA",
    "KATAKANA",
    "COMBINING KATAKANA",
    "THAI",
    "LAO",
    "KHMER",
    "MYANMAR",
)


def _sets(texts: list[str]) -> list[frozenset[int]]:
    sizes, hashes = shingle_hashes(pa.array(texts, pa.large_string()))
    ends = np.cumsum(sizes)
    return [
        frozenset(hashes[end - size : end].tolist()) for end, size in zip(ends.tolist(), sizes.tolist(), strict=True)
    ]


def _readable(text: str) -> frozenset[tuple[str, ...]]:
    """The rule, character by character, scripts told by the names of their characters."""
    words, inside = [], False
    for character in normalise(text):
        joins = unicodedata.category(character)[0] in "LNM"
        alone = joins and unicodedata.name(character, "").startswith(UNSPACED)
        if joins and inside and not alone:
            words[-1] += character
        elif joins:
            words.append(character)
        inside = joins and not alone
    return frozenset(tuple(words[first : first + 5]) for first in range(max(1, len(words) - 4)) if words)


def _assert_same(texts: list[str]) -> None:
    """Equal numbers of distinct shingles, and equal shingles exactly where the readable ones are equal."""
    number_of: dict[tuple[str, ...], int] = {}
    for text, found in zip(texts, _sets(texts), strict=True):
        expected = _readable(text)
        assert len(found) == len(expected), ascii(text)
        if len(expected) == 1:
            (shingle,), (number,) = expected, found
            assert number_of.setdefault(shingle, number) == number, ascii(text)
    assert len(set(number_of.values())) == len(number_of)


def test_a_text_shorter_than_a_shingle_is_its_own_shingle() -> None:
    """O55: with n = 5, "cat" and "dog" are no duplicates, "cat" and "cat" are."""
    cat, dog, again = _sets(["cat", "dog", "cat"])
    assert cat == again
    assert len(cat) == len(dog) == 1
    assert cat != dog


def test_a_short_text_is_not_the_start_of_a_longer_one() -> None:
    four, five, six = _sets(["a b c d", "a b c d e", "a b c d e f"])
    assert not four & (five | six)
    assert five < six


def test_case_width_and_composition_make_no_difference_and_word_order_does() -> None:
    sets = _sets(["Café Ａ １ ſ", "CAFÉ a 1 s", "cafe\u0301 a 1 s", "a café 1 s", "cafe a 1 s"])
    assert sets[0] == sets[1] == sets[2]
    assert len({sets[0], sets[3], sets[4]}) == 3


def test_texts_without_words_or_missing_have_no_shingles() -> None:
    """O57: such a text equals nothing, so it has nothing to be equal by."""
    sizes, hashes = shingle_hashes(pa.array(["", "?! ...", None, "_", "\u3002"]))
    assert sizes.tolist() == [0] * 5
    assert len(hashes) == 0


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("黄铁矿是一种矿物。", "今天天气很好我们去公园。"),
        ("الذهب معدن ثمين جدا", "الطقس جميل اليوم هنا"),
        ("วิทยุ", "วิทยา"),
        ("सोना कीमती है", "मौसम अच्छा है"),
    ],
)
def test_different_texts_of_any_script_share_no_shingle(first: str, second: str) -> None:
    """O57."""
    one, other = _sets([first, second])
    assert one
    assert other
    assert not one & other


def test_characters_of_unspaced_scripts_are_words() -> None:
    # 8 characters: 4 runs of 5; the mark and the vowel signs of Thai are characters too.
    assert [len(found) for found in _sets(["黄铁矿是愚人金子", "ひらがなカタカナ", "วิทยุไทย", "ខ្មែរខ្មែ"])] == [
        4,
        4,
        4,
        5,
    ]


def test_a_repeated_shingle_counts_once() -> None:
    assert [len(found) for found in _sets(["a b c d e " * 50, "a " * 50])] == [5, 1]


def test_unwanted_texts_cost_nothing_and_a_slice_is_read_as_such() -> None:
    texts = pa.array(["zero", "one two", "three", "cafe\u0301 four"], pa.large_string())
    sizes, hashes = shingle_hashes(texts.slice(1), np.array([True, False, True]))
    whole = shingle_hashes(texts)[1]
    assert sizes.tolist() == [1, 0, 1]
    assert hashes.tolist() == whole[[1, 3]].tolist()
    assert shingle_hashes(pa.chunked_array([texts.slice(0, 1), texts.slice(1)]))[1].tolist() == whole.tolist()
    assert shingle_hashes(pa.chunked_array([], pa.string()))[0].tolist() == []


def test_every_character_between_letters_gives_the_readable_shingles() -> None:
    """Each assigned character after "e", after a mark, and before an acute accent."""
    table = normalising_table()
    plain = np.arange(0x110000) == (table.entries & 0x1FFFFF)
    odd = np.flatnonzero(~plain | (table.entries >> KIND_SHIFT != 0))
    odd = odd[(odd < 0xD800) | (odd > 0xDFFF)]
    _assert_same([form.format(chr(code)) for code in odd.tolist() for form in ("e{}", "\u0921\u094d{}", "{}\u0301a")])


def test_random_rows_of_difficult_characters_give_the_readable_shingles() -> None:
    chance = random.Random(5)
    kinds = (normalising_table().entries >> KIND_SHIFT) & 7
    difficult = [chr(code) for code in np.flatnonzero(kinds >= MARK).tolist()]
    expanding = [chr(code) for code in np.flatnonzero(kinds == 1).tolist()]
    choices = (difficult, expanding, list("ab eé.ग क ড가ㄱ각"))
    _assert_same(["".join(chance.choice(chance.choice(choices)) for _ in range(1 + row % 12)) for row in range(20_000)])


def test_normalised_text_is_cut_the_same_way_as_raw_text() -> None:
    texts = ["Straße ﬁne ①②", "İstanbul", "ʼn ǰ", "ϓ"]
    for text in texts:
        assert _sets([text]) == _sets([normalise(text)]) or normalise(normalise(text)) != normalise(text)


@pytest.mark.parametrize("path", ["xquad/corpus/zh.parquet", "xquad/corpus/hi.parquet", "tydiqa/corpus/bn.parquet"])
def test_real_texts_give_the_readable_shingles(shared_data, path: str) -> None:
    texts = pq.read_table(shared_data / path).column("text").to_pylist()[:40]
    found = _sets(texts)
    expected = [shingles(text) for text in texts]
    for first in range(0, 40, 5):
        for second in range(40):
            assert len(found[first] & found[second]) == len(expected[first] & expected[second])
