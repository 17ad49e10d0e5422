import numpy as np
import pytest

from pyrite.reporting import TextLengths


def test_every_text_is_in_exactly_one_bar() -> None:
    lengths = np.array([0, 0, 1, 5, 9, 100, 100, 4096])
    found = TextLengths.of_lengths("documents", lengths)
    for start, end, texts in found.bins:
        assert texts == sum(start <= length < end for length in lengths)
    assert sum(texts for _, _, texts in found.bins) == len(lengths)
    assert found.bins[0] == (0, 1, 2)
    assert found.bins[-1][0] <= 4096 < found.bins[-1][1]
    assert [end for _, end, _ in found.bins[:-1]] == [start for start, _, _ in found.bins[1:]]


@pytest.mark.parametrize("longest", [0, 1, 2, 63, 64, 65])
def test_the_longest_text_has_a_bar_of_its_own_size(longest: int) -> None:
    found = TextLengths.of_lengths("queries", np.array([longest]))
    assert [texts for _, _, texts in found.bins] == [1]
    assert found.bins[0][0] <= longest < found.bins[0][1]


def test_no_texts_have_no_bars_and_no_lengths() -> None:
    assert TextLengths.of_lengths("queries", np.empty(0, np.int64)) == TextLengths(
        "queries", "", 0, 0.0, 0, 0, 0, 0, ()
    )


def test_percentiles_are_lengths_that_occur() -> None:
    found = TextLengths.of_lengths("queries", np.arange(1, 101), of="de")
    assert (found.of, found.p5, found.median, found.p95, found.longest, found.mean) == ("de", 5, 50, 95, 100, 50.5)
