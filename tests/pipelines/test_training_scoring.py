"""Each distinct pair is scored exactly once: over retrievers, repeated queries, resumes and kills."""

import importlib.util
import signal
import subprocess
import sys
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pyrite.core import DataError
from pyrite.pipelines import build, training_scoring, training_systems

Make = Callable[..., Path]
SCRIPT = Path(__file__).with_name("mine_me.py")
WORDS = ["pyrite", "galena", "talc", "gypsum", "quartz", "halite", "barite", "zircon"]


@pytest.fixture
def recipe(make_mining: Make) -> Path:
    """Eight queries, of which two have one text; three documents a mineral; two retrievers; a query is extended."""
    texts = {
        f"{word[:2]}{number}": f"what {word} is, told in way {number} of {n}"
        for n, word in enumerate(WORDS)
        for number in range(3)
    }
    queries = [(f"where is {word}?", [f"{word[:2]}0"]) for word in WORDS]
    queries.append(("where is pyrite?", ["py1"]))
    path = make_mining(
        texts=texts,
        queries=queries,
        run={f"q{row}": list(texts)[row : row + 12] for row in range(8)},
        retriever=[{"system": "run:run.parquet", "depth": 12}, {"system": "bm25:en", "depth": 5}],
        teacher={"system": "scores:scores.parquet", "depth": 4},
        select={"num_negatives": 3, "absolute_margin": 9.0},
        pairs={"duplicates": "keep"},
    )
    assert len(texts) == 24
    return path


def killed(recipe: Path, name: str, die_at: int) -> int:
    """The exit code of a build that ends itself at a block, in a process of its own."""
    folder = recipe.parent
    command = [sys.executable, str(SCRIPT), str(recipe), str(folder / name), str(folder / f"work-{name}")]
    return subprocess.run([*command, str(folder / f"{name}.log"), str(die_at)], check=False).returncode


