"""A dataset, from wherever it is, in the form that another tool reads."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pyrite.core import Candidates, Collection, RecipeError
from pyrite.formats import read_manifest
from pyrite.pipelines.searching import Search, search_collection
from pyrite.publishing import FORMS, TRAINING_FORMS, ExportAs, Exported, export_folder, export_training
from pyrite.retrieval import force_positives, make_retriever
from pyrite.sources import fetch

CANDIDATES = 100
"""Candidates a query, where a form needs them and a dataset has none."""


def export(
    dataset: str | Path, form: str, *, out: str | Path, dataset_id: str = "", results: Sequence[Path] = ()
) -> Exported:
    """Write a dataset as MTEB, HAKARI-Bench, BEIR or TREC tools read it; `pyrite.load` reads it back.

    Args:
        dataset: a folder, BEIR zip, hub id or ir_datasets id, as for `pyrite.load`.
        form: "mteb" (tables and the task file), "hakari" (the Nano layout and its YAML; a dataset without candidates
            gets BM25's first 100, missing positives put in), "beir" or "trec". Of a mined training set one of
            `TRAINING_FORMS`: "beir" and "trec" are the scored part of its pool with its runs.
        out: the folder to make; an earlier export there is replaced.
        dataset_id: what a task file calls the dataset on the hub; "" for the folder it lies in.
        results: folders that an evaluation wrote; their runs go with a TREC export.
    """
    if form not in (*FORMS, *TRAINING_FORMS):
        accepted = dict.fromkeys([*FORMS, *TRAINING_FORMS])
        raise RecipeError(f"'{form}' is no form of an export", fix=f"choose one of {', '.join(accepted)}")
    if _is_mined(Path(dataset)):
        return export_training(Path(dataset), Path(out), form)
    if form not in FORMS:
        raise RecipeError(f"'{form}' is for mined training sets", where=str(dataset), fix="name a folder of one")
    folder = fetch(str(dataset))
    return export_folder(folder, Path(out), ExportAs(form, dataset_id, tuple(results), _bm25))


def _is_mined(folder: Path) -> bool:
    return (folder / "manifest.json").is_file() and read_manifest(folder).kind == "training"


def _bm25(collection: Collection) -> Candidates:
    system = make_retriever("bm25", language=collection.language, texts=collection.queries.texts.to_pylist())
    run = search_collection(collection, Search(system, None, CANDIDATES)).run
    positives = {query_id: collection.qrels.positives(query_id) for query_id in collection.queries.ids.to_pylist()}
    return force_positives(run, positives, depth=CANDIDATES)
