"""What a card declares to the `datasets` library: configs, splits and their files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyrite.publishing.offence import Offence
from pyrite.publishing.parts import ASIDE, Part, parquet_files

CARD = "README.md"

SPLIT = re.compile(r"\w+(\.\w+)*")
"""What `datasets` takes as the name of a split; a hyphen is not in it."""


@dataclass(frozen=True)
class Declared:
    """The configs of a card.

    Attributes:
        parts: each split of each config with the files that are there, in declared order.
        counts: (config, split) -> rows that the card's `dataset_info` claims.
        offences: what is wrong with the declaration itself.
    """

    parts: tuple[Part, ...]
    counts: Mapping[tuple[str, str], int]
    offences: tuple[Offence, ...]

    def loadable(self) -> list[Part]:
        """The parts that `datasets` can be asked for: a legal split name and at least one file."""
        return [part for part in self.parts if part.files and SPLIT.fullmatch(part.split)]

    def tables(self) -> list[Part]:
        """The parts whose files are all there and Parquet."""
        return [part for part in self.parts if part.files and part.parquet]


def read_declared(folder: Path, front: Mapping[str, Any]) -> Declared:
    """The configs that a card's front matter declares, checked against the files of the folder.

    Without configs `datasets` guesses: of `corpus/corpus.parquet` and `qrels/test.parquet` it loads the second alone.
    """
    configs = front.get("configs")
    if not isinstance(configs, list) or not configs:
        return Declared((), {}, (Offence(CARD, "", "declares no configs, so that datasets would guess the tables"),))
    parts: list[Part] = []
    offences: list[Offence] = []
    for config in configs:
        if not isinstance(config, dict) or not isinstance(config.get("config_name"), str):
            offences.append(Offence(CARD, "configs", "has an entry without a config_name that is text"))
            continue
        for split, patterns in _data_files(config.get("data_files")):
            where = f"config '{config['config_name']}', split '{split}'"
            if not SPLIT.fullmatch(split):
                offences.append(
                    Offence(CARD, where, "datasets refuses this split name; use letters, digits, _ and single dots")
                )
            files, missing = _resolve(folder, patterns)
            offences += [Offence(CARD, where, f"there is no file {pattern}") for pattern in missing]
            parts.append(Part(config["config_name"], split, tuple(files)))
        if "data_files" not in config:
            offences.append(Offence(CARD, f"config '{config['config_name']}'", "names no data_files"))
    offences += _names(configs) + _forgotten(folder, parts)
    return Declared(tuple(parts), _counts(front.get("dataset_info")), tuple(offences))


def _data_files(value: object) -> Iterator[tuple[str, list[str]]]:
    """Every form that `datasets` takes: a path, paths, a mapping of splits, or a list of split and path."""
    if isinstance(value, str):
        yield "train", [value]
    elif isinstance(value, dict):
        for split, paths in value.items():
            yield str(split), [paths] if isinstance(paths, str) else [str(path) for path in paths]
    elif isinstance(value, list) and value and all(isinstance(entry, str) for entry in value):
        yield "train", list(value)
    elif isinstance(value, list):
        for entry in value:
            if isinstance(entry, dict):
                paths = entry.get("path", [])
                yield str(entry.get("split", "train")), [paths] if isinstance(paths, str) else list(paths)


def _resolve(folder: Path, patterns: list[str]) -> tuple[list[str], list[str]]:
    files: list[str] = []
    missing = []
    for pattern in patterns:
        found = [pattern] if (folder / pattern).is_file() else []
        if not found and any(sign in pattern for sign in "*?["):
            found = sorted(path.relative_to(folder).as_posix() for path in folder.glob(pattern) if path.is_file())
        files += [file for file in found if file not in files]
        if not found:
            missing.append(pattern)
    return files, missing


def _names(configs: list[Any]) -> list[Offence]:
    names = [config.get("config_name") for config in configs if isinstance(config, dict)]
    offences = [
        Offence(CARD, f"config '{name}'", "is declared more than once")
        for name in dict.fromkeys(name for name in names if names.count(name) > 1)
    ]
    defaults = [config["config_name"] for config in configs if isinstance(config, dict) and config.get("default")]
    if len(defaults) != 1:
        told = ", ".join(str(name) for name in defaults) or "none"
        offences.append(Offence(CARD, "configs", f"one config has to be the default; marked as it: {told}"))
    return offences


def _forgotten(folder: Path, parts: list[Part]) -> list[Offence]:
    named = {file for part in parts for file in part.files}
    return [
        Offence(file, "", "no config of README.md names it, so that nobody would load it")
        for file in parquet_files(folder)
        if file not in named and file.split("/")[0] not in ASIDE
    ]


def _counts(info: object) -> dict[tuple[str, str], int]:
    counts = {}
    for entry in info if isinstance(info, list) else [info]:
        if isinstance(entry, dict):
            for split in entry.get("splits") or ():
                if isinstance(split, dict) and isinstance(split.get("num_examples"), int):
                    counts[str(entry.get("config_name", "default")), str(split.get("name"))] = split["num_examples"]
    return counts
