"""Where what was unpacked or fetched is kept between calls."""

from __future__ import annotations

import os
from pathlib import Path


def cache_folder(kind: str) -> Path:
    """The folder for one kind of kept data within the user's cache; it need not be there yet.

    >>> cache_folder("archives").parts[-2:]
    ('pyrite', 'archives')
    """
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache) / "pyrite" / kind
