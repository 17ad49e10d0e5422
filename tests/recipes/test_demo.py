"""The embedded demo texts: what was put in on purpose is there, and two systems neither fail nor saturate."""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from functools import cache
from importlib import resources
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from pyrite import build, load
from pyrite.pipelines import Built

DEMO = Path(str(resources.files("pyrite"))) / "recipes" / "demo"
SCRIPTS = {
    "ar": {"ARABIC"},
    "de": {"LATIN"},
    "en": {"LATIN"},
    "es": {"LATIN"},
    "ja": {"CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA"},
    "ru": {"CYRILLIC"},
    "zh": {"CJK"},
}
LANGUAGES = sorted(SCRIPTS)
REPEATED = {"ar": 5, "es": 4, "ru": 4}
"""Training rows that repeat an earlier one: two on purpose, and those whose passage answers a second question."""


@cache
def rows(name: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in (DEMO / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def both(language: str) -> list[dict[str, str]]:
    return [*rows(f"{language}_eval"), *rows(f"{language}_train")]


def asked(language: str) -> list[dict[str, str]]:
    return [row for row in both(language) if row["question"] and row["passage"]]


def normal(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def relevant(language: str) -> dict[str, set[str]]:
    """Question -> the normal forms of every passage that is judged 1 or 2 for it."""
    texts = {row["id"]: row for row in both(language)}
    found: dict[str, set[str]] = {row["question"]: {normal(row["passage"])} for row in asked(language)}
    for row in asked(language):
        found[row["question"]].add(normal(row["passage"]))
    for judged in rows(f"{language}_qrels"):
        if int(judged["relevance"]) >= 1:
            found[texts[judged["query_id"]]["question"]].add(normal(texts[judged["doc_id"]]["passage"]))
    return found


def words(text: str) -> set[str]:
    return set(re.findall(r"\w{4,}", normal(text)))


def test_there_are_400_passages_and_400_questions_in_seven_languages_and_five_scripts() -> None:
    passages = {(one, normal(row["passage"])) for one in LANGUAGES for row in both(one) if row["passage"]}
    questions = {(one, row["question"]) for one in LANGUAGES for row in asked(one)}
    assert len(passages) >= 400
    assert len(questions) >= 400
    assert min(Counter(one for one, _ in questions).values()) >= 55
    assert min(Counter(one for one, _ in passages).values()) >= 55
    assert len({min(scripts) if len(scripts) == 1 else "KANA" for scripts in SCRIPTS.values()}) == 5


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_are_in_the_script_of_their_language(language: str) -> None:
    for row in both(language):
        for text in (row["question"], row["passage"]):
            letters = [unicodedata.name(char, "?").split()[0] for char in text if char.isalpha()]
            own = sum(script in SCRIPTS[language] for script in letters)
            assert own >= 0.8 * len(letters), text
    kana = sum("HIRAGANA" in unicodedata.name(char, "") for row in both(language) for char in row["passage"])
    assert (kana > 0) == (language == "ja")


@pytest.mark.parametrize("language", ["de", "en"])
def test_an_english_or_german_passage_has_40_to_100_words_or_none(language: str) -> None:
    lengths = [len(row["passage"].split()) for row in both(language) if row["passage"]]
    assert min(lengths) >= 40
    assert max(lengths) <= 100


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_passage_has_one_to_seven_sentences(language: str) -> None:
    for row in both(language):
        ends = re.findall(r"[.!?。؟]+(?=\s|$)|。", row["passage"])
        assert not row["passage"] or 1 <= len(ends) <= 7, row["passage"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_answer_stands_in_the_positive_and_in_no_passage_that_is_not_judged_relevant(language: str) -> None:
    right = relevant(language)
    for row in asked(language):
        answer = normal(row["answer"])
        assert len(answer) >= 2
        assert answer in normal(row["passage"]), row["question"]
        holders = {normal(one["passage"]) for one in both(language) if answer in normal(one["passage"])}
        assert holders <= right[row["question"]], row["question"]


def near_copies(language: str) -> list[dict[str, str]]:
    """Training rows that are an evaluation passage with a sentence after it."""
    gold = {row["passage"] for row in rows(f"{language}_eval") if row["passage"]}
    training = [row for row in rows(f"{language}_train") if row["passage"] not in gold]
    return [row for row in training if any(row["passage"].startswith(one) for one in gold)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_question_is_there_twice_but_the_one_with_two_passages(language: str) -> None:
    counts = Counter(normal(row["question"]) for row in asked(language))
    assert [count for count in counts.values() if count > 1] == [2]


@pytest.mark.parametrize("language", [one for one in LANGUAGES if one not in ("ja", "zh")])
def test_a_question_does_not_repeat_most_words_of_its_passage(language: str) -> None:
    shares = [
        len(words(row["question"]) & words(row["passage"])) / len(words(row["passage"])) for row in asked(language)
    ]
    assert max(shares) < 0.3


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_of_the_ledger_has_a_row_to_bite_on(language: str) -> None:
    evaluation, training = rows(f"{language}_eval"), rows(f"{language}_train")
    gold = [row["passage"] for row in evaluation if row["passage"]]
    passages = [row["passage"] for row in training]
    assert len([row for row in evaluation if not row["question"]]) == 1
    assert len([row for row in evaluation if not row["passage"]]) == 1
    assert len(gold) > len(set(gold))
    assert len([passage for passage in passages if passage in gold]) == 2
    changed = [one for one in passages if one and one not in gold and normal(one) in set(map(normal, gold))]
    assert len(changed) == 1
    assert len(near_copies(language)) == 1
    assert passages.count("") == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_judgements_are_graded_and_know_their_texts(language: str) -> None:
    texts = {row["id"]: normal(row["passage"]) for row in both(language)}
    judged = rows(f"{language}_qrels")
    assert len(texts) == len(both(language))
    grades = Counter(int(row["relevance"]) for row in judged)
    assert set(grades) <= {0, 1, 2}
    assert grades[0] >= 10
    assert {row["query_id"] for row in judged if int(row["relevance"]) == 2} == {
        row["id"] for row in rows(f"{language}_eval") if row["question"] and row["passage"]
    }
    for row in judged:
        same = texts[row["query_id"]] == texts[row["doc_id"]]
        assert same == (row["query_id"] == row["doc_id"])
    assert {row["id"] for row in near_copies(language)} <= {
        row["doc_id"] for row in judged if int(row["relevance"]) == 2
    }


def test_some_passages_tell_a_part_of_the_answer() -> None:
    grades = Counter(int(row["relevance"]) for language in LANGUAGES for row in rows(f"{language}_qrels"))
    assert grades[1] >= 5


@pytest.fixture(scope="module", params=LANGUAGES)
def built(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Built:
    folder = tmp_path_factory.mktemp(request.param)
    return build(f"demo/{request.param}", out=folder / "made", work=folder / "work")


def test_two_systems_neither_fail_nor_saturate(built: Built) -> None:
    assert built.report is not None
    means = {system.system: system.measures["nDCG@10"].mean for system in built.report.systems}
    assert len(means) == 2
    assert min(means.values()) >= 0.4
    assert max(means.values()) <= 0.9


def test_distractors_make_it_harder(built: Built) -> None:
    assert built.report is not None
    for system in built.report.systems:
        curve = [
            point.estimate.mean
            for point in built.report.sweeps["distractors"]
            if point.measure == "nDCG@10" and point.system == system.system
        ]
        assert curve == sorted(curve, reverse=True)
        if built.manifest.name in ("minerals-de", "minerals-en"):
            assert curve[0] - curve[-1] > 0.1


def test_the_ledger_counts_what_was_put_in(built: Built) -> None:
    language = built.manifest.name[-2:]
    gold = [row["passage"] for row in rows(f"{language}_eval") if row["passage"]]
    dropped = [entry["dropped"] for entry in built.manifest.ledger]
    assert dropped == [
        {"empty question": 1, "empty passage": 1},
        {"question text seen before": 1},
        {"empty passage": 1, "identical to an earlier passage": len(gold) - len(set(gold))},
        {
            "empty passage": 1,
            "identical to a gold passage": 3,
            "near-duplicate of a gold passage": 1,
            "identical to an earlier passage": REPEATED.get(language, 2),
        },
    ]


def test_the_leaks_are_listed_with_their_reasons(built: Built) -> None:
    leaks = pq.read_table(built.folder / "provenance" / "leaks.parquet")
    reasons = Counter(leaks.column("reason").to_pylist())
    assert (reasons["gold"], reasons["near"]) == (3, 1)


def test_a_repeated_question_has_both_passages(built: Built) -> None:
    qrels = load(str(built.folder)).qrels
    positives = [len(qrels.positives(query)) for query in qrels.query_ids.to_pylist()]
    assert sorted(positives)[-2:] == [1, 2]


def test_the_nano_dataset_has_every_language_and_needs_no_extra(tmp_path: Path) -> None:
    made = build("demo/nano", out=tmp_path / "nano", work=tmp_path / "work")
    assert made.manifest.counts["splits"] == 7
    for language in LANGUAGES:
        split = load(str(tmp_path / "nano"), split=language)
        assert len(split.queries) == len(
            {row["question"] for row in rows(f"{language}_eval") if row["question"] and row["passage"]}
        )
        assert len(split.corpus) == len({normal(row["passage"]) for row in both(language) if row["passage"]})
        graded = pq.read_table(tmp_path / "nano" / "provenance" / "qrels" / f"{language}.parquet")
        assert {0, 2} <= set(graded.column("score").to_pylist())
