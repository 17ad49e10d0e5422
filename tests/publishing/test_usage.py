"""The code on the card, as a reader would run it from beside the folder."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import datasets
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pyrite.publishing import render_card, write_card
from pyrite.publishing.facts import MODELS

SNIPPET = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "gold", "lead", "ore", "mineral", "iron", "is", "the", "of"]


@pytest.fixture(autouse=True)
def reader(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, no_network: None) -> None:
    """O38: a reader with no network, an empty cache, and the folder before them."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "cache")
    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", True)


def snippets(card: str) -> list[str]:
    return SNIPPET.findall(card)


def run(code: str, names: dict[str, Any]) -> dict[str, Any]:
    exec(code, names)
    return names


def loaded(folder: Path) -> dict[str, Any]:
    """What stands after the loading code and the common arguments."""
    write_card(folder)
    names: dict[str, Any] = {}
    for code in snippets((folder / "README.md").read_text(encoding="utf-8")):
        if "sentence_transformers" not in code:
            run(code, names)
    return names


def test_the_loading_code_gives_the_tables(toy: Path) -> None:
    names = loaded(toy)
    assert names["corpus"]["_id"][:] == ["p0", "p1", "p2", "d0", "d1", "d2"]
    assert names["qrels"][0] == {"query-id": "q0", "corpus-id": "p0", "score": 1}
    assert names["excluded"] == {0, 1, 3, 4}


def test_without_the_card_only_the_qrels_are_loaded(toy: Path) -> None:
    """O51, X13: what the configs on the card are for."""
    assert list(datasets.load_dataset(str(toy / "."))) == ["test"]
    write_card(toy)
    assert datasets.get_dataset_config_names(str(toy)) == ["corpus", "queries", "qrels"]


def test_the_arguments_hold_the_headline_prefix_and_its_positives(toy: Path) -> None:
    arguments = loaded(toy)["arguments"]
    assert list(arguments["queries"]) == ["q0", "q1"]
    assert arguments["relevant_docs"] == {"q0": {"p0"}, "q1": {"p1"}}
    assert len(arguments["corpus"]) == 6


def test_a_query_with_several_positives_keeps_each_and_no_judged_zero(
    toy: Path, put_rows: Callable[[Path, list[dict[str, Any]]], None]
) -> None:
    path = toy / "qrels" / "test.parquet"
    more = [{"query-id": "q0", "corpus-id": "p2", "score": 2}, {"query-id": "q0", "corpus-id": "d0", "score": 0}]
    put_rows(path, [*pq.read_table(path).to_pylist(), *more])
    assert loaded(toy)["arguments"]["relevant_docs"]["q0"] == {"p0", "p2"}


def test_titles_are_joined_by_the_template_of_the_manifest(toy: Path) -> None:
    """O30, O37."""
    path = toy / "corpus" / "corpus.parquet"
    titles = ["Pyrite", "", None, "  ", "Halite", "{text}"]
    pq.write_table(pq.read_table(path).append_column("title", pa.array(titles, pa.string())), path)
    documents = loaded(toy)["documents"]
    assert documents["p0"].startswith("Pyrite\n\nPyrite is iron sulfide;")
    assert documents["p1"].startswith("Galena")
    assert documents["p2"] == "Quartz scratches glass."
    assert documents["d0"].startswith("Gold is")
    assert documents["d2"] == "{text}\n\nIron rusts in wet air."


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Random models of two tiny layers: family -> folder."""
    pytest.importorskip("sentence_transformers", reason="the models extra is not installed")
    import torch
    from transformers import BertConfig, BertForMaskedLM, BertModel, BertTokenizerFast

    folder = tmp_path_factory.mktemp("models")
    letters = [*"abcdefghijklmnopqrstuvwxyz", *(f"##{letter}" for letter in "abcdefghijklmnopqrstuvwxyz")]
    vocabulary = {word: place for place, word in enumerate([*WORDS, *letters])}
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=64,
    )
    for name, kind in (("dense", BertModel), ("multi-vector", BertModel), ("sparse", BertForMaskedLM)):
        kind(config).save_pretrained(folder / name)
        BertTokenizerFast(vocab=vocabulary, model_max_length=64).save_pretrained(folder / name)
    return {name: folder / name for name in ("dense", "multi-vector", "sparse")}


@pytest.mark.filterwarnings("ignore:Sparse CSR tensor support is in beta state:UserWarning")
@pytest.mark.parametrize(
    ("family", "measure"),
    [("dense", "cosine_ndcg@10"), ("sparse", "dot_ndcg@10"), ("multi-vector", "maxsim_ndcg@10")],
)
def test_the_evaluator_code_runs_for_every_family(
    toy: Path, models: dict[str, Path], family: str, measure: str, capsys: pytest.CaptureFixture[str]
) -> None:
    import torch

    names = loaded(toy)
    code = next(code for code in snippets(render_card(toy)) if f'("{MODELS[family]}")' in code)
    torch.manual_seed(0)
    run(code.replace(MODELS[family], str(models[family])), names)
    scores = names["evaluator"](names["model"])
    assert 0.0 <= scores[f"toy-minerals_{measure}"] <= 1.0
    assert f"toy-minerals_{measure}" in capsys.readouterr().out
    assert names["evaluator"].queries_ids == ["q0", "q1"]
