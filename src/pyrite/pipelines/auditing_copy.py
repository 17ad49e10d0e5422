"""The cleaned copy of a benchmark, or of a collection that Pyrite did not build."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from pyrite.auditing import Cleaned
from pyrite.core import Collection, Ledger, LedgerEntry, Qrels
from pyrite.engine import atomic_file
from pyrite.formats import (
    Manifest,
    collection_files,
    names_in,
    open_parquet,
    read_collection,
    read_manifest,
    write_parquet,
    write_published,
)
from pyrite.pipelines.auditing_sources import Opened
from pyrite.pipelines.expecting import versions
from pyrite.publishing import content_digest, merge_card, render_card, render_collection_card, seal, write_recipe


@dataclass(frozen=True, eq=False)
class Cleaning:
    """What is written as a copy.

    Attributes:
        opened: the dataset. cleaned: the audited collection of it, after the audit.
        entry: the account of the queue. told: of the audit, for the manifest. name: of the copy.
    """

    opened: Opened
    cleaned: Cleaned
    entry: LedgerEntry
    told: Mapping[str, Any]
    name: str

    def ledger(self, before: Any) -> list[dict[str, object]]:
        """The account of the dataset, and then of the audit."""
        return [*before, *Ledger((self.entry, *self.cleaned.ledger.entries)).to_json()]

    def manifest(self, of: Manifest, counts: Mapping[str, int]) -> Manifest:
        """The manifest of the copy, before it is sealed."""
        return replace(
            of,
            name=self.name,
            versions=versions(),
            counts=counts,
            ledger=self.ledger(of.ledger),
            facts={**of.facts, "audit": dict(self.told)},
            content={},
        )


def copy_benchmark(work: Cleaning, fresh: Path) -> Manifest:
    """Write the copy of a built benchmark into a folder; every split of its judgements loses what the texts lose."""
    source, after = work.opened.folder, work.cleaned.collection
    qrels = {work.opened.split or "test": after.qrels, **_other_qrels(work, after)}
    write_published(fresh, after.corpus, after.queries, qrels)
    _copy_provenance(work, fresh)
    write_recipe(fresh, (source / "recipe.toml").read_text(encoding="utf-8"))
    manifest = read_manifest(source)
    gone = set(work.cleaned.documents)
    gold = int(manifest.counts.get("gold", 0))
    lost = sum(doc in gone for doc in work.opened.collection.corpus.ids.slice(0, gold).to_pylist())
    counts = {
        **manifest.counts,
        "queries": len(after.queries),
        "gold": gold - lost,
        "distractors": len(after.corpus) - (gold - lost),
        "corpus": len(after.corpus),
        "qrels": sum(len(one) for one in qrels.values()),
    }
    return finish_copy(fresh, work.manifest(manifest, counts), source)


def copy_collection(work: Cleaning, fresh: Path) -> Manifest:
    """Write the copy of a collection without a manifest: the audited split, in the layout of a benchmark."""
    after = work.cleaned.collection
    split = work.opened.split.rpartition("/")[2] or "test"
    configs = write_published(fresh, after.corpus, after.queries, {split: after.qrels})
    protocol = {
        "headline_queries": after.headline_queries,
        "remove_self": after.remove_self,
        "template": after.corpus.template,
    }
    of = Manifest("collection", work.name, after.language, protocol=protocol)
    counts = {"queries": len(after.queries), "corpus": len(after.corpus), "qrels": len(after.qrels)}
    manifest = seal(fresh, work.manifest(of, counts), content_digest(fresh))
    with atomic_file(fresh / "README.md") as path:
        path.write_text(render_collection_card(fresh, configs), encoding="utf-8", newline="\n")
    return manifest


def finish_copy(fresh: Path, manifest: Manifest, source: Path) -> Manifest:
    """Seal a copy and write its card."""
    sealed = seal(fresh, manifest, content_digest(fresh))
    write_copied_card(fresh, source)
    return sealed


def write_copied_card(fresh: Path, source: Path) -> None:
    """Write the card of a copy from its files, with what a person wrote into the dataset's own."""
    readme = source / "README.md"
    written = readme.read_text(encoding="utf-8") if readme.is_file() else ""
    with atomic_file(fresh / "README.md") as path:
        path.write_text(merge_card(render_card(fresh), written), encoding="utf-8", newline="\n")


def _other_qrels(work: Cleaning, after: Collection) -> dict[str, Qrels]:
    """The judgements of the splits that were not audited, without those of what is gone."""
    source, cleaned = work.opened.folder, work.cleaned
    kept: dict[str, Qrels] = {}
    for split in collection_files(names_in(source), work.opened.split or None, where=str(source)).layout.splits:
        if split == (work.opened.split or "test"):
            continue
        judged: dict[str, dict[str, int]] = {}
        for query, doc, grade in read_collection(source, split=split).qrels.rows():
            target = cleaned.merged.get(doc, doc)
            if query in after.queries and target in after.corpus:
                held = judged.setdefault(query, {})
                held[target] = max(held.get(target, grade), grade)
        kept[split] = Qrels.of(judged)
    return kept


def _copy_provenance(work: Cleaning, fresh: Path) -> None:
    """Tables beside the dataset, without the rows of documents that are gone; results of measuring stay behind."""
    gone = pa.array(sorted(work.cleaned.documents), pa.string())
    for path in sorted((work.opened.folder / "provenance").glob("*.parquet")):
        with open_parquet(path) as file:
            table = file.read()
        if "corpus-id" in table.column_names:
            table = table.filter(pc.invert(pc.is_in(table["corpus-id"].cast(pa.string()), value_set=gone)))
        with atomic_file(fresh / "provenance" / path.name) as place:
            write_parquet(place, table)
