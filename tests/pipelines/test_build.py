"""The whole benchmark road on tables small enough to count by hand."""

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pyrite.core import DataError, RecipeError
from pyrite.pipelines import build

EVAL = [
    ("what shines?", "Pyrite shines."),
    ("what is soft?", "Gold is soft."),
    ("what shines?", "Gold shines too."),
    (None, "Copper is red."),
    ("what is empty?", " "),
    ("what is red?", "Copper is red."),
]
TRAIN = ["Gold is soft.", "Quartz is hard.", "", "Talc is soft.", "Quartz is hard.", "pyrite SHINES. ", "Zinc is blue."]

RECIPE = """\
kind = "benchmark"
name = "minerals"
language = "en"

[source.eval]
path = "eval.parquet"
columns = { query = "question", passage = "passage_text" }

[source.train]
path = "train.parquet"
columns = { passage = "passage_text" }

[queries]
duplicates = "merge"

[distractors]
count = "all"
"""


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    questions, passages = zip(*EVAL, strict=True)
    pq.write_table(pa.table({"question": questions, "passage_text": passages}), tmp_path / "eval.parquet")
    pq.write_table(pa.table({"passage_text": TRAIN}), tmp_path / "train.parquet")
    path = tmp_path / "minerals.toml"
    path.write_text(RECIPE)
    return path


def _build(recipe: Path, *overrides: str, name: str = "out", workers: int = 1) -> Path:
    parent = recipe.parent
    built = build(recipe, out=parent / name, work=parent / f"work-{name}", overrides=overrides, workers=workers)
    return built.folder


def _corpus(folder: Path) -> dict[str, str]:
    tables = [pq.read_table(path) for path in sorted((folder / "corpus").glob("*.parquet"))]
    return {row["_id"]: row["text"] for table in tables for row in table.to_pylist()}


def _rows(folder: Path, place: str) -> list[tuple[object, ...]]:
    return [tuple(row.values()) for row in pq.read_table(folder / place).to_pylist()]


def test_a_small_benchmark_is_what_was_counted_by_hand(recipe: Path) -> None:
    folder = _build(recipe)
    assert _corpus(folder) == {
        "p0": "Pyrite shines.",
        "p1": "Gold is soft.",
        "p2": "Gold shines too.",
        "p3": "Copper is red.",
        "d0": "Quartz is hard.",
        "d1": "Talc is soft.",
        "d2": "pyrite SHINES. ",
        "d3": "Zinc is blue.",
    }
    assert _rows(folder, "queries/queries.parquet") == [
        ("q0", "what shines?"),
        ("q1", "what is soft?"),
        ("q2", "what is red?"),
    ]
    assert _rows(folder, "qrels/test.parquet") == [
        ("q0", "p0", 1),
        ("q0", "p2", 1),
        ("q1", "p1", 1),
        ("q2", "p3", 1),
    ]
    assert _rows(folder, "provenance/leaks.parquet") == [
        (0, "p1", "gold"),
        (1, "d0", "distractor"),
        (3, "d1", "distractor"),
        (4, "d0", "distractor"),
        (5, "d2", "distractor"),
        (6, "d3", "distractor"),
    ]
    counts = json.loads((folder / "manifest.json").read_text())["counts"]
    assert counts == {"queries": 3, "gold": 4, "distractors": 4, "corpus": 8, "qrels": 4}


def test_kept_duplicates_are_a_query_a_row(recipe: Path) -> None:
    folder = _build(recipe, "queries.duplicates=keep")
    assert _rows(folder, "queries/queries.parquet") == [
        ("q0", "what shines?"),
        ("q1", "what is soft?"),
        ("q2", "what shines?"),
        ("q3", "what is red?"),
    ]
    assert _rows(folder, "qrels/test.parquet") == [("q0", "p0", 1), ("q1", "p1", 1), ("q2", "p2", 1), ("q3", "p3", 1)]
    assert json.loads((folder / "manifest.json").read_text())["facts"]["repeated_query_texts"] == 1


def test_the_first_k_distractors_and_their_later_copies_are_on_the_leak_list(recipe: Path) -> None:
    folder = _build(recipe, "distractors.count=1")
    assert [doc_id for doc_id in _corpus(folder) if doc_id.startswith("d")] == ["d0"]
    # Row 4 is a copy of d0 that stands past the last distractor taken.
    assert _rows(folder, "provenance/leaks.parquet") == [
        (0, "p1", "gold"),
        (1, "d0", "distractor"),
        (4, "d0", "distractor"),
    ]


def test_normalised_identity_finds_a_copy_in_another_case(recipe: Path) -> None:
    folder = _build(recipe, "dedup.identical=normalised")
    assert "pyrite SHINES. " not in _corpus(folder).values()
    assert (5, "p0", "gold") in _rows(folder, "provenance/leaks.parquet")


def test_no_distractors_need_no_training_table(recipe: Path) -> None:
    recipe.write_text(RECIPE.split("[source.train]")[0] + "[distractors]\ncount = 0\n")
    folder = _build(recipe)
    assert list(_corpus(folder)) == ["p0", "p1", "p2", "p3"]
    assert _rows(folder, "provenance/leaks.parquet") == []


