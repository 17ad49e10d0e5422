"""A cleaned mined set: what is relevant is no negative, and other scored candidates take its place by its own rules."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from pyrite.auditing import Remedy
from pyrite.core import DataError
from pyrite.formats import Review, append_review
from pyrite.pipelines import Applied, AuditRequest, Other, apply_audit, audit, build, refilter
from pyrite.publishing import check_folder, verify_folder

Make = Callable[..., Path]
LOGITS = {
    "q0": {"p1": 8.0, "p2": 7.0, "p4": 6.0, "n1": 8.0, "n2": 1.0, "n3": 2.5, "n4": -1.003},
    "q1": {"p3": 5.0, "n1": 0.0, "n2": -2.0, "n3": -3.0, "n4": -4.0, "n5": -5.0},
    "q3": {"p5": 2.5, "n5": 3.5, "n6": -2.0, "n1": -3.0},
}


@pytest.fixture
def folder(make_mining: Make, tmp_path: Path) -> Path:
    """No margin: n1, which scores like the best positive, is a negative of all three rows of q0; n5 of q3's."""
    select = {"num_negatives": 2, "absolute_margin": -99.0}
    teacher = {"system": "scores:scores.parquet", "depth": 6}
    recipe = make_mining(logits=LOGITS, select=select, teacher=teacher, expect={"pairs": 5})
    return build(recipe, out=tmp_path / "mined", work=tmp_path / "work").folder


def rows(folder: Path) -> dict[tuple[str, str], list[str]]:
    table = pq.read_table(folder / "provenance" / "train.parquet").to_pylist()
    return {(row["query-id"], row["positive-id"]): row["negative-ids"] for row in table}


def applied(folder: Path, remedy: Remedy, *, decide: dict[str, str] | None = None, **asked: Any) -> Applied:
    made = audit(AuditRequest(str(folder), **asked), out=folder.parent / "audit")
    items = {row["corpus-id"]: row for row in made.queue.to_pylist()}
    for document, decision in (decide or {}).items():
        row = items[document]
        review = Review(row["item"], row["query-id"], document, decision)  # type: ignore[arg-type]
        append_review(made.folder / "review.jsonl", review)
    done = apply_audit(made, str(folder), out=folder.parent / "clean", remedy=remedy)
    assert [str(offence) for offence in check_folder(done.folder)] == []
    assert [str(offence) for offence in verify_folder(done.folder)] == []
    return done


def test_a_false_negative_goes_and_the_next_candidate_takes_its_place(folder: Path) -> None:
    before = rows(folder)
    assert before[("q0", "p1")] == ["n1", "n3"]
    done = applied(folder, Remedy(), decide={"n1": "relevant"})
    after = rows(done.folder)
    assert after[("q0", "p1")] == after[("q0", "p4")] == ["n3", "n2"]
    assert {key: negatives for key, negatives in after.items() if key[0] != "q0"} == {
        key: negatives for key, negatives in before.items() if key[0] != "q0"
    }
    negatives = next(entry for entry in done.ledger.entries if entry.stage == "audit: negatives of n-tuples")
    assert negatives.dropped == {"decided to be no negative of the query": 3}
    assert negatives.notes == ("3 other candidates are negatives now",)
    known = pq.read_table(done.folder / "provenance" / "pairs.parquet").to_pylist()
    assert {"query-id": "q0", "corpus-id": "n1", "row": None} in known
    assert "n1" not in pq.read_table(done.folder / "pairs" / "train.parquet")["positive"].to_pylist()


def test_the_copy_can_be_selected_again_and_the_decision_holds(folder: Path, tmp_path: Path) -> None:
    done = applied(folder, Remedy(), decide={"n1": "relevant"})
    again = refilter(done.folder, out=tmp_path / "again", overrides=["select.num_negatives=1"]).folder
    assert rows(again)[("q0", "p1")] == ["n3"]
    assert check_folder(again) == []
    assert "This is a copy of minerals-mined" in (again / "README.md").read_text()


def test_a_row_without_enough_other_candidates_goes_with_a_reason(folder: Path) -> None:
    done = applied(folder, Remedy(relevant_at=3.0))
    assert ("q3", "p5") in rows(folder)
    after = rows(done.folder)
    assert after[("q3", "p5")] == ["n6", "n1"], "n5 scores 3.5 by the set's own teacher"
    few = applied(folder, Remedy(relevant_at=3.0), decide={})
    assert few.manifest.counts["too_few_candidates"] == 0


def test_rows_of_a_query_that_leaks_are_taken_out(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "eval.jsonl").write_text('{"query": "What is HARD?"}\n')
    other = Other(str(tmp_path / "eval.jsonl"), {"query": "query"})
    done = applied(folder, Remedy(drop_leaks=True), other=other)
    assert {query for query, _ in rows(done.folder)} == {"q0", "q1"}
    pairs = next(entry for entry in done.ledger.entries if entry.stage == "audit: pairs")
    assert (pairs.rows_in, pairs.rows_out, pairs.dropped) == (5, 4, {"leak": 1})
    assert done.manifest.counts["pairs"] == 4


def test_a_set_of_which_no_pair_is_left_is_refused(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "eval.jsonl").write_text('{"q": "what shines?"}\n{"q": "what is soft?"}\n{"q": "what is hard?"}\n')
    other = Other(str(tmp_path / "eval.jsonl"), {"query": "q"})
    with pytest.raises(DataError, match="no pair is left"):
        applied(folder, Remedy(drop_leaks=True), other=other)
    assert not (tmp_path / "clean").exists()
