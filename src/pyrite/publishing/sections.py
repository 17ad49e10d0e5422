"""The generated sections of a card, and what a person wrote between them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pyrite.core import DataError

END = "<!-- pyrite: end -->"
START = re.compile(r"^<!-- pyrite: (?P<name>[a-z][a-z-]*) -->[ \t]*$", re.MULTILINE)


@dataclass(frozen=True)
class Piece:
    """A stretch of a card: a generated section, or (name "") what a person wrote.

    Attributes:
        name: the section's name, "" for hand-written text.
        text: its text, the marks included.
    """

    name: str
    text: str


def marked(name: str, body: str) -> str:
    """A section between its marks; nothing where the body is blank.

    A mark inside the body (in a summary, say) is made harmless.

    >>> print(marked("usage", "## Usage"))
    <!-- pyrite: usage -->
    ## Usage
    <!-- pyrite: end -->
    """
    if not body.strip():
        return ""
    return f"<!-- pyrite: {name} -->\n{body.strip().replace('<!-- pyrite', '&lt;!-- pyrite')}\n{END}"


def split_sections(body: str) -> list[Piece]:
    """The pieces of a card's Markdown, in order; joined they are the Markdown again.

    Raises:
        DataError: a generated section has no end mark, so that nobody can tell where hand-written text begins.
    """
    pieces = []
    place = 0
    while found := START.search(body, place):
        name = found["name"]
        if name == "end":
            pieces.append(Piece("", body[place : found.end()]))
            place = found.end()
            continue
        end, following = body.find(END, found.end()), START.search(body, found.end())
        if end < 0 or (following is not None and following["name"] != "end" and following.start() < end):
            raise DataError(
                f"the generated section '{name}' has no end mark",
                where="README.md",
                fix=f"put {END} on a line after it",
            )
        pieces.append(Piece("", body[place : found.start()]))
        pieces.append(Piece(name, body[found.start() : end + len(END)]))
        place = end + len(END)
    pieces.append(Piece("", body[place:]))
    return [piece for piece in pieces if piece.text]


def merge_sections(made: str, existing: str) -> str:
    """The Markdown of a new card with everything that a person wrote into the existing one, in its place.

    A generated section is replaced where it stands, a new one comes after the section before it, one that is no
    longer made goes. A text that has no generated section yet stays whole, below the card.
    """
    new = {piece.name: piece.text for piece in split_sections(made) if piece.name}
    old = split_sections(existing)
    present = {piece.name for piece in old if piece.name}
    if not present:
        return made.rstrip("\n") + "\n" + ("\n" + existing.strip("\n") + "\n" if existing.strip() else "")
    followers = _followers(list(new), present)
    out = [new[name] + "\n\n" for name in followers.get("", [])]
    used: set[str] = set()
    gone = False
    for piece in old:
        if not piece.name:
            # The blank lines after a section that is gone go with it.
            out.append("" if gone and not piece.text.strip() else piece.text)
            gone = False
            continue
        gone = piece.name not in new or piece.name in used
        if not gone:
            used.add(piece.name)
            out.append("\n\n".join(new[name] for name in (piece.name, *followers.get(piece.name, []))))
    return "".join(out).rstrip("\n") + "\n"


def _followers(names: list[str], present: set[str]) -> dict[str, list[str]]:
    """For each section that stands in a card (and "" for its top), the new sections that come after it."""
    followers: dict[str, list[str]] = {}
    anchor = ""
    for name in names:
        if name in present:
            anchor = name
        else:
            followers.setdefault(anchor, []).append(name)
    return followers
