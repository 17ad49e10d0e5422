"""Which queries count, by which rules, whatever the order of the input."""

from itertools import permutations

import numpy as np
import pyarrow as pa
import pytest

from pyrite.core import (
    Collection,
    Corpus,
    DataError,
    Document,
    Qrels,
    Queries,
    Query,
    RecipeError,
    Run,
    rank_order,
    trec_ties,
)
from pyrite.evaluation import evaluate_runs, measure

DOCS = ["d1", "d2", "d3", "d4"]


def collection(judged, *, queries=("q1", "q2", "q3"), docs=DOCS, **protocol):
    return Collection(
        "toy",
        "en",
        Corpus.of([Document(doc, "text") for doc in docs]),
        Queries.of([Query(query, "text") for query in queries]),
        Qrels.of(judged),
        **protocol,
    )


def constant_run(docs):
    """All scores 1.0, put into the total order of score, then document id."""
    order = rank_order(np.ones(len(docs)), trec_ties(docs))
    return Run.of("constant", {"q1": [(docs[row], 1.0) for row in order]})


def test_a_constant_scorer_has_one_value_whatever_the_order_of_the_input():
    """O19: one total order; the relevant document first or last in the input, in the qrels, in the id table."""
    for relevant, expected in [("d4", 1.0), ("d1", 1 / 4)]:
        values = {
            measure(Qrels.of({"q1": {relevant: 1}}), constant_run(list(docs)), "RR").mean("RR")
            for docs in permutations(DOCS)
        }
        assert values == {expected}


def test_the_order_of_queries_judgements_and_id_tables_changes_nothing():
    """O19, X12: only the ranking of each query decides, and ids are compared as strings, never hashed."""
    judged = {"q1": {"d1": 2, "d3": 1}, "q2": {"d4": 1, "d1": 0}, "q3": {"d2": 1}}
    rankings = {"q1": ["d2", "d1", "d3"], "q2": ["d4"], "q3": ["d1", "d2"]}
    seen = set()
    for queries in permutations(judged):
        for docs in (DOCS, DOCS[::-1]):
            run = Run(
                "run",
                query_ids=pa.array(queries),
                offsets=np.cumsum([0, *(len(rankings[query]) for query in queries)]),
                positions=np.array([docs.index(doc) for query in queries for doc in rankings[query]]),
                doc_ids=pa.chunked_array([pa.array(docs[:1]), pa.array(docs[1:])]),
                scores=np.zeros(6),
            )
            qrels = Qrels.of({query: dict(reversed(judged[query].items())) for query in reversed(queries)})
            report = measure(qrels, run, "nDCG@3 AP RR R@2 Judged@2", query_ids=["q1", "q2", "q3"])
            seen.add(tuple(value for values in report.systems[0].values.values() for value in values.tolist()))
    assert len(seen) == 1


def test_the_scores_of_a_run_do_not_reorder_it():
    run = Run.of("upside down", {"q1": [("d1", 0.0), ("d2", 5.0)]})
    assert measure(Qrels.of({"q1": {"d1": 1}}), run, "RR").mean("RR") == 1.0


def test_a_document_retrieved_twice_is_an_error():
    """O21: ranking [a, a], relevant {a}: no nDCG above 1."""
    with pytest.raises(DataError, match="document 'a' is retrieved twice"):
        measure(Qrels.of({"q1": {"a": 1}}), Run.of("twice", {"q1": [("a", 2.0), ("a", 1.0)]}), "nDCG@10")


def test_a_query_ranked_twice_is_an_error():
    run = Run(
        "twice",
        query_ids=pa.array(["q1", "q1"]),
        offsets=np.array([0, 1, 2]),
        positions=np.array([0, 0]),
        doc_ids=pa.array(["d1"]),
        scores=np.zeros(2),
    )
    with pytest.raises(DataError, match="run 'twice' ranks a query more than once"):
        measure(Qrels.of({"q1": {"d1": 1}}), run)


