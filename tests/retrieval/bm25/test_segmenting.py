from pathlib import Path

import pytest

from pyrite.retrieval.bm25 import segmenting
from pyrite.retrieval.bm25.segmenting import Cutter

TEXTS = ["東京都に住む", "日本語", "東京都に住む", "", "北海道は広い"]


def cut_by(cutter: Cutter) -> list[str]:
    with cutter:
        return cutter.cut(TEXTS)


def test_texts_come_back_in_their_order() -> None:
    assert cut_by(Cutter("ja", "print", cache=None)) == [
        "東京 都 に 住む",
        "日本 語",
        "東京 都 に 住む",
        "",
        "北海道 は 広い",
    ]


def test_processes_cut_as_one_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segmenting, "_CHUNK", 1)
    plain = cut_by(Cutter("ja", "print", cache=None))
    assert cut_by(Cutter("ja", "print", cache=None, processes=2, expected=10**9)) == plain


def test_processes_are_not_started_for_little_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segmenting, "SegmentWorker", None)
    assert cut_by(Cutter("ja", "print", cache=None, processes=8, expected=100))


def test_what_was_cut_is_not_cut_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = cut_by(Cutter("ja", "print", cache=tmp_path))
    monkeypatch.setattr(segmenting, "segmenter", None)
    assert cut_by(Cutter("ja", "print", cache=tmp_path)) == first


def test_only_what_is_new_is_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    segmented = cut_by(Cutter("ja", "print", cache=tmp_path))[1]
    asked: list[str] = []
    monkeypatch.setattr(segmenting, "segmenter", lambda language: lambda text: asked.append(text) or text)
    with Cutter("ja", "print", cache=tmp_path) as cutter:
        assert cutter.cut(["新しい", "日本語"]) == ["新しい", segmented]
    assert asked == ["新しい"]
