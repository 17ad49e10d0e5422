import math

import numpy as np
import pytest

from pyrite.retrieval.bm25.formula import Formula

DF = np.array([1, 5, 9, 10, 1, 3])


def test_lucene_adds_one_before_the_logarithm() -> None:
    expected = [math.log(1 + (10 - df + 0.5) / (df + 0.5)) for df in DF.tolist()]
    assert Formula("lucene", 1.5, 0.75).idf(10, DF).tolist() == np.float32(expected).tolist()


def test_robertson_is_never_below_zero() -> None:
    """A term in half of the documents or more says nothing."""
    idf = Formula("robertson", 1.5, 0.75).idf(10, DF)
    assert idf[[1, 2, 3]].tolist() == [0.0, 0.0, 0.0]
    assert idf[0] == pytest.approx(math.log(9.5 / 1.5))


def test_no_terms_have_no_idf() -> None:
    assert Formula("lucene", 1.5, 0.75).idf(0, np.zeros(0, np.int64)).tolist() == []