def test_a_judged_query_that_the_run_lacks_or_leaves_empty_counts_0():
    """O25: two queries judged, the run has one; the mean is over two."""
    qrels = Qrels.of({"q1": {"d1": 1}, "q2": {"d2": 1}, "q3": {"d3": 1}})
    report = measure(qrels, Run.of("half", {"q1": [("d1", 1.0)], "q2": []}), "RR R@10 Judged@10")
    assert report.mean("RR") == report.mean("R@10") == report.mean("Judged@10") == pytest.approx(1 / 3)
    assert report.systems[0].values["RR"].tolist() == [1.0, 0.0, 0.0]
    assert (report.queries.measured, report.queries.missing_from_run) == (3, {"half": 2})


@pytest.mark.parametrize("rankings", [{}, {"q1": [], "q2": []}, {"other": [("d1", 1.0)]}])
def test_an_empty_run_has_zeros_not_an_error(rankings):
    """O25."""
    report = measure(Qrels.of({"q1": {"d1": 1}, "q2": {"d2": 1}}), Run.of("empty", rankings), "nDCG@10 P@5")
    assert report.mean("nDCG@10") == report.mean("P@5") == 0.0
    assert report.queries.missing_from_run == {"empty": 2}


def test_a_query_without_positives_is_left_out_and_counted():
    """O25, X12: judged 0 or below, or not judged at all; it neither counts 0 nor vanishes unseen."""
    qrels = Qrels.of({"q1": {"d1": 1}, "q2": {"d1": 0, "d2": -1}, "q3": {"d3": 1}})
    run = Run.of("all", {query: [("d1", 1.0)] for query in ("q1", "q2", "q3", "q9")})
    report = measure(qrels, run, "RR", query_ids=["q9", "q2", "q3", "q1"])
    counts = report.queries
    assert (counts.total, counts.selected, counts.measured, counts.without_positives) == (4, 4, 2, 2)
    assert report.query_ids == ("q3", "q1")
    assert report.mean("RR") == 0.5


def test_a_query_that_is_not_judged_changes_nothing():
    qrels = Qrels.of({"q1": {"d1": 1}})
    run = Run.of("more", {"q0": [("d1", 1.0)], "q1": [("d1", 1.0)]})
    assert measure(qrels, run, "RR").query_ids == ("q1",)


def test_no_query_with_a_positive_is_an_error():
    with pytest.raises(DataError, match="none of the 1 selected queries has a relevant document"):
        measure(Qrels.of({"q1": {"d1": 0}}), Run.of("run", {}))


def test_a_query_selected_twice_is_an_error():
    with pytest.raises(DataError, match="selected more than once"):
        measure(Qrels.of({"q1": {"d1": 1}}), Run.of("run", {}), query_ids=["q1", "q1"])


def test_the_headline_protocol_is_the_default_and_can_be_overridden():
    judged = {"q1": {"d1": 1}, "q2": {"d2": 1}, "q3": {"d1": 1}}
    data = collection(judged, headline_queries=2)
    run = Run.of("run", {query: [("d1", 1.0)] for query in judged})

    def means(queries):
        report = evaluate_runs(data, [(run, "run", {})], measures="RR", queries=queries)
        return report.queries.selected, report.queries.total, report.mean("RR"), report.rules[0]

    assert means(None) == (2, 3, 0.5, "The queries are the first 2 of 3, the headline protocol of the dataset.")
    assert means(1) == (1, 3, 1.0, "The queries are the first 1 of 3, as asked for.")
    assert means("all") == means(99) == (3, 3, pytest.approx(2 / 3), "The queries are all 3.")
    with pytest.raises(RecipeError, match="0 queries are asked for"):
        means(0)


def test_a_query_of_the_collection_that_nobody_judged_is_counted():
    report = evaluate_runs(collection({"q2": {"d1": 1}}), [(Run.of("run", {}), "run", {})], measures="RR")
    assert (report.queries.selected, report.queries.measured, report.queries.without_positives) == (3, 1, 2)


