"""The grammar of a system's short form: what commas, brackets and quotes mean in it."""

from __future__ import annotations

import json

from pyrite.core import RecipeError


def split(text: str, separator: str) -> list[str]:
    """The parts of a text between separators that are in no brackets and no quotes; RecipeError where one stays open.

    >>> split('rerank:m,over=(bm25:en,k1=1),prompt="a, b"', ",")
    ['rerank:m', 'over=(bm25:en,k1=1)', 'prompt="a, b"']
    """
    parts, depth, quoted, start = [], 0, False, 0
    at = 0
    while at < len(text):
        sign = text[at]
        if quoted and sign == "\\":
            at += 1
        elif sign == '"':
            quoted = not quoted
        elif not quoted:
            depth += (sign == "(") - (sign == ")")
            if depth < 0:
                break
            if sign == separator and not depth:
                parts.append(text[start:at])
                start = at + 1
        at += 1
    if depth or quoted:
        raise RecipeError(f"'{text}' has a bracket or a quote without its other half", fix="close it")
    return [*parts, text[start:]]


def unwrapped(text: str) -> str:
    """The text without the brackets around all of it.

    >>> unwrapped("(bm25:en,k1=1)"), unwrapped("(a)+(b)"), unwrapped("bm25")
    ('bm25:en,k1=1', '(a)+(b)', 'bm25')
    """
    stripped = text.strip()
    if not (stripped.startswith("(") and stripped.endswith(")")):
        return stripped
    inside = stripped[1:-1]
    depth = 0
    for sign in inside:
        depth += (sign == "(") - (sign == ")")
        if depth < 0:
            return stripped
    return inside


def read_value(key: str, text: str) -> str:
    """The value of a setting; in quotes it is taken as it is, and so is the end of a prompt without them.

    >>> read_value("max_length", " 256 "), read_value("query_prompt", "query: "), read_value("prompt", '""')
    ('256', 'query: ', '')
    """
    if text.strip().startswith('"'):
        try:
            return str(json.loads(text))
        except ValueError:
            raise RecipeError(f"{key}={text} is not one quoted text", fix='write it as in prompt="query: "') from None
    return text if key.endswith("prompt") else text.strip()


def write_value(value: str) -> str:
    """A value so that `read_value` gives it back, in quotes only where it must be.

    >>> write_value("256"), write_value("query: "), write_value("(bm25,k1=1)+run:x")
    ('256', '"query: "', '(bm25,k1=1)+run:x')
    """
    try:
        plain = split(value, ",") == [value]
    except RecipeError:
        plain = False
    bare = plain and '"' not in value.replace('\\"', "") and value == value.strip() and value
    return value if bare else json.dumps(value, ensure_ascii=False)
