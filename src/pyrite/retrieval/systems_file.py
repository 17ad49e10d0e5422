"""A file of systems: `[[system]]` tables of TOML, as short forms."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from pyrite.core import RecipeError
from pyrite.retrieval.located import located_spec
from pyrite.retrieval.system_spec import SystemSpec


def read_systems(path: Path) -> list[str]:
    """The systems of a TOML file, in its order, each as its short form.

    A table has `system` (family and model, as in the short form) and its settings; relative paths of folders and files
    are those from the TOML file's folder. RecipeError for anything else in the file.
    """
    try:
        held = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise RecipeError(f"can't be read ({error.strerror})", where=str(path), fix="check the path") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RecipeError(f"is not TOML ({error})", where=str(path)) from None
    tables = held.pop("system", None)
    if held or not isinstance(tables, list) or not tables:
        raise RecipeError("has something else than [[system]] tables", where=str(path), fix="write one a system")
    return [_spec(table, f"{path}, system {place}", path.parent).text for place, table in enumerate(tables, start=1)]


def _spec(table: Any, where: str, base: Path) -> SystemSpec:
    if not isinstance(table, dict) or not isinstance(table.get("system"), str):
        raise RecipeError("has no key 'system' with a text", where=where, fix='write system = "dense:MODEL"')
    settings = {key: _text(key, value, where) for key, value in table.items() if key != "system"}
    return located_spec(SystemSpec(table["system"], settings), base)


def _text(key: str, value: Any, where: str) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list) and all(isinstance(part, str | int | float) for part in value):
        return "+".join(str(part) for part in value)
    if isinstance(value, str | int | float):
        return str(value)
    raise RecipeError(f"'{key}' is neither text, a number, true, false nor a list of them", where=where)
