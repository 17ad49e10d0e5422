"""A mined set in the forms that other trainers read: FlagEmbedding's lines, labelled pairs, labelled lists."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa

from pyrite.core import DataError, RecipeError
from pyrite.engine import atomic_folder
from pyrite.formats import Manifest, ParquetWriter, read_manifest, write_manifest
from pyrite.publishing.declared import CARD
from pyrite.publishing.export import Exported
from pyrite.publishing.export_pool import write_beir_pool, write_trec_pool
from pyrite.publishing.frontmatter import dump_yaml
from pyrite.publishing.licence import dataset_licence
from pyrite.publishing.parts import batches, read_schema
from pyrite.publishing.training_facts import training_parts

Row = tuple[str, str, list[str], list[float]]
"""Query, positive, negatives, and the label: the positive's logit first."""


def export_training(folder: Path, out: Path, form: str) -> Exported:
    """Write a mined set in another form; whole or not at all, and the same bytes at every call.

    Args:
        folder: of a mined set.
        out: the folder to make; an earlier export there is replaced, anything else refused.
        form: one of `TRAINING_FORMS`: "flagembedding" (JSON lines with pos, neg and their scores), "labeled-pair"
            (query, document, label), "labeled-list" (query, documents, labels), "beir" and "trec" (the documents that
            were scored, with every retriever's run of them and the teacher's).

    Raises:
        RecipeError: no such form, or `out` holds something else. DataError: the folder is no mined set, or damaged.
    """
    if form not in TRAINING_FORMS:
        raise RecipeError(f"'{form}' is no form of a training set", fix=f"choose one of {', '.join(TRAINING_FORMS)}")
    manifest = read_manifest(folder)
    if manifest.kind != "training":
        raise DataError(f"is of kind '{manifest.kind}', not a mined training set", where=f"{folder}/manifest.json")
    _refuse_other(out)
    with atomic_folder(out) as fresh:
        counts, lost = TRAINING_FORMS[form](folder, fresh)
        told = {"form": form, "name": manifest.name, "kind": "training", "digest": manifest.content.get("digest", "")}
        write_manifest(
            fresh / "manifest.json",
            Manifest("collection", manifest.name, manifest.language, facts={"exported": told}),
        )
        (fresh / CARD).write_text(_card(manifest, form, counts), encoding="utf-8", newline="\n")
        places = sorted(path for path in fresh.rglob("*") if path.is_file())
        files = {path.relative_to(fresh).as_posix(): path.stat().st_size for path in places}
    return Exported(out, form, counts, files, lost)


def _refuse_other(out: Path) -> None:
    if not out.exists() or (out.is_dir() and not any(out.iterdir())):
        return
    there = (out / "manifest.json").is_file()
    if not there or "exported" not in read_manifest(out).facts:
        raise RecipeError("holds something else than an export", where=str(out), fix="choose another --out")


def rows_of(folder: Path, config: str) -> Iterator[Row]:
    """The rows of n-tuples, n-tuples-filtered or n-tuples-short in order; none of a config that is not there."""
    part = next((part for part in training_parts(folder) if part.config == config), None)
    if part is None:
        return
    names = read_schema(folder, part.files[0]).names
    columns = [name for name in names if name.startswith("negative_")]
    for batch in batches(folder, part.files):
        held = batch.to_pydict()
        negatives = held["negatives"] if not columns else list(zip(*(held[name] for name in columns), strict=True))
        rows = zip(held["query"], held["positive"], negatives, held["label"], strict=True)
        for query, positive, own, label in rows:
            yield query, positive, list(own), [float(number) for number in label]


def _all_rows(folder: Path) -> Iterator[Row]:
    yield from rows_of(folder, "n-tuples")
    yield from rows_of(folder, "n-tuples-short")


def write_flagembedding(folder: Path, out: Path) -> tuple[dict[str, int], tuple[str, ...]]:
    """CONFIG.jsonl: query, pos, neg, pos_scores and neg_scores a line, the scores raw logits."""
    counts = {}
    for config in ("n-tuples", "n-tuples-filtered", "n-tuples-short"):
        rows = 0
        with (out / f"{config}.jsonl").open("w", encoding="utf-8", newline="\n") as file:
            for query, positive, negatives, label in rows_of(folder, config):
                line = {
                    "query": query,
                    "pos": [positive],
                    "neg": negatives,
                    "pos_scores": label[:1],
                    "neg_scores": label[1:],
                }
                file.write(json.dumps(line, ensure_ascii=False) + "\n")
                rows += 1
        if rows or config != "n-tuples-short":
            counts[config] = rows
        else:
            (out / f"{config}.jsonl").unlink()
    return counts, (
        "FlagEmbedding takes a softmax over pos_scores and neg_scores: they are logits, not probabilities.",
    )


