"""Lengths of texts, counted as Python counts."""

import numpy as np
import pyarrow as pa
import pytest

from pyrite.core import join_title
from pyrite.publishing.statistics import Lengths, TextMeter, size_category

TEXTS = ["one two", " a\tb\n\nc ", "x - y", "", "e\u0301te\u0301 \U0001f600", None]


def test_words_are_those_of_python_in_spaced_scripts() -> None:
    meter = TextMeter()
    meter.add(pa.array(TEXTS))
    lengths = np.array([len((text or "").split()) for text in TEXTS])
    assert meter.statistics().words == Lengths.of(lengths)


def test_characters_are_code_points() -> None:
    meter = TextMeter()
    meter.add(pa.array(TEXTS))
    assert meter.statistics().characters == Lengths.of(np.array([len(text or "") for text in TEXTS]))


def test_each_character_of_a_script_without_spaces_is_a_word() -> None:
    meter = TextMeter()
    meter.add(pa.array(["黄鉄鉱は金 FeS2"]))
    assert meter.statistics().words.longest == 6


def test_percentiles_are_lengths_that_occur() -> None:
    assert Lengths.of(np.arange(1, 101)) == Lengths(50.5, 5, 50, 95, 100)
    assert Lengths.of(np.array([7])) == Lengths(7.0, 7, 7, 7, 7)
    assert Lengths.of(np.empty(0, np.int64)) == Lengths(0.0, 0, 0, 0, 0)


@pytest.mark.parametrize("template", ["{title}\n\n{text}", "{title} {text}"])
def test_a_title_counts_as_it_is_joined(template: str) -> None:
    """O30: a missing or blank title adds nothing, not even a separator."""
    titles = ["T", "", "  ", None, "Two words", "Alone"]
    texts = ["b c", "b", "b", "b", "", "  "]
    joined = [join_title(title, text, template) for title, text in zip(titles, texts, strict=True)]
    meter = TextMeter()
    meter.add_titled(pa.array(titles), pa.array(texts), template)
    told = meter.statistics()
    assert told.characters == Lengths.of(np.array([len(text) for text in joined]))
    assert told.words == Lengths.of(np.array([len(text.split()) for text in joined]))


def test_batches_leave_no_trace() -> None:
    texts, whole, first, rest = pa.array(["a", "b c", "d e f"]), TextMeter(), TextMeter(), TextMeter()
    whole.add(texts)
    first.add(texts.slice(0, 1))
    rest.add(texts.slice(1))
    assert whole.statistics() == TextMeter.joined([first, rest]).statistics()


def test_characters_of_a_document_are_those_of_title_and_text_alone() -> None:
    meter = TextMeter()
    meter.add_titled(pa.array(["Two", None]), pa.array(["b c", " "]), "{title}\n\n{text}")
    meter.add(pa.array(["abcd"]))
    assert meter.characters().tolist() == [6, 1, 4]


def test_size_categories_begin_at_their_lower_bound() -> None:
    assert [size_category(rows) for rows in (0, 999, 1000, 9_999, 10_000, 10**12)] == [
        "n<1K",
        "n<1K",
        "1K<n<10K",
        "1K<n<10K",
        "10K<n<100K",
        "n>1T",
    ]
