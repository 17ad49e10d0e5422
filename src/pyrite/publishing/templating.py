"""Card templates and what they may call: how numbers, cells, links and paths are written."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import PurePosixPath, PureWindowsPath
from typing import Any

import jinja2

from pyrite.core import DataError, Estimate
from pyrite.publishing.scores import HUB_ID
from pyrite.publishing.sections import marked


def render_template(template: str, *, where: str, **values: Any) -> str:
    """The Markdown of a card, its sections one blank line apart.

    Args:
        template: a file of the templates folder.
        where: the file that is blamed where a value is missing.
        values: what the template reads.

    Raises:
        DataError: the template asks for a value that is not there.
    """
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("pyrite.publishing"),
        undefined=jinja2.StrictUndefined,
        autoescape=False,  # Markdown, not HTML.
        trim_blocks=True,
        lstrip_blocks=True,
    )
    filters: dict[str, Callable[..., str]] = {
        "count": lambda value: f"{value:,}",
        "score": lambda value: f"{value:.4f}",
        "mean": lambda value: f"{value:,.1f}",
        "decimal": lambda value: f"{value:,.4f}".rstrip("0").rstrip("."),
        "decimal2": lambda value: f"{value:,.2f}",
        "percent": lambda value: f"{value:.1f}",
        "sigmoid": sigmoid,
        "figures": figures,
        "py": lambda value: json.dumps(value, ensure_ascii=False),
        "cell": cell,
        "shown_path": shown_path,
        "shown_system": shown_system,
        "hub_link": hub_link,
    }
    environment.filters |= filters
    environment.globals |= {"marked": marked, "row": row, "rule": rule, "estimates": estimates}
    try:
        text = environment.get_template(template).render(**values)
    except jinja2.UndefinedError as error:
        raise DataError(
            f"lacks what the card tells ({error.message})", where=where, fix="build the folder again"
        ) from error
    return re.sub(r"(?<=-->)\s+(?=<!-- pyrite: )", "\n\n", text).strip() + "\n"


def cell(value: object) -> str:
    r"""Text that stays within one cell of a Markdown table.

    >>> print(cell("a|b   c"))
    a\|b c
    """
    return " ".join(str(value).split()).replace("|", "\\|")


def row(texts: Sequence[str], numbers: Iterable[str]) -> str:
    """One row of a Markdown table.

    >>> row(["bm25:ja"], ["0.5956"])
    '| bm25:ja | 0.5956 |'
    """
    return "| " + " | ".join([cell(text) for text in texts] + list(numbers)) + " |"


def rule(texts: int, numbers: int) -> str:
    """The line under a table's head: numbers are aligned to the right."""
    return "|" + "---|" * texts + "---:|" * numbers


def estimates(cells: Iterable[Estimate | None]) -> list[str]:
    """Means with their intervals, a dash where there is none."""
    return [f"{cell.mean:.4f} ({cell.low:.4f}–{cell.high:.4f})" if cell else "–" for cell in cells]


def shown_path(path: str) -> str:
    """A local source by its name alone: where it lies on one person's disk tells a reader nothing."""
    pure = PureWindowsPath(path) if "\\" in path else PurePosixPath(path)
    return pure.name if pure.is_absolute() else path


def shown_system(system: str) -> str:
    """A system's short form; a file or a folder of it by its name alone.

    >>> shown_system("run:/tmp/runs/mine.parquet"), shown_system("dense:org/model,dtype=float16")
    ('run:mine.parquet', 'dense:org/model,dtype=float16')
    """
    family, colon, argument = system.partition(":")
    return f"{family}{colon}{shown_path(argument)}"


def sigmoid(logit: float) -> str:
    """What a logit is as a probability.

    >>> sigmoid(2.0), sigmoid(-1000.0)
    ('0.8808', '0.0000')
    """
    return f"{(1 + math.tanh(logit / 2)) / 2:.4f}"


def figures(value: object) -> str:
    """A number, or several, as a table of statistics has them; a dash for none.

    >>> figures(4603), figures([2.0, 7.929]), figures(None)
    ('4,603', '2.00, 7.93', '–')
    """
    if value is None:
        return "–"
    if isinstance(value, list | tuple):
        return ", ".join(f"{number:,.2f}" for number in value)
    return f"{value:,}" if isinstance(value, int) else f"{value:,.4f}" if isinstance(value, float) else cell(value)


def hub_link(name: str) -> str:
    """A link to a repository's id; any other name as it is."""
    return f"[{name}](https://huggingface.co/datasets/{name})" if HUB_ID.fullmatch(name) else name
