"""The card of a mined set: its tables, and its code, run as a reader would."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import datasets
import numpy as np
import pyarrow.parquet as pq
import pytest
import yaml

from pyrite.mining import FilterRules, filter_rows, kl_distillation
from pyrite.pipelines import build, load_recipe
from pyrite.pipelines.recipe_training import TrainingRecipe
from pyrite.publishing import loaded_id, render_card, write_card

SNIPPET = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
Make = Callable[..., Path]


def snippets(folder: Path) -> list[str]:
    return SNIPPET.findall((folder / "README.md").read_text(encoding="utf-8"))


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, no_network: None) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "cache")
    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", True)
    return tmp_path


def test_the_front_matter_names_every_config_and_its_file(mined_folder: Path) -> None:
    front = yaml.safe_load((mined_folder / "README.md").read_text(encoding="utf-8").split("---")[1])
    assert [config["config_name"] for config in front["configs"]] == [
        "pairs", "triplets", "n-tuples", "n-tuples-filtered", "provenance",
    ]  # fmt: skip
    assert [config["config_name"] for config in front["configs"] if config.get("default")] == ["n-tuples-filtered"]
    assert (front["license"], front["language"]) == ("cc-by-4.0", ["en"])


def test_the_loading_code_gives_the_tables(mined_folder: Path, reader: Path) -> None:
    names: dict[str, Any] = {}
    exec(snippets(mined_folder)[0], names)
    assert names["pairs"].num_rows == 5
    assert names["train"][0]["label"] == [7.0, 3.0, 2.5]
    assert loaded_id((mined_folder / "README.md").read_text(encoding="utf-8")) == "minerals-mined"


def test_the_quality_score_on_the_card_is_the_one_that_the_rows_were_ordered_by(
    mined_folder: Path, reader: Path
) -> None:
    code = next(code for code in snippets(mined_folder) if "quality_score" in code)
    names: dict[str, Any] = {}
    exec(code, names)
    labels = np.random.default_rng(2).normal(1, 3, size=(200, 3)).astype(np.float32)
    assert np.array_equal(names["quality_score"](labels), filter_rows(labels, FilterRules()).quality)


def test_the_loss_on_the_card_is_ours(mined_folder: Path) -> None:
    torch = pytest.importorskip("torch")
    code = next(code for code in snippets(mined_folder) if "kl_distill_loss" in code)
    names: dict[str, Any] = {}
    exec(code, names)
    chance = np.random.default_rng(3)
    student, teacher = chance.normal(size=(4, 6)), chance.normal(0, 4, size=(4, 6))
    ours = kl_distillation(list(student), list(teacher))
    assert float(names["kl_distill_loss"](torch.tensor(student), torch.tensor(teacher))) == pytest.approx(ours)


@pytest.mark.parametrize("column", ["n-tuples", "n-tuples-filtered"])
def test_the_published_label_column_feeds_both_distillation_losses_as_it_is(
    mined_folder: Path, reader: Path, column: str
) -> None:
    """Spec 2, item 11: their value is ours, with the temperature that the card passes."""
    torch = pytest.importorskip("torch")
    from sentence_transformers.sentence_transformer.losses import DistillKLDivLoss
    from sentence_transformers.sparse_encoder.losses import SparseDistillKLDivLoss

    rows = datasets.load_dataset("minerals-mined", column, split="train")
    labels = torch.tensor(rows["label"][:])
    chance = torch.Generator().manual_seed(0)
    embeddings = [torch.randn(len(rows), 8, generator=chance) for _ in range(1 + labels.shape[1])]
    student = torch.stack([(embeddings[0] * other).sum(dim=1) for other in embeddings[1:]], dim=1)
    ours = kl_distillation(list(student.numpy()), list(labels.numpy()), temperature=2.0)
    for loss in (DistillKLDivLoss, SparseDistillKLDivLoss):
        made = loss(torch.nn.Identity(), temperature=2.0)
        theirs = made.compute_loss_from_embeddings([one.clone().requires_grad_() for one in embeddings], labels)
        theirs.backward()
        assert float(theirs.detach()) == pytest.approx(ours, rel=1e-5)


def test_the_card_tells_the_selection_with_the_recipes_numbers(make_mining: Make) -> None:
    recipe = make_mining(
        select={"absolute_margin": 3.5, "relative_margin": 0.25, "top_up": True, "max_score": 4.5, "range_max": 6},
        pool={"sample": 4, "seed": 9},
        pairs={"duplicates": "keep", "per_query": 2, "missing": "drop"},
        published={"n-tuples": 4603, "margin": [4.0, 5.51, 6.66, 19.16]},
        card={"notes": "A note by hand.", "not_included": "The test split."},
    )
    folder = build(recipe, out=recipe.parent / "out", work=recipe.parent / "work").folder
    text = (folder / "README.md").read_text(encoding="utf-8")
    rows = pq.read_metadata(folder / "n-tuples" / "train.parquet").num_rows
    for told in (
        "a uniform sample of 4 corpus documents (seed 9)",
        "at least 3.5 below the positive's (positive - negative >= 3.5)",
        "at most the positive's - 0.25 x |the positive's|",
        "a negative's logit is at most 4.5;",
        "no rank after 6 is used;",
        "a share of 0.8 or more of its 5-word shingles",
        "fill the row, marked as top-up",
        "2 at most",
        "A note by hand.",
        "The test split.",
        f"| n-tuples | 4,603 | {rows} |",
        "| margin | 4.00, 5.51, 6.66, 19.16 |",
        "| +2 | 0.8808 | rather relevant |",
        "pyrite refilter minerals-mined --absolute-margin 3",
    ):
        assert told in text, told


def test_a_cross_encoder_is_shown_with_its_settings_and_without_an_activation(mined_folder: Path) -> None:
    manifest = (mined_folder / "manifest.json").read_text(encoding="utf-8")
    told = '"system": "rerank:cl-nagoya/ruri-v3-reranker-310m"'
    changed = manifest.replace('"system": "scores:scores.parquet"', told).replace(
        '"max_length": null', '"max_length": 512'
    )
    (mined_folder / "manifest.json").write_text(changed, encoding="utf-8")
    text = render_card(mined_folder)
    code = next(code for code in SNIPPET.findall(text) if "CrossEncoder" in code)
    compile(code, "card", "exec")
    assert '"cl-nagoya/ruri-v3-reranker-310m"' in code
    assert "max_length=512" in code
    assert "activation_fn=torch.nn.Identity()" in code


def test_a_second_card_changes_nothing_and_keeps_what_a_person_wrote(mined_folder: Path) -> None:
    path = mined_folder / "README.md"
    before = path.read_text(encoding="utf-8") + "\n## By hand\n\nThanks.\n"
    path.write_text(before, encoding="utf-8")
    write_card(mined_folder)
    assert path.read_text(encoding="utf-8") == before


def test_the_shipped_recipe_has_a_card_in_its_licence() -> None:
    recipe = load_recipe("training/miracl-ja").recipe
    assert isinstance(recipe, TrainingRecipe)
    assert {credit.role for credit in recipe.credit} >= {"data", "corpus", "retriever", "teacher"}
    assert recipe.card.license == "CC BY-SA 4.0"
