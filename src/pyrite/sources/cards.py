"""What a dataset's card says of its data files: the `configs` of its front matter."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from pyrite.core import DataError

_FRONT_MATTER = re.compile(r"\A\ufeff?---[ \t]*\r?\n(.*?)^---[ \t]*\r?$", re.DOTALL | re.MULTILINE)
_DEFAULT_SPLIT = "train"


@dataclass(frozen=True)
class CardConfig:
    """One config of a card.

    Attributes:
        name: of the config. default: whether it is the one that is meant where none is named.
        splits: split -> patterns of file names; empty where the card leaves them to the names.
        folder: the data folder that the patterns, or the names, are within; "" for the whole dataset.
    """

    name: str
    default: bool
    splits: Mapping[str, tuple[str, ...]]
    folder: str = ""


def card_configs(readme: str, *, where: str) -> tuple[CardConfig, ...]:
    r"""The configs in a README's front matter, in its order; none where it has no front matter or no configs.

    DataError where the front matter is not YAML.

    >>> text = "---\nconfigs:\n- config_name: no\n  data_files: rows/*.csv\n---\n# Card"
    >>> card_configs(text, where="README.md")
    (CardConfig(name='no', default=False, splits={'train': ('rows/*.csv',)}, folder=''),)
    """
    match = _FRONT_MATTER.match(readme)
    if match is None:
        return ()
    try:
        # The base loader leaves every scalar a string: a config may be called "no" or "1e3".
        held = yaml.load(match[1], Loader=yaml.BaseLoader)
    except yaml.YAMLError as error:
        raise DataError("the front matter is not YAML", where=where, fix="mend it, or name the files") from error
    configs = held.get("configs") if isinstance(held, dict) else None
    if not isinstance(configs, list):
        return ()
    return tuple(_config(one) for one in configs if isinstance(one, dict))


def _config(held: Mapping[str, Any]) -> CardConfig:
    folder = str(held.get("data_dir") or "").strip("./")
    return CardConfig(
        name=str(held.get("config_name") or "default"),
        default=held.get("default") == "true",
        splits={split: tuple(_path(one, folder) for one in paths) for split, paths in _splits(held).items()},
        folder=folder,
    )


def _splits(held: Mapping[str, Any]) -> dict[str, list[str]]:
    """The shapes that `data_files` may have: a pattern, a list of patterns, a mapping, a list of split and path."""
    files = held.get("data_files")
    if isinstance(files, str):
        return {_DEFAULT_SPLIT: [files]}
    if isinstance(files, dict):
        return {str(split): _list(paths) for split, paths in files.items()}
    found: dict[str, list[str]] = {}
    for one in files if isinstance(files, list) else []:
        if isinstance(one, dict):
            found.setdefault(str(one.get("split", _DEFAULT_SPLIT)), []).extend(_list(one.get("path")))
        else:
            found.setdefault(_DEFAULT_SPLIT, []).append(str(one))
    return found


def _list(paths: Any) -> list[str]:
    return [str(path) for path in paths] if isinstance(paths, list) else [str(paths)]


def _path(pattern: str, folder: str) -> str:
    plain = pattern.removeprefix("./")
    return f"{folder}/{plain}" if folder else plain
