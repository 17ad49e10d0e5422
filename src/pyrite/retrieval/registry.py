"""Systems by name: "bm25:ja,k1=1.2", "dense:org/model", "run:results/mine.trec"."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from pyrite.core import RecipeError, Retriever
from pyrite.retrieval.bm25 import BM25, analyzer_for
from pyrite.retrieval.families import USAGE, fusion, neural, reranker
from pyrite.retrieval.given import GivenRun
from pyrite.retrieval.own_systems import own_families, own_system
from pyrite.retrieval.short_forms import read_value, split
from pyrite.retrieval.system_spec import SystemSpec


def parse_system(text: str) -> SystemSpec:
    """A system from its name on a command line or in a recipe; a file name may hold commas.

    >>> parse_system("bm25:ja,k1=1.2,variant=robertson")
    SystemSpec(system='bm25:ja', settings={'k1': '1.2', 'variant': 'robertson'})
    >>> parse_system("run:a,b.trec").argument
    'a,b.trec'
    """
    family = text.partition(":")[0].partition(",")[0].strip()
    if family == "run":
        return SystemSpec(text.strip())
    if family not in _FAMILIES and family not in own_families():
        accepted = [*_FAMILIES.values(), *(f"{name}[:...]" for name in own_families())]
        raise RecipeError(f"unknown system '{text}'", fix=f"accepted: {', '.join(accepted)}")
    system, *settings = split(text, ",")
    pairs = [setting.partition("=") for setting in settings]
    if any(not (key.strip() and equals and value.strip()) for key, equals, value in pairs):
        raise RecipeError(f"'{text}' has a setting that is not key=value", fix=f"write {_FAMILIES.get(family, text)}")
    return SystemSpec(system.strip(), {key.strip(): read_value(key.strip(), value) for key, _, value in pairs})


def make_retriever(
    spec: SystemSpec | str, *, language: str = "", texts: Iterable[str] = (), first_stage: Retriever | None = None
) -> Retriever:
    """The retriever that a spec names.

    Args:
        spec: as `parse_system` gives it, or its text.
        language: of the collection: the analyzer of a bm25 without one.
        texts: queries to detect the language from, where neither says it.
        first_stage: what a reranker without `over` ranks again; None: bm25.

    >>> make_retriever("bm25,k1=0.9", language="German").name
    'bm25:de,k1=0.9'
    """
    wanted = parse_system(spec) if isinstance(spec, str) else spec
    if wanted.family == "bm25":
        return _bm25(wanted, language, texts)
    if wanted.family == "run":
        return _run(wanted)
    if wanted.family not in USAGE:
        return own_system(wanted.family, wanted.argument, wanted.settings)

    def make(text: str) -> Retriever:
        return make_retriever(text, language=language, texts=texts, first_stage=first_stage)

    if wanted.family == "fusion":
        return fusion(wanted, make)
    return reranker(wanted, make, first_stage) if wanted.family == "rerank" else neural(wanted)


_FAMILIES = {"bm25": "bm25[:ANALYZER][,k1=1.5][,b=0.75][,variant=lucene][,name=NAME]", **USAGE, "run": "run:FILE"}


def _bm25(spec: SystemSpec, language: str, texts: Iterable[str]) -> Retriever:
    unknown = sorted(set(spec.settings) - {"k1", "b", "variant", "name"})
    if unknown:
        raise RecipeError(f"bm25 has no setting '{unknown[0]}'", fix=f"write {_FAMILIES['bm25']}")
    try:
        analyzer = analyzer_for(spec.argument or "auto", language=language, texts=texts)
    except RecipeError as error:
        said = spec.system if spec.argument or not language else f"{spec.system} with language '{language}'"
        raise RecipeError(error.what, where=error.where or said, fix=error.fix) from None
    return BM25(
        analyzer.name,
        variant=spec.settings.get("variant", "lucene"),
        k1=_number(spec, "k1", 1.5),
        b=_number(spec, "b", 0.75),
        label=spec.settings.get("name"),
    )


def _number(spec: SystemSpec, key: str, usual: float) -> float:
    try:
        return float(spec.settings.get(key, usual))
    except ValueError:
        raise RecipeError(f"{key}={spec.settings[key]} is not a number", where=spec.system) from None


def _run(spec: SystemSpec) -> Retriever:
    if not spec.argument:
        raise RecipeError("run: names no file", fix="write run:FILE")
    return GivenRun(Path(spec.argument))
