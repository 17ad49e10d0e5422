"""Where the tables of a collection lie in layouts that are told by patterns of names: MTEB's, JMTEB's and TREC's."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

LayoutKind = Literal["published", "nano", "flat", "beir", "configs", "listed", "trec"]

_CONFIG = re.compile(r"(?:(?P<prefix>.+)[-_])?(?P<role>corpus|queries|query|qrels)")
_PLAIN_QRELS = ("data", "default")
_ENDING = r"\.(?:trec|sgml|txt|tsv|jsonl|ndjson|json|csv|parquet)(?:\.gz)?"
_DOCS = re.compile(rf"(?:docs|documents|corpus|collection)(?:/[^/]+)?{_ENDING}")
_TOPICS = re.compile(rf"(?:topics|queries)(?:[._-](?P<split>.+?))?{_ENDING}")
_QRELS = re.compile(rf"qrels(?:[._/-](?P<split>.+?))?(?:{_ENDING}|\.qrels)")

Roles = dict[str, dict[str, list[str]]]
"""Role -> split -> files."""


@dataclass(frozen=True)
class Places:
    """The files of one split; without qrels, its queries list their relevant documents."""

    corpus: tuple[str, ...]
    queries: tuple[str, ...]
    qrels: tuple[str, ...] = ()


def further_splits(
    names: Sequence[str], tables: Mapping[str, Sequence[str]]
) -> tuple[LayoutKind, dict[str, Places]] | None:
    """The layout of files with these names, and its splits ("" for an only one without a name); None where unknown.

    Args:
        names: of the files, relative to their folder.
        tables: table -> its files, as `layout.tables_in` has them.

    >>> found = {"ja-corpus/dev": ["ja-corpus/dev.parquet"], "ja-query/dev": ["ja-query/dev.parquet"]}
    >>> further_splits([], found)
    ('configs', {'ja/dev': Places(corpus=('ja-corpus/dev.parquet',), queries=('ja-query/dev.parquet',), qrels=())})
    """
    if splits := _by_config(tables):
        return "configs", splits
    queries = next((tables[name] for name in ("queries", "query") if name in tables), None)
    if splits := _trec(names):
        return "trec", splits
    if "corpus" in tables and queries is not None:
        return "listed", {"": Places(tuple(tables["corpus"]), tuple(queries))}
    return None


def _by_config(tables: Mapping[str, Sequence[str]]) -> dict[str, Places]:
    """CONFIG-corpus/SPLIT, CONFIG-queries/SPLIT and CONFIG-qrels/SPLIT, or the same without CONFIG."""
    configs: dict[str, Roles] = {}
    for table, files in tables.items():
        folder, _, rest = table.partition("/")
        found = _CONFIG.fullmatch(folder)
        # The hub's own Parquet copies are CONFIG/SPLIT/0000.parquet.
        split = re.sub(r"/\d+$", "", rest)
        if split and "/" not in split and (found or folder in _PLAIN_QRELS):
            prefix, role = (found["prefix"] or "", found["role"]) if found else ("", "qrels")
            role = "queries" if role == "query" else role
            configs.setdefault(prefix, {}).setdefault(role, {}).setdefault(split, []).extend(files)
    splits = {}
    for prefix, roles in sorted(configs.items()):
        for split in roles.get("qrels") or roles.get("queries", {}):
            corpus, queries = (_of_split(roles.get(role, {}), split) for role in ("corpus", "queries"))
            if corpus and queries:
                qrels = roles.get("qrels", {}).get(split, [])
                splits[f"{prefix}/{split}" if prefix else split] = Places(corpus, queries, tuple(qrels))
    return splits


def _trec(names: Sequence[str]) -> dict[str, Places]:
    docs = tuple(sorted(name for name in names if _DOCS.fullmatch(name)))
    topics = _named(names, _TOPICS)
    found = {split: (_of_split(topics, split), files) for split, files in _named(names, _QRELS).items()}
    return {split: Places(docs, asked, tuple(files)) for split, (asked, files) in found.items() if docs and asked}


def _named(names: Sequence[str], pattern: re.Pattern[str]) -> dict[str, list[str]]:
    splits: dict[str, list[str]] = {}
    for name in sorted(names):
        if found := pattern.fullmatch(name):
            splits.setdefault(found["split"] or "", []).append(name)
    return splits


def _of_split(splits: Mapping[str, Sequence[str]], split: str) -> tuple[str, ...]:
    """The files of this split, or of the only one there is, or of the one without a name."""
    if split in splits:
        return tuple(splits[split])
    if len(splits) == 1:
        return tuple(next(iter(splits.values())))
    return tuple(splits.get("", ()))
