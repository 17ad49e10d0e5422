"""What a value of a recipe should be, in the words of a recipe and not of its checker."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_WORDS = {
    "model_type": "write a table",
    "dict_type": "write a table",
    "list_type": "write a list",
    "string_type": "write a text in quotes",
    "bool_type": "write true or false",
    "int_type": "write a whole number",
    "int_from_float": "write a whole number",
    "float_type": "write a number",
    "finite_number": "write a finite number",
    "literal_error": "write {expected}",
    "greater_than_equal": "write {ge} or more",
    "greater_than": "write more than {gt}",
    "less_than_equal": "write {le} or less",
    "less_than": "write less than {lt}",
    "too_short": "give {min_length} or more",
    "string_too_short": "give it a value",
}
_PATTERNS = {
    r"^[A-Za-z0-9][A-Za-z0-9._-]*$": "write letters, digits, '.', '_' and '-' alone, a letter or a digit first",
    r"^[a-z][a-z0-9_]*$": "write small letters, digits and '_' alone, a letter first",
}


def wanted(problem: Mapping[str, Any]) -> str:
    """What to write instead.

    Args:
        problem: one of pydantic's errors: type, msg, and ctx with the bound that was missed.

    >>> wanted({"type": "greater_than_equal", "msg": "Input should be ...", "ctx": {"ge": 1}})
    'write 1 or more'
    """
    kind, bounds = str(problem["type"]), problem.get("ctx", {})
    if kind == "string_pattern_mismatch" and bounds["pattern"] in _PATTERNS:
        return _PATTERNS[bounds["pattern"]]
    if kind in _WORDS:
        return _WORDS[kind].format(**bounds)
    message = str(problem["msg"]).removeprefix("Value error, ")
    return message[:1].lower() + message[1:]
