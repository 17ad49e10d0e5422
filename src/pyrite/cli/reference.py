"""The command-line reference, generated from the code: `python -m pyrite.cli.reference [--check] FILE`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from pyrite.cli.app import app, load_verbs

HEAD = """\
# Command line

Generated from the code by `python -m pyrite.cli.reference docs/reference/cli.md`; do not edit it by hand.

Exit codes: 0 done, 1 the data or a check says no, 2 the command or the recipe is wrong. Errors are one sentence on
stderr; `--debug` shows a traceback.
"""


def reference() -> str:
    """The reference as Markdown: each verb's help, in the order of `pyrite --help`."""
    load_verbs()
    command = typer.main.get_command(app)
    return "\n".join([HEAD, *_sections(command, "pyrite")])


def _sections(command: Any, name: str) -> Iterator[str]:
    with typer.Context(command, info_name=name, terminal_width=100, max_content_width=100) as context:
        yield f"## `{name}`\n\n```text\n{command.get_help(context).rstrip()}\n```\n"
        if hasattr(command, "list_commands"):
            for verb in command.list_commands(context):
                child = command.get_command(context, verb)
                if child is not None:
                    yield from _sections(child, f"{name} {verb}")


def main(arguments: list[str]) -> int:
    """Write the file, or with --check say whether it is up to date."""
    check = "--check" in arguments
    (path,) = [Path(argument) for argument in arguments if argument != "--check"]
    text = reference()
    if not check:
        path.write_text(text, encoding="utf-8")
        return 0
    if path.is_file() and path.read_text(encoding="utf-8") == text:
        return 0
    sys.stderr.write(f"{path} is not what the code says; run: python -m pyrite.cli.reference {path}\n")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
