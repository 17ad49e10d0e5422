"""TREC's mark-up, which looks like SGML and is none: elements without nesting rules, in files of many gigabytes."""

from __future__ import annotations

import html.entities
import re
from collections.abc import Iterator
from pathlib import Path

from pyrite.core import DataError
from pyrite.formats.opening import AGAIN, not_utf8, open_bytes

_BLOCK = 8 << 20
SPACE = " \t\n\r\v\f"
"""What is stripped around a value; other white space is part of it."""

_REFERENCE = re.compile(r"&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|(\w{1,32}));")
_EDGE = re.compile(rf"^[{SPACE}]+|[{SPACE}]+$")
_TAG = re.compile(r"<[/!?A-Za-z][^<>]*>")


def elements(path: Path, tag: str) -> Iterator[tuple[int, str]]:
    r"""(line on which it begins, inner mark-up) of every element of a file, in order; one block is in memory.

    Args:
        path: the file, .gz or not.
        tag: "DOC" or "top"; its case makes no difference.

    What stands between elements is passed over. DataError for one that is not closed, for a file that holds other
    things only, and for invalid UTF-8.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "docs.trec")
    ...     _ = path.write_text("<DOC>\n<DOCNO> d1 </DOCNO>\n</DOC>\n")
    ...     list(elements(path, "DOC"))
    [(1, '\n<DOCNO> d1 </DOCNO>\n')]
    """
    begins, ends = (re.compile(f"<{slash}{tag}>".encode(), re.IGNORECASE) for slash in ("", "/"))
    held, line, there = b"", 1, False
    with open_bytes(path) as stream:
        while block := stream.read(_BLOCK):
            # Only the new bytes can hold an end that was not seen yet, but for one that the border cuts.
            searched = max(len(held) - len(tag) - 3, 0)
            held += block
            start = 0
            for end in ends.finditer(held, searched):
                found = begins.search(held, start, end.start())
                if found is None:
                    line += held.count(b"\n", start, end.start())
                    raise DataError(f"</{tag}> closes nothing", where=f"{path}, line {line}", fix="mend the mark-up")
                line += held.count(b"\n", start, found.start())
                there = True
                yield line, _text(held[found.end() : end.start()], path, line)
                line += held.count(b"\n", found.start(), end.end())
                start = end.end()
            held = held[start:]
    if found := begins.search(held):
        line += held.count(b"\n", 0, found.start())
        raise DataError(f"<{tag}> is not closed", where=f"{path}, line {line}", fix=AGAIN)
    if not there and held.strip():
        raise DataError(f"holds no <{tag}>", where=str(path), fix=f"write each between <{tag}> and </{tag}>")


def _text(raw: bytes, path: Path, line: int) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        bad = line + raw.count(b"\n", 0, error.start)
        raise not_utf8(raw, error, f"{path}, line {bad}") from error


def text_lines(path: Path) -> Iterator[tuple[int, str]]:
    """(number from 1, text without its end) of every line that is not blank; DataError for invalid UTF-8."""
    with open_bytes(path) as stream:
        for number, line in enumerate(stream, start=1):
            # A byte order mark is not part of the first line.
            raw = line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line
            if raw.strip():
                yield number, _text(raw, path, number).rstrip("\r\n")


def escape(text: str) -> str:
    """Text as it stands between tags: what would be taken for mark-up, and white space at its ends, as references.

    >>> escape(" a < b & c")
    '&#32;a &lt; b &amp; c'
    """
    plain = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _EDGE.sub(lambda edge: "".join(f"&#{ord(sign)};" for sign in edge[0]), plain)


def unescape(markup: str) -> str:
    """The text of what stands between two tags: inner tags gone, ends stripped, references resolved once.

    >>> unescape(" <P>AT&T &amp;lt; a&nbsp;b</P> ") == "AT&T &lt; a" + chr(0xA0) + "b"
    True
    """
    return _REFERENCE.sub(_character, _TAG.sub(" ", markup).strip(SPACE))


def _character(reference: re.Match[str]) -> str:
    decimal, hexadecimal, name = reference.groups()
    if name is not None:
        return html.entities.html5.get(f"{name};", reference[0])
    number = int(decimal) if decimal is not None else int(hexadecimal, 16)
    # Half of a surrogate pair is no character.
    fit = number <= 0x10FFFF and not 0xD800 <= number <= 0xDFFF
    return chr(number) if fit else reference[0]
