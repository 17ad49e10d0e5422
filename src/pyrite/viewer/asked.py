"""What a request asks for: numbers, words and choices of an address, each checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import parse_qs, urlencode

from pyrite.core import PyriteError

PAGE = 50
"""Rows of a page."""

T = TypeVar("T")


class NotThereError(PyriteError):
    """What an address names is not there (HTTP 404)."""


@dataclass(frozen=True)
class Asked:
    """The parameters of an address, name -> values.

    >>> asked = Asked.of("set=1&find=fool%27s+gold&page=2")
    >>> asked.number("set"), asked.text("find"), asked.number("page"), asked.text("order")
    (1, "fool's gold", 2, '')
    """

    values: Mapping[str, Sequence[str]]

    @classmethod
    def of(cls, query: str) -> Asked:
        """The parameters of the part of an address after its question mark; NotThereError where they are too many."""
        try:
            return cls(parse_qs(query, keep_blank_values=True, max_num_fields=64, errors="strict"))
        except ValueError as error:
            raise NotThereError("the address is not fit", fix="go by the links of the pages") from error

    def text(self, name: str) -> str:
        """One parameter, "" where it is not given."""
        given = self.values.get(name) or [""]
        return given[-1]

    def number(self, name: str, default: int = 0) -> int:
        """A whole number; NotThereError where something else is given."""
        given = self.text(name)
        if not given:
            return default
        if not (given.isascii() and given.isdigit() and len(given) < 16):
            raise NotThereError(f"'{name}' is {given[:40]!r}, which is no number", fix="go by the links of the pages")
        return int(given)

    def numbers(self, name: str) -> list[int]:
        """A parameter that is given several times."""
        return [Asked({name: [one]}).number(name) for one in self.values.get(name, [])]

    def choice(self, name: str, options: Iterable[str]) -> str:
        """One of several words, the first where another or none is given."""
        listed = list(options)
        given = self.text(name)
        return given if given in listed else listed[0]

    def among(self, name: str, things: Sequence[T]) -> T:
        """The thing with this number; NotThereError where there are not so many."""
        number = self.number(name)
        if number >= len(things):
            raise NotThereError(f"there is no {name} {number}", fix="start again from the first page")
        return things[number]


@dataclass(frozen=True)
class Span:
    """One page of many rows.

    Attributes:
        page: from 1. pages: how many there are, at least 1. count: rows on all of them. size: rows of a page.
    """

    page: int
    pages: int
    count: int
    size: int = PAGE

    @classmethod
    def of(cls, asked: Asked, count: int, size: int = PAGE) -> Span:
        """The page that is asked for, the last one where there are fewer.

        >>> Span.of(Asked.of("page=3"), 120).rows
        slice(100, 150, None)
        """
        pages = max(1, -(-count // size))
        return cls(min(max(asked.number("page", 1), 1), pages), pages, count, size)

    @property
    def rows(self) -> slice:
        """Which rows it has."""
        return slice((self.page - 1) * self.size, self.page * self.size)


def url(path: str, **parameters: Any) -> str:
    """An address within the viewer; parameters without a value are left out, a list is given several times.

    >>> url("/query", set=0, id="a/b&c", find="", s=[1, 2])
    '/query?set=0&id=a%2Fb%26c&s=1&s=2'
    """
    given = {name: value for name, value in parameters.items() if value not in (None, "", [])}
    return f"{path}?{urlencode(given, doseq=True)}" if given else path
