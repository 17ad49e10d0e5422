"""The whole mining road on tables small enough to count by hand."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pyrite.core import DataError
from pyrite.formats import DataWarning, read_manifest
from pyrite.pipelines import build

Make = Callable[..., Path]


def rows(folder: Path, config: str) -> list[dict[str, Any]]:
    return pq.read_table(folder / config / "train.parquet").to_pylist()


def mined(recipe: Path, name: str = "out", *overrides: str, **settings: Any) -> Path:
    parent = recipe.parent
    return build(recipe, out=parent / name, work=parent / f"work-{name}", overrides=overrides, **settings).folder


def tuples(folder: Path, config: str = "n-tuples") -> list[tuple[Any, ...]]:
    return [tuple(row.values()) for row in rows(folder, config)]


SHINES, SOFT = "what shines?", "what is soft?"
PYRITE, GOLD, TALC, SILVER = "Pyrite shines.", "Gold shines too.", "Talc is soft.", "Silver shines."
COAL, CLAY, SAND, ICE = "Coal is black.", "Clay is wet.", "Sand is loose.", "Ice is cold."
FULL = [
    (SHINES, PYRITE, COAL, SAND, [8.0, 3.0, 2.5]),
    (SHINES, GOLD, COAL, SAND, [7.0, 3.0, 2.5]),
    (SOFT, TALC, COAL, CLAY, [5.0, 0.0, -2.0]),
    (SHINES, SILVER, CLAY, ICE, [6.0, 1.0, pytest.approx(-1.003)]),
]


def test_a_small_set_is_what_was_worked_out_by_hand(mined_folder: Path) -> None:
    assert tuples(mined_folder, "pairs") == [
        (SHINES, PYRITE),
        (SHINES, GOLD),
        (SOFT, TALC),
        (SHINES, SILVER),
        ("what is hard?", "Diamond is hard."),
    ]
    assert tuples(mined_folder) == FULL
    assert tuples(mined_folder, "triplets") == [row[:3] for row in FULL]
    # By mean(negatives) - 0.1 * margin: 2.25, 2.35, -1.5, about -0.5.
    assert tuples(mined_folder, "n-tuples-filtered") == [FULL[1], FULL[0], FULL[3], FULL[2]]


def test_provenance_says_where_every_negative_comes_from(mined_folder: Path) -> None:
    first, _, soft, silver = rows(mined_folder, "provenance")
    assert {name: first[name] for name in ("row", "query-id", "positive-id", "negative-ids", "ranks", "chosen")} == {
        "row": 0,
        "query-id": "q0",
        "positive-id": "p1",
        "negative-ids": ["n1", "n3"],
        "ranks": [2, 5],
        "chosen": ["margin", "extended"],
    }
    assert first["retrievers"] == ["run:run", "run:run"]
    assert first["scores"] == [0.5, 0.2]
    assert first["logits"] == [3.0, 2.5]
    assert (first["filtered_row"], first["verdict"], first["quality_score"]) == (1, "valid", 2.25)
    assert soft["chosen"] == ["margin", "margin"]
    assert silver["chosen"] == ["extended", "extended"]


def test_every_scored_pair_is_kept_with_the_rows_that_were_dropped(mined_folder: Path) -> None:
    scores = pq.read_table(mined_folder / "provenance" / "scores.parquet").to_pylist()
    by_query: dict[str, list[str]] = {}
    for row in scores:
        by_query.setdefault(row["query-id"], []).append(row["corpus-id"])
    # q0 is short, so that its ranks 4 to 6 are scored too; p2 was found by no one; q3 is weak.
    assert by_query == {
        "q0": ["p1", "n1", "p4", "n2", "n3", "n4", "p2"],
        "q1": ["n1", "p3", "n2"],
        "q3": ["n5", "n6", "p5"],
    }
    unfound = next(row for row in scores if row["corpus-id"] == "p2")
    assert (unfound["retriever"], unfound["rank"], unfound["score"], unfound["logit"]) == (None, None, None, 7.0)


def test_statistics_and_counts_add_up(mined_folder: Path) -> None:
    """O15, O06: rows in are rows full, topped up and dropped; and candidates are counted by rule."""
    manifest = read_manifest(mined_folder)
    assert manifest.counts == {
        "queries": 3,
        "pairs": 5,
        "unique_positives": 5,
        "corpus": 11,
        "pool": 11,
        "scored": 13,
        "weak_positive": 1,
        "too_few_candidates": 0,
        "margin_only": 4,
        "top_up": 0,
        "negatives": 8,
        "triplets": 4,
        "n-tuples": 4,
        "n-tuples-filtered": 4,
    }
    told = manifest.facts["statistics"]
    assert (told["input_rows"], told["extended"], told["origins"]) == (5, 3, {"margin": 4, "extended": 4, "top-up": 0})
    # Three rows of q0 look at ranks 1 to 6, and the row of q1 at 1 to 3; p1, p4 and p3 are positives.
    assert told["candidates"] == {
        "looked at": 21,
        "no negative of the query": 7,
        "outside the ranks in use": 0,
        "above max_score": 0,
        "below min_score": 0,
        "within the margin": 2,
        "left to choose from": 12,
    }
    assert told["positive_logit"] == [5.0, 6.5, 6.5, 8.0]
    stages = {entry["stage"]: (entry["in"], entry["kept"], entry["dropped"]) for entry in manifest.ledger}
    assert stages["queries"] == (4, 3, {"query text seen before": 1})
    assert stages["select negatives"] == (5, 4, {"weak positive": 1})


def test_kept_duplicates_are_a_row_a_query_row_and_still_share_their_positives(make_mining: Make) -> None:
    recipe = make_mining(pairs={"duplicates": "keep"})
    folder = mined(recipe)
    assert tuples(folder) == FULL
    assert [row["query-id"] for row in rows(folder, "provenance")] == ["q0", "q0", "q1", "q2"]
    assert read_manifest(folder).counts["queries"] == 4
    # Each distinct pair of texts is scored once, whatever the ids.
    assert read_manifest(folder).counts["scored"] == 13


def test_workers_a_second_run_and_the_hash_seed_change_no_byte(make_mining: Make) -> None:
    """O18."""
    recipe = make_mining(
        pool={"sample": 4, "seed": 7}, retriever=[{"system": "bm25:en", "depth": 6}], teacher={"depth": 6}
    )
    scores = [
        (q, d, 6.1 if d.startswith("p") else -float(place) / 3)
        for q in ("q0", "q1", "q3")
        for place, d in enumerate([f"p{n}" for n in range(1, 6)] + [f"n{n}" for n in range(1, 7)])
    ]
    columns = list(zip(*scores, strict=True))
    table = pa.table({"query-id": columns[0], "corpus-id": columns[1], "logit": columns[2]})
    pq.write_table(table, recipe.parent / "scores.parquet")
    extra = ["select.num_negatives=1", "select.short_rows=keep", "select.positive_min=1"]
    first = contents(mined(recipe, "a", *extra))
    assert contents(mined(recipe, "b", *extra, workers=2)) == first
    command = [sys.executable, "-m", "pyrite.cli", "build", str(recipe), "--out", str(recipe.parent / "c")]
    for setting in extra:
        command += ["--set", setting]
    # This process has a hash seed of its own, by chance.
    environment = {**os.environ, "PYTHONHASHSEED": "1"}
    subprocess.run([*command, "--work", str(recipe.parent / "w"), "--quiet"], env=environment, check=True)
    assert contents(recipe.parent / "c") == first


def contents(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_a_count_that_is_not_as_expected_stops_before_anything_is_scored(make_mining: Make) -> None:
    recipe = make_mining(expect={"pairs": 6}, logits={"q0": {"p1": 1.5}})
    with pytest.raises(DataError, match="pairs is 5, expected 6"):
        mined(recipe)
    with pytest.raises(DataError, match="n-tuples is 4, expected 5"):
        mined(make_mining(expect={"n-tuples": 5}))


def test_published_numbers_stand_beside_ours_and_are_not_enforced(make_mining: Make) -> None:
    published = {"n-tuples": 5, "margin": [4.0, 5.5, 6.7, 19.2], "unheard": 3}
    told = read_manifest(mined(make_mining(published=published))).published
    assert told[0] == {"name": "n-tuples", "published": 5, "built": 4}
    assert told[1]["built"] == [4.0, 5.0, 4.75, 5.0]
    assert told[2] == {"name": "unheard", "published": 3, "built": None}


def test_a_short_row_is_dropped_topped_up_or_kept_apart(make_mining: Make) -> None:
    """O16: nothing is padded."""
    strict = {"absolute_margin": 6.5}
    dropped = mined(make_mining(select=strict), "dropped")
    # 8 - 6.5: n2 and n4; 5 - 6.5: n2 and deeper; 7 - 6.5 and 6 - 6.5: n4 alone.
    assert [row[-1] for row in tuples(dropped)] == [[8.0, 1.0, pytest.approx(-1.003)], [5.0, -2.0, -3.0]]
    assert read_manifest(dropped).counts["too_few_candidates"] == 2
    assert not (dropped / "n-tuples-short").exists()
    topped = mined(make_mining(select={**strict, "top_up": True}), "topped")
    assert [row[-1] for row in tuples(topped)][1] == [7.0, pytest.approx(-1.003), 3.0]
    assert rows(topped, "provenance")[1]["chosen"] == ["extended", "top-up"]
    assert read_manifest(topped).counts["top_up"] == 2
    kept = mined(make_mining(select={**strict, "short_rows": "keep"}), "kept")
    assert tuples(kept, "n-tuples-short") == [
        (SHINES, GOLD, [ICE], [7.0, pytest.approx(-1.003)]),
        (SHINES, SILVER, [ICE], [6.0, pytest.approx(-1.003)]),
    ]
    assert tuples(kept) == tuples(dropped)
    assert read_manifest(kept).counts["n-tuples-short"] == 2


def test_squashed_labels_are_refused_unless_they_are_allowed(make_mining: Make) -> None:
    """O17."""
    logits = {
        "q0": {"p1": 0.99, "p2": 0.98, "p4": 0.97, "n1": 0.1, "n2": 0.11, "n3": 0.12, "n4": 0.13},
        "q1": {"p3": 0.9, "n1": 0.2, "n2": 0.1},
        "q3": {"p5": 0.8, "n5": 0.3, "n6": 0.2},
    }
    select = {"positive_min": 0.5, "absolute_margin": 0.3}
    with pytest.raises(DataError, match="lie within"):
        mined(make_mining(logits=logits, select=select))
    folder = mined(make_mining(logits=logits, select={**select, "allow_squashed": True}))
    assert len(tuples(folder)) == 5


def test_logits_of_half_precision_are_told_on_the_terminal_and_the_card(make_mining: Make) -> None:
    logits = {
        "q0": {"p1": 8.0, "p2": 7.0, "p4": 6.0, "n1": 3.0, "n2": 1.0, "n3": 2.5, "n4": -1.0},
        "q1": {"p3": 5.0, "n1": 0.0, "n2": -2.0},
        "q3": {"p5": 1.0, "n5": -1.0, "n6": -2.0},
    }
    with pytest.warns(DataWarning, match="float16"):
        folder = mined(make_mining(logits=logits))
    assert "every logit is a float16 number" in (folder / "README.md").read_text(encoding="utf-8")


def test_no_row_left_is_an_error_that_says_why(make_mining: Make) -> None:
    with pytest.raises(DataError, match="no row is left: 5 positives are weak and 0 rows have too few candidates"):
        mined(make_mining(select={"positive_min": 100.0}))


def test_the_manifest_names_teacher_and_retrievers_with_what_decides_them(mined_folder: Path) -> None:
    """X02: the scorer of the labels is named."""
    facts = json.loads((mined_folder / "manifest.json").read_text())["facts"]
    assert facts["teacher"]["name"] == "scores:scores"
    assert facts["teacher"]["depth"] == 3
    assert [(one["name"], one["depth"]) for one in facts["retrievers"]] == [("run:run", 6)]
    assert all(len(one["digest"]) == 32 for one in [facts["teacher"], *facts["retrievers"]])