def test_too_few_training_passages_stop_the_build_and_leave_nothing(recipe: Path) -> None:
    with pytest.raises(DataError, match="5 distractors are wanted and the training table has 4 distinct"):
        _build(recipe, "distractors.count=5")
    assert not (recipe.parent / "out").exists()
    assert not [path for path in recipe.parent.iterdir() if path.name.startswith(".out")]


def test_a_count_that_is_not_as_expected_shows_both_numbers(recipe: Path) -> None:
    with pytest.raises(DataError, match="queries is 3, expected 4; corpus is 8, expected 9"):
        _build(recipe, "expect.queries=4", "expect.corpus=9")
    assert not (recipe.parent / "out").exists()


def test_an_expected_digest_holds_for_the_same_data_only(recipe: Path) -> None:
    digest = json.loads((_build(recipe) / "manifest.json").read_text())["content"]["digest"]
    _build(recipe, f'expect.digest="{digest}"', name="again")
    with pytest.raises(DataError, match=f"expected {digest}"):
        _build(recipe, f'expect.digest="{digest}"', "distractors.count=1", name="other")


def _bytes(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_workers_and_a_second_build_change_no_byte(recipe: Path) -> None:
    first = _bytes(_build(recipe, "evaluate.systems=['bm25']", "evaluate.distractors=[0, 'all']"))
    second = _bytes(_build(recipe, "evaluate.systems=['bm25']", "evaluate.distractors=[0, 'all']", name="b", workers=2))
    assert first == second
    assert "results/report.json" in first


def test_building_again_runs_no_finished_shard_again(recipe: Path) -> None:
    work = recipe.parent / "work"
    build(recipe, out=recipe.parent / "out", work=work)
    again = build(recipe, out=recipe.parent / "out", work=work)
    assert {name: (stage.done_before, stage.done_now) for name, stage in again.stages.items()} == {
        "scan": (2, 0),
        "corpus": (1, 0),
        "table": (3, 0),
        "leaks": (1, 0),
    }


def test_a_changed_input_is_read_again(recipe: Path) -> None:
    work = recipe.parent / "work"
    build(recipe, out=recipe.parent / "out", work=work)
    pq.write_table(pa.table({"passage_text": [*TRAIN, "Tin is grey."]}), recipe.parent / "train.parquet")
    again = build(recipe, out=recipe.parent / "out", work=work)
    assert again.manifest.counts["distractors"] == 5
    assert again.stages["scan"].done_before == 1


def test_a_corpus_above_the_file_size_is_cut_in_order(recipe: Path) -> None:
    long = [f"passage {number} " + "x" * 300_000 for number in range(8)]
    pq.write_table(pa.table({"passage_text": long}), recipe.parent / "train.parquet")
    folder = _build(recipe, "shard_bytes=1_000_000")
    assert sorted(path.name for path in (folder / "corpus").iterdir()) == [
        "corpus-00000-of-00003.parquet",
        "corpus-00001-of-00003.parquet",
        "corpus-00002-of-00003.parquet",
    ]
    assert list(_corpus(folder)) == [*(f"p{n}" for n in range(4)), *(f"d{n}" for n in range(8))]
    assert [text[:9] for doc_id, text in _corpus(folder).items() if doc_id.startswith("d")] == [
        f"passage {n}" for n in range(8)
    ]


def test_a_folder_with_something_else_in_it_is_refused(recipe: Path) -> None:
    (recipe.parent / "out").mkdir()
    (recipe.parent / "out" / "thesis.txt").write_text("mine")
    with pytest.raises(RecipeError, match="is a folder with other files in it"):
        _build(recipe)
    assert (recipe.parent / "out" / "thesis.txt").read_text() == "mine"


def test_another_recipes_build_is_refused(recipe: Path) -> None:
    _build(recipe)
    with pytest.raises(RecipeError, match="holds the benchmark 'minerals', not 'gems'"):
        _build(recipe, "name=gems")


def test_a_sentence_written_into_the_card_by_hand_survives_a_rebuild(recipe: Path) -> None:
    folder = _build(recipe)
    card = folder / "README.md"
    card.write_text(card.read_text() + "\n## A word of thanks\n\nTo the geologists.\n")
    assert "To the geologists." in (_build(recipe) / "README.md").read_text()


def test_a_random_choice_follows_its_seed(recipe: Path) -> None:
    rows = [f"Mineral {number}." for number in range(60)]
    pq.write_table(pa.table({"passage_text": rows}), recipe.parent / "train.parquet")
    settings = ("distractors.count=10", "distractors.choose=random")
    one, same = (_corpus(_build(recipe, *settings, "distractors.seed=1", name=name)) for name in ("a", "b"))
    other = _corpus(_build(recipe, *settings, "distractors.seed=2", name="c"))
    assert one == same != other
    chosen = [int(text[8:-1]) for doc_id, text in one.items() if doc_id.startswith("d")]
    assert len(chosen) == 10
    assert chosen == sorted(chosen)
