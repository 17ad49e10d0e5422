"""`pyrite audit`: the tables add up, a copy is made from decisions, and wrong commands are told in one sentence."""

import json
from pathlib import Path
from typing import Any

import pytest

from pyrite.cli import main
from pyrite.cli.audit import audit_tables

GOLD = "Pyrite is an iron sulfide whose brass colour earned it the name fool's gold among miners of the old west"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    texts = {"p0": GOLD, "d1": GOLD.upper(), "d2": "What is gold, fool? Fool's gold!", "d3": "Coal is black."}
    folder = tmp_path / "minerals"
    (folder / "qrels").mkdir(parents=True)
    rows = [json.dumps({"_id": doc, "text": text}) for doc, text in texts.items()]
    (folder / "corpus.jsonl").write_text("\n".join(rows))
    (folder / "queries.jsonl").write_text('{"_id": "q0", "text": "what is fool\'s gold?"}')
    (folder / "qrels" / "test.tsv").write_text("q0\tp0\t1\n")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stopped:
        main(["audit", *arguments])
    out, err = capsys.readouterr()
    return int(stopped.value.code or 0), out, err


def both(capsys: pytest.CaptureFixture[str], *more: str) -> tuple[int, str, str]:
    return run(capsys, "minerals", "--system", "bm25:en", "--system", "bm25:en,k1=0.4", *more)


def test_the_queue_is_told_and_lies_in_a_folder_named_after_the_dataset(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = both(capsys)
    assert (code, err) == (0, "")
    assert "audit-minerals: queue.parquet has 2 items" in out
    assert "1 by the systems alone" in out
    assert (place / "audit-minerals" / "queue.parquet").is_file()


def test_decisions_and_rules_make_a_copy_from_the_audit_that_is_there(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, out, _ = both(capsys, "--json")
    items = json.loads(out)["audit"]["counts"]["items"]
    assert items == {"false negative": 1, "near-duplicate": 1, "ambiguous": 0, "leak": 0, "together": 2}
    code, out, err = run(capsys, "minerals", "--apply", "--near-duplicates", "merge", "--json")
    assert (code, err) == (0, "")
    copy = json.loads(out)["copy"]
    assert copy["folder"] == "minerals-audited"
    assert [stage["kept"] for stage in copy["ledger"]] == [1, 1, 3, 1]
    with pytest.raises(SystemExit) as stopped:
        main(["check", "minerals-audited"])
    assert not stopped.value.code
    assert "can be published" in capsys.readouterr().out


def test_a_table_prints_every_count_and_their_sum() -> None:
    counts: dict[str, Any] = {
        "items": {"false negative": 3, "near-duplicate": 2, "ambiguous": 1, "leak": 0, "together": 6},
        "evidence": {"the teacher alone": 3},
        "copies": 1,
        "leaks": {},
        "fates": {"likely false negative": 3, "near-duplicate of a positive": 2},
        "pairs": 5,
        "above": {"0": 4},
        "queries": 4,
        "negatives of mined rows": 2,
    }
    queue, pairs, above = audit_tables({"counts": counts, "rules": {"ambiguous": 5}})
    assert [row[-1] for row in queue.rows] == ["3", "2", "1", "0", "6"]
    assert queue.notes == ("2 of the suspected documents are negatives of mined rows",)
    assert pairs.rows[-1] == ("together", "5")
    assert above.rows == (("0", "4"), ("together", "4"))


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["nowhere", "--system", "bm25"], "there is no such folder"),
        (["minerals", "--teacher", "scores:none.csv"], "none.csv"),
        (["minerals", "--teacher", "oracle:x"], "unknown scorer 'oracle:x'"),
        (["minerals", "--copy", "clean"], "a rule or --copy changes nothing by itself; add --apply"),
        (["minerals", "--apply", "--judge", "scores:x.csv"], "has no threshold; add --relevant-at LOGIT"),
        (["minerals", "--near", "7"], "near = 7.0 is no likeness from 0.2 to 1"),
        (["minerals", "--against", "elsewhere"], "elsewhere"),
        (["minerals", "--against", "x", "--column", "text"], "write NAME=THEIRS"),
        (["minerals", "--out", "minerals/audit"], "lies in the dataset"),
        (["minerals", "--split", "dev"], "no split 'dev'"),
    ],
)
@pytest.mark.filterwarnings("ignore:Likely false negatives were not looked for")
def test_what_is_wrong_is_told_in_one_sentence(
    place: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], says: str
) -> None:
    code, out, err = run(capsys, *arguments)
    assert code in (1, 2)
    assert out == ""
    assert says in err
    assert "Traceback" not in err
    assert not (place / "audit-minerals" / "audit.json").exists()
