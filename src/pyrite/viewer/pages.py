"""From an address to a page: which function gathers it, which template writes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import jinja2

from pyrite.core import PyriteError
from pyrite.viewer.asked import Asked, NotThereError, url
from pyrite.viewer.dataset_pages import document_page, queries_page, query_page
from pyrite.viewer.given import Shelf
from pyrite.viewer.mined_pages import mined_page, row_page
from pyrite.viewer.pictures import HEIGHT, WIDTH
from pyrite.viewer.result_pages import compare_page, results_page
from pyrite.viewer.review_pages import review_page

Gather = Callable[[Shelf, Asked], Mapping[str, Any]]

PAGES: dict[str, tuple[str, Gather]] = {
    "/": ("home", lambda _shelf, _asked: {}),
    "/queries": ("queries", queries_page),
    "/query": ("query", query_page),
    "/document": ("document", document_page),
    "/results": ("results", results_page),
    "/compare": ("compare", compare_page),
    "/mined": ("mined", mined_page),
    "/row": ("row", row_page),
    "/review": ("review", review_page),
}
STATIC = {"/viewer.css": "text/css", "/viewer.js": "text/javascript", "/icon.svg": "image/svg+xml"}
"""Every file that is served as it is; an address never becomes a path."""


@dataclass(frozen=True)
class Answer:
    """What is sent back: HTTP status, media type, body."""

    status: int
    media: str
    body: bytes


class Site:
    """The pages about what was given.

    Args:
        shelf: what was given. token: what a form has to send back to change anything.

    >>> Site(Shelf(), "secret").answer("/nowhere", "").status
    404
    """

    def __init__(self, shelf: Shelf, token: str) -> None:
        self.shelf, self.token = shelf, token
        self._templates = jinja2.Environment(
            loader=jinja2.PackageLoader("pyrite.viewer"),
            autoescape=True,
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._templates.filters |= {"count": "{:,}".format, "figure": figure, "signed": signed}
        self._templates.globals |= {"url": url, "WIDTH": WIDTH, "HEIGHT": HEIGHT}

    def answer(self, path: str, query: str) -> Answer:
        """The page at an address; what is not there, or cannot be read, is a page of one sentence."""
        if path in STATIC:
            body = (files("pyrite.viewer") / "static" / path.removeprefix("/")).read_bytes()
            return Answer(200, STATIC[path], body)
        if path not in PAGES:
            return self.refuse(404, "There is no such page.")
        template, gather = PAGES[path]
        try:
            return self._page(200, template, gather(self.shelf, Asked.of(query)))
        except NotThereError as error:
            return self.refuse(404, str(error))
        except PyriteError as error:
            return self.refuse(500, str(error))
        except Exception as error:
            said = f"{type(error).__name__}: {error}"
            return self.refuse(500, f"This is a fault in Pyrite ({said}); report it with the address of the page.")

    def refuse(self, status: int, sentence: str) -> Answer:
        """A page that says in one sentence why there is no other."""
        return self._page(status, "refused", {"sentence": sentence, "status": status})

    def _page(self, status: int, template: str, values: Mapping[str, Any]) -> Answer:
        found = self._templates.get_template(f"{template}.html.jinja")
        text = found.render(shelf=self.shelf, token=self.token, **values)
        return Answer(status, "text/html", text.encode("utf-8", "replace"))


def figure(value: float | None, digits: int = 4) -> str:
    """A number with so many decimals and a true minus sign; a dash for none.

    >>> figure(-0.25), figure(3.14159, 2), figure(None)
    ('−0.2500', '3.14', '–')
    """
    return "–" if value is None else f"{value:,.{digits}f}".replace("-", "\N{MINUS SIGN}")


def signed(value: float, digits: int = 4) -> str:
    """A difference with its sign.

    >>> signed(0.5, 2), signed(-0.5, 2), signed(0.0, 2)
    ('+0.50', '−0.50', '0.00')
    """
    return figure(value, digits) if value == 0 else f"{value:+,.{digits}f}".replace("-", "\N{MINUS SIGN}")
