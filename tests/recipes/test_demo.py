"""The embedded demo texts: what was put in on purpose is there, and BM25 neither fails nor saturates on them."""

from __future__ import annotations

import json
import re
from importlib import resources
from pathlib import Path

import pytest

from pyrite import build, load

DEMO = Path(str(resources.files("pyrite"))) / "recipes" / "demo"
LANGUAGES = ("en", "de")


def rows(name: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in (DEMO / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def words(text: str) -> set[str]:
    return set(re.findall(r"\w{4,}", text.lower()))


@pytest.mark.parametrize("name", ["en_eval", "en_train", "de_eval", "de_train"])
def test_a_passage_has_40_to_90_words_or_none(name: str) -> None:
    lengths = [len(row["passage"].split()) for row in rows(name) if row["passage"]]
    assert min(lengths) >= 40
    assert max(lengths) <= 90


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_of_the_ledger_has_a_row_to_bite_on(language: str) -> None:
    evaluation, training = rows(f"{language}_eval"), [row["passage"] for row in rows(f"{language}_train")]
    questions = [row["question"] for row in evaluation if row["question"]]
    gold = [row["passage"] for row in evaluation if row["passage"]]
    assert len(evaluation) - len(questions) == 1
    assert len(evaluation) - len(gold) == 1
    assert len(questions) - len(set(questions)) == 1
    assert len(gold) - len(set(gold)) == 1
    assert len([passage for passage in training if passage in gold]) == 2
    assert len(training) - len(set(training)) == 2
    assert training.count("") == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_question_does_not_repeat_most_words_of_its_passage(language: str) -> None:
    pairs = [(words(row["question"]), words(row["passage"])) for row in rows(f"{language}_eval")]
    shares = [len(asked & told) / len(told) for asked, told in pairs if asked and told]
    assert max(shares) < 0.25


@pytest.mark.parametrize("language", LANGUAGES)
def test_bm25_neither_fails_nor_saturates(language: str, tmp_path: Path) -> None:
    built = build(f"demo/{language}", out=tmp_path / language, work=tmp_path / "work")
    assert built.report is not None
    assert 0.4 <= built.report.mean("nDCG@10") <= 0.9
    curve = [point.estimate.mean for point in built.report.sweeps["distractors"] if point.measure == "nDCG@10"]
    assert curve == sorted(curve, reverse=True)
    assert curve[0] - curve[-1] > 0.1


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_ledger_counts_what_was_put_in(language: str, tmp_path: Path) -> None:
    built = build(f"demo/{language}", out=tmp_path / language, work=tmp_path / "work")
    dropped = [entry["dropped"] for entry in built.manifest.ledger]
    assert dropped == [
        {"empty question": 1, "empty passage": 1},
        {"question text seen before": 1},
        {"empty passage": 1, "identical to an earlier passage": 1},
        {"empty passage": 1, "identical to a gold passage": 2, "identical to an earlier passage": 2},
    ]


def test_a_repeated_question_has_both_passages(tmp_path: Path) -> None:
    build("demo/en", out=tmp_path / "en", work=tmp_path / "work")
    qrels = load(str(tmp_path / "en")).qrels
    positives = [len(qrels.positives(query)) for query in qrels.query_ids.to_pylist()]
    assert sorted(positives) == [1] * 32 + [2]
