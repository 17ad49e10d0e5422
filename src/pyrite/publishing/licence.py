"""What licence a dataset may have, given the licences of what it is made of."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pyrite.core import RecipeError

UNKNOWN = "other"

PUBLIC, PERMISSIVE, SHARE_ALIKE, RESTRICTED = range(4)
"""How much a licence asks of what is made from the work: nothing, credit, its own terms, or more."""

TERMS: Mapping[str, int] = {
    **dict.fromkeys(("cc0-1.0", "pddl", "unlicense", "wtfpl"), PUBLIC),
    **dict.fromkeys(
        (
            *("mit", "apache-2.0", "bsd", "bsd-2-clause", "bsd-3-clause", "isc", "odc-by", "cdla-permissive-1.0"),
            *("cdla-permissive-2.0", "cc", "cc-by-2.0", "cc-by-2.5", "cc-by-3.0", "cc-by-4.0", "afl-3.0", "ms-pl"),
        ),
        PERMISSIVE,
    ),
    **dict.fromkeys(
        (
            *("cc-by-sa-3.0", "cc-by-sa-4.0", "odbl", "gfdl", "gpl", "gpl-2.0", "gpl-3.0", "lgpl", "lgpl-3.0"),
            *("agpl-3.0", "cdla-sharing-1.0", "c-uda", "mpl-2.0"),
        ),
        SHARE_ALIKE,
    ),
    **dict.fromkeys(
        (
            *("cc-by-nc-2.0", "cc-by-nc-3.0", "cc-by-nc-4.0", "cc-by-nc-sa-2.0", "cc-by-nc-sa-3.0"),
            *("cc-by-nc-sa-4.0", "cc-by-nd-4.0", "cc-by-nc-nd-3.0", "cc-by-nc-nd-4.0"),
        ),
        RESTRICTED,
    ),
}
"""The hub's licence identifiers that are known here."""

INHERITED_FROM = ("data", "corpus")
"""Roles whose licence a dataset inherits: a retriever, a teacher or code is used, not passed on."""


def licence_id(name: str) -> str:
    """The hub's identifier of a licence as people write it; "other" where it is not known.

    >>> licence_id("CC BY-SA 4.0"), licence_id("Apache License 2.0"), licence_id("Ask Anna")
    ('cc-by-sa-4.0', 'apache-2.0', 'other')
    """
    words = re.sub(r"\b(the|licen[cs]e|version|creative commons)\b", " ", name.lower()).replace(",", " ")
    slug = re.sub(r"[\s_-]+", "-", words.strip()).strip("-")
    for form in (slug, re.sub(r"-v(?=\d)", "-", slug), f"{slug}-1.0", f"{slug}.0"):
        if form in TERMS:
            return form
    return UNKNOWN


def share_alike(identifier: str) -> bool:
    """Whether what is made from the work has to keep this licence."""
    return TERMS.get(identifier) == SHARE_ALIKE or "-sa-" in identifier


@dataclass(frozen=True)
class Source:
    """A credited work whose licence a dataset inherits."""

    name: str
    licence: str

    @property
    def identifier(self) -> str:
        """The hub's identifier, or "other"."""
        return licence_id(self.licence)


def inherited_sources(recipe: Mapping[str, Any]) -> list[Source]:
    """The credited works that pass their licence on, in the recipe's order; one without a licence is left out."""
    return [
        Source(str(credit["name"]), str(credit["license"]))
        for credit in recipe.get("credit", ())
        if credit.get("role", "data") in INHERITED_FROM and credit.get("license")
    ]


def dataset_licence(recipe: Mapping[str, Any]) -> str:
    """The licence identifier of a dataset: the recipe's own, or else what its sources demand; "other" if unknown.

    Without a licence of its own a dataset takes the most demanding one of its sources, where one of them fits all.

    Raises:
        RecipeError: the recipe's licence does not keep the terms of a share-alike source.

    >>> credits = [{"name": "A", "license": "CC BY 4.0"}, {"name": "B", "license": "CC BY-SA 4.0"}]
    >>> dataset_licence({"credit": credits})
    'cc-by-sa-4.0'
    """
    sources = inherited_sources(recipe)
    own = str(recipe.get("card", {}).get("license") or "")
    if own:
        for source in breaches(licence_id(own), sources):
            raise RecipeError(
                f"'{own}' does not keep the share-alike terms of '{source.name}' ({source.licence})",
                where="card.license",
                fix=f'write license = "{source.identifier}"',
            )
        return licence_id(own)
    # A work that says nothing of its licence has one all the same: what it asks is not known.
    passed_on = [credit for credit in recipe.get("credit", ()) if credit.get("role", "data") in INHERITED_FROM]
    if len(sources) < len(passed_on):
        return UNKNOWN
    found = list(dict.fromkeys(source.identifier for source in sources))
    fitting = [one for one in found if all(_fits(one, other) for other in found)]
    return fitting[0] if fitting else UNKNOWN


def breaches(identifier: str, sources: list[Source]) -> list[Source]:
    """The share-alike sources whose terms this licence does not keep; an unknown licence is left to its reader."""
    if identifier == UNKNOWN:
        return []
    return [source for source in sources if share_alike(source.identifier) and not _fits(identifier, source.identifier)]


def _fits(licence: str, source: str) -> bool:
    """Whether something made from a work under `source` may be given under `licence`."""
    if UNKNOWN in (licence, source):
        return licence == source
    if licence == source:
        return True
    if share_alike(source):
        return _family(licence) == _family(source) and licence > source
    if TERMS[source] == RESTRICTED:
        return False
    return TERMS[licence] >= TERMS[source]


def _family(identifier: str) -> str:
    """A licence without its version: a later version of a share-alike licence is compatible."""
    return re.sub(r"-\d+(\.\d+)*$", "", identifier)
