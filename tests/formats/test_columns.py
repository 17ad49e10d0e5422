"""Which column of a file is meant."""

import pytest

from pyrite.core import DataError
from pyrite.formats.columns import Column, choose_columns


def test_a_missing_column_names_the_file_the_column_and_those_that_are_there():
    with pytest.raises(DataError) as caught:
        choose_columns([Column("passage", ("passage_text",))], ["question", "answer"], "train.parquet")
    assert str(caught.value) == (
        "train.parquet: there is no column 'passage_text' (wanted as passage); the columns are 'question', 'answer'; "
        "name the right one."
    )


def test_the_first_of_several_names_that_is_there_is_taken():
    column = Column("query", ("query-id", "query_id"), "id")
    assert choose_columns([column], ["query_id"], "f") == [(column, "query_id")]
    assert choose_columns([column], ["query_id", "query-id"], "f") == [(column, "query-id")]


def test_a_name_that_occurs_twice_is_an_error():
    with pytest.raises(DataError, match="the column 'text' occurs more than once"):
        choose_columns([Column("text", ("text",))], ["text", "text"], "rows.csv")
