from pathlib import Path

import pytest

from pyrite.core import DataError
from pyrite.retrieval.bm25.segment_cache import SegmentCache, cache_folder


def test_what_was_put_is_there_and_nothing_else(tmp_path: Path) -> None:
    cache = SegmentCache(tmp_path / "new" / "folder", "print")
    assert cache.get(["日本語", "中文"]) == [None, None]
    cache.put(["日本語"], ["日本 語"])
    assert cache.get(["中文", "日本語"]) == [None, "日本 語"]
    cache.close()
    again = SegmentCache(tmp_path / "new" / "folder", "print")
    assert again.get(["日本語"]) == ["日本 語"]
    again.close()


def test_another_analyzer_does_not_see_it(tmp_path: Path) -> None:
    first, second = SegmentCache(tmp_path, "one"), SegmentCache(tmp_path, "two")
    first.put(["text"], ["te xt"])
    assert second.get(["text"]) == [None]
    first.close()
    second.close()


def test_the_oldest_go_when_the_limit_is_reached(tmp_path: Path) -> None:
    cache = SegmentCache(tmp_path, "print", limit=1000)
    texts = [f"text {number}" for number in range(30)]
    for text in texts:
        cache.put([text], [text.ljust(100)])
    known = [found is not None for found in cache.get(texts)]
    assert known == sorted(known)
    assert 5 <= sum(known) <= 10
    cache.close()


@pytest.mark.parametrize("damage", ["file", "bytes"])
def test_a_cache_that_cannot_be_used_is_an_empty_one(tmp_path: Path, damage: str) -> None:
    if damage == "file":
        (tmp_path / "cache").write_text("in the way")
    else:
        (tmp_path / "cache").mkdir()
        (tmp_path / "cache" / "segments.sqlite").write_bytes(b"not a database" * 100)
    cache = SegmentCache(tmp_path / "cache", "print")
    cache.put(["text"], ["te xt"])
    assert cache.get(["text"]) == [None]
    cache.close()


def test_what_does_not_align_is_refused(tmp_path: Path) -> None:
    cache = SegmentCache(tmp_path, "print")
    with pytest.raises(DataError, match="2 texts and 1 segmented texts do not align"):
        cache.put(["a", "b"], ["a"])
    cache.close()


def test_the_folder_is_the_given_or_the_users(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYRITE_CACHE", "/somewhere")
    assert cache_folder() == Path("/somewhere")
    monkeypatch.delenv("PYRITE_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "/cache")
    assert cache_folder() == Path("/cache/pyrite")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache_folder() == Path.home() / ".cache" / "pyrite"
