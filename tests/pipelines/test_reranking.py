"""Rerankers get two numbers: over the candidates as retrieved, and with the positives put in."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pyrite.core import Collection, Corpus, Document, Qrels, Queries, Query, Run
from pyrite.pipelines import Protocol, evaluate
from pyrite.pipelines.reranking import candidates_of, is_reranker
from pyrite.retrieval import BM25, NeuralSettings, NeuralSystem, Reranker
from pyrite.retrieval.neural import reranker as module
from pyrite.retrieval.neural.pair_scores import CrossEncoderScorer, PairScores


class FirstStage:
    """Finds d0 to d4 for every query."""

    name, family = "first", "run"

    def index(self, corpus: Corpus) -> FirstStage:
        return self

    def search(self, queries: Queries, depth: int) -> Run:
        return Run.of(self.name, {q.query_id: [(f"d{i}", 9.0 - i) for i in range(5)][:depth] for q in queries})


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> tuple[Collection, Reranker]:
    """A reranker that finds every positive at once; q1's positive is among the candidates and q2's is not."""
    corpus = Corpus.of([Document(f"d{number}", f"text {number}") for number in range(9)])
    queries = Queries.of([Query("q1", "one"), Query("q2", "two")])
    wanted = {"one": "text 3", "two": "text 8"}

    def score(self, pairs):
        found = [
            float(wanted[pairs.queries[int(q)].text] == pairs.corpus[int(d)].text)
            for q, d in zip(pairs.query_positions, pairs.doc_positions, strict=True)
        ]
        return PairScores(np.array(found, np.float32), 0.25, 0, len(found))

    class Model:
        @staticmethod
        def limit(_):
            return 32

    monkeypatch.setattr(CrossEncoderScorer, "score_and_tell", score)
    monkeypatch.setattr(module, "load_model", lambda _: Model)
    (tmp_path / "model.safetensors").write_bytes(b"w")
    system = NeuralSystem("rerank", str(tmp_path), NeuralSettings(name="toy"))
    qrels = Qrels.of({"q1": {"d3": 1}, "q2": {"d8": 1}})
    return Collection("toy", "en", corpus, queries, qrels), Reranker(system, FirstStage(), depth=5)


def test_a_positive_that_the_first_stage_missed_is_not_credited_as_retrieved(toy: tuple[Collection, Reranker]) -> None:
    """O24."""
    collection, reranker = toy
    report = evaluate(collection, [reranker, BM25("en")], Protocol(measures=("RR@10",)))
    assert [system.system for system in report.systems] == [
        "rerank:toy,over=first,depth=5",
        "bm25:en",
        "rerank:toy,over=first,depth=5 (forced positives)",
    ]
    assert [system.measures["RR@10"].mean for system in report.systems] == [0.5, 0.0, 1.0]
    assert report.systems[2].settings["forced_positives"] == 1
    assert "forced_positives" not in report.systems[0].settings
    assert report.systems[0].truncated == {"pairs": 0.25}
    assert report.systems[0].values["RR@10"].tolist() == [1.0, 0.0]


def test_a_sweep_holds_the_number_as_retrieved_only(toy: tuple[Collection, Reranker]) -> None:
    collection, reranker = toy
    report = evaluate(collection, [reranker], Protocol(measures=("RR@10",), distractors=("all",)))
    assert [(point.system, point.estimate.mean) for point in report.sweeps["distractors"]] == [
        ("rerank:toy,over=first,depth=5", 0.5)
    ]


def test_what_is_a_reranker_is_told_by_its_name_or_its_kind(toy: tuple[Collection, Reranker]) -> None:
    assert is_reranker(toy[1])
    assert is_reranker("rerank:org/ce")
    assert not is_reranker("fusion:rrf,of=bm25+rerank:org/ce")
    assert not is_reranker(BM25("en"))


def test_a_nano_dataset_brings_its_own_candidates(tmp_path: Path) -> None:
    for name, table in {
        "corpus": pa.table({"_id": ["d1"], "text": ["x"]}),
        "queries": pa.table({"_id": ["q1"], "text": ["x"]}),
        "qrels": pa.table({"query-id": ["q1"], "corpus-id": ["d1"]}),
    }.items():
        (tmp_path / name).mkdir()
        pq.write_table(table, tmp_path / name / "en.parquet")
    assert candidates_of(tmp_path, "en") is None
    (tmp_path / "bm25").mkdir()
    pq.write_table(pa.table({"query-id": ["q1"], "corpus-ids": [["d1"]]}), tmp_path / "bm25" / "en.parquet")
    for split in ("en", None):
        found = candidates_of(tmp_path, split)
        assert found is not None
        assert found.split == "en"
    beir = tmp_path / "beir"
    (beir / "qrels").mkdir(parents=True)
    (beir / "corpus.jsonl").write_text(json.dumps({"_id": "d1", "text": "x"}) + "\n")
    (beir / "queries.jsonl").write_text(json.dumps({"_id": "q1", "text": "x"}) + "\n")
    (beir / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t1\n")
    assert candidates_of(beir, None) is None
