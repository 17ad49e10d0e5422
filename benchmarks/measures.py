"""Measures on arrays against pytrec_eval on dictionaries that are already built; interleaved, CPU seconds, medians.

    python benchmarks/measures.py [--queries 1000] [--depth 1000] [--docs 100000] [--repeats 5]

The last line says how many times faster, and the largest difference of any value of any query.
"""

import argparse
import time
from collections.abc import Callable

import numpy as np
import pyarrow as pa
import pytrec_eval

from pyrite.core import Qrels, Run
from pyrite.evaluation import measure, parse_measures
from pyrite.evaluation.hits import Judgements, find_hits

MEASURES = {"nDCG@10": "ndcg_cut_10", "RR": "recip_rank", "AP": "map", "R@10": "recall_10", "R@100": "recall_100"}
TREC = {"ndcg_cut.10", "recip_rank", "map", "recall.10,100"}


def synthetic(queries: int, depth: int, docs: int) -> tuple[Qrels, Run]:
    """A run without ties; up to five graded positives a query retrieved, three not."""
    generator = np.random.default_rng(0)
    doc_ids = pa.array([f"d{row}" for row in range(docs)], pa.large_string())
    query_ids = [f"q{row}" for row in range(queries)]
    positions = np.concatenate([generator.choice(docs, depth, replace=False) for _ in query_ids]).astype(np.int32)
    run = Run(
        "synthetic",
        query_ids=pa.array(query_ids, pa.large_string()),
        offsets=np.arange(queries + 1, dtype=np.int64) * depth,
        positions=positions,
        doc_ids=doc_ids,
        scores=np.tile(np.arange(depth, 0, -1, dtype=np.float64), queries),
    )
    judged: dict[str, dict[str, int]] = {}
    for row, query_id in enumerate(query_ids):
        found = generator.choice(positions[row * depth : (row + 1) * depth], generator.integers(0, 6), replace=False)
        rows = np.unique(np.concatenate([found, generator.integers(0, docs, 3)]))
        judged[query_id] = {f"d{doc}": int(generator.integers(1, 4)) for doc in rows}
    return Qrels.of(judged), run


def cpu_seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name, default in (("queries", 1000), ("depth", 1000), ("docs", 100_000), ("repeats", 5)):
        parser.add_argument(f"--{name}", type=int, default=default)
    asked = parser.parse_args()
    qrels, run = synthetic(asked.queries, asked.depth, asked.docs)
    qrels_dict = {query_id: qrels[query_id] for query_id in qrels.query_ids.to_pylist()}
    run_dict = {query_id: {hit.doc_id: hit.score for hit in hits} for query_id, hits in run}
    measures = parse_measures(list(MEASURES))

    def arrays() -> list[np.ndarray]:
        hits = find_hits(Judgements(qrels), run)
        return [m.values(hits) for m in measures]

    def trec() -> dict[str, dict[str, float]]:
        return pytrec_eval.RelevanceEvaluator(qrels_dict, TREC).evaluate(run_dict)

    ours, theirs = arrays(), trec()  # also compiles, outside the clock
    expected = [[theirs[q][name] for q in qrels.query_ids.to_pylist()] for name in MEASURES.values()]
    difference = float(np.abs(np.array(ours) - np.array(expected)).max())
    works = {"pyrite values": arrays, "pytrec_eval": trec, "pyrite report": lambda: measure(qrels, run, measures)}
    times: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(asked.repeats):
        for name, work in works.items():
            times[name].append(cpu_seconds(work))
    medians = {name: float(np.median(taken)) for name, taken in times.items()}
    print(f"{asked.queries:,} queries x {asked.depth:,}, {asked.docs:,} documents, {', '.join(MEASURES)}")
    for name, seconds in medians.items():
        note = " (with 10,000-resample intervals)" if name == "pyrite report" else ""
        print(f"{name:15} {seconds:8.4f} cpu s{note}")
    ratio = medians["pytrec_eval"] / medians["pyrite values"]
    print(f"pytrec_eval / pyrite values: {ratio:.1f}x; largest difference {difference:.1e}")


if __name__ == "__main__":
    main()
