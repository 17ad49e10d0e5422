"""TREC files, against trec_eval itself (through pytrec_eval) and its own test data."""

import math

import numpy as np
import pyarrow.parquet as pq
import pytest
import pytrec_eval

from pyrite.core import DataError, Qrels, Run
from pyrite.formats import DataWarning, read_run, read_trec_qrels, read_trec_run, write_trec_qrels, write_trec_run

ODD_IDS = ["001", "no", "1e3", "Geneva Durben", "(a) b", "tab\tid", "e\u0301", "a%20b c", "50%", "日本\u3000語"]


def hits(run):
    return [(query, hit.doc_id, hit.rank, hit.score) for query, ranking in run for hit in ranking]


def written(tmp_path, raw):
    path = tmp_path / "toy.run"
    path.write_bytes(raw if isinstance(raw, bytes) else raw.encode())
    return path


def test_ties_go_to_the_greater_document_id_and_ranks_and_file_order_do_not_matter(tmp_path):
    """O19."""
    path = written(tmp_path, "q1 Q0 d10 3 1.0 toy\nq1 Q0 d9 2 1.0 toy\nq1 Q0 d2 1 0.5 toy\nq1 Q0 é 9 1 toy\n")
    assert [hit.doc_id for hit in read_trec_run(path)["q1"]] == ["é", "d9", "d10", "d2"]
    assert read_trec_run(path).system == "toy"


def test_scores_that_are_one_number_in_float32_are_a_tie(tmp_path):
    path = written(tmp_path, "q1 Q0 a 1 20.0000004 toy\nq1 Q0 b 2 20.0000003 toy\n")
    assert [hit.doc_id for hit in read_trec_run(path)["q1"]] == ["b", "a"]


def test_fields_may_stand_apart_by_any_white_space_and_junk_follows_the_sixth(tmp_path):
    path = written(tmp_path, b"\xef\xbb\xbfq1\tQ0   d1 1\t 2.5  STANDARD more junk\r\n\n  q2 Q0 d1 1 -1e-3 STANDARD\n")
    run = read_trec_run(path)
    assert hits(run) == [("q1", "d1", 1, 2.5), ("q2", "d1", 1, -0.001)]
    assert run.system == "STANDARD"


def test_a_file_without_a_last_line_end_or_without_lines_is_read(tmp_path):
    assert len(hits(read_trec_run(written(tmp_path, "q1 Q0 d1 1 2.5 toy")))) == 1
    assert len(read_trec_run(written(tmp_path, ""))) == 0


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        ("q1 Q0 d1 1 2 t\n\nq1 Q0 d2 1 2\n", "line 3: has 5 columns where 6 are due: 'q1 Q0 d2 1 2'."),
        ("q1 Q0 d1 1 high t\n", "line 1: column 'score' holds 'high'; write a number."),
        ("q1 Q0 d1 1 2 t\nq1 Q0 d2 1 nan t\n", "line 2: column 'score' holds 'nan'; write a number."),
        (b"q1 Q0 d1 1 2 t\nq1 Q0 \xff 1 2 t\n", "line 2: is not valid UTF-8 near b'q1 Q0 \\xff 1 2 t'"),
        ("q1 Q0 d1 1 2 t\nq1 Q0 d1 2 1 t\n", "run 't', query 'q1': document 'd1' is retrieved twice"),
    ],
)
def test_a_bad_row_names_file_line_and_value(tmp_path, raw, said):
    """O21 for the document that is there twice."""
    path = written(tmp_path, raw)
    with pytest.raises(DataError) as caught:
        read_trec_run(path)
    assert str(caught.value).startswith(f"{path}, {said}")


@pytest.mark.parametrize(
    ("raw", "ordered"),
    [("results.test", "topics301-303"), ("results.trunc", "topics301-303-trunc"), ("results-302.test", "topic302")],
)
def test_the_runs_of_trec_eval_have_its_order(shared_data, raw, ordered):
    """O19: tied scores, ranks out of order, junk after the sixth column."""
    expected = pq.read_table(shared_data / "trec-eval" / f"{ordered}.run.parquet")
    columns = [expected[name].to_pylist() for name in ("query-id", "corpus-id", "rank", "score")]
    run = read_run(shared_data / "trec-eval" / "raw" / raw)
    assert sorted(hits(run)) == sorted(zip(*columns, strict=True))


@pytest.mark.parametrize(
    ("raw", "held"),
    [("qrels.test", "topics301-303"), ("qrels.rel_level", "topics301-303-rel_level"), ("qrels-302.test", "topic302")],
)
def test_the_judgements_of_trec_eval_keep_their_grades(shared_data, raw, held):
    expected = pq.read_table(shared_data / "trec-eval" / f"{held}.qrels.parquet")
    columns = [expected[name].to_pylist() for name in ("query-id", "corpus-id", "score")]
    qrels = read_trec_qrels(shared_data / "trec-eval" / "raw" / raw)
    assert sorted(qrels.rows()) == sorted(zip(*columns, strict=True))


