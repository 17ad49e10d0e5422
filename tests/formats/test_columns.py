"""Which column of a file is meant."""

import pytest

from pyrite.core import DataError
from pyrite.formats.columns import Column, choose_columns


def test_a_missing_column_names_the_file_the_column_and_those_that_are_there():
    with pytest.raises(DataError) as caught:
        choose_columns([Column("passage", ("passage_text",))], ["question", "answer"], "train.parquet")
    assert str(caught.value) == (
        "train.parquet: there is no column 'passage_text' (wanted as passage); the columns are 'question', 'answer'; "
        "rename the one that is meant in the file."
    )


def test_who_can_name_a_column_elsewhere_says_how():
    with pytest.raises(DataError, match=r"; say which is the query\.$"):
        choose_columns([Column("query", ("q",))], ["a"], "f", advise=lambda name: f"say which is the {name}")


@pytest.mark.parametrize(
    ("header", "told"),
    [("question;passage", "semicolons"), ("question\tpassage", "tabs"), ("question,passage", "commas")],
)
def test_a_header_in_one_cell_is_told_as_another_separator(header, told):
    with pytest.raises(DataError) as caught:
        choose_columns([Column("query", ("question",))], [header], "faq.csv")
    assert str(caught.value) == (
        f"faq.csv: there is no column 'question' (wanted as query); the columns are {header!r} alone, as if the file "
        f"were separated by {told}; Pyrite reads commas in .csv and tabs in .tsv; save it as one of them."
    )


def test_an_empty_file_is_told_as_such():
    with pytest.raises(DataError) as caught:
        choose_columns([Column("query", ("question",))], [], "faq.csv")
    assert str(caught.value) == (
        "faq.csv: the file is empty; it should have a column 'question'; check that it is the right file, and that it "
        "was written in full."
    )


def test_the_first_of_several_names_that_is_there_is_taken():
    column = Column("query", ("query-id", "query_id"), "id")
    assert choose_columns([column], ["query_id"], "f") == [(column, "query_id")]
    assert choose_columns([column], ["query_id", "query-id"], "f") == [(column, "query-id")]


def test_a_name_that_occurs_twice_is_an_error():
    with pytest.raises(DataError, match="the column 'text' occurs more than once"):
        choose_columns([Column("text", ("text",))], ["text", "text"], "rows.csv")
