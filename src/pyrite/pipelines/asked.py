"""What is asked for, checked before any work: a wrong name is told in the first second and not after an hour."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pyrite.core import RecipeError, Retriever
from pyrite.evaluation import parse_measures
from pyrite.pipelines.protocol import Protocol
from pyrite.pipelines.searching import retriever_of
from pyrite.retrieval import Fusion, GivenRun, NeuralRetriever, Reranker


def must_be_possible(systems: Sequence[str | Retriever], protocol: Protocol, *, base: Path | None = None) -> None:
    """RecipeError for no system, one that is named twice, a setting that cannot be, a measure or a file that is not.

    Nothing is loaded; the model of a hub id that was never fetched is fetched.

    >>> must_be_possible([], Protocol())
    Traceback (most recent call last):
    pyrite.core.errors.RecipeError: no system is named; add one, as in --system bm25.
    """
    parse_measures(protocol.measures)
    if not systems:
        raise RecipeError("no system is named", fix="add one, as in --system bm25")
    for place, system in enumerate(systems):
        if system in systems[:place]:
            raise RecipeError("is named twice", where=str(system), fix="name each system once")
        _must_be_there(retriever_of(system, "en", base=base))


def _must_be_there(made: Retriever) -> None:
    if isinstance(made, GivenRun) and not made.path.is_file():
        raise RecipeError("there is no such run file", where=str(made.path), fix="check the path")
    if isinstance(made, Fusion):
        for member in made.members:
            _must_be_there(member)
    if isinstance(made, NeuralRetriever | Reranker):
        # Looked for, and not read yet.
        _ = made.system.files
    if isinstance(made, Reranker):
        _must_be_there(made.over)
