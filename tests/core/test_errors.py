"""Errors are one sentence, and survive the way back from a worker process."""

import pickle

from pyrite.core import DataError, MissingExtraError, PyriteError, RecipeError


def test_an_error_says_where_what_and_what_to_do() -> None:
    error = DataError("id is the integer 17", where="corpus.jsonl, line 3", fix="quote it")
    assert str(error) == "corpus.jsonl, line 3: id is the integer 17; quote it."


def test_an_error_comes_back_from_a_worker_unchanged() -> None:
    for error in (RecipeError("a", where="b", fix="c"), MissingExtraError.of("languages", needed_for="wordseg:ja")):
        again = pickle.loads(pickle.dumps(error))
        assert (type(again), str(again), again.exit_code) == (type(error), str(error), 2)
        assert isinstance(again, PyriteError)
