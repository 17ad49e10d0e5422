"""JSON lines: values as they are written, errors by line."""

import gzip
import json

import pytest

from pyrite.core import DataError
from pyrite.formats import DataWarning, jsonl_batches
from pyrite.formats.columns import Column

ID, TEXT, TITLE = Column("id", ("_id",), "id"), Column("text", ("text",)), Column("title", ("title",), optional=True)


def rows(path, columns=(ID, TEXT), **where):
    return [row for batch in jsonl_batches(path, columns, **where) for row in batch.to_pylist()]


def written(tmp_path, *lines, end="\n"):
    path = tmp_path / "corpus.jsonl"
    path.write_bytes(b"".join((line if isinstance(line, bytes) else line.encode()) + end.encode() for line in lines))
    return path


def test_values_are_kept_as_they_are_written(tmp_path):
    """O33: no type is guessed from a string, and a date stays text."""
    path = written(tmp_path, '{"_id": "001", "text": "2020-01-01"}', '{"text": "1e3", "_id": "no", "more": {"a": 1}}')
    assert rows(path) == [{"id": "001", "text": "2020-01-01"}, {"id": "no", "text": "1e3"}]


def test_blank_lines_a_byte_order_mark_and_other_line_ends_are_passed_over(tmp_path):
    path = written(
        tmp_path, b'\xef\xbb\xbf{"_id": "a", "text": "x"}', "", '{"_id": "b", "text": "y\u2028z"}', end="\r\n"
    )
    assert rows(path) == [{"id": "a", "text": "x"}, {"id": "b", "text": "y\u2028z"}]


def test_a_key_that_an_object_lacks_is_null_and_a_late_title_is_found(tmp_path):
    """O30: the first title stands in the 1,201st line."""
    lines = [json.dumps({"_id": str(number), "text": "t"}) for number in range(1200)]
    found = rows(written(tmp_path, *lines, '{"_id": "x", "text": "t", "title": "T"}'), (ID, TITLE))
    assert found[0] == {"id": "0", "title": None}
    assert found[-1] == {"id": "x", "title": "T"}


def test_a_key_that_no_object_has_is_a_missing_column(tmp_path):
    with pytest.raises(DataError, match=r"there is no column 'text' \(wanted as text\); the columns are '_id'"):
        rows(written(tmp_path, '{"_id": "a"}'))


def test_integer_ids_are_cast_with_one_warning(tmp_path):
    """O33: 1 and "001" are two ids."""
    path = written(tmp_path, '{"_id": 1}', '{"_id": "001"}', '{"_id": 2}')
    with pytest.warns(DataWarning, match=r"corpus\.jsonl: column '_id' holds integers") as caught:
        found = rows(path, (ID,))
    assert found == [{"id": "1"}, {"id": "001"}, {"id": "2"}]
    assert len(caught) == 1


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"_id": 1.5}', "column '_id' holds the number 1.5; write it as a string"),
        ('{"_id": true}', "column '_id' holds the boolean True; write it as a string"),
        ('{"_id": null}', "column '_id' has no value; give it one"),
        ("{}", "column '_id' has no value; give it one"),
        ('{"_id": ""}', "column '_id' holds an empty id; give it one"),
        ('["a"]', "is not an object: [\"a\"]; write one object a line"),
        ('{"_id": "a"', "is not JSON: {\"_id\": \"a\"; write one object a line"),
        ('{"_id": "\\ud800"}', "column '_id' holds half of a surrogate pair"),
        (b'{"_id": "caf\xe9"}', "is not valid UTF-8 near b'd\": \"caf\\xe9\"}\\n'; write the file as UTF-8"),
    ],
)  # fmt: skip
def test_a_bad_row_names_file_line_and_value(tmp_path, line, said):
    path = written(tmp_path, '{"_id": "ok"}', "", line)
    with pytest.raises(DataError) as caught:
        rows(path, (ID,))
    assert str(caught.value).startswith(f"{path}, line 3: {said}")


def test_ranges_of_bytes_are_all_the_lines_and_errors_count_lines_in_the_file(tmp_path):
    lines = [json.dumps({"_id": f"d{number}"}) for number in range(100)]
    path = written(tmp_path, *lines)
    cut = sum(len(line) + 1 for line in lines[:60])
    assert rows(path, (ID,), stop=cut) + rows(path, (ID,), start=cut) == [{"id": f"d{number}"} for number in range(100)]
    lines[80] = '{"_id": false}'
    with pytest.raises(DataError, match="line 81: "):
        rows(written(tmp_path, *lines), (ID,), start=cut)


def test_a_gzipped_file_is_read_and_a_cut_one_is_a_sentence(tmp_path):
    path = tmp_path / "corpus.jsonl.gz"
    packed = gzip.compress(b"".join(b'{"_id": "d%d"}\n' % number for number in range(5000)))
    path.write_bytes(packed)
    assert len(rows(path, (ID,))) == 5000
    path.write_bytes(packed[: len(packed) // 2])
    with pytest.raises(DataError, match=r"corpus\.jsonl\.gz: is not a whole gzip file"):
        rows(path, (ID,))
    path.write_bytes(b'{"_id": "d1"}')
    with pytest.raises(DataError, match=r"corpus\.jsonl\.gz: is not a whole gzip file"):
        rows(path, (ID,))


def test_many_rows_come_in_several_batches(tmp_path):
    path = written(tmp_path, *(f'{{"_id": "d{number}"}}' for number in range(70_000)))
    assert [len(batch) for batch in jsonl_batches(path, [ID])] == [65_536, 4_464]
