"""Measures by hand, by pytrec_eval, by sentence-transformers."""

import math

import numpy as np
import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st

from pyrite.core import Qrels, Run, rank_order, trec_ties
from pyrite.evaluation import measure, parse_measures
from pyrite.evaluation.hits import Judgements, find_hits

# One query. Judged: a 2, b 1, c 0, e 3 (never retrieved), f -1. Ranking: c a x f b.
PAPER = Qrels.of({"q": {"a": 2, "b": 1, "c": 0, "e": 3, "f": -1}})
RANKING = Run.of("paper", {"q": [("c", 9.0), ("a", 8.0), ("x", 7.0), ("f", 6.0), ("b", 5.0)]})
IDEAL = 3 + 2 / math.log2(3) + 1 / 2


@pytest.mark.parametrize(
    ("spelling", "expected"),
    [
        ("nDCG", (2 / math.log2(3) + 1 / math.log2(6)) / IDEAL),
        ("nDCG@5", (2 / math.log2(3) + 1 / math.log2(6)) / IDEAL),
        ("nDCG@2", (2 / math.log2(3)) / (3 + 2 / math.log2(3))),
        ("nDCG@1", 0.0),
        ("RR", 1 / 2),
        ("RR@1", 0.0),
        ("AP", (1 / 2 + 2 / 5) / 3),
        ("AP@2", (1 / 2) / 3),
        ("AP(rel=2)", (1 / 2) / 2),
        ("R", 2 / 3),
        ("R@2", 1 / 3),
        ("R(rel=3)@5", 0.0),
        ("P@2", 1 / 2),
        ("P@10", 2 / 10),
        ("P(rel=2)@5", 1 / 5),
        ("Success@1", 0.0),
        ("Success@2", 1.0),
        ("Success(rel=3)@5", 0.0),
        ("Judged", 4 / 5),
        ("Judged@3", 2 / 3),
        ("Judged@10", 4 / 5),
    ],
)
def test_a_measure_has_the_value_worked_out_by_hand(spelling, expected):
    assert measure(PAPER, RANKING, spelling).mean(spelling) == pytest.approx(expected, abs=1e-15)


TREC = {
    "nDCG": "ndcg",
    **{f"nDCG@{k}": f"ndcg_cut_{k}" for k in (1, 3, 10)},
    "RR": "recip_rank",
    "AP": "map",
    **{f"AP@{k}": f"map_cut_{k}" for k in (1, 3, 10)},
    **{f"R@{k}": f"recall_{k}" for k in (1, 3, 10)},
    **{f"P@{k}": f"P_{k}" for k in (1, 3, 10)},
    **{f"Success@{k}": f"success_{k}" for k in (1, 3, 10)},
}
ASKED = {"ndcg", "recip_rank", "map"} | {f"{name}.1,3,10" for name in ("ndcg_cut", "map_cut", "recall", "P", "success")}
DOCS = ["1", "10", "9", "a", "b", "B", "é", "東", "zz", "\U0001f600", "ab", "\uffff"]


@settings(max_examples=100, deadline=None)
@given(
    scores=st.dictionaries(
        st.sampled_from(["q1", "q2", "q3"]),
        st.dictionaries(st.sampled_from(DOCS), st.sampled_from([0.0, 1.0, 1.0 + 1e-9, 2.5]), min_size=1),
        min_size=1,
    ),
    judged=st.dictionaries(
        st.sampled_from(["q1", "q2", "q3"]),
        st.dictionaries(st.sampled_from(DOCS), st.integers(-2, 4), min_size=1),
        min_size=1,
    ),
)
def test_every_measure_is_pytrec_evals_to_1e_12_with_ties_and_negative_grades(scores, judged):
    measured = [query for query, grades in judged.items() if max(grades.values()) >= 1]
    if not measured:
        return
    rankings = {}
    for query, docs in scores.items():
        ids, values = list(docs), np.array(list(docs.values()), np.float32)
        rankings[query] = [(ids[row], float(values[row])) for row in rank_order(values, trec_ties(ids))]
    hits = find_hits(Judgements(Qrels.of(judged)), Run.of("run", rankings))
    # Only of the measured queries: pytrec_eval 0.5.11 never returns from a query whose grades are all negative.
    theirs = pytrec_eval.RelevanceEvaluator({query: judged[query] for query in measured}, ASKED).evaluate(scores)
    assert hits.judged.query_ids.to_pylist() == measured
    for ours, name in TREC.items():
        expected = [theirs.get(query, {}).get(name, 0.0) for query in measured]
        (asked,) = parse_measures([ours])
        np.testing.assert_allclose(asked.values(hits), expected, rtol=0, atol=1e-12, err_msg=ours)


def test_numbers_agree_with_the_evaluator_of_sentence_transformers():
    """O27: one set, two tools, one number; AP@k only where k is no smaller than the number of positives."""
    evaluators = pytest.importorskip("sentence_transformers.sentence_transformer.evaluation")
    relevant = {"q1": {"d1", "d3"}, "q2": {"d2"}, "q3": {"d5", "d6", "d7"}, "q4": {"d9"}}
    rankings = {
        "q1": [("d1", 0.9), ("d2", 0.8), ("d3", 0.7), ("d4", 0.1)],
        "q2": [("d1", 0.9), ("d3", 0.5), ("d4", 0.4), ("d2", 0.3)],
        "q3": [("d7", 0.9), ("d1", 0.8), ("d5", 0.7), ("d2", 0.6)],
        "q4": [("d1", 0.9), ("d2", 0.8)],
    }
    ks = [1, 3, 5]
    evaluator = evaluators.InformationRetrievalEvaluator(
        queries={query: query for query in relevant},
        corpus={f"d{row}": "" for row in range(1, 10)},
        relevant_docs=relevant,
        mrr_at_k=ks, ndcg_at_k=ks, accuracy_at_k=ks, precision_recall_at_k=ks, map_at_k=[3, 5],
    )  # fmt: skip
    found = [[{"corpus_id": doc, "score": score} for doc, score in ranking] for ranking in rankings.values()]
    theirs = evaluator.compute_metrics(found)
    names = {"nDCG": "ndcg@k", "RR": "mrr@k", "R": "recall@k", "P": "precision@k", "Success": "accuracy@k"}
    pairs = [(f"{ours}@{k}", theirs[name][k]) for ours, name in names.items() for k in ks]
    pairs += [(f"AP@{k}", theirs["map@k"][k]) for k in (3, 5)]
    qrels = Qrels.of({query: dict.fromkeys(sorted(docs), 1) for query, docs in relevant.items()})
    report = measure(qrels, Run.of("run", rankings), [name for name, _ in pairs])
    for name, expected in pairs:
        assert report.mean(name) == pytest.approx(expected, abs=1e-9), name
