"""Several systems as one, by fusing what they find."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pyrite.core import Corpus, Index, Queries, RecipeError, Retriever, Run
from pyrite.retrieval.fusion import K, rrf, weighted
from pyrite.retrieval.neural import TellingIndex, Told

METHODS = ("rrf", "weighted")


@dataclass(frozen=True)
class Fusion:
    """A retriever that fuses the rankings of others.

    Attributes:
        members: two or more.
        method: "rrf" or "weighted".
        weights: of a weighted fusion, one a member; empty: all alike.
        k: of rrf.
        depth: how deep the members search; None: as deep as the fusion is asked to.
        label: what reports call it instead of its members.
    """

    members: tuple[Retriever, ...]
    method: str = "rrf"
    weights: tuple[float, ...] = ()
    k: float = K
    depth: int | None = None
    label: str | None = None

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise RecipeError(f"unknown fusion '{self.method}'", fix=f"take one of {', '.join(METHODS)}")
        if len(self.members) < 2:
            raise RecipeError("a fusion needs two systems or more", fix="write fusion:rrf,of=bm25+dense:MODEL")
        if self.weights and len(self.weights) != len(self.members):
            raise RecipeError(f"there are {len(self.weights)} weights for {len(self.members)} systems", where=self.name)

    @property
    def name(self) -> str:
        """What reports call it ("fusion:rrf,of=bm25:en+dense:org/model", or "fusion:mine")."""
        if self.label is not None:
            return f"fusion:{self.label}"
        names = "+".join(f"({name})" if set(",+") & set(name) else name for name in (m.name for m in self.members))
        weights = f",weights={'+'.join(f'{weight:g}' for weight in self.weights)}" if self.weights else ""
        constant = f",k={self.k:g}" if self.k != K else ""
        depth = f",depth={self.depth}" if self.depth is not None else ""
        return f"fusion:{self.method},of={names}{weights}{constant}{depth}"

    @property
    def family(self) -> str:
        """Always "fusion"."""
        return "fusion"

    def settings(self) -> dict[str, Any]:
        """Everything that decides its rankings: the method's numbers and every member's settings."""
        numbers = {"k": self.k} if self.method == "rrf" else {"weights": list(self.weights)}
        depth = {"depth": self.depth} if self.depth is not None else {}
        return {"method": self.method, **numbers, **depth, "of": [_settings(member) for member in self.members]}

    def index(self, corpus: Corpus) -> FusionIndex:
        """Every member's index of the corpus."""
        return FusionIndex(self, [member.index(corpus) for member in self.members])


class FusionIndex:
    """A corpus that several systems search; see `Fusion.index`."""

    def __init__(self, fusion: Fusion, indexes: Sequence[Index]) -> None:
        self._fusion, self._indexes = fusion, indexes

    def search(self, queries: Queries, depth: int) -> Run:
        """The best `depth` documents of each query, fused."""
        return self.search_and_tell(queries, depth)[0]

    def search_and_tell(self, queries: Queries, depth: int) -> tuple[Run, Told]:
        """The run, and what every member says of the texts that it cut."""
        fusion = self._fusion
        found, truncated, encoded = [], {}, 0
        for member, index in zip(fusion.members, self._indexes, strict=True):
            deep = fusion.depth or depth
            if isinstance(index, TellingIndex):
                run, told = index.search_and_tell(queries, deep)
                truncated.update({f"{what} ({member.name})": share for what, share in told.truncated.items()})
                encoded += told.encoded
            else:
                run = index.search(queries, deep)
            found.append(run)
        if fusion.method == "rrf":
            fused = rrf(found, k=fusion.k, depth=depth)
        else:
            fused = weighted(found, fusion.weights or (1.0,) * len(found), depth=depth)
        return fused.named(fusion.name), Told({}, truncated, encoded)


def _settings(member: Retriever) -> dict[str, Any]:
    own = getattr(member, "settings", None)
    return {"system": member.name, **(dict(own()) if callable(own) else {})}
