"""A whole audit: what was planted is found, counts add up, the dataset is as it was, the same bytes every time."""

import csv
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.compute as pc
import pytest

from pyrite.auditing import AuditRules
from pyrite.core import Collection, Corpus, DataError, Document, Qrels, Queries, Query, RecipeError
from pyrite.formats import DataWarning, Review, append_review, read_review, write_beir
from pyrite.pipelines import Audited, AuditRequest, Other, audit, build, read_audit

Make = Callable[..., Path]
GOLD = "Pyrite is an iron sulfide whose brass colour earned it the name fool's gold among miners of the old west"
TEXTS = {
    "p0": GOLD,
    "p1": "Galena is lead sulfide and the chief ore of lead.",
    "copy": GOLD.upper(),
    "paraphrase": "Iron sulfide, taken for gold by fools, is pyrite: fool's gold indeed, what else is fool's gold?",
    "zero": "Gold is an element.",
    "other": "Coal is black.",
}
JUDGED = {"q0": {"p0": 1, "zero": 0}, "q1": {"p1": 1}}
ASKED = {"q0": "what is fool's gold?", "q1": "which is the ore of lead?"}
LOGITS = {
    "q0": {"p0": 4.0, "copy": 4.5, "paraphrase": 6.0, "zero": 9.0, "other": -5.0},
    "q1": {"p1": 3.0, "p0": 1.0, "copy": 1.0, "other": -2.0},
}


@pytest.fixture
def minerals(tmp_path: Path) -> Path:
    """A collection with a planted copy of a positive, and a planted paraphrase that the teacher prefers to it."""
    collection = Collection(
        "minerals",
        "en",
        Corpus.of(Document(doc, text) for doc, text in TEXTS.items()),
        Queries.of(Query(query, text) for query, text in ASKED.items()),
        Qrels.of(JUDGED),
    )
    write_beir(tmp_path / "minerals", collection)
    with (tmp_path / "logits.csv").open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["query-id", "corpus-id", "logit"])
        rows.writerows((query, doc, logit) for query, docs in LOGITS.items() for doc, logit in docs.items())
    return tmp_path / "minerals"


def run(folder: Path, out: str = "audit", **asked: Any) -> Audited:
    request = {"systems": ("bm25:en", "bm25:en,k1=0.5"), "teacher": f"scores:{folder.parent}/logits.csv", **asked}
    return audit(AuditRequest(str(folder), **request), out=folder.parent / out, work=folder.parent / "work")


def items(audited: Audited, kind: str) -> list[dict[str, Any]]:
    return audited.queue.filter(pc.equal(audited.queue["kind"], kind)).to_pylist()


def test_the_planted_paraphrase_and_the_planted_copy_are_found(minerals: Path) -> None:
    # O10, O11: a document that says the same is no negative, whatever its id and its words.
    made = run(minerals)
    (missed,) = items(made, "false negative")
    assert (missed["query-id"], missed["corpus-id"], missed["positive-id"]) == ("q0", "paraphrase", "p0")
    assert (missed["logit"], missed["positive_logit"], missed["above"]) == (6.0, 4.0, 3)
    (near,) = items(made, "near-duplicate")
    assert (near["query-id"], near["corpus-id"], near["positive-id"]) == ("q0", "copy", "p0")


def test_thirty_paraphrases_of_the_answer_are_thirty_suspicions_and_one_ambiguous_query(tmp_path: Path) -> None:
    # O10: where paraphrases of the answer fill ranks 1 to 30, a rank says nothing of relevance.
    texts = {f"a{n}": f"Fool's gold {n}: pyrite is the mineral called fool's gold." for n in range(30)}
    collection = Collection(
        "many",
        "en",
        Corpus.of(Document(doc, text) for doc, text in {**texts, "p": "Pyrite.", "x": "Coal burns."}.items()),
        Queries.of([Query("q0", "what is fool's gold?")]),
        Qrels.of({"q0": {"p": 1}}),
    )
    write_beir(tmp_path / "many", collection)
    scores = {**dict.fromkeys(texts, 5.0), "p": 5.0, "x": -5.0}
    rows = "".join(f"q0,{doc},{logit}\n" for doc, logit in scores.items())
    (tmp_path / "logits.csv").write_text(f"query-id,corpus-id,logit\n{rows}")
    made = run(tmp_path / "many", systems=("bm25:en",))
    assert [row["corpus-id"] for row in items(made, "false negative")][:3] == ["a0", "a1", "a2"]
    assert len(items(made, "false negative")) == 30
    assert items(made, "ambiguous") == [], "equal logits are not above"
    few = run(tmp_path / "many", "few", systems=("bm25:en", "bm25:en,k1=0.5"), teacher="")
    assert (len(items(few, "false negative")), [row["above"] for row in items(few, "ambiguous")]) == (10, [30])


