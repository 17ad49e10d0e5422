"""A student learns, the same for the same seed, and what cannot be trained is told in a sentence."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pyrite.core import DataError, RecipeError
from pyrite.training import Student, Training, TrainingRows, TrainingSettings, train_student, training_rows

torch = pytest.importorskip("torch")
Make = Callable[[str], Path]
Write = Callable[..., Path]


def train(
    student: Student, folder: Path, out: Path, *, objective: Any = "n-tuples", **settings: Any
) -> tuple[Training, dict[str, Any]]:
    from safetensors.torch import load_file

    rows = training_rows(folder, objective)
    out.mkdir()
    used = TrainingSettings(**{"batch_size": 4, "epochs": 2, **settings})
    done = train_student(student, rows, rows.batches(), out, settings=used)
    return done, load_file(next(iter(sorted(out.rglob("model.safetensors")))))


def same(first: dict[str, Any], second: dict[str, Any]) -> bool:
    return all(torch.equal(first[name], second[name]) for name in first)


@pytest.mark.parametrize(("family", "kind"), [("dense", "static"), ("dense", "dense"), ("sparse", "masked")])
@pytest.mark.parametrize("objective", ["pairs", "n-tuples"])
def test_the_same_seed_gives_the_same_weights_and_another_others(
    family: Any, kind: str, objective: str, make_student: Make, write_set: Write, tmp_path: Path
) -> None:
    student = Student(family, make_student(kind), device="cpu")
    folder = write_set()
    first, weights = train(student, folder, tmp_path / "first", objective=objective)
    again, same_weights = train(student, folder, tmp_path / "again", objective=objective)
    assert first == again
    assert same(weights, same_weights)
    assert (first.objective, first.rows, first.steps) == (objective, 12, 6)
    assert first.settings["learning_rate"] == (2e-2 if kind == "static" else 2e-5)
    assert first.settings["scale"] == (20.0 if family == "dense" else 1.0)
    _, others = train(student, folder, tmp_path / "others", objective=objective, seed=1)
    assert not same(weights, others)


def test_what_was_saved_is_a_model_that_learned_and_the_start_is_as_it_was(
    make_student: Make, write_set: Write, tmp_path: Path
) -> None:
    from sentence_transformers import SentenceTransformer

    start, folder = make_student("static"), write_set()
    before = (start / "model.safetensors").read_bytes()
    done, _ = train(Student("dense", start, device="cpu"), folder, tmp_path / "out", epochs=20, learning_rate=0.1)
    assert (start / "model.safetensors").read_bytes() == before
    rows = [row for batch in training_rows(folder, "n-tuples").batches() for row in batch.to_pylist()]

    def right(path: Path) -> int:
        model = SentenceTransformer(str(path), device="cpu")
        queries = model.encode([row["query"] for row in rows])
        documents = model.encode([row["positive"] for row in rows])
        return int((model.similarity(queries, documents).argmax(dim=1) == torch.arange(12)).sum())

    assert right(start) < 6
    assert right(tmp_path / "out") >= 11
    assert 0 < done.loss < 10


def test_short_rows_are_trained_on_too(make_student: Make, write_set: Write, tmp_path: Path) -> None:
    short = [
        (f"old question {n}", f"deep mine {n}", ["new river", "light rock"][: 1 + n % 2], [6.0, 1.0, 0.5][: 2 + n % 2])
        for n in range(4)
    ]
    student = Student("dense", make_student("static"), device="cpu")
    done, weights = train(student, write_set(short=short), tmp_path / "out")
    assert done.rows == 16
    assert all(bool(values.isfinite().all()) for values in weights.values())
    _, without = train(student, write_set(name="other"), tmp_path / "without")
    assert not same(weights, without)


def test_prompts_of_the_model_are_trained_with_and_those_asked_for_come_first(
    make_student: Make, write_set: Write, tmp_path: Path
) -> None:
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(make_student("static")), device="cpu")
    model.prompts = {"query": "what ", "document": "rock "}
    model.save_pretrained(str(tmp_path / "prompted"), create_model_card=False)
    folder = write_set()
    done, own = train(Student("dense", tmp_path / "prompted", device="cpu"), folder, tmp_path / "own")
    assert (done.settings["query_prompt"], done.settings["document_prompt"]) == ("what ", "rock ")
    asked = Student("dense", tmp_path / "prompted", query_prompt="", document_prompt="gold ", device="cpu")
    done, other = train(asked, folder, tmp_path / "other")
    assert (done.settings["query_prompt"], done.settings["document_prompt"]) == ("", "gold ")
    assert not same(own, other)


def test_nothing_outside_notices_that_a_student_was_trained(
    make_student: Make, write_set: Write, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    random.seed(1)
    np.random.seed(1)
    torch.manual_seed(1)
    expected = (random.random(), np.random.rand(), float(torch.rand(1)))
    random.seed(1)
    np.random.seed(1)
    torch.manual_seed(1)
    train(Student("dense", make_student("static"), device="cpu"), write_set(), tmp_path / "out")
    assert (random.random(), np.random.rand(), float(torch.rand(1))) == expected
    assert capfd.readouterr() == ("", "")
    assert sorted(path.name for path in tmp_path.iterdir() if path.name != "cache") == ["mined", "out"]


def test_steps_are_told(make_student: Make, write_set: Write, tmp_path: Path) -> None:
    told: list[Any] = []

    class Listener:
        def start(self, stage: str, total: int, unit: str) -> None:
            told.append((stage, total, unit))

        def advance(self, n: int) -> None:
            told.append(n)

        def finish(self) -> None:
            told.append("finished")

    rows = training_rows(write_set(), "pairs")
    (tmp_path / "out").mkdir()
    student = Student("dense", make_student("static"), device="cpu")
    settings = TrainingSettings(epochs=1, batch_size=4)
    train_student(student, rows, rows.batches(), tmp_path / "out", settings=settings, progress=Listener())
    assert told == [("train on pairs", 3, "steps"), 1, 1, 1, "finished"]


def test_what_cannot_be_trained_is_told(make_student: Make, write_set: Write, tmp_path: Path) -> None:
    start = make_student("static")
    rows: TrainingRows = training_rows(write_set(), "pairs")
    out, empty = tmp_path / "out", tmp_path / "empty"
    out.mkdir()
    empty.mkdir()
    (empty / "config.json").write_text("{}")
    one = [next(iter(rows.batches())).slice(0, 1)]
    usual, wild = TrainingSettings(), TrainingSettings(learning_rate=1e38, batch_size=4)
    with pytest.raises(DataError, match="there are 1 rows to train on"):
        train_student(Student("dense", start, device="cpu"), rows, one, out, settings=usual)
    with pytest.raises(RecipeError, match="there is no device 'cuda:99'"):
        train_student(Student("dense", start, device="cuda:99"), rows, rows.batches(), out, settings=usual)
    with pytest.raises(DataError, match="can't be loaded as a SparseEncoder"):
        train_student(Student("sparse", empty, device="cpu"), rows, rows.batches(), out, settings=usual)
    with pytest.raises(DataError, match=r"the training diverged.*lower the learning rate, which was 1e\+38"):
        train_student(Student("dense", start, device="cpu"), rows, rows.batches(), out, settings=wild)
    assert list(out.iterdir()) == []
