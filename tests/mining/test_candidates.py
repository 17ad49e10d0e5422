"""What retrievers found becomes one pool a query."""

import numpy as np

from pyrite.core import Corpus, Document, Queries, Query, Run
from pyrite.mining import Ranked, merged, ranked_in_pool, unite

QUERIES = Queries.of([Query("q0", "a?"), Query("q1", "b?")])
CORPUS = Corpus.of([Document(f"d{place}", f"text {place}") for place in range(6)])
NO_KNOWN = np.empty((2, 0), np.int32)


def ranked(name, rankings, depth=100):
    run = Run.of(
        name, {query: [(doc, 1.0 / rank) for rank, doc in enumerate(docs, 1)] for query, docs in rankings.items()}
    )
    return ranked_in_pool(
        run, query_rows=QUERIES.positions(run.query_ids), documents=CORPUS.positions(run.doc_ids), depth=depth
    )


def found(pool):
    return {
        query: [(hit.doc_id, hit.retriever, hit.rank) for hit in pool[query]] for query in pool.queries.ids.to_pylist()
    }


def test_documents_outside_the_pool_are_dropped_and_ranks_stay_the_files():
    one = ranked("run", {"q1": ["x", "d3", "y", "d0"], "q9": ["d1"]})
    assert one.rank.tolist() == [2, 4]
    assert (one.entry.rows_in, one.entry.dropped) == (4, {"not in the pool": 2})
    assert found(unite(QUERIES, CORPUS, [one], NO_KNOWN)) == {"q0": [], "q1": [("d3", "run", 2), ("d0", "run", 4)]}


def test_the_depth_is_one_of_ranks_and_not_of_what_is_left():
    assert ranked("run", {"q0": ["x", "d1", "d2"]}, depth=2).documents.tolist() == [1]


def test_a_document_of_several_retrievers_has_its_best_rank_and_ties_go_to_the_first():
    one = ranked("a", {"q0": ["d0", "d1", "d2"]})
    other = ranked("b", {"q0": ["d3", "d1", "d0", "d4"]})
    pool = unite(QUERIES, CORPUS, [one, other], NO_KNOWN)
    assert found(pool)["q0"] == [
        ("d0", "a", 1), ("d3", "b", 1), ("d1", "a", 2), ("d2", "a", 3), ("d4", "b", 4),
    ]  # fmt: skip
    assert pool.retrievers == ("a", "b")


def test_positives_that_nobody_found_are_rows_at_the_end_of_their_query():
    known = np.array([[0, 0, 0, 1], [5, 1, 4, 2]], np.int32)
    pool = unite(QUERIES, CORPUS, [ranked("a", {"q0": ["d0", "d1"], "q1": ["d3"]})], known)
    assert found(pool) == {
        "q0": [("d0", "a", 1), ("d1", "a", 2), ("d4", "", 0), ("d5", "", 0)],
        "q1": [("d3", "a", 1), ("d2", "", 0)],
    }
    assert np.isnan(pool.score[pool.rank == 0]).all()
    assert not pool.scored.any()


def test_parts_of_a_pool_are_merged_by_score_and_then_pool_order():
    def part(rankings):
        run = Run.of("toy", rankings)
        rows, documents = QUERIES.positions(run.query_ids), CORPUS.positions(run.doc_ids)
        return ranked_in_pool(run, query_rows=rows, documents=documents, depth=100)

    parts = [{"q0": [("d0", 3.0), ("d2", 1.0)]}, {"q1": [("d3", 0.5)], "q0": [("d4", 3.0), ("d3", 2.0)]}, {}]
    one = merged((part(rankings) for rankings in parts), depth=3)
    hits = zip(one.query.tolist(), one.documents.tolist(), one.rank.tolist(), one.score.tolist(), strict=True)
    assert list(hits) == [(0, 0, 1, 3.0), (0, 4, 2, 3.0), (0, 3, 3, 2.0), (1, 3, 1, 0.5)]
    assert one.rank.dtype == one.documents.dtype == np.int32
    assert (one.retriever, one.entry.rows_in, one.entry.rows_out, one.entry.dropped) == ("toy", 4, 4, {})
    assert merged([part({})], depth=3).rank.tolist() == []


def test_no_retriever_at_all_leaves_the_positives():
    empty = np.empty(0, np.int32)
    none = Ranked("none", empty, empty, empty, np.empty(0), ranked("a", {}).entry)
    pool = unite(QUERIES, CORPUS, [none], np.array([[1], [1]], np.int32))
    assert found(pool) == {"q0": [], "q1": [("d1", "", 0)]}
