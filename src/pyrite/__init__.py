"""Pyrite: hard, trustworthy retrieval data, and the measurement of systems on them.

>>> import pyrite
>>> pyrite.Run.of("toy", {"q1": [("d2", 3.5)]})["q1"][0].doc_id
'd2'
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyrite.core import Collection, Corpus, Document, PyriteError, Qrels, Queries, Query, Report, Run
    from pyrite.evaluation import measure
    from pyrite.pipelines import build, evaluate, search
    from pyrite.retrieval import BM25
    from pyrite.sources import load

__version__ = "0.1.0"

__all__ = [
    "BM25",
    "Collection",
    "Corpus",
    "Document",
    "PyriteError",
    "Qrels",
    "Queries",
    "Query",
    "Report",
    "Run",
    "build",
    "evaluate",
    "load",
    "measure",
    "search",
]

_HOME = {"BM25": "retrieval", "build": "pipelines", "evaluate": "pipelines", "search": "pipelines"} | {
    "load": "sources",
    "measure": "evaluation",
}


def __getattr__(name: str) -> Any:
    """Open a room only when one of its names is asked for: `import pyrite` alone is quick."""
    if name not in __all__:
        raise AttributeError(f"module 'pyrite' has no attribute '{name}'")
    return getattr(import_module(f"pyrite.{_HOME.get(name, 'core')}"), name)