def test_only_the_first_queries_are_audited_where_so_many_are_asked_for(minerals: Path, mined_folder: Path) -> None:
    whole, first = run(minerals), run(minerals, "first", queries=1)
    assert {row["query-id"] for row in first.queue.to_pylist()} == {"q0"}
    of_q0 = [row for row in whole.queue.to_pylist() if row["query-id"] == "q0"]
    assert [row["item"] for row in first.queue.to_pylist()] == [row["item"] for row in of_q0]
    assert first.told["counts"]["queries"] == sum(first.told["counts"]["above"].values()) == 1
    assert first.told["notes"][0] == "Only the first 1 of 2 queries were looked at."
    assert not any("queries were looked at" in note for note in run(minerals, "two", queries=2).told["notes"])
    with pytest.raises(RecipeError, match="0 queries are asked for"):
        run(minerals, queries=0)
    with pytest.raises(RecipeError, match="is a mined set, which is audited whole"):
        audit(AuditRequest(str(mined_folder), queries=1), out=minerals.parent / "mined-audit")


def test_counts_add_up(minerals: Path) -> None:
    told = run(minerals, other=Other(str(minerals))).told
    counts = told["counts"]
    assert sum(counts["fates"].values()) == counts["pairs"]
    assert sum(counts["above"].values()) == counts["queries"] == 2
    assert sum(count for kind, count in counts["items"].items() if kind != "together") == counts["items"]["together"]
    assert counts["fates"]["judged not relevant"] == 1
    (entry,) = told["ledger"]
    assert entry["in"] == entry["kept"] + sum(entry["dropped"].values())


def test_every_query_and_every_positive_of_a_set_leaks_into_itself(minerals: Path) -> None:
    made = run(minerals, other=Other(str(minerals)))
    leaks = [(row["query-id"], row["corpus-id"], row["reason"].split(" is ")[0]) for row in items(made, "leak")]
    assert leaks == [
        ("q0", "p0", "The text of the positive"),
        ("q1", "p1", "The text of the positive"),
        ("q0", "p0", "The text of the query"),
        ("q1", "p1", "The text of the query"),
    ]


def test_without_a_teacher_the_systems_decide_and_one_alone_is_told_to_be_too_few(minerals: Path) -> None:
    made = run(minerals, teacher="")
    assert [row["corpus-id"] for row in items(made, "false negative")] == ["paraphrase"]
    with pytest.warns(DataWarning, match="without a teacher it takes 2 systems; name a --teacher"):
        one = run(minerals, teacher="", systems=("bm25:en",))
    assert items(one, "false negative") == []
    assert [row["corpus-id"] for row in items(one, "near-duplicate")] == ["copy"]


def test_a_table_that_lacks_pairs_leaves_them_to_the_systems_and_says_so(minerals: Path) -> None:
    path = minerals.parent / "few.csv"
    path.write_text("query-id,corpus-id,logit\nq1,p1,3\n")
    made = run(minerals, teacher=f"scores:{path}")
    assert [row["corpus-id"] for row in items(made, "false negative")] == ["paraphrase"]
    assert any("nor for any positive of 1 queries" in note for note in made.told["notes"])
    path.write_text("query-id,corpus-id,logit\nq9,p1,3\n")
    with pytest.raises(DataError, match=r"few\.csv: scores none of the pairs"):
        run(minerals, teacher=f"scores:{path}")