PAIR = pa.schema([("query", pa.string()), ("document", pa.string()), ("label", pa.int64())])
SCORED_PAIR = pa.schema([("query", pa.string()), ("document", pa.string()), ("score", pa.float32())])
LIST = pa.schema([("query", pa.string()), ("documents", pa.list_(pa.string())), ("labels", pa.list_(pa.int64()))])
SCORED_LIST = pa.schema(
    [("query", pa.string()), ("documents", pa.list_(pa.string())), ("scores", pa.list_(pa.float32()))]
)


def write_labeled_pairs(folder: Path, out: Path) -> tuple[dict[str, int], tuple[str, ...]]:
    """label/train.parquet (1 for a positive, 0 for a negative) and score/train.parquet (raw logits), a pair a row."""
    counts = {"pairs": 0}
    with _writer(out, "label", PAIR) as labels, _writer(out, "score", SCORED_PAIR) as scores:
        for rows in _blocks(_all_rows(folder)):
            pairs = [
                (query, document, int(place == 0), label[place])
                for query, positive, negatives, label in rows
                for place, document in enumerate([positive, *negatives])
            ]
            query, document, binary, logit = (list(column) for column in zip(*pairs, strict=True))
            labels.write(pa.table([query, document, binary], schema=PAIR))
            scores.write(pa.table([query, document, pa.array(logit, pa.float32())], schema=SCORED_PAIR))
            counts["pairs"] += len(pairs)
    return counts, ("Which rows a pair comes from: a positive of several rows stands once a row.",)


def write_labeled_lists(folder: Path, out: Path) -> tuple[dict[str, int], tuple[str, ...]]:
    """label/train.parquet and score/train.parquet: a query, its documents, positive first, and a number for each."""
    counts = {"lists": 0}
    with _writer(out, "label", LIST) as labels, _writer(out, "score", SCORED_LIST) as scores:
        for rows in _blocks(_all_rows(folder)):
            query = [row[0] for row in rows]
            documents = [[row[1], *row[2]] for row in rows]
            binary = [[1] + [0] * len(row[2]) for row in rows]
            labels.write(pa.table([query, documents, binary], schema=LIST))
            scores.write(pa.table([query, documents, [row[3] for row in rows]], schema=SCORED_LIST))
            counts["lists"] += len(rows)
    return counts, ()


def _writer(out: Path, config: str, schema: pa.Schema) -> ParquetWriter:
    (out / config).mkdir()
    return ParquetWriter(out / config / "train.parquet", schema)


def _blocks(rows: Iterator[Row]) -> Iterator[list[Row]]:
    block: list[Row] = []
    for row in rows:
        block.append(row)
        if len(block) == 1024:
            yield block
            block = []
    if block:
        yield block


Form = Callable[[Path, Path], tuple[dict[str, int], tuple[str, ...]]]

TRAINING_FORMS: dict[str, Form] = {
    "flagembedding": write_flagembedding,
    "labeled-pair": write_labeled_pairs,
    "labeled-list": write_labeled_lists,
    "beir": write_beir_pool,
    "trec": write_trec_pool,
}
"""Form -> what writes it, from a mined folder into an empty one; it returns counts, and sentences on what is lost."""


def _card(manifest: Manifest, form: str, counts: Mapping[str, int]) -> str:
    title = str((manifest.recipe.get("card") or {}).get("pretty_name") or manifest.name)
    front: dict[str, Any] = {"pretty_name": title, "license": dataset_licence(manifest.recipe)}
    if form in ("labeled-pair", "labeled-list"):
        paths = {name: f"{name}/train.parquet" for name in ("label", "score")}
        front["configs"] = [
            {
                "config_name": name,
                **({"default": True} if name == "label" else {}),
                "data_files": [{"split": "train", "path": path}],
            }
            for name, path in paths.items()
        ]
    told = ", ".join(f"{count:,} {name}" for name, count in counts.items())
    credits = [
        f"- {credit['name']}{', ' + credit['license'] if credit.get('license') else ''}"
        for credit in manifest.recipe.get("credit") or ()
    ]
    thanks = "\n\nMade of:\n\n" + "\n".join(credits) if credits else ""
    text = f"# {title} ({form})\n\nThe mined training set {manifest.name} in the form {form}: {told}."
    return f"---\n{dump_yaml(front)}---\n\n{text}{thanks}\n"
