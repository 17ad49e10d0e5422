import pytest

from pyrite.core import DataError, Run
from pyrite.retrieval.fusion import rrf, weighted


def run(system: str, **rankings: str) -> Run:
    return Run.of(
        system, {query: [(doc, 9.0 - rank) for rank, doc in enumerate(docs)] for query, docs in rankings.items()}
    )


def test_a_score_is_the_sum_of_reciprocal_ranks():
    fused = rrf([run("A", q="ab"), run("B", q="bc")], k=1)
    assert [(hit.doc_id, hit.score) for hit in fused["q"]] == [("b", 1 / 3 + 1 / 2), ("a", 1 / 2), ("c", 1 / 3)]


def test_equal_scores_go_to_the_better_rank_in_the_first_run():
    assert [hit.doc_id for hit in rrf([run("A", q="ab"), run("B", q="ba")])["q"]] == ["a", "b"]
    assert [hit.doc_id for hit in rrf([run("B", q="ba"), run("A", q="ab")])["q"]] == ["b", "a"]


def test_three_runs_in_any_order_give_the_same_scores_to_the_last_bit():
    a, b, c = run("A", q="abc"), run("B", q="bca"), run("C", q="cab")
    scores = {hit.doc_id: hit.score for hit in rrf([a, b, c])["q"]}
    assert scores == {hit.doc_id: hit.score for hit in rrf([c, b, a])["q"]}
    assert len(set(scores.values())) == 1


def test_a_query_of_one_run_only_is_ranked_by_that_run():
    fused = rrf([run("A", q1="ab"), run("B", q2="c")])
    assert fused.query_ids.to_pylist() == ["q1", "q2"]
    assert [hit.doc_id for hit in fused["q1"]] == ["a", "b"]


def test_depth_cuts_after_fusing():
    assert [hit.doc_id for hit in rrf([run("A", q="abc"), run("B", q="cba")], depth=1)["q"]] == ["a"]


def test_the_name_says_what_was_fused():
    assert rrf([run("bm25:en", q="a"), run("dense:m", q="a")]).system == "fusion:rrf,of=bm25:en+dense:m"


def test_no_runs_and_a_negative_k_are_refused():
    with pytest.raises(DataError, match="no runs"):
        rrf([])
    with pytest.raises(DataError, match="k is -1"):
        rrf([run("A", q="a")], k=-1)


def test_weighted_scores_are_brought_to_one_scale_by_query_and_run() -> None:
    first = Run.of("a", {"q": [("x", 110.0), ("y", 105.0), ("z", 100.0)]})
    second = Run.of("b", {"q": [("z", -1.0), ("y", -3.0)]})
    fused = weighted([first, second], [2.0, 1.0])
    assert [(hit.doc_id, hit.score) for hit in fused["q"]] == [("x", 2.0), ("y", 1.0), ("z", 1.0)]


def test_one_score_only_counts_as_the_highest_and_a_forced_document_as_the_lowest() -> None:
    run = Run.of("a", {"q": [("x", 5.0), ("forced", float("-inf"))]})
    assert [(hit.doc_id, hit.score) for hit in weighted([run], [1.0])["q"]] == [("x", 1.0), ("forced", 0.0)]


@pytest.mark.parametrize("weights", [[1.0], [1.0, -1.0], [1.0, float("nan")]])
def test_weights_that_do_not_fit_are_refused(weights: list[float]) -> None:
    run = Run.of("a", {"q": [("x", 5.0)]})
    with pytest.raises(DataError, match="weights"):
        weighted([run, run], weights)
