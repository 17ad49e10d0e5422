"""A system searches a dataset: one shard of work for each system and corpus size, kept by the engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from pyrite.core import Collection, Retriever, Run
from pyrite.engine import Engine, Shard, Stage, digest_of
from pyrite.formats import read_collection, read_run, write_run
from pyrite.pipelines.reranking import FORCED, candidates_of, rerank_forced
from pyrite.retrieval import TellingIndex, Told, located_spec, make_retriever, parse_system


@dataclass(frozen=True)
class Dataset:
    """A dataset on disk, as a stage is told of it.

    Attributes:
        path, split: what `read_collection` takes.
        digest: what the files say; the key of everything that is computed from them.
        gold: how many documents at the head of the corpus are gold; None: the positives, wherever they are.
    """

    path: Path
    split: str | None
    digest: str
    gold: int | None = None


@dataclass(frozen=True)
class Search:
    """What one system is asked to do.

    Attributes:
        system: its short form ("bm25:en,k1=0.9"), or a retriever of one's own.
        queries: the first so many are searched; None: all.
        depth: length of each ranking.
        distractors: how many distractors the corpus keeps; None: all.
        forced: whether a reranker is given the positives that its first stage missed, too.
        base: the folder that relative paths in a short form start from; None: the working directory.
    """

    system: str | Retriever
    queries: int | None
    depth: int
    distractors: int | None = None
    forced: bool = False
    base: Path | None = None


@dataclass(frozen=True)
class Searched:
    """What a system returned, with what decides it.

    Attributes:
        search: what was asked.
        run: the rankings. family, settings: of the system.
        documents, distractors: the size of the corpus, and how many of it are not gold.
        truncated: of what ("documents", "queries", "pairs") -> the share that the system cut.
    """

    search: Search
    run: Run
    family: str
    settings: Mapping[str, Any]
    documents: int
    distractors: int
    truncated: Mapping[str, float] = field(default_factory=dict)


def search_collection(
    collection: Collection, search: Search, *, gold: int | None = None, first_stage: Retriever | None = None
) -> Searched:
    """Index the corpus, or the part of it that the search asks for, and search the queries.

    `first_stage` is what a reranker without a first stage of its own ranks again; None: bm25.
    """
    corpus = collection.corpus
    kept = kept_documents(collection, search.distractors, gold=gold)
    if len(kept) < len(corpus):
        corpus = corpus.take(kept)
    texts = telling_texts(collection)
    retriever = retriever_of(search.system, collection.language, texts=texts, first_stage=first_stage, base=search.base)
    queries = collection.queries if search.queries is None else collection.queries.first(search.queries)
    index = retriever.index(corpus)
    # One hit more where a query's own document is taken out afterwards.
    depth = search.depth + int(collection.remove_self)
    if search.forced:
        run, told = rerank_forced(index, queries, collection.qrels, depth)
    elif isinstance(index, TellingIndex):
        run, told = index.search_and_tell(queries, depth)
    else:
        run, told = index.search(queries, depth), Told()
    distractors = len(corpus) - len(kept_documents(collection, 0, gold=gold))
    settings = {**settings_of(retriever), **told.settings}
    return Searched(search, run, _family(retriever), settings, len(corpus), distractors, told.truncated)


def search_dataset(dataset: Dataset, searches: Sequence[Search], engine: Engine) -> list[Searched]:
    """Every search's run, in order; what was searched before in this work directory is not searched again."""
    shards = []
    collection, first_stage = loaded(dataset), candidates_of(dataset.path, dataset.split)
    texts = telling_texts(collection)
    for search in searches:
        retriever = retriever_of(
            search.system, collection.language, texts=texts, first_stage=first_stage, base=search.base
        )
        asked = [search.queries, search.depth, search.distractors, *(["forced"] if search.forced else [])]
        searched_data = [dataset.digest, dataset.split, dataset.gold]
        model = [retriever.name, dict(settings_of(retriever))]
        key = digest_of([*searched_data, *asked, *model])
        size = "" if search.distractors is None else f" over {search.distractors:,} distractors"
        forced = ", forced positives" if search.forced else ""
        parts = {"dataset": searched_data, "depth and sizes": asked, "model": model}
        shards.append(Shard(f"{retriever.name}{size}{forced}", key, (dataset, search), parts, (dataset.path,)))
    return [
        Searched(
            search,
            read_run(done.path).named(str(done.facts["name"])),
            str(done.facts["family"]),
            done.facts["settings"],
            int(done.facts["documents"]),
            int(done.facts["distractors"]),
            done.facts.get("truncated", {}),
        )
        for search, done in zip(searches, engine.run(SEARCH, shards, {}), strict=True)
    ]