@pytest.fixture
def mine(recipe: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Builds NAME with the teacher that counts, here; its log is NAME.log."""
    spec = importlib.util.spec_from_file_location("mine_me", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "mine_me", script)
    spec.loader.exec_module(script)

    def made(name: str) -> Path:
        teacher = script.Counting(str(recipe.parent / f"{name}.log"))
        monkeypatch.setattr(training_systems, "make_scorer", lambda *_: teacher)
        monkeypatch.setattr(training_scoring, "BLOCK", script.BLOCK)
        return build(recipe, out=recipe.parent / name, work=recipe.parent / f"work-{name}").folder

    return made


def seen(recipe: Path, name: str) -> Counter[str]:
    lines = (recipe.parent / f"{name}.log").read_text(encoding="utf-8").splitlines()
    return Counter(line for line in lines if line != "block")


def pairs_of(folder: Path) -> set[str]:
    """Every pair that provenance says was scored, as texts."""
    texts = {row["id"]: row["text"] for row in pq.read_table(folder / "provenance" / "texts.parquet").to_pylist()}
    rows = pq.read_table(folder / "provenance" / "scores.parquet").to_pylist()
    return {f"{texts[row['query-id']]}\t{texts[row['corpus-id']]}" for row in rows}


def contents(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_a_counting_teacher_sees_each_distinct_pair_exactly_once(recipe: Path, mine: Callable[[str], Path]) -> None:
    folder = mine("out")
    counts = seen(recipe, "out")
    assert set(counts.values()) == {1}
    assert set(counts) == pairs_of(folder)
    # A second run scores nothing.
    mine("out")
    assert seen(recipe, "out") == counts


def test_after_a_kill_and_a_resume_each_pair_was_still_seen_once_and_the_bytes_are_the_same(
    recipe: Path, mine: Callable[[str], Path]
) -> None:
    whole = contents(mine("whole"))
    blocks = (recipe.parent / "whole.log").read_text(encoding="utf-8").count("block\n")
    assert blocks >= 3
    # The last block is of the extension.
    for die_at in (2, blocks):
        name = f"killed-{die_at}"
        assert killed(recipe, name, die_at) == -signal.SIGKILL
        assert not (recipe.parent / name).exists()
        assert 0 < len(seen(recipe, name)) < len(seen(recipe, "whole"))
        assert contents(mine(name)) == whole
        assert seen(recipe, name) == seen(recipe, "whole")


@pytest.mark.parametrize(("allowed", "refused"), [("false", True), ("true", False)])
def test_a_first_block_that_looks_squashed_is_told_of_while_others_are_to_be_scored(
    recipe: Path, mine: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch, allowed: str, refused: bool
) -> None:
    text = recipe.read_text(encoding="utf-8").replace("absolute_margin", f"allow_squashed = {allowed}\nabsolute_margin")
    recipe.write_text(text, encoding="utf-8")
    monkeypatch.setattr("mine_me.Counting.score", lambda _, pairs: np.full(len(pairs), 0.5, np.float32))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with pytest.raises(DataError) as ended:
            mine("out")
    told = [str(one.message) for one in caught if "lie within" in str(one.message)]
    # Of the first block alone, and not where the recipe expects it.
    assert [sentence.partition(" logits")[0] for sentence in told] == (["counting: all 16"] if refused else [])
    assert ("lie within [-1, 1]" in str(ended.value)) == refused


def test_pairs_come_longest_first_over_all_queries(recipe: Path, mine: Callable[[str], Path]) -> None:
    mine("out")
    text = (recipe.parent / "out.log").read_text(encoding="utf-8")
    first, *_ = text.split("block\n")[1:]
    lengths = [len(line.encode()) for line in first.splitlines()]
    assert lengths == sorted(lengths, reverse=True)


def test_scores_of_a_file_may_name_a_text_by_any_of_its_ids(make_mining: Make) -> None:
    """q2 has the text of q0, and p9 the text of p1: the file has the pairs of q2 and of p9."""
    recipe = make_mining(
        texts={"p1": "Pyrite shines.", "p9": "Pyrite shines.", "p4": "Silver shines.", "n1": "Coal.", "n2": "Clay."},
        queries=[("what shines?", ["p1"]), ("is it soft?", ["n2"]), ("what shines?", ["p9", "p4"])],
        run={"q2": ["n1", "p1"], "q1": ["n1", "p4"]},
        logits={
            "q0": {"p4": 6.1},
            "q1": {"n2": 5.0, "n1": 0.0, "p4": 0.5},
            "q2": {"p9": 8.0, "n1": 0.0},
        },
        pairs={"duplicates": "keep"},
        retriever=[{"system": "run:run.parquet", "depth": 2}],
        teacher={"system": "scores:scores.parquet", "depth": 2},
        select={"num_negatives": 1, "absolute_margin": 4.0},
    )
    folder = build(recipe, out=recipe.parent / "out", work=recipe.parent / "work").folder
    rows = pq.read_table(folder / "provenance" / "train.parquet").to_pylist()
    assert [(row["query-id"], row["positive-id"], row["negative-ids"]) for row in rows] == [
        ("q0", "p1", ["n1"]),
        ("q1", "n2", ["p4"]),
        ("q2", "p9", ["n1"]),
        ("q2", "p4", ["n1"]),
    ]


def test_pairs_that_a_file_lacks_are_counted(make_mining: Make) -> None:
    logits = {"q0": {"p1": 8.0, "p2": 7.0, "p4": 6.0, "n1": 3.0}, "q1": {"p3": 5.0, "n1": 0.1, "n2": -2.0}}
    recipe = make_mining(logits=logits)
    with pytest.raises(DataError, match="3 of 10 pairs are not in it, the first is query 'q3' with document 'n5'"):
        build(recipe, out=recipe.parent / "out", work=recipe.parent / "work")


@pytest.mark.parametrize("wrong", [float("nan"), float("inf")])
def test_a_logit_of_a_file_that_is_no_number_stops_with_the_ids(make_mining: Make, wrong: float) -> None:
    recipe = make_mining()
    table = pq.read_table(recipe.parent / "scores.parquet")
    logits = pa.array([wrong if row == 3 else value for row, value in enumerate(table["logit"].to_pylist())])
    pq.write_table(table.set_column(2, "logit", logits), recipe.parent / "scores.parquet")
    with pytest.raises(DataError, match="query 'q0' and document 'n1'"):
        build(recipe, out=recipe.parent / "out", work=recipe.parent / "work")
