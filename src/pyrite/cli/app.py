"""`pyrite`: its verbs, its errors in one sentence, its exit codes."""

from __future__ import annotations

import logging
import re
import sys
import warnings
from typing import Annotated

import typer

from pyrite import __version__
from pyrite.core import PyriteError

INTERRUPTED = 130
"""The exit code of a command that Ctrl-C ended."""

USAGE: type[typer.BadParameter] = typer.BadParameter.__mro__[2]
"""Every way in which a command line can be wrong: what typer's errors of usage have in common."""

_PLAIN = {
    "^Value error, ": "",
    "^Input should be a valid integer, .*": "write a whole number",
    "^Input should be a valid number, .*": "write a number",
    "^Input should be greater than or equal to (.*)": r"write \1 or more",
    "^Input should be less than or equal to (.*)": r"write \1 or less",
}

app = typer.Typer(
    name="pyrite",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="Make retrieval benchmarks that are hard and can be trusted, and measure systems on them.",
    epilog="Start with: pyrite demo. Every verb takes --debug, which shows a traceback when something fails.",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"pyrite {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Show it.")] = False,
) -> None:
    del version


def main(arguments: list[str] | None = None) -> None:
    """Run one command and exit: 0 done, 1 the data or a check says no, 2 the command or the recipe is wrong."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    debug = "--debug" in given
    warnings.showwarning = _show_warning
    logging.getLogger("datasets").setLevel(logging.ERROR)
    try:
        load_verbs()
        code = app([part for part in given if part != "--debug"], standalone_mode=False)
    except PyriteError as error:
        if debug:
            raise
        from pyrite.cli.options import as_asked

        _fail(as_asked(str(error)), error.exit_code)
    except (typer.Abort, KeyboardInterrupt):
        _stopped()
    except USAGE as error:
        error.message = _plain(error.message)
        error.show(file=sys.stderr)
        sys.exit(2)
    except BrokenPipeError:
        sys.exit(0)
    except Exception as error:
        if debug:
            raise
        _fail(
            f"This is a fault in Pyrite ({type(error).__name__}: {error}); run it again with --debug and report "
            "what it shows.",
            1,
        )
    if code == INTERRUPTED:
        # What typer makes of Ctrl-C, without a word.
        _stopped()
    sys.exit(code if isinstance(code, int) else 0)


def _plain(message: str) -> str:
    """An error of usage without the words of the checker underneath."""
    for words, plain in _PLAIN.items():
        message = re.sub(words, plain, message)
    return message


def _stopped() -> None:
    _fail("Stopped. What was finished is kept: the same command goes on from there.", INTERRUPTED)


def _fail(sentence: str, code: int) -> None:
    typer.echo(f"pyrite: {sentence}", err=True)
    sys.exit(code)


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    typer.echo(f"pyrite: warning: {message}", err=True)


def load_verbs() -> None:
    """Import the verbs, which register themselves; the help lists them by name, whichever was imported first."""
    from pyrite.cli import (
        audit,
        build,
        card,
        check,
        compare,
        demo,
        diff,
        evaluate,
        exclude,
        export,
        fidelity,
        inspect,
        leaderboard,
        mine,
        publish,
        recipes,
        refilter,
        runs,
        search,
        train,
        verify,
        view,
    )

    del audit, build, card, check, compare, demo, diff, evaluate, exclude, export, fidelity, inspect, leaderboard, mine
    del publish, recipes, refilter, runs, search, train, verify, view
    app.registered_commands.sort(key=lambda command: command.name or str(getattr(command.callback, "__name__", "")))
    app.registered_groups.sort(key=lambda group: str(group.name))