def search_shard(job: tuple[Dataset, Search], params: Mapping[str, Any], out: Path) -> dict[str, Any]:  # noqa: ARG001
    """The search of one system over one corpus size, as a stage: writes the run."""
    dataset, search = job
    first_stage = candidates_of(dataset.path, dataset.split)
    searched = search_collection(loaded(dataset), search, gold=dataset.gold, first_stage=first_stage)
    write_run(out, searched.run)
    return {
        "name": searched.run.system,
        "family": searched.family,
        "settings": dict(searched.settings),
        "documents": searched.documents,
        "distractors": searched.distractors,
        "truncated": dict(searched.truncated),
    }


SEARCH = Stage("search", 1, search_shard, model=True)


@lru_cache(maxsize=1)
def loaded(dataset: Dataset) -> Collection:
    """The collection of a dataset; kept for the next search, so that a process holds its texts once."""
    return read_collection(dataset.path, split=dataset.split)


def retriever_of(
    system: str | Retriever,
    language: str,
    *,
    texts: Sequence[str] = (),
    first_stage: Retriever | None = None,
    base: Path | None = None,
) -> Retriever:
    """The system itself, or what its short form names; relative paths in it are those from `base`.

    A dataset's language decides where the form does not; where that is not known, `texts` tell it.
    """
    if not isinstance(system, str):
        return system
    spec = parse_system(system)
    if base is not None:
        spec = located_spec(spec, base)
    return make_retriever(spec, language=language, texts=texts, first_stage=first_stage)


def telling_texts(collection: Collection) -> list[str]:
    """What the language of a collection that names none is told from: its queries; nothing where it names one."""
    return [] if collection.language else collection.queries.texts.to_pylist()


def _family(retriever: Retriever) -> str:
    return str(getattr(retriever, "family", "other"))


def settings_of(retriever: Retriever) -> Mapping[str, Any]:
    """Everything that decides a system's output; empty for one that does not say."""
    settings = getattr(retriever, "settings", None)
    return dict(settings()) if callable(settings) else {}


def kept_documents(collection: Collection, distractors: int | None, *, gold: int | None) -> NDArray[np.int64]:
    """Corpus positions of the gold documents and the first `distractors` others (None: all), in corpus order.

    Gold are the first `gold` documents; where that is None, those of relevance 1 or more.
    """
    total = len(collection.corpus)
    if distractors is None:
        return np.arange(total)
    if gold is not None:
        return np.arange(min(gold + distractors, total))
    positive = collection.qrels.doc_ids.filter(collection.qrels.relevance >= 1)
    is_gold = np.zeros(total, dtype=np.bool_)
    is_gold[collection.corpus.positions(positive)] = True
    return np.sort(np.concatenate([np.flatnonzero(is_gold), np.flatnonzero(~is_gold)[:distractors]]))


def corpus_sizes(
    asked: Sequence[int | Literal["all"]], collection: Collection, *, gold: int | None
) -> list[int | None]:
    """The distinct numbers of distractors to search with, ascending; None, the whole corpus, is always the last."""
    total = len(collection.corpus) - len(kept_documents(collection, 0, gold=gold))
    return [*sorted({count for count in asked if count != "all" and count < total}), None]


def distinct_names(searched: Sequence[Searched]) -> list[Searched]:
    """The same, each run with a name of its own: two settings of one system are told apart by their short forms."""
    names = [one.run.system for one in searched]
    return [
        replace(one, run=one.run.named(f"{one.search.system}{FORCED if one.search.forced else ''}"))
        if names.count(one.run.system) > 1 and isinstance(one.search.system, str)
        else one
        for one in searched
    ]
