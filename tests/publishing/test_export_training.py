"""A mined set in the forms of other trainers, read back as they do."""

import json
from collections.abc import Callable
from pathlib import Path

import datasets
import pyarrow.parquet as pq
import pytest

from pyrite.core import DataError, RecipeError
from pyrite.pipelines import build
from pyrite.publishing.export_training import TRAINING_FORMS, export_training, rows_of

Make = Callable[..., Path]
LABEL = [[8.0, 3.0, 2.5], [7.0, 3.0, 2.5], [5.0, 0.0, -2.0]]


@pytest.fixture
def short(make_mining: Make) -> Path:
    recipe = make_mining(select={"absolute_margin": 6.5, "short_rows": "keep"})
    return build(recipe, out=recipe.parent / "minerals", work=recipe.parent / "work").folder


def test_flagembedding_has_a_line_a_row_with_raw_scores(mined_folder: Path, tmp_path: Path) -> None:
    exported = export_training(mined_folder, tmp_path / "out", "flagembedding")
    lines = [
        json.loads(line) for line in (tmp_path / "out" / "n-tuples.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    assert lines[0] == {
        "query": "what shines?",
        "pos": ["Pyrite shines."],
        "neg": ["Coal is black.", "Sand is loose."],
        "pos_scores": [8.0],
        "neg_scores": [3.0, 2.5],
    }
    assert exported.counts == {"n-tuples": 4, "n-tuples-filtered": 4}
    assert not (tmp_path / "out" / "n-tuples-short.jsonl").exists()


def test_labelled_pairs_are_a_document_a_row(mined_folder: Path, tmp_path: Path) -> None:
    export_training(mined_folder, tmp_path / "out", "labeled-pair")
    rows = pq.read_table(tmp_path / "out" / "label" / "train.parquet").to_pylist()
    assert [tuple(row.values()) for row in rows[:3]] == [
        ("what shines?", "Pyrite shines.", 1),
        ("what shines?", "Coal is black.", 0),
        ("what shines?", "Sand is loose.", 0),
    ]
    scores = pq.read_table(tmp_path / "out" / "score" / "train.parquet")["score"].to_pylist()
    assert scores[:9] == [number for label in LABEL for number in label]
    assert len(rows) == 12


def test_labelled_lists_hold_short_rows_too_and_nothing_is_padded(short: Path, tmp_path: Path) -> None:
    """O16."""
    exported = export_training(short, tmp_path / "out", "labeled-list")
    rows = pq.read_table(tmp_path / "out" / "label" / "train.parquet").to_pylist()
    assert [row["labels"] for row in rows] == [[1, 0, 0], [1, 0, 0], [1, 0], [1, 0]]
    assert rows[2]["documents"] == ["Gold shines too.", "Ice is cold."]
    scores = pq.read_table(tmp_path / "out" / "score" / "train.parquet").to_pylist()
    assert scores[0]["scores"][:2] == [8.0, 1.0]
    assert exported.counts == {"lists": 4}
    assert [row[1] for row in rows_of(short, "n-tuples-short")] == ["Gold shines too.", "Silver shines."]


@pytest.mark.parametrize("form", ["labeled-pair", "labeled-list"])
def test_an_export_loads_with_datasets_by_its_card(
    mined_folder: Path, tmp_path: Path, form: str, no_network: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", True)
    export_training(mined_folder, tmp_path / "out", form)
    for config in ("label", "score"):
        loaded = datasets.load_dataset(str(tmp_path / "out"), config, split="train", cache_dir=str(tmp_path / "cache"))
        assert loaded.num_rows == (12 if form == "labeled-pair" else 4)


@pytest.mark.parametrize("form", list(TRAINING_FORMS))
def test_an_export_is_the_same_bytes_twice_and_replaces_only_an_export(
    mined_folder: Path, tmp_path: Path, form: str
) -> None:
    def contents(name: str) -> dict[str, bytes]:
        folder = tmp_path / name
        return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}

    for name in ("a", "b", "a"):
        export_training(mined_folder, tmp_path / name, form)
    assert contents("a") == contents("b")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("mine")
    with pytest.raises(RecipeError, match="holds something else than an export"):
        export_training(mined_folder, tmp_path / "mine", form)


def test_other_forms_and_other_kinds_are_refused(mined_folder: Path, tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match="'mteb' is no form of a training set"):
        export_training(mined_folder, tmp_path / "out", "mteb")
    manifest = mined_folder / "manifest.json"
    manifest.write_text(manifest.read_text().replace('"kind": "training"', '"kind": "nano"'))
    with pytest.raises(DataError, match="is of kind 'nano'"):
        export_training(mined_folder, tmp_path / "out", "labeled-pair")
