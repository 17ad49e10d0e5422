"""Which of a dataset's files are the table that is asked for: as its card says, else as their names say."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pyrite.core import RecipeError
from pyrite.formats import TableFormat, format_of, must_be_whole, table_name
from pyrite.sources.cards import CardConfig

_SHARD = re.compile(r"-\d{5}-of-\d{5}(-[0-9a-f]+)?$")
_PART = re.compile(r"(^|[-_.])\d+$")
_TABLES = {"corpus", "documents", "docs", "passages", "queries", "questions", "topics", "qrels", "judgements"}
_SPLITS = {"train", "training", "dev", "val", "valid", "validation", "eval", "evaluation", "test"}


@dataclass(frozen=True)
class Asked:
    """Which table of a dataset is asked for.

    Attributes:
        where: what errors call the dataset.
        config, split: its names, or None to take the only one there is.
        format: only files of this format are looked at, where it is given.
    """

    where: str
    config: str | None = None
    split: str | None = None
    format: TableFormat | None = None


def choose_files(names: Sequence[str], asked: Asked, configs: Sequence[CardConfig] = ()) -> list[str]:
    """The files of the table, in order; RecipeError where none or more than one table fits, naming what there is.

    Tables are never joined by a guess: several splits or tables in a folder are an error until one is chosen.

    >>> names = ["corpus/corpus.parquet", "queries/queries.parquet", "qrels/test.parquet", "README.md"]
    >>> choose_files(names, Asked("toy", config="queries"))
    ['queries/queries.parquet']
    >>> choose_files(names, Asked("toy"))
    Traceback (most recent call last):
    pyrite.core.errors.RecipeError: toy: holds several tables: corpus/corpus, qrels/test, queries/queries; \
choose one by config or split, or give the path of its files.
    """
    data = sorted(name for name in names if _readable(name) and asked.format in (None, format_of(name)))
    if not data:
        wanted = asked.format or "Parquet, JSONL, CSV or TSV"
        raise RecipeError(f"holds no {wanted} file", where=asked.where, fix="check the path")
    chosen = _by_card(data, asked, configs) if configs else _by_name(data, asked)
    formats = sorted({str(format_of(name)) for name in chosen})
    if len(formats) > 1:
        raise RecipeError(
            f"holds the table in several formats: {', '.join(formats)}", where=asked.where, fix="choose one by format"
        )
    must_be_whole(chosen, where=asked.where)
    return chosen


def _readable(name: str) -> bool:
    return format_of(name) is not None and not any(part.startswith((".", "_")) for part in name.split("/"))


def _by_card(data: Sequence[str], asked: Asked, configs: Sequence[CardConfig]) -> list[str]:
    config = _config(asked, configs)
    if not config.splits:
        within = [name for name in data if name.startswith(f"{config.folder}/")] if config.folder else list(data)
        return _by_name(within, Asked(asked.where, None, asked.split, asked.format))
    split = asked.split
    if split is None and len(config.splits) == 1:
        split = next(iter(config.splits))
    if split is None or split not in config.splits:
        what = f"has no split '{split}'" if split else "has several splits"
        raise RecipeError(
            f"config '{config.name}' {what}", where=asked.where, fix=f"choose one of {', '.join(config.splits)}"
        )
    chosen: dict[str, None] = {}
    for pattern in config.splits[split]:
        fits = [name for name in data if glob_pattern(pattern).fullmatch(name)]
        if not fits:
            raise RecipeError(
                f"the card names '{pattern}' for split '{split}', and no file fits it",
                where=asked.where,
                fix="mend the card, or give the path of the files",
            )
        chosen.update(dict.fromkeys(fits))
    return list(chosen)


def _config(asked: Asked, configs: Sequence[CardConfig]) -> CardConfig:
    if asked.config is None:
        fit = configs if len(configs) == 1 else [one for one in configs if one.default or one.name == "default"]
    else:
        fit = [one for one in configs if one.name == asked.config]
    if not fit:
        what = "has several configs" if asked.config is None else f"has no config '{asked.config}'"
        raise RecipeError(what, where=asked.where, fix=f"choose one of {', '.join(one.name for one in configs)}")
    return next((one for one in fit if one.default), fit[0])


def _by_name(data: Sequence[str], asked: Asked) -> list[str]:
    tables: dict[str, list[str]] = {}
    for name in data:
        tables.setdefault(_table(name), []).append(name)
    fit = dict(tables)
    if asked.config is not None:
        fit = {table: files for table, files in fit.items() if asked.config in table.split("/")}
    if asked.split is not None:
        fit = {table: [name for name in files if _is_split(name, table, asked.split)] for table, files in fit.items()}
        fit = {table: files for table, files in fit.items() if files}
    if not fit:
        named = " and ".join(
            f"{kind} '{value}'" for kind, value in (("config", asked.config), ("split", asked.split)) if value
        )
        raise RecipeError(f"has no {named}", where=asked.where, fix=f"the tables are {_listed(tables)}")
    if len(fit) > 1 and not (asked.split is None and _parts_of_one(fit)):
        raise RecipeError(
            f"holds several tables: {_listed(fit)}",
            where=asked.where,
            fix="choose one by config or split, or give the path of its files",
        )
    return sorted(name for files in fit.values() for name in files)


def _table(name: str) -> str:
    """The name without suffix and part number; a file that is only a number belongs to its folder."""
    folder, _, stem = table_name(name).rpartition("/")
    stem = _PART.sub("", _SHARD.sub("", stem))
    return "/".join(part for part in (folder, stem) if part)


def _is_split(name: str, table: str, split: str) -> bool:
    return split in (table.rpartition("/")[2], table_name(name).rpartition("/")[2])


def _parts_of_one(tables: Iterable[str]) -> bool:
    """Whether files of several names are parts of one table: side by side, and none named as a table or a split."""
    folders = {table.rpartition("/")[0] for table in tables}
    stems = {table.rpartition("/")[2].lower() for table in tables}
    return len(folders) == 1 and stems.isdisjoint(_TABLES | _SPLITS)


def _listed(tables: Iterable[str]) -> str:
    names = sorted(tables)
    return ", ".join(names[:10]) + (f" and {len(names) - 10} more" if len(names) > 10 else "")


def glob_pattern(pattern: str) -> re.Pattern[str]:
    """A pattern of file names as cards have them: `**/` any folders, `*` and `?` within one name, `[...]` a class.

    >>> bool(glob_pattern("data/train-*").fullmatch("data/train-0.parquet"))
    True
    >>> bool(glob_pattern("*.csv").fullmatch("a/b.csv")), bool(glob_pattern("**/*.csv").fullmatch("b.csv"))
    (False, True)
    """
    out = ""
    for token in re.findall(r"\*\*/|\*\*|\*|\?|\[[^\]]+\]|.", pattern, flags=re.DOTALL):
        if token.startswith("[") and len(token) > 2:
            out += "[" + token[1:-1].replace("\\", "\\\\").replace("!", "^", 1 if token[1] == "!" else 0) + "]"
        else:
            out += {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}.get(token, re.escape(token))
    return re.compile(out)
