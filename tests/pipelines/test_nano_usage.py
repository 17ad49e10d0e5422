"""The card's own code, and other people's evaluators, on built folders, offline."""

import re
from pathlib import Path
from typing import Any

import datasets
import pytest

from pyrite.formats.hakari import NANOBEIR_SPLITS

SNIPPET = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TEXTS = ["gold is soft", "gold shines", "fool gold rusts", "quartz is hard", "halite is salt"]
WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *sorted({word for text in TEXTS for word in text.split()})]


@pytest.fixture(autouse=True)
def reader(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """O38: no network, an empty cache, and the folder before them."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "cache")
    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", True)


@pytest.fixture
def minerals(write_rows) -> None:
    put(write_rows, other="is it hard?")


def put(write_rows, *, other: str) -> None:
    write_rows("minerals/corpus.parquet", [{"_id": f"d{n}", "text": text} for n, text in enumerate(TEXTS)])
    write_rows("minerals/queries.parquet", [{"_id": "q1", "text": "soft gold"}, {"_id": "q2", "text": other}])
    judged = [("q1", "d0", 1), ("q1", "d1", 1), ("q2", "d3", 1)]
    write_rows("minerals/qrels.parquet", [{"query-id": q, "corpus-id": d, "score": grade} for q, d, grade in judged])


def recipe(*names: str) -> dict[str, Any]:
    nano = {"fill": "source-order", "positives_per_query": "all"}
    return {"source": {"path": "minerals"}, "nano": nano, "split": [{"name": name, "language": "en"} for name in names]}


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Random models of two tiny layers: a retriever and a reranker."""
    pytest.importorskip("sentence_transformers", reason="the models extra is not installed")
    import torch
    from transformers import BertConfig, BertForSequenceClassification, BertModel, BertTokenizerFast

    folder = tmp_path_factory.mktemp("models")
    config = BertConfig(
        vocab_size=len(WORDS),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=64,
        num_labels=1,
    )
    torch.manual_seed(0)
    for name, kind in (("retriever", BertModel), ("reranker", BertForSequenceClassification)):
        kind(config).save_pretrained(folder / name)
        vocabulary = {word: place for place, word in enumerate(WORDS)}
        BertTokenizerFast(vocab=vocabulary, model_max_length=64).save_pretrained(folder / name)
    return {"BAAI/bge-m3": str(folder / "retriever"), "BAAI/bge-reranker-v2-m3": str(folder / "reranker")}


def run_card(folder: str, models: dict[str, str]) -> dict[str, Any]:
    """Everything that the card's Python leaves behind."""
    names: dict[str, Any] = {}
    for code in SNIPPET.findall(Path(folder, "README.md").read_text(encoding="utf-8")):
        for theirs, ours in models.items():
            code = code.replace(theirs, ours)
        exec(code, names)
    return names


def test_the_code_on_the_card_runs_for_a_retriever_and_a_reranker(minerals, make_nano, models, capsys):
    make_nano(recipe("minerals_en"), out="NanoToy")
    names = run_card("NanoToy", models)
    assert names["relevant"] == {"q1": {"d0", "d1"}, "q2": {"d3"}}
    assert [sorted(sample["documents"]) for sample in names["samples"]] == [
        ["fool gold rusts", "gold is soft", "gold shines"],
        ["gold is soft", "halite is salt", "quartz is hard"],
    ]
    assert names["samples"][0]["positive"] == ["gold is soft", "gold shines"]
    out = capsys.readouterr().out
    assert "minerals_en_cosine_ndcg@10" in out
    assert "minerals_en_ndcg@10" in out


def test_a_list_that_holds_the_forced_positive_alone_does_not_stop_the_card_s_code(write_rows, make_nano, models):
    put(write_rows, other="scratches glass")
    make_nano(recipe("minerals_en"), out="NanoToy")
    names = run_card("NanoToy", models)
    assert [row["corpus-ids"] for row in names["bm25"]] == [["d0", "d1", "d2"], ["d3"]]
    assert [sample["query"] for sample in names["samples"]] == ["soft gold"]


def test_a_folder_with_the_nanobeir_names_loads_in_both_nanobeir_evaluators(minerals, make_nano, models):
    from sentence_transformers import CrossEncoder, SentenceTransformer
    from sentence_transformers.cross_encoder.evaluation import CrossEncoderNanoBEIREvaluator
    from sentence_transformers.sentence_transformer.evaluation import NanoBEIREvaluator

    folder = make_nano(recipe(*NANOBEIR_SPLITS), out="NanoToy")
    retrieval = NanoBEIREvaluator(dataset_id=str(folder), write_csv=False)
    assert len(retrieval.evaluators) == 13
    assert retrieval.evaluators[0].relevant_docs == {"q1": {"d0", "d1"}, "q2": {"d3"}}
    scores = retrieval(SentenceTransformer(models["BAAI/bge-m3"], device="cpu"))
    assert 0.0 <= scores["NanoBEIR_mean_cosine_ndcg@10"] <= 1.0
    reranking = CrossEncoderNanoBEIREvaluator(dataset_id=str(folder), write_csv=False, show_progress_bar=False)
    scores = reranking(CrossEncoder(models["BAAI/bge-reranker-v2-m3"], device="cpu"))
    assert 0.0 <= scores["NanoBEIR_R100_mean_ndcg@10"] <= 1.0


def test_the_card_names_the_nanobeir_evaluator_only_where_it_fits(minerals, make_nano):
    folder = make_nano(recipe("NanoNQ", "NanoSCIDOCS"), out="NanoToy")
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert 'NanoBEIREvaluator(["nq", "scidocs"], dataset_id="NanoToy")' in card
    other = make_nano(recipe("nq"), out="other")
    assert "NanoBEIREvaluator" not in (other / "README.md").read_text(encoding="utf-8")


def test_datasets_loads_every_config_of_every_split(minerals, make_nano):
    folder = make_nano(recipe("a", "b"), out="NanoToy")
    for split in ("a", "b"):
        rows = {name: datasets.load_dataset(str(folder), name, split=split).num_rows for name in CONFIGS}
        assert rows == {"corpus": 5, "queries": 2, "qrels": 3, "bm25": 2}


CONFIGS = ("corpus", "queries", "qrels", "bm25")
