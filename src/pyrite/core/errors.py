"""Errors: one sentence that says what is wrong, where, and what to do."""

from __future__ import annotations

import re


class PyriteError(Exception):
    """What went wrong, where, and what to do, as one sentence.

    Args:
        what: what is wrong, without a full stop at its end.
        where: file, line, row, id or key; as exact as is known.
        fix: what the person can do.

    >>> print(DataError("document id is the integer 17", where="corpus.jsonl, line 3", fix="write it as a string"))
    corpus.jsonl, line 3: document id is the integer 17; write it as a string.
    """

    exit_code = 1

    def __init__(self, what: str, *, where: str = "", fix: str = "") -> None:
        self.what, self.where, self.fix = what, where, fix
        super().__init__(what, where, fix)

    def __str__(self) -> str:
        head = f"{self.where}: " if self.where else ""
        tail = f"; {self.fix}" if self.fix else ""
        return f"{head}{self.what}{tail}."

    def names(self, key: str) -> bool:
        """Whether it tells of this key of a recipe.

        >>> RecipeError("distractors.count: is no number").names("distractors.count")
        True
        >>> RecipeError("distractors.counts: is unknown").names("count")
        False
        """
        return bool(re.search(rf"(?<![\w.]){re.escape(key)}(?!\w)", self.what))

    def __reduce__(self) -> tuple[object, ...]:
        """Survive the way back from a worker process with the three parts intact."""
        return (_rebuild, (type(self), self.what, self.where, self.fix))


def _rebuild(kind: type[PyriteError], what: str, where: str, fix: str) -> PyriteError:
    return kind(what, where=where, fix=fix)


class DataError(PyriteError):
    """The data, or a check of them, say no (exit code 1)."""

    exit_code = 1


class RecipeError(PyriteError):
    """The command or the recipe is wrong (exit code 2)."""

    exit_code = 2


class MissingExtraError(PyriteError):
    """A part of Pyrite needs packages that are not installed (exit code 2)."""

    exit_code = 2

    @classmethod
    def of(cls, extra: str, *, needed_for: str) -> MissingExtraError:
        """Name the command that brings the packages.

        >>> print(MissingExtraError.of("languages", needed_for="the analyzer wordseg:ja"))
        the analyzer wordseg:ja needs packages that are not installed; run: pip install "pyrite[languages]".
        """
        return cls(
            f"{needed_for} needs packages that are not installed",
            fix=f'run: pip install "pyrite[{extra}]"',
        )
