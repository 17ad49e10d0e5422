"""Retrievers agree with sentence-transformers' own evaluators on the same models and texts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pyrite.core import Collection
from pyrite.evaluation import measure
from pyrite.retrieval.neural import NeuralRetriever, NeuralSystem

FAMILIES = {
    "dense": ("SentenceTransformer", "InformationRetrievalEvaluator", "sentence_transformer.evaluation", "dense"),
    "sparse": ("SparseEncoder", "SparseInformationRetrievalEvaluator", "sparse_encoder.evaluation", "masked"),
    "multi-vector": (
        "MultiVectorEncoder",
        "MultiVectorInformationRetrievalEvaluator",
        "multi_vector_encoder.evaluation",
        "dense",
    ),
}
OURS = {"ndcg@10": "nDCG@10", "mrr@10": "RR@10", "map@100": "AP@100", "recall@10": "R@10", "accuracy@3": "Success@3"}


def saved(family: str, make_model: Callable[..., Path], folder: Path) -> Path:
    """The model as sentence-transformers saves it, with its random projection."""
    import sentence_transformers
    import torch

    torch.manual_seed(7)
    model = getattr(sentence_transformers, FAMILIES[family][0])(str(make_model(FAMILIES[family][3])), device="cpu")
    model.prompts = {"query": "what is ", "document": ""}
    model.save(str(folder), create_model_card=False)
    return folder


@pytest.mark.filterwarnings("ignore:Sparse CSR tensor support is in beta")
@pytest.mark.parametrize("family", FAMILIES)
def test_the_numbers_are_those_of_sentence_transformers(
    family: str, make_model: Callable[..., Path], minerals: Collection, tmp_path: Path
) -> None:
    """Binary relevance, as theirs; documents without a tie."""
    from importlib import import_module

    folder = saved(family, make_model, tmp_path / family)
    _, evaluator, place, _ = FAMILIES[family]
    make = getattr(import_module(f"sentence_transformers.{place}"), evaluator)
    relevant = {query: set(minerals.qrels.positives(query)) for query in minerals.queries.ids.to_pylist()}
    theirs = make(
        queries={query.query_id: query.text for query in minerals.queries},
        corpus={document.doc_id: document.text for document in minerals.corpus},
        relevant_docs=relevant,
        ndcg_at_k=[10],
        mrr_at_k=[10],
        map_at_k=[100],
        precision_recall_at_k=[10],
        accuracy_at_k=[3],
        batch_size=8,
        write_csv=False,
    )
    import sentence_transformers

    found = theirs(getattr(sentence_transformers, FAMILIES[family][0])(str(folder), device="cpu"))
    run = NeuralRetriever(NeuralSystem(family, str(folder))).index(minerals.corpus).search(minerals.queries, 100)
    from pyrite.core import Qrels

    binary = Qrels.of({query: dict.fromkeys(sorted(documents), 1) for query, documents in relevant.items()})
    report = measure(binary, run, list(OURS.values()))
    for name, ours in OURS.items():
        their = next(value for key, value in found.items() if key.endswith(name))
        assert report.mean(ours) == pytest.approx(their, abs=1e-4), name
    assert 0.05 < report.mean("nDCG@10") < 0.95