@pytest.mark.parametrize(("removed", "expected"), [(True, 1.0), (False, 0.5)])
def test_a_self_match_is_removed_for_every_family_alike_and_only_if_the_collection_says_so(removed, expected):
    """O22, O23: the query is a document and ranked first by every system; the runs that came in stay as they were."""
    data = collection({"d1": {"d2": 1}}, queries=["d1"], remove_self=removed)
    runs = [
        (Run.of(name, {"d1": [("d1", 2.0), ("d2", 1.0)]}), family, {})
        for name, family in [("bm25", "lexical"), ("minilm", "dense"), ("splade", "sparse"), ("file", "run")]
    ]
    report = evaluate_runs(data, runs, measures="RR")
    assert [system.measures["RR"].mean for system in report.systems] == [expected] * 4
    assert any(("taken out of" if removed else "kept in") in rule for rule in report.rules)
    assert all(len(run["d1"]) == 2 for run, _, _ in runs)


def test_a_report_names_its_systems_settings_rules_and_versions():
    data = collection({"q1": {"d1": 2}, "q2": {"d3": 1}})
    runs = [
        (Run.of("bm25:en", {"q1": [("d1", 1.0)], "q2": [("d1", 1.0)]}), "lexical", {"k1": 1.5}),
        (Run.of("other", {"q2": [("d3", 1.0)]}), "run", {}),
    ]
    report = evaluate_runs(data, runs, measures="nDCG@10 AP(rel=2) P@1")
    assert [(s.system, s.family, s.settings) for s in report.systems] == [
        ("bm25:en", "lexical", {"k1": 1.5}),
        ("other", "run", {}),
    ]
    assert report.dataset == "toy"
    assert [s.measures["P@1"].mean for s in report.systems] == [0.5, 0.5]
    assert report.queries.missing_from_run == {"bm25:en": 0, "other": 1}
    assert sorted(report.versions) == ["numba", "numpy", "pyrite"]
    text = " ".join(report.rules)
    for sentence in (
        "The ranking is the run's order.",
        "gain is the grade itself (linear)",
        "P@k divides by k",
        "With (rel=2) a document is relevant from relevance 2; a measured query without one counts 0.",
        "The run other is at most 1 deep, which is all that nDCG@10 can see.",
        "10,000 bootstrap resamples of the queries (seed 0)",
    ):
        assert sentence in text
    assert report.to_json()["systems"][0]["measures"]["P@1"]["mean"] == 0.5


def test_a_run_as_deep_as_the_corpus_is_not_called_shallow():
    data = collection({"q1": {"d1": 1}}, queries=["q1"])
    run = Run.of("run", {"q1": [(doc, 1.0) for doc in DOCS]})
    assert not any("deep" in rule for rule in evaluate_runs(data, [(run, "run", {})], measures="R@100").rules)


def test_two_runs_of_one_name_and_no_run_are_errors():
    data, run = collection({"q1": {"d1": 1}}), Run.of("bm25:en", {})
    with pytest.raises(DataError, match="two runs are named 'bm25:en'"):
        evaluate_runs(data, [(run, "lexical", {}), (run, "run", {})])
    with pytest.raises(RecipeError, match="no run is given"):
        evaluate_runs(data, [])


def test_a_judged_document_outside_the_run_s_id_table_is_simply_not_retrieved():
    qrels = Qrels.of({"q1": {"nowhere": 3, "d2": 1}})
    report = measure(qrels, Run.of("run", {"q1": [("d2", 1.0)]}), "R AP")
    assert (report.mean("R"), report.mean("AP")) == (0.5, 0.5)


@pytest.mark.parametrize("run", [{"q1": ["d1"]}, {}, None])
def test_what_is_no_run_is_told_how_one_is_made(run: object) -> None:
    with pytest.raises(DataError, match=r"takes Qrels and a Run, not Qrels and (dict|NoneType); make them: Qrels\.of"):
        measure(Qrels.of({"q1": {"d1": 1}}), run)  # type: ignore[arg-type]
