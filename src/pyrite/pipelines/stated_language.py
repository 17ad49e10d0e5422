"""Whether the texts of a built folder are in the language that it states: a doubt is told, and nothing fails by it."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from pyrite.formats import DataWarning, Manifest, open_parquet, read_json, read_manifest

SAMPLE = 200
"""Texts of one kind that are looked at, evenly spaced over the first `ROWS`."""
ROWS = 4096
LEAST = 20
"""Texts of different words below which nothing is said."""
CHARACTERS = 1000
"""Of a text that are looked at."""
CLEAR = 0.75
"""The share of queries that have to read more like one other language than like the stated one."""
UNTOLD = frozenset("az bs hr id jv kk ks ku ky mn ms nb nn no pa sd sr tg tk tt ug uz".split())  # noqa: SIM905
"""Languages that are written in several scripts, or that are hardly told from a neighbour: never doubted."""


def doubted_language(stated: str, queries: Sequence[str], documents: Sequence[str]) -> tuple[str, float] | None:
    """The language that queries clearly are in instead of the stated one, and the share of them that say so; or None.

    Documents speak for the stated language too: queries may be in another one than what they ask of. Without the extra
    `languages`, of a language that its model lacks, and of few texts nothing is said.

    >>> asked = [f"{w} {v} {n}?" for w in ("wie hoch ist", "wo liegt") for v in ("der", "dieser") for n in
    ...     ("Berg", "Turm", "Baum", "Ort", "Fluss", "Wald")]
    >>> doubted_language("en", asked, asked)
    ('de', 1.0)
    >>> doubted_language("en", asked, ["how high is the mountain?"]) is None
    True
    """
    code = stated.partition("-")[0].lower()
    if code in UNTOLD or find_spec("py3langid") is None or code not in _identifier().labels:
        return None
    scores = _scores(queries)
    if len(scores) < LEAST:
        return None
    # What most queries read like, held against the stated language text by text.
    best = [max(one, key=lambda label: (one[label], label)) for one in scores]
    other = max(sorted(set(best)), key=best.count)
    share = sum(one[other] > one[code] for one in scores) / len(scores)
    if other == code or share < CLEAR or best.count(other) < len(best) / 2:
        return None
    told = _scores(documents)
    agree = sum(one[code] >= max(one.values()) for one in told)
    return None if 2 * agree > len(told) else (other, share)


def _scores(texts: Sequence[str]) -> list[dict[str, float]]:
    # Texts that differ in a number alone tell no more than one of them.
    letters = {text: "".join(filter(str.isalpha, text)) for text in (text[:CHARACTERS] for text in texts)}
    given = list({told: text for text, told in letters.items() if told}.values())
    return [dict(_identifier().rank(text)) for text in given[:: max(1, -(-len(given) // SAMPLE))]]


@cache
def _identifier() -> Any:
    from py3langid.langid import LanguageIdentifier

    identifier = LanguageIdentifier.from_model_file("data/model.npz.xz")
    # Dialects and creoles apart from the language that they are stated as would be doubts about nothing.
    identifier.set_languages([label for label in identifier.labels if len(label) == 2])
    return identifier


def warn_of_language(folder: Path) -> None:
    """A DataWarning for each part of a built folder whose queries clearly are not in the language that it states."""
    for name, stated, queries, documents in _parts(folder, read_manifest(folder)):
        doubt = doubted_language(stated, queries, documents) if stated else None
        if doubt is not None:
            other, share = doubt
            warnings.warn(
                f"{name}: the language is stated as '{stated}', and {share:.0%} of the queries that were looked at "
                f"read like '{other}'; if that is so, set the language, which decides BM25's analyzer and the card",
                DataWarning,
                stacklevel=2,
            )


def _parts(folder: Path, manifest: Manifest) -> Iterator[tuple[str, str, list[str], list[str]]]:
    """(name, stated language, queries, documents) of a folder, or of each split of a Nano folder."""
    if manifest.kind == "training":
        files = "n-tuples/*.parquet"
        yield manifest.name, manifest.language, _texts(folder, files, "query"), _texts(folder, files, "positive")
        return
    splits: Mapping[str, str] = {"*": manifest.language}
    if manifest.kind == "nano":
        held = {file.stem: read_json(file) for file in sorted(folder.glob("metadata/*.json"))}
        splits = {split: str(told.get("language") or "") for split, told in held.items()}
    for split, stated in splits.items():
        name = manifest.name if split == "*" else f"{manifest.name}, {split}"
        texts = (_texts(folder, f"{table}/{split}.parquet", "text") for table in ("queries", "corpus"))
        yield name, stated, next(texts), next(texts)


def _texts(folder: Path, pattern: str, column: str) -> list[str]:
    """The first texts of a table."""
    for file in sorted(folder.glob(pattern)):
        with open_parquet(file) as table:
            for batch in table.iter_batches(ROWS, columns=[column]):
                return [text for text in batch.column(0).to_pylist() if text]
    return []
