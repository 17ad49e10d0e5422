"""From values to one HTML file: everything that is not a template's is escaped, and only our own scripts may run."""

from __future__ import annotations

import base64
import hashlib
import json
from functools import cache
from importlib import resources
from typing import Any

import jinja2
from markupsafe import Markup

from pyrite.reporting.naming import inert

LIBRARIES = (
    ("D3", "7.9.2", "d3-7.9.2.min.js", "d3.LICENSE"),
    ("Observable Plot", "0.6.17", "plot-0.6.17.umd.min.js", "plot.LICENSE"),
)
"""Name, version, file and licence of what is in vendor/; a later one may need the earlier."""


def render(template: str, *, data: dict[str, Any], **values: Any) -> str:
    """The page of a template, whole.

    Args:
        template: a file of the templates folder.
        data: what the page's script draws from.
        values: what the template reads.
    """
    libraries = [
        {"name": name, "version": version, "script": Markup(_vendored(file)), "licence": _vendored(licence)}
        for name, version, file, licence in LIBRARIES
    ]
    own = Markup(_template("report.js"))
    scripts = [*(library["script"] for library in libraries), own]
    text = (
        _environment()
        .get_template(template)
        .render(
            **values,
            policy=policy([str(script) for script in scripts]),
            styles=Markup(_template("palette.css") + _template("report.css")),
            libraries=libraries,
            script=own,
            data=script_json(data),
        )
    )
    return text if text.endswith("\n") else text + "\n"


def script_json(data: Any) -> Markup:
    r"""JSON that stays inside its script element, whatever its texts hold.

    >>> print(script_json({"name": "</script><b>&"}))
    {"name":"\u003c/script\u003e\u003cb\u003e\u0026"}
    """
    text = json.dumps(_inert(data), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return Markup(text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e"))


def _inert(value: Any) -> Any:
    if isinstance(value, str):
        return inert(value)
    if isinstance(value, dict):
        return {inert(str(name)): _inert(held) for name, held in value.items()}
    return [_inert(held) for held in value] if isinstance(value, list | tuple) else value


def policy(scripts: list[str]) -> str:
    """A Content-Security-Policy under which these scripts run, no other one does, and nothing is fetched."""
    hashes = " ".join(
        f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'" for text in scripts
    )
    return f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


@cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("pyrite.reporting"),
        undefined=jinja2.StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=lambda value: inert(value) if type(value) is str else value,
    )
    environment.filters |= {"count": lambda value: f"{value:,}", "at": lambda value: f"{100 * value:.2f}"}
    return environment


@cache
def _template(name: str) -> str:
    return (resources.files("pyrite.reporting") / "templates" / name).read_text(encoding="utf-8")


@cache
def _vendored(name: str) -> str:
    return (resources.files("pyrite.reporting") / "vendor" / name).read_text(encoding="utf-8")
