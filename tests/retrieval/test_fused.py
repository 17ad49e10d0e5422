"""A fusion searches with all its members and tells what each of them cut."""

from __future__ import annotations

from dataclasses import dataclass

from pyrite.core import Corpus, Document, Queries, Query, Run
from pyrite.retrieval import BM25, Fusion, Told, rrf

CORPUS = Corpus.of([Document("d1", "gold ore"), Document("d2", "iron ore"), Document("d3", "gold gold")])
QUERIES = Queries.of([Query("q1", "gold"), Query("q2", "iron gold")])


@dataclass(frozen=True)
class Fixed:
    """Returns one ranking for every query, and says that it cut half of the documents."""

    name: str = "fixed"

    def index(self, corpus: Corpus) -> Fixed:
        return self

    def search(self, queries: Queries, depth: int) -> Run:
        return Run.of(self.name, {query.query_id: [("d2", 2.0), ("d3", 1.0)][:depth] for query in queries})

    def search_and_tell(self, queries: Queries, depth: int) -> tuple[Run, Told]:
        return self.search(queries, depth), Told({}, {"documents": 0.5}, 3)


def test_the_run_is_that_of_fusing_the_members_runs() -> None:
    lexical = BM25("en")
    fused = Fusion((lexical, Fixed())).index(CORPUS).search(QUERIES, 2)
    runs = [lexical.index(CORPUS).search(QUERIES, 2), Fixed().search(QUERIES, 2)]
    expected = rrf(runs, depth=2)
    assert [[(h.doc_id, h.score) for h in hits] for _, hits in fused] == [
        [(h.doc_id, h.score) for h in hits] for _, hits in expected
    ]
    assert fused.system == "fusion:rrf,of=bm25:en+fixed"


def test_what_a_member_cuts_is_told_under_its_name() -> None:
    _, told = Fusion((BM25("en"), Fixed())).index(CORPUS).search_and_tell(QUERIES, 2)
    assert told == Told({}, {"documents (fixed)": 0.5}, 3)


def test_members_can_be_asked_to_search_deeper_than_the_fusion() -> None:
    shallow = Fusion((BM25("en"), Fixed()), method="weighted").index(CORPUS).search(QUERIES, 1)
    deep = Fusion((BM25("en"), Fixed()), method="weighted", depth=5).index(CORPUS).search(QUERIES, 1)
    assert (shallow.depth, deep.depth) == (1, 1)
    # d3 is second for the fixed member: only a deeper search finds it twice.
    assert [hits[0].doc_id for _, hits in deep] == ["d3", "d2"]


def test_the_settings_hold_every_members() -> None:
    settings = Fusion((BM25("en"), Fixed()), k=10).settings()
    assert settings["k"] == 10
    assert [member["system"] for member in settings["of"]] == ["bm25:en", "fixed"]
    assert settings["of"][0]["b"] == 0.75
