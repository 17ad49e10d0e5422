"""The whole road: a mined set, a student, a held-out collection, and what it gained; on a random tiny student."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pyrite.core import DataError, RecipeError
from pyrite.evaluation import align, compare
from pyrite.formats import read_report
from pyrite.pipelines import TrainingRequest, TrainingResult, renew_card, train
from pyrite.publishing import check_folder, verify_folder
from pyrite.training import TrainingSettings

pytest.importorskip("torch")

NAMES = ("pyrite", "gold", "talc", "silver", "diamond", "coal", "clay", "sand", "ice", "salt", "rust", "shines")
WORDS = (*NAMES, "is", "black", "wet", "loose", "cold", "white", "red", "hard", "soft", "what", "too", "?", ".")


@pytest.fixture
def student(tmp_path: Path) -> Path:
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import StaticEmbedding
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

    tokenizer = Tokenizer(models.WordPiece({piece: n for n, piece in enumerate(("[UNK]", *WORDS))}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    vectors = np.random.default_rng(0).normal(size=(len(WORDS) + 1, 16)).astype(np.float32)
    model = SentenceTransformer(modules=[StaticEmbedding(tokenizer, embedding_weights=vectors)], device="cpu")
    model.save_pretrained(str(tmp_path / "student"), create_model_card=False)
    return tmp_path / "student"


@pytest.fixture
def held_out(tmp_path: Path) -> Callable[..., Path]:
    """A BEIR folder that asks what is hard, wet and cold, and what the arguments say."""

    def made(*more: tuple[str, str]) -> Path:
        asked = [("what is wet ?", "Clay is so wet."), ("what is cold ?", "Ice is so cold."), *more]
        folder = tmp_path / "held-out"
        (folder / "qrels").mkdir(parents=True)
        texts = [*(text for _, text in asked), "Gold is soft.", "Rust is loose.", "Salt is white too."]
        documents = [{"_id": f"d{n}", "text": text} for n, text in enumerate(texts)]
        queries = [{"_id": f"q{n}", "text": text} for n, (text, _) in enumerate(asked)]
        for name, rows in (("corpus", documents), ("queries", queries)):
            (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        judged = "".join(f"q{n}\td{n}\t1\n" for n in range(len(asked)))
        (folder / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\n" + judged)
        return folder

    return made


def run(mined: Path, student: Path, held_out: Path, name: str = "trained", **changes: Any) -> TrainingResult:
    settings = TrainingSettings(epochs=2, batch_size=2)
    asked = TrainingRequest(mined, f"dense:{student}", str(held_out), **{"settings": settings, **changes})
    return train(asked, out=mined.parent / name)


def test_a_student_is_measured_before_and_after_and_the_card_tells_it(
    mined_folder: Path, student: Path, held_out: Callable[..., Path]
) -> None:
    result = run(mined_folder, student, held_out())
    parent = student.resolve().parent.name
    assert [system.system for system in result.report.systems] == [
        f"dense:{parent}/student",
        f"dense:{parent}/student after pairs",
        f"dense:{parent}/student after n-tuples",
    ]
    assert [(line.objective, line.rows, line.dropped) for line in result.lines] == [("pairs", 5, 0), ("n-tuples", 4, 0)]
    told = json.loads((result.folder / "results" / "train.json").read_text())
    again = read_report(result.folder / "results")
    assert told["held_out"] == {"dataset": "held-out", "split": "", "queries": 2, "measure": "nDCG@10"}
    for system, line in zip(again.systems[1:], told["trained"], strict=True):
        gain = np.mean(system.values["nDCG@10"] - again.systems[0].values["nDCG@10"])
        assert line["gain"]["mean"] == pytest.approx(gain)
        assert line["gain"]["low"] <= line["gain"]["mean"] <= line["gain"]["high"]
        assert line["gain"]["better"] + line["gain"]["worse"] + line["gain"]["equal"] == 2
        assert line["measures"]["nDCG@10"]["mean"] == pytest.approx(np.mean(system.values["nDCG@10"]))
    assert compare(align([again], "nDCG@10")) == result.compared
    assert told["trained"][1]["settings"]["temperature"] == 2.0
    assert str(student) not in json.dumps(told)

    assert renew_card(mined_folder, [result.folder])
    card = (mined_folder / "README.md").read_text()
    assert "## What a student gains" in card
    assert f"`dense:{parent}/student` on held-out, 2 queries:" in card
    assert f"| n-tuples | 4 | {told['trained'][1]['measures']['nDCG@10']['mean']:.4f} (" in card
    assert verify_folder(mined_folder) == []
    assert check_folder(mined_folder) == []
    assert not renew_card(mined_folder)


def test_a_gain_of_other_tables_is_not_on_the_card(
    mined_folder: Path, student: Path, held_out: Callable[..., Path]
) -> None:
    result = run(mined_folder, student, held_out(), objectives=("pairs",))
    path = result.folder / "results" / "train.json"
    told = json.loads(path.read_text())
    path.write_text(json.dumps({**told, "dataset": {"name": "minerals-mined", "digest": "0" * 32}}))
    renew_card(mined_folder, [result.folder])
    assert "What a student gains" not in (mined_folder / "README.md").read_text()


def test_a_second_run_trains_nothing_and_another_setting_trains_again(
    mined_folder: Path, student: Path, held_out: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    from pyrite.pipelines import students

    collection, trained = held_out(), []

    def counted(*given: Any, **named: Any) -> Any:
        trained.append(given[1].objective)
        return original(*given, **named)

    original = students.train_student
    monkeypatch.setattr(students, "train_student", counted)
    first = run(mined_folder, student, collection)
    files = {p: p.read_bytes() for p in sorted(first.folder.rglob("*")) if p.is_file()}
    again = run(mined_folder, student, collection)
    assert trained == ["pairs", "n-tuples"]
    assert again.lines == first.lines
    assert {p: p.read_bytes() for p in sorted(first.folder.rglob("*")) if p.is_file()} == files
    run(mined_folder, student, collection, settings=TrainingSettings(epochs=2, batch_size=2, seed=1))
    assert trained == ["pairs", "n-tuples"] * 2


def test_a_training_query_that_is_measured_is_refused_or_dropped(
    mined_folder: Path, student: Path, held_out: Callable[..., Path]
) -> None:
    leaking = held_out(("WHAT is  soft?", "Talc is so soft."))
    with pytest.raises(DataError, match=r"1 of 5 rows of 'pairs' have a query of held-out.*--overlap drop"):
        run(mined_folder, student, leaking)
    assert not (mined_folder.parent / "trained").exists()
    lines = run(mined_folder, student, leaking, overlap="drop").lines
    assert [(line.objective, line.rows, line.dropped) for line in lines] == [("pairs", 5, 1), ("n-tuples", 4, 1)]


def test_positives_that_are_measured_are_told(mined_folder: Path, student: Path, held_out: Callable[..., Path]) -> None:
    with pytest.warns(UserWarning, match="the positives of 1 of 5 rows of 'pairs' are relevant documents of held-out"):
        run(mined_folder, student, held_out(("what is loose ?", "Talc is soft.")), objectives=("pairs",))


def test_a_bad_label_is_told_before_anything_is_trained(
    mined_folder: Path, student: Path, held_out: Callable[..., Path]
) -> None:
    path = mined_folder / "n-tuples" / "train.parquet"
    table = pq.read_table(path)
    labels = pa.array([[0.9, 0.2, 0.1]] * table.num_rows, pa.list_(pa.float32()))
    pq.write_table(table.set_column(table.num_columns - 1, "label", labels), path)
    with pytest.raises(DataError, match="as after a sigmoid"):
        run(mined_folder, student, held_out())
    assert not (mined_folder.parent / "trained").exists()


def test_what_is_asked_for_wrongly_is_told(
    mined_folder: Path, student: Path, held_out: Callable[..., Path], tmp_path: Path
) -> None:
    collection = held_out()
    with pytest.raises(RecipeError, match="'bm25' is no student; name one, as in dense:MODEL or sparse:MODEL"):
        train(TrainingRequest(mined_folder, "bm25", str(collection)), out=tmp_path / "trained")
    with pytest.raises(DataError, match="is a dense model, to which a random sparse head would be added"):
        train(TrainingRequest(mined_folder, f"sparse:{student}", str(collection)), out=tmp_path / "trained")
    with pytest.raises(RecipeError, match="objectives are named twice"):
        run(mined_folder, student, collection, objectives=("pairs", "pairs"))
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "notes.txt").write_text("mine")
    with pytest.raises(RecipeError, match="is a folder with other files in it"):
        run(mined_folder, student, collection, "full")
    with pytest.raises(DataError, match=r"manifest\.json: there is no such file"):
        run(collection, student, collection)
