"""Near-duplicates merged, and hard distractors under a guard, on tables small enough to follow by hand."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pyrite.core import DataError, RecipeError
from pyrite.pipelines import build
from pyrite.pipelines.benchmark_stages import Leaks, list_leaks

BASE = "pyrite is a brassy mineral of iron and sulphur that miners took for gold in many rivers"
EVAL = [
    ("which mineral did miners take for gold?", BASE),
    ("what was taken for gold?", BASE + " once"),
    ("what is quartz made of?", "quartz is made of silicon and oxygen, and fills veins in many a mountain"),
]
TRAIN = [
    "galena is a grey mineral of lead and sulphur",
    BASE.replace("brassy", "golden"),
    "chalcopyrite is a brassy mineral that miners took for gold as well, and of copper too",
    "talc is soft",
    "quartz veins in the mountain hold gold that miners look for",
    "galena is a grey mineral of lead and sulphur!",
    "a recipe for bread",
]
RECIPE = """\
kind = "benchmark"
name = "minerals"
language = "en"

[source.eval]
path = "eval.parquet"

[source.train]
path = "train.parquet"

[distractors]
count = "all"
"""


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    questions, passages = zip(*EVAL, strict=True)
    pq.write_table(pa.table({"query": questions, "passage": passages}), tmp_path / "eval.parquet")
    pq.write_table(pa.table({"passage": TRAIN}), tmp_path / "train.parquet")
    path = tmp_path / "minerals.toml"
    path.write_text(RECIPE)
    return path


def _rows(folder: Path, place: str) -> list[tuple[object, ...]]:
    return [tuple(row.values()) for row in pq.read_table(folder / place).to_pylist()]


def _build(recipe: Path, *overrides: str, name: str = "out", workers: int = 1) -> tuple[Path, dict[str, int]]:
    parent = recipe.parent
    built = build(recipe, out=parent / name, work=parent / f"w-{name}", overrides=overrides, workers=workers)
    entry = next(entry for entry in built.manifest.ledger if entry["stage"] == "distractors")
    return built.folder, dict(entry["dropped"])


def test_a_near_duplicate_gold_passage_is_merged_and_its_qrels_name_the_kept_one(recipe: Path) -> None:
    """O34, O35: the twin inherits the judgement instead of punishing who finds it."""
    folder, dropped = _build(recipe, "dedup.near=0.7")
    assert [row[0] for row in _rows(folder, "corpus/corpus.parquet")] == [
        *("p0", "p1", "d0", "d1", "d2", "d3", "d4", "d5")
    ]
    # "... once" shares 13 of 14 shingles with the first passage.
    assert _rows(folder, "qrels/test.parquet") == [("q0", "p0", 1), ("q1", "p0", 1), ("q2", "p1", 1)]
    assert _rows(folder, "provenance/merged.parquet") == [(1, "p0", "near")]
    # The golden variant shares 9 of 17 with it, and stays.
    assert dropped == {"near-duplicate of an earlier passage": 1}


def test_rows_that_are_near_what_is_in_the_corpus_are_on_the_leak_list(recipe: Path) -> None:
    """O39: the other punctuation of a passage leaks it all the same."""
    folder, _ = _build(recipe, "dedup.near=0.7", "distractors.count=1")
    assert _rows(folder, "provenance/leaks.parquet") == [(0, "d0", "distractor"), (5, "d0", "near")]


HARD = ("distractors.choose=hard", "distractors.system=run:ranked.parquet", "distractors.guard.near=1.0")


def _ranked(recipe: Path) -> None:
    """What a system of the user's own ranks: training rows as t0, t1, ..., without the copy of row 0."""
    ranking = {"q0": ["t1", "t2", "t4"], "q1": ["t1", "t0"], "q2": ["t4"]}
    rows = [(query, doc, rank, 9.0 - rank) for query, docs in ranking.items() for rank, doc in enumerate(docs, 1)]
    queries, docs, ranks, scores = zip(*rows, strict=True)
    table = pa.table({"query-id": queries, "corpus-id": docs, "rank": ranks, "score": scores})
    pq.write_table(table, recipe.parent / "ranked.parquet")


def _distractors(folder: Path) -> list[object]:
    return [text for doc_id, text in _rows(folder, "corpus/corpus.parquet") if str(doc_id).startswith("d")]


def test_a_row_near_a_document_is_a_leak_though_it_was_merged_into_another_passage(recipe: Path) -> None:
    """O39: B is near A, C near both; C is merged into A, which is not in the corpus, and leaks B all the same."""
    words = [f"w{number}" for number in range(40)]
    first, second, third = (" ".join(words[start : start + 34]) for start in (0, 6, 3))
    pq.write_table(pa.table({"passage": [first, second, third, third]}), recipe.parent / "train.parquet")
    table = pa.table({"query-id": ["q0"], "corpus-id": ["t1"], "rank": [1], "score": [1.0]})
    pq.write_table(table, recipe.parent / "ranked.parquet")
    # Shingles: 30 a text; 27 of 33 shared with C (0.82), 24 of 36 between A and B (0.67).
    folder, _ = _build(recipe, *HARD, "distractors.count=1", "dedup.near=0.75")
    assert _distractors(folder) == [second]
    assert _rows(folder, "provenance/leaks.parquet") == [
        (1, "d0", "distractor"),
        (2, "d0", "near"),
        (3, "d0", "near"),
    ]


