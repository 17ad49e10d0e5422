import random
from collections.abc import Callable

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pyrite.retrieval.bm25.analyzers import Analyzer
from pyrite.retrieval.bm25.folding import HARD, KIND_SHIFT, MARK, character_table
from pyrite.retrieval.bm25.tokenizer import Tokenizer

PLAIN, TURKISH = Analyzer("whitespace", "en"), Analyzer("whitespace", "tr")
KINDS = character_table().entries >> KIND_SHIFT
DIFFICULT = st.sampled_from(
    [chr(code) for code in np.flatnonzero((KINDS == MARK) | (KINDS == HARD)) if not 0xD800 <= code < 0xE000]
    + [chr(code) for code in np.flatnonzero(character_table().composition) if not 0xD800 <= code < 0xE000]
)
CHARACTERS = st.one_of(st.characters(exclude_categories=["Cs"]), DIFFICULT, st.sampled_from("aAIiİıſßKÅΣς _-.7½\n\0"))

TORTURE = [
    "e\u0301 \u0301 é",  # decomposed, a mark alone, composed
    "한글 \u1112\u1161\u11ab\u1100\u1173\u11af \u1100\u1161 각\u11a8",  # syllables and jamo, whole and in part
    "ＦＵＬＬ－ＷＩＤＴＨ １２３ ﾊﾝｶｸﾞ ｶﾞ",
    "ﬃ ﬁ ĳ ﷺ ﷻ ㍿ ½ ⑴ … ™ ㎏",
    "İstanbul ISPARTA ıslak i\u0307",
    "ΟΔΥΣΣΕΥΣ ὈΔΥΣΣΕΎΣ ᾳ ᾼ ΐ \u0345 α\u0345",
    "น้ำ น้\u0e4d\u0e32 ทำ วิทยุ วิทยาศาสตร์",
    "क्षत्रिय बड़ा बड\u093cा क\u200dष हिन्दी",
    "বাংলা কো ক\u09c7\u09be ক\u09c7\u200d\u09be",
    "مُحَمَّد مّّ آ ا\u0653 می‌روم",
    "👩\u200d👩\u200d👧 ❤️ 🇹🇷 👍🏽 1️⃣",
    "a\u0323\u0307 a\u0307\u0323 ạ\u0307 ȧ\u0323 Ž\u0323 z\u030c\u0323",  # marks out of order, and into a composition
    "J\u030c ǰ \u212b \u2126 \u212a",
    "snake_case x_1 __ co-op don't U.S.A.",
    "a\0b \u00ad soft\u00adhyphen\u2060joined\ufeffbom",
    "𠮷 𝔘𝔫𝔦 🅰 \U0001d15e \U000e0061",
    "ẞ ŉ ǰ ﬗ ᾀ Ω\u0314\u0300\u0345",
    "x" * 7 + " " + "x" * 8 + " " + "x" * 9 + " " + "é" * 4 + " " + "é" * 5 + " " + "日" * 5,
    "",
    " ",
]


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.text(CHARACTERS, max_size=12), max_size=6))
def test_words_are_those_of_plain_python(plain_words: Callable[..., list[str]], texts: list[str]) -> None:
    assert Tokenizer(PLAIN).words_of(texts) == [plain_words(text) for text in texts]
    assert Tokenizer(TURKISH).words_of(texts) == [plain_words(text, turkic=True) for text in texts]


@pytest.mark.parametrize("text", TORTURE, ids=ascii)
def test_difficult_texts_are_cut_as_by_plain_python(text: str, plain_words: Callable[..., list[str]]) -> None:
    assert Tokenizer(PLAIN).words_of([text]) == [plain_words(text)]
    assert Tokenizer(TURKISH).words_of([text]) == [plain_words(text, turkic=True)]


def test_a_difficult_text_does_not_change_its_neighbours(plain_words: Callable[..., list[str]]) -> None:
    texts = ["one two", *TORTURE, "two one"]
    assert Tokenizer(PLAIN).words_of(texts) == [plain_words(text) for text in texts]


def test_ids_are_given_in_the_order_in_which_words_are_first_seen() -> None:
    tokenizer = Tokenizer(PLAIN)
    found = tokenizer.word_ids(pa.array(["b a b", "", "c a"], pa.large_string()))
    assert found.ids.tolist() == [0, 1, 0, 2, 1]
    assert (found.starts.tolist(), found.ends.tolist()) == ([0, 3, 3], [3, 3, 5])
    assert tokenizer.fresh_words() == ["b", "a", "c"]


def test_words_keep_their_ids_from_one_column_to_the_next() -> None:
    tokenizer = Tokenizer(PLAIN)
    tokenizer.word_ids(pa.array(["b a"], pa.large_string()))
    assert tokenizer.fresh_words() == ["b", "a"]
    assert tokenizer.word_ids(pa.array(["c a"], pa.large_string())).ids.tolist() == [2, 1]
    assert (tokenizer.fresh_words(), tokenizer.fresh_words(), len(tokenizer)) == (["c"], [], 3)


def test_a_slice_of_a_column_is_read_from_its_own_start() -> None:
    column = pa.array(["zero", "one é", "two", "three"], pa.large_string())[1:3]
    assert Tokenizer(PLAIN).word_ids(column).ids.tolist() == [0, 1, 2]


@pytest.mark.parametrize("texts", [[], [""], ["", "", ""], ["..."]])
def test_texts_without_words_have_none(texts: list[str]) -> None:
    assert Tokenizer(PLAIN).words_of(texts) == [[] for _ in texts]


def test_many_distinct_words_each_have_one_id() -> None:
    source = random.Random(3)
    words = ["".join(source.choices("abcdeéß日", k=source.randint(1, 20))) for _ in range(40_000)]
    folded = [word.replace("ß", "ss") for word in words]
    found = Tokenizer(PLAIN).words_of([" ".join(words[:5]), " ".join(words), " ".join(reversed(words))])
    assert found == [folded[:5], folded, folded[::-1]]


def test_a_word_of_a_million_letters_is_one_word() -> None:
    word = "x" * 1_000_003
    assert Tokenizer(PLAIN).words_of([f"a {word} b {word}c"]) == [["a", word, "b", word + "c"]]


def test_a_long_text_is_not_cut_anywhere_but_between_words() -> None:
    """X10."""
    words = [f"w{number}" for number in range(20_000)]
    assert Tokenizer(PLAIN).words_of([" ".join(words)]) == [words]
