"""`pyrite train`: one command, one line a student; what is wrong is one sentence."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from pyrite.cli import main

pytest.importorskip("torch")


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stopped:
        main(list(arguments))
    out, err = capsys.readouterr()
    return int(stopped.value.code or 0), out, err


@pytest.fixture
def command(mined_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import StaticEmbedding
    from tokenizers import Tokenizer, models, pre_tokenizers

    monkeypatch.setenv("PYRITE_CACHE", str(tmp_path / "cache"))
    pieces = ("[UNK]", "what", "is", "shines", "soft", "hard", "wet", "?", ".", "Pyrite", "Clay", "Gold", "Talc")
    tokenizer = Tokenizer(models.WordLevel({piece: n for n, piece in enumerate(pieces)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    vectors = np.random.default_rng(0).normal(size=(len(pieces), 8)).astype(np.float32)
    model = SentenceTransformer(modules=[StaticEmbedding(tokenizer, embedding_weights=vectors)], device="cpu")
    model.save_pretrained(str(tmp_path / "student"), create_model_card=False)
    folder = tmp_path / "held-out"
    folder.mkdir()
    (folder / "corpus.jsonl").write_text('{"_id": "d0", "text": "Clay is wet."}\n{"_id": "d1", "text": "Gold."}\n')
    (folder / "queries.jsonl").write_text('{"_id": "q0", "text": "what is wet ?"}\n')
    (folder / "qrels.tsv").write_text("q0\td0\t1\n")

    def made(*more: str) -> list[str]:
        student = ["--student", f"dense:{tmp_path / 'student'}", "--eval", str(folder)]
        return ["train", str(mined_folder), *student, "--out", str(tmp_path / "trained"), "--batch-size", "2", *more]

    return made


def test_one_command_gives_a_line_before_and_one_an_objective(
    command: Callable[..., list[str]], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    code, out, err = run(capsys, *command("--epochs", "1"))
    assert (code, err) == (0, "")
    rows = [line for line in out.splitlines() if line.startswith("dense:") and "[" in line]
    assert [row.split("  ")[0].partition("student")[2] for row in rows[:3]] == ["", " after pairs", " after n-tuples"]
    assert "pairs: 5 rows, 3 steps, loss" in out
    assert f"--results {tmp_path / 'trained'}" in out
    assert sorted(path.name for path in (tmp_path / "trained" / "students").iterdir()) == ["n-tuples", "pairs"]


def test_json_is_what_lies_in_the_folder(
    command: Callable[..., list[str]], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    code, out, err = run(capsys, *command("--epochs", "1", "--objective", "n-tuples", "--seed", "3", "--json"))
    assert (code, err) == (0, "")
    told = json.loads(out)
    assert told == json.loads((tmp_path / "trained" / "results" / "train.json").read_text())
    assert [line["objective"] for line in told["trained"]] == ["n-tuples"]
    assert told["trained"][0]["settings"]["seed"] == 3


@pytest.mark.parametrize(
    ("options", "code", "sentence"),
    [
        (["--objective", "triplet"], 2, "'triplet' is none of pairs, n-tuples, n-tuples-filtered"),
        (["--temperature", "0"], 2, "temperature is 0.0; give a number above 0"),
        (["--lr", "nan"], 2, "learning_rate is nan; give a number above 0"),
        (["--student", "bm25"], 2, "'bm25' is no student"),
        (["--eval", "nowhere"], 2, "nowhere: there is no such folder"),
        (["--student", "dense:./nowhere"], 2, "./nowhere: there is no such model folder"),
    ],
)
def test_what_is_wrong_is_one_sentence(
    command: Callable[..., list[str]],
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    options: list[str],
    code: int,
    sentence: str,
) -> None:
    got, out, err = run(capsys, *command(*options))
    assert (got, out) == (code, "")
    assert sentence in " ".join(err.split())
    assert not (tmp_path / "trained").exists()
