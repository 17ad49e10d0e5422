"""The YAML at the head of a card: written so that YAML 1.1 and 1.2 read the same, merged so that nothing is lost."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import yaml

from pyrite.core import DataError

NUMBER_LIKE = re.compile(
    r"[-+]?(0[xXoObB][\da-fA-F_]+|[\d_][\d_,:]*\.?[\d_]*([eE][-+]?\d+)?|\.[\d_]+([eE][-+]?\d+)?|\.(inf|nan))",
    re.IGNORECASE,
)
WORD_LIKE = {"y", "n", "yes", "no", "on", "off", "true", "false", "null", "~", ""}
TOP_KEY = re.compile(r"(?P<key>[^\s#\"'\[\]{}:,&*!|>%@`-][^:]*|\"[^\"]*\"|'[^']*'):(\s|$)")


class _Dumper(yaml.SafeDumper):
    """Quotes each string that some YAML parser would take for something else."""

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002
        return True


def _text(dumper: _Dumper, value: str) -> yaml.ScalarNode:
    coerced = value.lower() in WORD_LIKE or NUMBER_LIKE.fullmatch(value) is not None
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style="'" if coerced else None)


_Dumper.add_representer(str, _text)


def dump_yaml(values: Mapping[str, Any]) -> str:
    """Block YAML of these values, keys in their order, one line a scalar.

    >>> print(dump_yaml({"language": ["no"], "tags": ["1e3", "012", "medical"]}), end="")
    language:
    - 'no'
    tags:
    - '1e3'
    - '012'
    - medical
    """
    text = yaml.dump(
        dict(values), Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=2**31, default_flow_style=False
    )
    return str(text)


def split_front(text: str) -> tuple[str, str]:
    r"""The YAML between the first two `---` lines and the Markdown after it; "" where a card has no front matter.

    >>> split_front("---\nlicense: mit\n---\n\n# Card\n")
    ('license: mit\n', '\n# Card\n')
    """
    lines = text.removeprefix("\ufeff").splitlines(keepends=True)
    if not lines or lines[0].rstrip() != "---":
        return "", text
    for number, line in enumerate(lines[1:], start=1):
        if line.rstrip() == "---":
            return "".join(lines[1:number]), "".join(lines[number + 1 :])
    raise DataError("the front matter has no end", where="README.md, line 1", fix="close it with a line ---")


def read_front(text: str) -> dict[str, Any]:
    """The values of a card's front matter; empty where it has none.

    Raises:
        DataError: it is not YAML, or not a mapping.
    """
    front, _ = split_front(text)
    try:
        values = yaml.safe_load(front)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f"README.md, line {mark.line + 2}" if mark else "README.md"
        raise DataError(f"the front matter is not YAML ({getattr(error, 'problem', error)})", where=where) from error
    if values is None:
        return {}
    if not isinstance(values, dict):
        raise DataError("the front matter is not a mapping", where="README.md, line 2", fix="write key: value lines")
    return {str(key): value for key, value in values.items()}


def merge_front(ours: Mapping[str, Any], existing: str) -> str:
    r"""The YAML of our values, then every key of an existing card that is not ours, as its author wrote it.

    Args:
        ours: what was computed from the folder.
        existing: the whole text of the card that is there.

    Configs and tags that a person added stay, after ours. A licence that a person wrote stays where ours is only
    "other". `dataset_info` of our configs goes: its counts speak of the files of another day.

    >>> card = "---\nlicense: mit\nversion: 1.10  # of the data\n---\n"
    >>> print(merge_front({"license": "other", "tags": ["retrieval"]}, card), end="")
    license: mit
    tags:
    - retrieval
    version: 1.10  # of the data
    """
    theirs = read_front(existing)
    merged = dict(ours)
    if "configs" in ours:
        merged["configs"] = _merge_configs(ours["configs"], theirs.get("configs"))
    if "tags" in ours and isinstance(theirs.get("tags"), list):
        merged["tags"] = list(dict.fromkeys([*ours["tags"], *(str(tag) for tag in theirs["tags"])]))
    if ours.get("license") == "other" and theirs.get("license"):
        merged["license"] = theirs["license"]
    blocks = _raw_blocks(split_front(existing)[0])
    info = _foreign_info(theirs.get("dataset_info"), {config["config_name"] for config in ours.get("configs", [])})
    if info != theirs.get("dataset_info"):
        blocks["dataset_info"] = dump_yaml({"dataset_info": info}) if info else ""
    return dump_yaml(merged) + "".join(block for key, block in blocks.items() if key not in ours)


def _merge_configs(ours: list[dict[str, Any]], theirs: object) -> list[dict[str, Any]]:
    names = {config["config_name"] for config in ours}
    extra = [
        config
        for config in (theirs if isinstance(theirs, list) else [])
        if isinstance(config, dict) and config.get("config_name") not in names
    ]
    if any(config.get("default") for config in extra):
        # A person's choice of the default config stands.
        ours = [{key: value for key, value in config.items() if key != "default"} for config in ours]
    return [*ours, *extra]


def _foreign_info(info: object, ours: set[str]) -> Any:
    if isinstance(info, dict):
        return info if info.get("config_name", "default") not in {*ours, "default"} else None
    if isinstance(info, list):
        return [entry for entry in info if not (isinstance(entry, dict) and entry.get("config_name") in ours)]
    return info


def _raw_blocks(front: str) -> dict[str, str]:
    """The lines of each top-level key, comments before it included."""
    # The base loader leaves keys as they are written: `no` is a key, not a truth value.
    values = yaml.load(front, Loader=yaml.BaseLoader) or {}
    blocks: dict[str, str] = {}
    current, waiting = "", ""
    for line in front.splitlines(keepends=True):
        found = TOP_KEY.match(line)
        if found:
            current = found["key"].strip().strip("\"'")
            blocks[current], waiting = waiting + line, ""
        elif line.startswith("#") or not line.strip():
            waiting += line
        else:
            blocks[current] = blocks.get(current, "") + waiting + line
            waiting = ""
    if current:
        blocks[current] += waiting
    if list(blocks) != list(values):
        # Flow style, or something as rare: the values stay, their form does not.
        values = yaml.safe_load(front) or {}
        return {str(key): dump_yaml({key: value}) for key, value in values.items()}
    return {key: block if block.endswith("\n") else block + "\n" for key, block in blocks.items()}
