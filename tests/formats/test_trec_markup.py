"""TREC's mark-up: elements of a stream, and text that survives between tags."""

import gzip

import pytest

from pyrite.core import DataError
from pyrite.formats import trec_markup
from pyrite.formats.trec_markup import elements, escape, text_lines, unescape


def test_elements_come_with_the_line_on_which_they_begin(tmp_path):
    path = tmp_path / "docs.trec"
    path.write_text("<!-- head -->\n<DOC>\na\n</DOC>\n\n<doc>b</doc>\n")
    assert list(elements(path, "DOC")) == [(2, "\na\n"), (6, "b")]
    (tmp_path / "docs.gz").write_bytes(gzip.compress(path.read_bytes()))
    assert list(elements(tmp_path / "docs.gz", "DOC")) == list(elements(path, "DOC"))


@pytest.mark.parametrize("size", [1, 3, 7, 64])
def test_a_border_of_blocks_changes_nothing(tmp_path, monkeypatch, size):
    path = tmp_path / "docs.trec"
    path.write_text("".join(f"<DOC>\n{number} é\n</DOC>\n" for number in range(9)))
    whole = list(elements(path, "DOC"))
    monkeypatch.setattr(trec_markup, "_BLOCK", size)
    assert list(elements(path, "DOC")) == whole
    assert [line for line, _ in whole] == [1, 4, 7, 10, 13, 16, 19, 22, 25]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"<DOC>\na\n</DOC>\n<DOC>\nb\n", "line 4: <DOC> is not closed"),
        (b"<DOC>a</DOC>\n</DOC>\n", "line 2: </DOC> closes nothing"),
        (b"no mark-up\n", "holds no <DOC>"),
        (b"<DOC>\n\nab\xff\n</DOC>\n", r"line 3: is not valid UTF-8 near b'\n\nab\xff\n'"),
    ],
)
def test_broken_mark_up_is_a_sentence_with_its_line(tmp_path, text, said):
    path = tmp_path / "docs.trec"
    path.write_bytes(text)
    with pytest.raises(DataError) as caught:
        list(elements(path, "DOC"))
    assert said in str(caught.value)


def test_an_empty_file_holds_nothing(tmp_path):
    (tmp_path / "docs.trec").touch()
    assert list(elements(tmp_path / "docs.trec", "DOC")) == []


@pytest.mark.parametrize(
    "text",
    ["", " a ", "\r\n", "a\nb", "&amp;", "</TEXT></DOC>", "<P>", "\x85x\u3000", "&#65;", "\v\f", "AT&T", "a\u0301"],
)
def test_text_survives_between_tags(text):
    assert unescape(f"\n{escape(text)}\n") == text


def test_a_reference_is_resolved_once_and_an_unknown_one_left():
    assert unescape("&amp;lt; &nosuch; &#x41;&#66; &#xD800; R&D") == "&lt; &nosuch; AB &#xD800; R&D"


def test_lines_are_numbered_and_blank_ones_passed_over(tmp_path):
    path = tmp_path / "topics.tsv"
    path.write_bytes(b"\xef\xbb\xbf1\tgold?\r\n\n2\tpyrite?\n")
    assert list(text_lines(path)) == [(1, "1\tgold?"), (3, "2\tpyrite?")]
    path.write_bytes(b"1\ta\n2\t\xff\n")
    with pytest.raises(DataError, match=r"topics\.tsv, line 2: is not valid UTF-8"):
        list(text_lines(path))
