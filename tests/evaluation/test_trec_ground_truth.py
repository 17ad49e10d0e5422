"""TREC topics 301-303 as trec_eval and pytrec_eval measure them: ties and negative grades included."""

import json
import re

import numpy as np
import pyarrow.parquet as pq
import pytest

from pyrite.core import Qrels, Run
from pyrite.evaluation import measure, parse_measures

FAMILIES = {"ndcg_cut": "nDCG", "map_cut": "AP", "recall": "R", "P": "P", "success": "Success"}
WHOLE = {"ndcg": "nDCG", "recip_rank": "RR", "recip_rank_10": "RR@10", "map": "AP"}
SETS = ["topic302", "topics301-303", "topics301-303-rel_level", "topics301-303-trunc"]
HALF_OF_LAST_DECIMAL = 5.0001e-5


def our_name(name, *, rel=1):
    """Our spelling of a trec_eval measure, None where we have none."""
    spelling = WHOLE.get(name)
    if spelling is None:
        parts = re.fullmatch(r"(.+)_(\d+)", name)
        if parts is None or parts[1] not in FAMILIES:
            return None
        spelling = f"{FAMILIES[parts[1]]}@{parts[2]}"
    (parsed,) = parse_measures([spelling])
    return str(parsed) if rel == 1 or parsed.name == "nDCG" else str(type(parsed)(parsed.name, parsed.cutoff, rel))


def qrels_of(folder, name):
    table = pq.read_table(folder / f"{name}.qrels.parquet")
    return Qrels(table["query-id"], table["corpus-id"], table["score"].to_numpy())


def run_of(folder, name):
    """The run in trec_eval's order, which is the rank column of these files."""
    table = pq.read_table(folder / f"{name}.run.parquet").sort_by([("query-id", "ascending"), ("rank", "ascending")])
    rankings = {}
    for row in table.to_pylist():
        rankings.setdefault(row["query-id"], []).append((row["corpus-id"], row["score"]))
    return Run.of("STANDARD", rankings)


def trec_eval_output(path):
    """(measure, topic or "all") -> the four decimals that trec_eval prints."""
    lines = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]
    return {(line[0].strip(), line[1]): line[2] for line in lines if re.fullmatch(r"-?[\d.]+", line[2].strip())}


@pytest.mark.parametrize("name", SETS)
def test_every_value_of_every_query_is_pytrec_evals(shared_data, name):
    """O25: on the trunc set pytrec_eval's mean is over the two topics that the run answers; so is ours, when asked."""
    folder = shared_data / "trec-eval"
    rows = pq.read_table(folder / f"{name}.per_query.parquet").to_pylist()
    answered = list(dict.fromkeys(row["query-id"] for row in rows))
    names = {row["measure"]: our_name(row["measure"]) for row in rows if our_name(row["measure"])}
    report = measure(qrels_of(folder, name), run_of(folder, name), list(names.values()), query_ids=answered)
    (system,) = report.systems
    compared = 0
    for row in rows:
        if row["measure"] in names:
            value = system.values[names[row["measure"]]][report.query_ids.index(row["query-id"])]
            assert value == pytest.approx(row["value"], abs=1e-12), row
            compared += 1
    assert compared == 30 * len(answered)
    means = json.loads((folder / f"{name}.mean.json").read_text(encoding="utf-8"))
    assert report.queries.measured == means["queries_averaged"]
    for theirs, ours in names.items():
        assert report.mean(ours) == pytest.approx(means["mean"][theirs], abs=1e-12), theirs


@pytest.mark.parametrize(
    ("output", "name", "rel"),
    [
        ("out.test.aq", "topics301-303", 1),
        ("out.test.aqc", "topics301-303-trunc", 1),
        ("out.test.aql", "topics301-303-rel_level", 2),
    ],
)
def test_trec_eval_prints_our_numbers(shared_data, output, name, rel):
    """O25: with -c (aqc) the topic that the run lacks counts 0, which is our rule; -l2 (aql) is our (rel=2)."""
    folder = shared_data / "trec-eval"
    printed = trec_eval_output(folder / "raw" / output)
    names = {key[0]: our_name(key[0], rel=rel) for key in printed if our_name(key[0])}
    assert len(names) > 40
    report = measure(qrels_of(folder, name), run_of(folder, name), list(names.values()))
    (system,) = report.systems
    assert report.query_ids == ("301", "302", "303")
    for theirs, ours in names.items():
        for topic, value in zip(report.query_ids, system.values[ours], strict=True):
            assert float(printed[theirs, topic]) == pytest.approx(value, abs=HALF_OF_LAST_DECIMAL), (theirs, topic)
        assert float(printed[theirs, "all"]) == pytest.approx(report.mean(ours), abs=HALF_OF_LAST_DECIMAL), theirs
    assert report.queries.missing_from_run["STANDARD"] == (1 if output == "out.test.aqc" else 0)


def test_the_tied_scores_of_the_run_are_really_there(shared_data):
    """The order is what decides: the same run with each tie turned round has other values."""
    folder = shared_data / "trec-eval"
    run = run_of(folder, "topics301-303")
    rankings = {query: [(hit.doc_id, hit.score) for hit in hits] for query, hits in run}
    assert any(len({score for _, score in ranking}) < len(ranking) for ranking in rankings.values())
    turned = Run.of(
        "turned", {q: sorted(ranking, key=lambda hit: (-hit[1], hit[0])) for q, ranking in rankings.items()}
    )
    qrels = qrels_of(folder, "topics301-303")
    as_is, other = (measure(qrels, each, "AP").systems[0].values["AP"] for each in (run, turned))
    assert not np.array_equal(as_is, other)
