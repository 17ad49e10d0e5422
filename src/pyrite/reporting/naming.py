"""How names and texts of others are shown: nothing in them can act on the page, and no folder of a machine is told."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]"
)
_JOINERS = "\u200c\u200d"
"""Persian, Hindi and others are misspelt without these, and they reorder nothing."""

_PATH = re.compile(r"(?<![^\s:=(+,\"'])(?:~|[A-Za-z]:)?[/\\](?!/)((?:[^/\\,+()\"'=]+[/\\]+)*)([^/\\,+()\"'=]+)")
"""An absolute path, where a name may have one; "//" is an address."""


def inert(text: str) -> str:
    """The text with every control character, bidirectional override and half of a surrogate pair spelled out.

    Tabs, line ends and the two joiners stay.

    >>> inert("bm25" + chr(0x202E) + "gpj"), inert("a" + chr(0) + "b")
    ('bm25⟨U+202E⟩gpj', 'a⟨U+0000⟩b')
    """
    return _UNSEEN.sub(lambda found: found[0] if found[0] in _JOINERS else f"⟨U+{ord(found[0]):04X}⟩", text)


def shown_path(text: str, *, folders: int = 0) -> str:
    """The text with every absolute path in it cut to its last name and so many folders before it.

    >>> shown_path("fusion:rrf,of=bm25+dense:/data/models/mini,max_length=64")
    'fusion:rrf,of=bm25+dense:mini,max_length=64'
    >>> shown_path("dense:/data/models/mini", folders=1), shown_path("dense:org/mini"), shown_path("bm25:en")
    ('dense:models/mini', 'dense:org/mini', 'bm25:en')
    """

    def last(found: re.Match[str]) -> str:
        parts = [part for part in re.split(r"[/\\]+", found[1]) if part]
        return "/".join([*(parts[-folders:] if folders else []), found[2]])

    return _PATH.sub(last, text)


def shown_systems(systems: Iterable[str]) -> dict[str, str]:
    """System -> the name that a reader sees, distinct: of a model in a folder, the folder's name.

    Where two would look alike, so much more of their paths is shown.

    >>> shown_systems(["dense:/a/mini", "dense:/b/mini", "run:/a/ours.trec"])
    {'dense:/a/mini': 'dense:a/mini', 'dense:/b/mini': 'dense:b/mini', 'run:/a/ours.trec': 'run:ours.trec'}
    """
    names = list(dict.fromkeys(systems))
    shown = {name: shown_path(name) for name in names}
    for folders in range(1, max((name.count("/") + name.count("\\") for name in names), default=0) + 1):
        times = Counter(shown.values())
        shown |= {name: shown_path(name, folders=folders) for name in names if times[shown[name]] > 1}
    times = Counter(shown.values())
    return {name: inert(told if times[told] == 1 else name) for name, told in shown.items()}
