"""Systems by name: "bm25:ja,k1=1.2", "run:results/mine.trec"."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pyrite.core import RecipeError, Retriever
from pyrite.retrieval.bm25 import BM25, analyzer_for
from pyrite.retrieval.given import GivenRun


@dataclass(frozen=True)
class SystemSpec:
    """A system as it was asked for.

    Attributes:
        system: its family and what follows the colon ("bm25", "bm25:ja", "run:mine.trec").
        settings: its further settings, as text.
    """

    system: str
    settings: Mapping[str, str] = field(default_factory=dict)

    @property
    def family(self) -> str:
        """What stands before the first colon."""
        return self.system.partition(":")[0]

    @property
    def argument(self) -> str:
        """What stands after it, or ""."""
        return self.system.partition(":")[2]


def parse_system(text: str) -> SystemSpec:
    """A system from its name on a command line or in a recipe; a file name may hold commas.

    >>> parse_system("bm25:ja,k1=1.2,variant=robertson")
    SystemSpec(system='bm25:ja', settings={'k1': '1.2', 'variant': 'robertson'})
    >>> parse_system("run:a,b.trec").argument
    'a,b.trec'
    """
    family = text.partition(":")[0].partition(",")[0].strip()
    if family not in _FAMILIES:
        raise RecipeError(f"unknown system '{text}'", fix=f"accepted: {', '.join(_FAMILIES.values())}")
    if family == "run":
        return SystemSpec(text.strip())
    system, *settings = (part.strip() for part in text.split(","))
    pairs = [setting.partition("=") for setting in settings]
    if any(not (key and equals and value) for key, equals, value in pairs):
        raise RecipeError(f"'{text}' has a setting that is not key=value", fix=f"write {_FAMILIES[family]}")
    return SystemSpec(system, {key.strip(): value.strip() for key, _, value in pairs})


def make_retriever(spec: SystemSpec | str, *, language: str = "", texts: Iterable[str] = ()) -> Retriever:
    """The retriever that a spec names.

    Args:
        spec: as `parse_system` gives it, or its text.
        language: of the collection: the analyzer of a bm25 without one.
        texts: queries to detect the language from, where neither says it.

    >>> make_retriever("bm25,k1=0.9", language="German").name
    'bm25:de,k1=0.9'
    """
    wanted = parse_system(spec) if isinstance(spec, str) else spec
    makers: dict[str, Callable[[SystemSpec, str, Iterable[str]], Retriever]] = {"bm25": _bm25, "run": _run}
    return makers[wanted.family](wanted, language, texts)


_FAMILIES = {"bm25": "bm25[:ANALYZER][,k1=1.5][,b=0.75][,variant=lucene]", "run": "run:FILE"}


def _bm25(spec: SystemSpec, language: str, texts: Iterable[str]) -> Retriever:
    unknown = sorted(set(spec.settings) - {"k1", "b", "variant"})
    if unknown:
        raise RecipeError(f"bm25 has no setting '{unknown[0]}'", fix=f"write {_FAMILIES['bm25']}")
    analyzer = analyzer_for(spec.argument or "auto", language=language, texts=texts)
    return BM25(
        analyzer.name,
        variant=spec.settings.get("variant", "lucene"),
        k1=_number(spec, "k1", 1.5),
        b=_number(spec, "b", 0.75),
    )


def _number(spec: SystemSpec, key: str, usual: float) -> float:
    try:
        return float(spec.settings.get(key, usual))
    except ValueError:
        raise RecipeError(f"{key}={spec.settings[key]} is not a number", where=spec.system) from None


def _run(spec: SystemSpec, _language: str, _texts: Iterable[str]) -> Retriever:
    if not spec.argument:
        raise RecipeError("run: names no file", fix="write run:FILE")
    return GivenRun(Path(spec.argument))