def test_odd_ids_survive_a_run_and_qrels(tmp_path):
    """O33."""
    run = Run.of("toy", {query: [(doc, 1.0) for doc in ODD_IDS] for query in ODD_IDS})
    write_trec_run(tmp_path / "run", run)
    assert [(q, d) for q, d, _, _ in hits(read_trec_run(tmp_path / "run"))] == [(q, d) for q, d, _, _ in hits(run)]
    qrels = Qrels.of({query: {doc: place - 2 for place, doc in enumerate(ODD_IDS)} for query in ODD_IDS})
    write_trec_qrels(tmp_path / "qrels", qrels)
    assert list(read_trec_qrels(tmp_path / "qrels").rows()) == list(qrels.rows())


def test_a_written_run_has_six_columns_whatever_the_system_is_called(tmp_path):
    write_trec_run(tmp_path / "run", Run.of("my system 2", {"q1": [("d1", 2.0), ("a b", 2.0)], "q2": []}))
    assert (tmp_path / "run").read_text() == ("q1 Q0 d1 1 2.0 my_system_2\nq1 Q0%d a%20b 2 1.9999999 my_system_2\n")


def test_repeated_and_conflicting_judgements_are_told(tmp_path):
    """O36."""
    with pytest.warns(DataWarning, match="1 of 2 judgements repeat"):
        assert len(read_trec_qrels(written(tmp_path, "q1 0 d1 1\nq1 0 d1 1\n"))) == 1
    with pytest.raises(DataError, match="query 'q1' and document 'd1' are judged both 0 and 2"):
        read_trec_qrels(written(tmp_path, "q1 0 d1 2\nq1 0 d1 0\n"))
    with pytest.raises(DataError, match="line 1: column 'relevance' holds 'one'; write a whole number"):
        read_trec_qrels(written(tmp_path, "q1 0 d1 one\n"))


def by_hand(qrels, ranking):
    """nDCG@10 (gain = grade), reciprocal rank and average precision of one ranking."""
    grades = [max(qrels.get(doc, 0), 0) for doc in ranking]
    ideal = sorted((grade for grade in qrels.values() if grade > 0), reverse=True)[:10]
    dcg = sum(grade / math.log2(rank + 1) for rank, grade in enumerate(grades[:10], 1))
    relevant = [rank for rank, grade in enumerate(grades, 1) if grade > 0]
    return {
        "ndcg_cut_10": dcg / sum(grade / math.log2(rank + 1) for rank, grade in enumerate(ideal, 1)),
        "recip_rank": 1 / relevant[0] if relevant else 0.0,
        "map": sum(found / rank for found, rank in enumerate(relevant, 1)) / len([g for g in qrels.values() if g > 0]),
    }


def test_trec_eval_scores_a_written_run_in_our_order(tmp_path):
    """Ties, scores that differ beyond float32, zeros, falling and rising ones: the order is the run's."""
    generator = np.random.default_rng(7)
    docs = [f"d {place}" if place % 3 else f"é{place}" for place in range(60)]
    families = [
        np.ones(50),
        20 + generator.random(50) * 1e-7,
        np.zeros(50),
        np.sort(generator.random(50))[::-1],
        np.sort(generator.random(50)),
        np.round(generator.random(50), 1),
        generator.random(50) * 1e-42,
        np.full(50, -np.inf),
    ]
    rankings, judgements = {}, {}
    for place, scores in enumerate(families):
        order = generator.permutation(60)[:50]
        rankings[f"q {place}"] = [(docs[row], float(score)) for row, score in zip(order, scores, strict=True)]
        judgements[f"q {place}"] = {docs[row]: int(generator.integers(-1, 3)) for row in order[::3]}
    write_trec_run(tmp_path / "run", Run.of("toy", rankings))
    write_trec_qrels(tmp_path / "qrels", Qrels.of(judgements))
    with (tmp_path / "run").open() as run, (tmp_path / "qrels").open() as qrels:
        evaluator = pytrec_eval.RelevanceEvaluator(pytrec_eval.parse_qrel(qrels), {"ndcg_cut.10", "recip_rank", "map"})
        scored = evaluator.evaluate(pytrec_eval.parse_run(run))
    assert len(scored) == len(families)
    for place in range(len(families)):
        expected = by_hand(judgements[f"q {place}"], [doc for doc, _ in rankings[f"q {place}"]])
        assert scored[f"q%20{place}"] == pytest.approx(expected, abs=1e-6)
