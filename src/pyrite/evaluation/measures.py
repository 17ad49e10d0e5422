"""The measures: what each is, how it is written, and one value a query."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pyrite.core import RecipeError
from pyrite.evaluation import formulas
from pyrite.evaluation.formulas import Values
from pyrite.evaluation.hits import Hits


@dataclass(frozen=True)
class _Family:
    """What the measures of one name share.

    Attributes:
        formula: (hits, cutoff, relevance level) -> one value a measured query.
        rule: the sentence by which a report says how it is computed.
        open_ended: whether it is defined without a cutoff.
        leveled: whether it takes a relevance level, as in AP(rel=2).
        aliases: how other tools call it, in lower case; they are suggested, never accepted.
    """

    formula: Callable[[Hits, int | None, int], Values]
    rule: str
    open_ended: bool
    leveled: bool
    aliases: tuple[str, ...]


FAMILIES = {
    "nDCG": _Family(
        formulas.ndcg,
        "nDCG's gain is the grade itself (linear), discounted by log2(rank + 1) and divided by that of the best order "
        "of all judged documents.",
        open_ended=True,
        leveled=False,
        aliases=("ndcg_cut",),
    ),
    "RR": _Family(
        formulas.reciprocal_rank,
        "RR is 1 / rank of the first relevant document, 0 where none is found.",
        open_ended=True,
        leveled=True,
        aliases=("mrr", "recip_rank", "reciprocal_rank"),
    ),
    "AP": _Family(
        formulas.average_precision,
        "AP@k divides the precisions at the relevant documents found by the number of all relevant documents, "
        "even where k is smaller.",
        open_ended=True,
        leveled=True,
        aliases=("map", "map_cut", "average_precision"),
    ),
    "R": _Family(
        formulas.recall,
        "R@k divides by the number of all relevant documents, even where k is smaller.",
        open_ended=True,
        leveled=True,
        aliases=("recall", "rec"),
    ),
    "P": _Family(
        formulas.precision,
        "P@k divides by k, even where fewer documents are retrieved.",
        open_ended=False,
        leveled=True,
        aliases=("precision", "prec"),
    ),
    "Success": _Family(
        formulas.success,
        "Success@k is 1 where a relevant document is among the first k, else 0.",
        open_ended=False,
        leveled=True,
        aliases=("hit", "hits", "hit_rate", "hitrate", "accuracy", "acc"),
    ),
    "Judged": _Family(
        formulas.judged,
        "Judged@k is the share of the first k retrieved documents that have a grade, 0 and below included.",
        open_ended=True,
        leveled=False,
        aliases=("judgement_rate",),
    ),
}
"""Every measure by the name that papers give it."""

ACCEPTED = (
    ", ".join(f"{name}[@k]" if family.open_ended else f"{name}@k" for name, family in FAMILIES.items())
    + " with k of 1 or more, and a relevance level for "
    + ", ".join(name for name, family in FAMILIES.items() if family.leveled)
    + ", as in AP(rel=2)@100"
)
_SPELLING = re.compile(r"(?P<name>[A-Za-z]+)(\(rel=(?P<rel>[0-9]{1,9})\))?(@(?P<cutoff>[0-9]{1,9}))?")


@dataclass(frozen=True)
class Measure:
    """One measure, which prints as papers write it.

    Args:
        name: a key of FAMILIES.
        cutoff: how far down a ranking it looks, from 1; None for all of it.
        rel: the least relevance that counts as relevant, from 1; nDCG and Judged take none.

    RecipeError where there is no such measure. Definitions are trec_eval's, and ir_measures' for Judged.

    >>> print(Measure("nDCG", 10), Measure("AP", rel=2), Measure("RR"))
    nDCG@10 AP(rel=2) RR
    """

    name: str
    cutoff: int | None = None
    rel: int = 1

    def __post_init__(self) -> None:
        family = FAMILIES.get(self.name)
        if family is None:
            raise _unknown(str(self))
        if self.cutoff is None and not family.open_ended:
            raise RecipeError(f"the measure {self.name} needs a cutoff", fix=f"write {self.name}@10")
        if self.cutoff is not None and self.cutoff < 1:
            raise RecipeError(f"the measure {self} looks at no document", fix="give a cutoff of 1 or more")
        if self.rel < 1:
            raise RecipeError(f"the measure {self} counts every document as relevant", fix="give a rel of 1 or more")
        if self.rel > 1 and not family.leveled:
            raise RecipeError(f"the measure {self.name} takes no relevance level", fix=f"accepted are {ACCEPTED}")

    def __str__(self) -> str:
        level = "" if self.rel == 1 else f"(rel={self.rel})"
        return f"{self.name}{level}" + ("" if self.cutoff is None else f"@{self.cutoff}")

    @property
    def rule(self) -> str:
        """The sentence that says how it is computed."""
        return FAMILIES[self.name].rule

    def values(self, hits: Hits) -> Values:
        """One value in [0, 1] for each measured query, in the order of `hits.judged.query_ids`."""
        return FAMILIES[self.name].formula(hits, self.cutoff, self.rel)


def parse_measures(measures: str | Sequence[str | Measure]) -> tuple[Measure, ...]:
    """Measures from a list, or from one string with spaces or commas between them; a repeated one is taken once.

    RecipeError, with what is accepted, where a spelling is not known.

    >>> [str(measure) for measure in parse_measures("nDCG@10 RR@10 AP(rel=2)@100")]
    ['nDCG@10', 'RR@10', 'AP(rel=2)@100']
    >>> parse_measures(["R@100"]) == parse_measures([Measure("R", 100)])
    True
    """
    given = re.split(r"[\s,]+", measures.strip()) if isinstance(measures, str) else measures
    parsed = [item if isinstance(item, Measure) else _parse(item) for item in given if item != ""]
    if not parsed:
        raise RecipeError("no measure is given", fix=f"accepted are {ACCEPTED}")
    return tuple(dict.fromkeys(parsed))


def _parse(spelling: str) -> Measure:
    match = _SPELLING.fullmatch(spelling)
    if match is None or match["name"] not in FAMILIES:
        raise _unknown(spelling)
    cutoff = None if match["cutoff"] is None else int(match["cutoff"])
    return Measure(match["name"], cutoff, 1 if match["rel"] is None else int(match["rel"]))


def _unknown(spelling: str) -> RecipeError:
    suggestion = _suggestion(spelling)
    hint = f"write {suggestion}; " if suggestion else ""
    after = spelling.rpartition("@")[2]
    if suggestion and "@" in spelling and not after.isdecimal():
        hint = f"write a whole number after the @, as in {suggestion}; "
    return RecipeError(f"the measure '{spelling}' is not known", fix=f"{hint}accepted are {ACCEPTED}")


def _suggestion(spelling: str) -> str | None:
    """The accepted spelling that is nearest to what somebody wrote."""
    head, cutoff = re.match(r"\W*([A-Za-z_-]*)[^0-9]*([0-9]{0,9})", spelling).groups()  # type: ignore[union-attr]
    names = {alias: name for name, family in FAMILIES.items() for alias in (name.lower(), *family.aliases)}
    nearest = difflib.get_close_matches(head.lower().replace("-", "_").strip("_"), names, n=1)
    if not nearest:
        return None
    name = names[nearest[0]]
    # An "@" asks for a cutoff, whatever follows it.
    k = int(cutoff or 0) or (None if FAMILIES[name].open_ended and "@" not in spelling else 10)
    return str(Measure(name, k))
