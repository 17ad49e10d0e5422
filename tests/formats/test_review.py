"""Decisions as lines: appended whole, the last one wins, a torn line costs only itself."""

import json
import os
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from pyrite.core import DataError
from pyrite.formats import DataWarning, Review, append_review, read_review

YES = Review("f/q1/d7", "q1", "d7", "relevant")
NO = Review("f/q1/d7", "q1", "d7", "not relevant")
OPEN = Review("a/q2", "q2", None, "unsure")


def test_the_last_decision_of_an_item_wins_and_items_keep_their_order(tmp_path: Path) -> None:
    path = tmp_path / "review.jsonl"
    for review in (YES, OPEN, NO):
        append_review(path, review)
    assert list(read_review(path).values()) == [NO, OPEN]
    assert [json.loads(line) for line in path.read_text().splitlines()][1] == {
        "item": "a/q2",
        "query-id": "q2",
        "corpus-id": None,
        "decision": "unsure",
    }


def test_no_file_is_no_decision(tmp_path: Path) -> None:
    assert read_review(tmp_path / "review.jsonl") == {}


def test_ids_of_any_script_come_back_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "review.jsonl"
    odd = Review("x/質問\n1/\u202edoc", "質問\n1", "\u202edoc", "relevant")
    append_review(path, odd)
    assert read_review(path) == {odd.item: odd}
    assert path.read_bytes().count(b"\n") == 1


@pytest.mark.parametrize("cut", [1, 20, 40, 60])
def test_a_torn_last_line_is_left_out_with_a_warning(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "review.jsonl"
    append_review(path, YES)
    append_review(path, Review("f/質問/d7", "質問", "d7", "unsure"))
    whole = path.read_bytes()
    first = whole.index(b"\n") + 1
    path.write_bytes(whole[: first + cut])
    with pytest.warns(DataWarning, match=r"review\.jsonl, line 2: is cut short"):
        assert read_review(path) == {YES.item: YES}


def test_after_a_torn_line_the_next_decision_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "review.jsonl"
    append_review(path, YES)
    path.write_bytes(path.read_bytes() + b'{"item": "f/q1/d7", "query')
    append_review(path, OPEN)
    with pytest.warns(DataWarning, match="line 2"):
        assert list(read_review(path).values()) == [YES, OPEN]


def test_a_line_that_lacks_only_its_end_of_line_counts(tmp_path: Path) -> None:
    path = tmp_path / "review.jsonl"
    append_review(path, YES)
    path.write_bytes(path.read_bytes().rstrip(b"\n"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert read_review(path) == {YES.item: YES}
    append_review(path, OPEN)
    assert list(read_review(path).values()) == [YES, OPEN]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('{"item": "i", "decision": "maybe"}', "the decision is 'maybe'; say one of relevant, not relevant, unsure"),
        ('{"decision": "relevant"}', "names no item"),
        ('["item"]', "names no item"),
        ("relevant", "is not JSON"),
        ('{"item": "i", "corpus-id": 7, "decision": "relevant"}', "'corpus-id' is 7, no string"),
    ],
)
def test_a_line_that_is_no_decision_is_told_with_its_number(tmp_path: Path, line: str, says: str) -> None:
    path = tmp_path / "review.jsonl"
    append_review(path, YES)
    path.write_text(path.read_text() + line + "\n")
    with pytest.raises(DataError, match=f"line 2: {says}"):
        read_review(path)


def test_a_folder_at_its_place_is_told(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot be written"):
        append_review(tmp_path, YES)
    with pytest.raises(DataError, match="cannot be read"):
        read_review(tmp_path)


def test_two_writers_at_once_lose_no_line(tmp_path: Path) -> None:
    path = tmp_path / "review.jsonl"
    program = (
        "import sys; from pathlib import Path; from pyrite.formats import Review, append_review\n"
        "for n in range(50): append_review(Path(sys.argv[1]), Review(f'{sys.argv[2]}{n}', 'q', 'd' * 400, 'unsure'))"
    )
    both = [subprocess.Popen([sys.executable, "-c", program, str(path), name]) for name in "ab"]
    assert [one.wait() for one in both] == [0, 0]
    assert sorted(read_review(path)) == sorted(f"{name}{n}" for name in "ab" for n in range(50))


def test_a_decision_is_flushed_before_the_call_returns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []
    write, fsync = os.write, os.fsync
    monkeypatch.setattr(os, "write", lambda *given: order.append("write") or write(*given))
    monkeypatch.setattr(os, "fsync", lambda *given: order.append("fsync") or fsync(*given))
    append_review(tmp_path / "review.jsonl", YES)
    assert order == ["write", "fsync", "fsync"], "one write, the file's flush, and the new name's"
    order.clear()
    append_review(tmp_path / "review.jsonl", NO)
    assert order == ["write", "fsync"]


def test_a_disk_that_takes_half_a_line_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = os.write
    monkeypatch.setattr(os, "write", lambda place, data: write(place, data[: len(data) // 2]))
    with pytest.raises(DataError, match="was written in part, the disk is full"):
        append_review(tmp_path / "review.jsonl", YES)
    monkeypatch.undo()
    append_review(tmp_path / "review.jsonl", NO)
    with pytest.warns(DataWarning, match="line 1"):
        assert read_review(tmp_path / "review.jsonl") == {NO.item: NO}
