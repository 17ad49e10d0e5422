"""Where kept data lie."""

from pathlib import Path

from pyrite.sources.cache import cache_folder


def test_the_user_s_cache_is_where_the_system_says(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder("archives") == tmp_path / "pyrite" / "archives"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache_folder("archives") == Path.home() / ".cache" / "pyrite" / "archives"