def test_hard_distractors_come_round_robin_over_the_queries(recipe: Path) -> None:
    _ranked(recipe)
    folder, dropped = _build(recipe, *HARD, "distractors.count=4")
    # Round 1: q0 takes t1, q1 its next that is free, t0, and q2 t4; round 2: q0 takes t2.
    assert _distractors(folder) == [TRAIN[1], TRAIN[0], TRAIN[4], TRAIN[2]]
    assert dropped == {"not among the hardest": 3}
    assert _rows(folder, "provenance/leaks.parquet") == [
        (0, "d1", "distractor"),
        (1, "d0", "distractor"),
        (2, "d3", "distractor"),
        (4, "d2", "distractor"),
    ]


def test_bm25_ranks_where_no_system_is_named(recipe: Path) -> None:
    folder, _ = _build(recipe, "distractors.choose=hard", "distractors.count=2")
    assert set(_distractors(folder)) == {TRAIN[2], TRAIN[4]}


def test_the_guard_keeps_near_duplicates_of_a_positive_out(recipe: Path) -> None:
    _ranked(recipe)
    folder, dropped = _build(recipe, *HARD[:2], "distractors.count=3", "distractors.guard.near=0.4")
    assert _distractors(folder) == [TRAIN[2], TRAIN[0], TRAIN[4]]
    assert dropped["guarded: near-duplicate of a gold passage"] == 1


def _scores(recipe: Path, rows: list[tuple[str, str, float]]) -> None:
    queries, docs, logits = zip(*rows, strict=True)
    pq.write_table(
        pa.table({"query-id": queries, "corpus-id": docs, "logit": logits}), recipe.parent / "scores.parquet"
    )


def test_a_planted_second_positive_is_never_a_distractor_when_the_teacher_guards(recipe: Path) -> None:
    """O10: training row 1 answers q0; its judgement is hidden, and the teacher scores it like the positive."""
    positives = [("q0", "p0", 6.0), ("q1", "p1", 5.0), ("q2", "p2", 5.0)]
    others = [(f"q{query}", f"t{row}", -3.0) for query in range(3) for row in (0, 2, 3, 4, 5, 6)]
    _scores(recipe, [*positives, *others, ("q0", "t1", 5.5), ("q1", "t1", -3.0)])
    _ranked(recipe)
    settings = (*HARD, "distractors.count=2")
    guard = ("distractors.guard.system=scores:scores.parquet", "distractors.guard.margin=1.0")
    free, _ = _build(recipe, *settings, name="free")
    guarded, dropped = _build(recipe, *settings, *guard, name="guarded")
    assert _distractors(free) == [TRAIN[1], TRAIN[0]]
    assert _distractors(guarded) == [TRAIN[2], TRAIN[0]]
    assert dropped["guarded: scored like a positive"] == 1


def test_a_guard_that_has_not_scored_a_positive_says_so(recipe: Path) -> None:
    _scores(recipe, [("q0", "p0", 6.0), ("q1", "p1", 5.0), ("q2", "t1", 5.0)])
    with pytest.raises(DataError, match="no positive of query 'q2' is scored"):
        _build(
            recipe,
            "distractors.choose=hard",
            "distractors.count=2",
            "distractors.guard.system=scores:scores.parquet",
        )


def test_a_candidate_that_the_guard_has_not_scored_cannot_pass_it(recipe: Path) -> None:
    _ranked(recipe)
    _scores(recipe, [("q0", "p0", 6.0), ("q1", "p1", 5.0), ("q2", "p2", 5.0), ("q1", "t0", -3.0), ("q0", "t4", -3.0)])
    folder, _ = _build(recipe, *HARD, "distractors.count=2", "distractors.guard.system=scores:scores.parquet")
    assert _distractors(folder) == [TRAIN[4], TRAIN[0]]


def test_more_hard_distractors_than_are_ranked_stop_the_build(recipe: Path) -> None:
    _ranked(recipe)
    with pytest.raises(
        DataError, match=r"5 distractors are wanted and the training table has 4 passages that run:ranked.parquet ranks"
    ):
        _build(recipe, *HARD, "distractors.count=5")


def test_hard_and_all_contradict_each_other(recipe: Path) -> None:
    with pytest.raises(RecipeError, match="leaves nothing to choose"):
        _build(recipe, "distractors.choose=hard")


def _bytes(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


@pytest.mark.parametrize("settings", [["distractors.choose=hard", "distractors.count=3"], ["dedup.near=0.7"]])
def test_workers_change_no_byte(recipe: Path, settings: list[str]) -> None:
    one, _ = _build(recipe, *settings, name="one")
    two, _ = _build(recipe, *settings, name="two", workers=2)
    assert _bytes(one) == _bytes(two)


def test_the_leak_list_is_the_same_file_however_many_rows_are_listed_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    leaks = Leaks(np.array([1, -1, 0, 2, -1, 3], np.int32), np.array([False, True, False, True, False, False]), 2)
    assert list_leaks(leaks, {}, tmp_path / "whole.parquet") == {"rows": 4}
    monkeypatch.setattr("pyrite.pipelines.benchmark_stages.LISTED", 2)
    list_leaks(leaks, {}, tmp_path / "parts.parquet")
    assert (tmp_path / "parts.parquet").read_bytes() == (tmp_path / "whole.parquet").read_bytes()
    assert pq.read_table(tmp_path / "whole.parquet").to_pydict() == {
        "train_row": [0, 2, 3, 5],
        "corpus-id": ["p1", "p0", "d0", "d1"],
        "reason": ["gold", "gold", "near", "distractor"],
    }
