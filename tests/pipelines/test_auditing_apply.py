"""Cleaned copies: whole, checked, verified, with an account; the dataset is as it was."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import tomlkit

from pyrite.auditing import Remedy
from pyrite.core import Collection, Corpus, DataError, Document, Qrels, Queries, Query, RecipeError
from pyrite.formats import Review, append_review, read_collection, read_manifest, write_beir
from pyrite.pipelines import Applied, Audited, AuditRequest, Other, apply_audit, audit, build, renew_card
from pyrite.publishing import check_folder, verify_folder

SYSTEMS = ("bm25:en", "bm25:en,k1=0.5")
GOLD = "Pyrite is an iron sulfide whose brass colour earned it the name fool's gold among miners of the old west"
EVAL = [("what is fool's gold?", GOLD), ("ore of lead?", "Galena is the ore of lead."), ("tin?", "Cassiterite.")]
TRAIN = [GOLD.upper(), "The ore of lead, the very ore of lead: galena.", "Coal is black.", "Cassiterite holds tin."]


def contents(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def built(tmp_path: Path) -> Path:
    """A benchmark whose distractors hold a copy of a positive, and a second answer to a query."""
    pq.write_table(
        pa.table({"query": [q for q, _ in EVAL], "passage": [p for _, p in EVAL]}), tmp_path / "eval.parquet"
    )
    pq.write_table(pa.table({"passage": TRAIN}), tmp_path / "train.parquet")
    source = {"eval": {"path": "eval.parquet"}, "train": {"path": "train.parquet"}}
    recipe = {"kind": "benchmark", "name": "ores", "language": "en", "source": source, "distractors": {"count": "all"}}
    (tmp_path / "ores.toml").write_text(tomlkit.dumps({**recipe, "dedup": {"identical": "exact"}}))
    return build(tmp_path / "ores.toml", out=tmp_path / "ores", work=tmp_path / "work").folder


def audited(folder: Path, out: str = "audit", **asked: Any) -> Audited:
    return audit(AuditRequest(str(folder), **{"systems": SYSTEMS, **asked}), out=folder.parent / out)


def applied(made: Audited, folder: Path, remedy: Remedy, **settings: Any) -> Applied:
    before = contents(folder)
    done = apply_audit(made, str(folder), out=folder.parent / "clean", remedy=remedy, **settings)
    assert contents(folder) == before, "never in place"
    assert [str(offence) for offence in check_folder(done.folder)] == []
    assert [str(offence) for offence in verify_folder(done.folder)] == []
    for entry in done.ledger.entries:
        assert entry.rows_in == entry.rows_out + sum(entry.dropped.values())
    return done


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def test_a_document_that_a_person_calls_relevant_becomes_a_judgement(tmp_path: Path) -> None:
    folder = built(tmp_path)
    made = audited(folder)
    row = next(row for row in made.queue.to_pylist() if row["corpus-id"] == "d1")
    assert (row["kind"], row["query-id"]) == ("false negative", "q1")
    append_review(made.folder / "review.jsonl", Review(row["item"], "q1", "d1", "relevant"))
    done = applied(made, folder, Remedy())
    assert read_collection(done.folder).qrels["q1"] == {"p1": 1, "d1": 1}
    assert done.manifest.counts["qrels"] == 4
    assert done.manifest.facts["audit"]["reviewed"] == 1
    card = (done.folder / "README.md").read_text()
    assert "This is a copy of ores" in card
    assert 'load_dataset("clean", "corpus"' in card
    again = apply_audit(made, str(folder), out=tmp_path / "clean", remedy=Remedy())
    assert contents(again.folder) == contents(done.folder)


def test_merging_takes_the_copy_out_and_leaks_take_their_query_out(tmp_path: Path) -> None:
    folder = built(tmp_path)
    (tmp_path / "other.jsonl").write_text('{"passage": "Cassiterite."}\n')
    made = audited(folder, other=Other(str(tmp_path / "other.jsonl")))
    done = applied(made, folder, Remedy(near="merge", drop_leaks=True))
    after = read_collection(done.folder)
    assert after.corpus.ids.to_pylist() == ["p0", "p1", "p2", "d1", "d2", "d3"]
    assert after.queries.ids.to_pylist() == ["q0", "q1"]
    assert {name: done.manifest.counts[name] for name in ("gold", "distractors", "corpus")} == {
        "gold": 3,
        "distractors": 3,
        "corpus": 6,
    }
    assert done.ledger.dropped("merged into a positive") == done.ledger.dropped("leak") == 1
    assert "d0" not in pq.read_table(done.folder / "provenance" / "leaks.parquet")["corpus-id"].to_pylist()


def test_a_judge_from_outside_decides_by_a_threshold(tmp_path: Path) -> None:
    folder = built(tmp_path)
    (tmp_path / "judge.csv").write_text("query-id,corpus-id,logit\nq1,d1,3.5\nq0,d0,-1\n")
    made = audited(folder)
    judge = f"scores:{tmp_path}/judge.csv"
    done = applied(made, folder, Remedy(relevant_at=3.5), judge=judge)
    assert read_collection(done.folder).qrels["q1"] == {"p1": 1, "d1": 1}
    with pytest.raises(DataError, match="change nothing"):
        apply_audit(made, str(folder), out=tmp_path / "clean", remedy=Remedy(relevant_at=3.6), judge=judge)


def test_a_dataset_that_changed_since_is_refused_and_so_is_its_own_place(tmp_path: Path) -> None:
    folder = built(tmp_path)
    made = audited(folder)
    with pytest.raises(RecipeError, match="lies in the dataset"):
        apply_audit(made, str(folder), out=folder, remedy=Remedy(near="merge"))
    with pytest.raises(RecipeError, match="is the folder of the audit"):
        apply_audit(made, str(folder), out=made.folder, remedy=Remedy(near="merge"))
    with pytest.raises(RecipeError, match="nothing is decided"):
        apply_audit(made, str(folder), out=tmp_path / "clean", remedy=Remedy())
    pq.write_table(pq.read_table(folder / "qrels" / "test.parquet").slice(1), folder / "qrels" / "test.parquet")
    with pytest.raises(DataError, match="is not the dataset that was audited"):
        apply_audit(made, str(folder), out=tmp_path / "clean", remedy=Remedy(near="merge"))
    assert not (tmp_path / "clean").exists()


def test_the_card_of_a_dataset_shows_its_audit_until_the_tables_change(tmp_path: Path) -> None:
    folder = built(tmp_path)
    made = audited(folder)
    assert renew_card(folder, [made.folder])
    card = (folder / "README.md").read_text()
    counts = made.told["counts"]["items"]
    assert f"| likely false negatives | {counts['false negative']} |" in card
    assert "A suspicion is no judgement: nothing was changed." in card
    assert check_folder(folder) == verify_folder(folder) == []
    pq.write_table(pq.read_table(folder / "qrels" / "test.parquet").slice(1), folder / "qrels" / "test.parquet")
    renew_card(folder)
    assert "1 audit of other tables is not shown" in (folder / "README.md").read_text()


def test_a_collection_that_pyrite_did_not_build_gets_a_card_of_its_own(tmp_path: Path) -> None:
    texts = {"p": GOLD, "copy": GOLD.upper(), "other": "Coal is black."}
    corpus = Corpus.of(Document(doc, text, title="Ores") for doc, text in texts.items())
    asked = Queries.of([Query("q", "what is fool's gold?")])
    write_beir(tmp_path / "plain", Collection("plain", "en", corpus, asked, Qrels.of({"q": {"p": 2}})))
    done = applied(audited(tmp_path / "plain"), tmp_path / "plain", Remedy(near="add"))
    after = read_collection(done.folder)
    assert after.qrels["q"] == {"p": 2, "copy": 1}
    assert after.corpus[0].title == "Ores"
    assert read_manifest(done.folder).kind == "collection"


def test_a_nano_split_is_cleaned_with_its_candidates_and_the_others_stay(
    make_nano: Callable[..., Path], tmp_path: Path
) -> None:
    splits = []
    for name in ("en", "xx"):
        corpus = Corpus.of(Document(doc, text) for doc, text in NANO_TEXTS.items())
        asked = Queries.of(Query(query, text) for query, text in NANO_ASKED.items())
        write_beir(tmp_path / name, Collection(name, "en", corpus, asked, Qrels.of(NANO_JUDGED)))
        splits.append({"name": name, "language": "en", "path": str(tmp_path / name)})
    folder = make_nano({"split": splits, "nano": {"fill": "random", "limit_documents": 6}})
    with pytest.raises(DataError, match="several splits"):
        audited(folder)
    made = audited(folder, split="en")
    done = applied(made, folder, Remedy(near="add", drop_ambiguous=True))
    after = read_collection(done.folder, split="en")
    (query,) = [row["query-id"] for row in made.queue.to_pylist() if row["kind"] == "near-duplicate"]
    assert len(after.qrels[query]) == 2
    for place in ("corpus/xx.parquet", "qrels/xx.parquet", "bm25/xx.parquet", "metadata/xx.json"):
        assert (done.folder / place).read_bytes() == (folder / place).read_bytes()
    assert done.manifest.counts["qrels"] == read_manifest(folder).counts["qrels"] + 1
    gone = apply_audit(made, str(folder), out=tmp_path / "less", remedy=Remedy(near="drop"))
    assert check_folder(gone.folder) == verify_folder(gone.folder) == []
    assert gone.manifest.counts["corpus"] == read_manifest(folder).counts["corpus"] - 1


NANO_TEXTS = {
    "a": GOLD,
    "b": GOLD + " indeed",
    "c": "Galena is the ore of lead.",
    "d": "Coal is black.",
    "e": "Halite is rock salt.",
    "f": "Talc is soft.",
}
NANO_ASKED = {"1": "what is fool's gold?", "2": "which is the ore of lead?"}
NANO_JUDGED = {"1": {"a": 1}, "2": {"c": 1}}