def test_two_audits_have_the_same_bytes_and_the_dataset_is_as_it_was(minerals: Path) -> None:
    before = {path: path.read_bytes() for path in sorted(minerals.rglob("*")) if path.is_file()}
    one, other = run(minerals), run(minerals, "again")
    for name in ("queue.parquet", "audit.json"):
        assert (one.folder / name).read_bytes() == (other.folder / name).read_bytes()
    assert {path: path.read_bytes() for path in sorted(minerals.rglob("*")) if path.is_file()} == before
    program = (
        "import sys; from pyrite.pipelines import audit, AuditRequest\n"
        "audit(AuditRequest(sys.argv[1], ('bm25:en', 'bm25:en,k1=0.5'), sys.argv[2]), out=sys.argv[3])"
    )
    arguments = [str(minerals), f"scores:{minerals.parent}/logits.csv", str(minerals.parent / "hashed")]
    environment = {"PYTHONHASHSEED": "7", "XDG_CACHE_HOME": str(minerals.parent / "cache"), "HF_HUB_OFFLINE": "1"}
    subprocess.run([sys.executable, "-c", program, *arguments], check=True, env=environment)
    assert (minerals.parent / "hashed" / "queue.parquet").read_bytes() == (one.folder / "queue.parquet").read_bytes()


def test_decisions_stay_where_a_dataset_is_audited_again(minerals: Path) -> None:
    made = run(minerals)
    (row,) = items(made, "false negative")
    append_review(made.folder / "review.jsonl", Review(row["item"], "q0", "paraphrase", "relevant"))
    again = run(minerals, rules=AuditRules(near=0))
    assert list(read_review(again.folder / "review.jsonl")) == [row["item"]]
    assert row["item"] in again.queue["item"].to_pylist()


def test_an_audit_is_not_written_into_the_dataset_or_over_something_else(minerals: Path, tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match="lies in the dataset"):
        audit(AuditRequest(str(minerals)), out=minerals / "audit")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "notes.txt").write_text("mine")
    with pytest.raises(RecipeError, match="is a folder with other files in it"):
        audit(AuditRequest(str(minerals)), out=tmp_path / "full")
    run(minerals)
    (tmp_path / "others").mkdir()
    for path in minerals.rglob("*"):
        if path.is_file():
            (tmp_path / "others" / path.relative_to(minerals)).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / "others" / path.relative_to(minerals)).write_bytes(path.read_bytes())
    with pytest.raises(RecipeError, match="holds the audit of"):
        audit(AuditRequest(str(tmp_path / "others")), out=tmp_path / "audit")


def test_a_queue_that_is_not_the_audits_is_refused(minerals: Path) -> None:
    made = run(minerals)
    told = json.loads((made.folder / "audit.json").read_text())
    assert read_audit(made.folder).told == told
    (made.folder / "audit.json").write_text(json.dumps({**told, "queue": "0" * 32}))
    with pytest.raises(DataError, match=r"is not the queue of audit\.json"):
        read_audit(made.folder)
    (made.folder / "audit.json").write_text(json.dumps({**told, "schema": 2}))
    with pytest.raises(DataError, match="has schema 2"):
        read_audit(made.folder)


def test_a_mined_set_is_audited_from_its_own_provenance(make_mining: Make, tmp_path: Path) -> None:
    # Without a margin n1 is a negative of "what shines?" although its logit is that of a positive.
    logits = {"q0": {"p1": 8.0, "p2": 7.0, "p4": 6.0, "n1": 8.0, "n2": 1.0, "n3": 2.5, "n4": -1.003}}
    logits |= {"q1": {"p3": 5.0, "n1": 0.0, "n2": -2.0, "n3": -3.0, "n4": -4.0, "n5": -5.0}}
    logits |= {"q3": {"p5": 1.0, "n5": 1.5, "n6": -2.0, "n1": -3.0}}
    recipe = make_mining(logits=logits, select={"num_negatives": 2, "absolute_margin": -99.0})
    folder = build(recipe, out=tmp_path / "mined", work=tmp_path / "work").folder
    made = audit(AuditRequest(str(folder)), out=tmp_path / "audit")
    first, second = items(made, "false negative")
    assert (first["query-id"], first["corpus-id"], first["positive-id"]) == ("q0", "n1", "p1")
    assert first["reason"].endswith("it is a negative of 3 mined rows."), "one for each positive of the query"
    assert (second["query-id"], second["corpus-id"]) == ("q3", "n5"), "in no row, since its positive is weak"
    assert made.told["systems"] == ["run:run"]
    assert made.told["teacher"] == "scores:scores.parquet"
    with pytest.raises(DataError, match="which has no split"):
        audit(AuditRequest(str(folder), split="en"), out=tmp_path / "other")
