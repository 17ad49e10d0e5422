"""A dataset folder in an object store: whole by its manifest, or marked as unfinished."""

from pathlib import Path

import pytest

from pyrite.core import DataError, RecipeError
from pyrite.engine import Storage, atomic_folder
from pyrite.formats import Manifest
from pyrite.publishing import deliver, fetch_earlier, seal


@pytest.fixture
def store(tmp_path, monkeypatch) -> Storage:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return Storage(f"local://{tmp_path}/store/toy")


def folder(path: Path, **files: str) -> Path:
    """A sealed dataset folder with these files."""
    with atomic_folder(path) as out:
        (out / "README.md").write_text("# Toy")
        for name, text in files.items():
            (out / f"{name}.txt").write_text(text)
        seal(out, Manifest(kind="benchmark", name="toy"), "digest")
    return path


def puts(monkeypatch) -> list[str]:
    """The names that are put from now on."""
    names: list[str] = []
    put = Storage.put

    def noted(storage: Storage, path: Path, name: str) -> None:
        names.append(name)
        put(storage, path, name)

    monkeypatch.setattr(Storage, "put", noted)
    return names


def test_only_what_changed_is_put_and_what_is_gone_is_removed(store, tmp_path, monkeypatch):
    deliver(folder(tmp_path / "one", a="same", b="old!", c="gone"), store.url)
    assert store.sizes().keys() == {"README.md", "a.txt", "b.txt", "c.txt", "manifest.json"}
    put = puts(monkeypatch)
    two = folder(tmp_path / "two", a="same", b="new!", d="more")
    deliver(two, store.url)
    assert put == ["README.md", "b.txt", "d.txt"]
    assert {name: store.read(name) for name in store.sizes()} == {
        path.name: path.read_bytes() for path in sorted(two.iterdir())
    }


def test_a_file_that_somebody_cut_is_put_again(store, tmp_path, monkeypatch):
    one = folder(tmp_path / "one", a="same", b="whole")
    deliver(one, store.url)
    store.write("b.txt", b"who")
    put = puts(monkeypatch)
    deliver(one, store.url)
    assert put == ["README.md", "b.txt"]
    assert store.read("b.txt") == b"whole"


@pytest.mark.parametrize("stop", range(1, 9))
def test_a_delivery_cut_off_anywhere_is_unfinished_and_goes_on(store, tmp_path, monkeypatch, stop):
    """Steps are put, write and remove; before each one the process may end."""
    deliver(folder(tmp_path / "one", a="same", b="old!", c="gone"), store.url)
    two = folder(tmp_path / "two", a="same", b="new!", d="more")
    with monkeypatch.context() as patch:
        left = [stop]
        for name in ("put", "write", "remove"):
            patch.setattr(Storage, name, _ending(getattr(Storage, name), left))
        with pytest.raises(KeyboardInterrupt):
            deliver(two, store.url)
    names = store.sizes()
    old = {"README.md", "a.txt", "b.txt", "c.txt", "manifest.json"}
    # As it was, or marked.
    assert (stop == 1 and names.keys() == old) or ".unfinished" in names
    assert (fetch_earlier(store.url, kind="benchmark", name="toy") / "README.md").is_file()
    deliver(two, store.url)
    assert {name: store.read(name) for name in store.sizes()} == {
        path.name: path.read_bytes() for path in sorted(two.iterdir())
    }


def _ending(call, left):
    def ended(*given):
        left[0] -= 1
        if left[0] == 0:
            raise KeyboardInterrupt
        return call(*given)

    return ended


def test_what_this_recipe_did_not_make_is_refused(store, tmp_path):
    assert not any(fetch_earlier(store.url, kind="benchmark", name="toy").iterdir())
    deliver(folder(tmp_path / "one"), store.url)
    assert (fetch_earlier(store.url, kind="benchmark", name="toy") / "manifest.json").is_file()
    with pytest.raises(RecipeError, match="holds the benchmark 'toy', not 'other'; choose another --out"):
        fetch_earlier(store.url, kind="benchmark", name="other")
    store.remove(["manifest.json"])
    with pytest.raises(RecipeError, match="is a folder with other files in it; choose another --out"):
        fetch_earlier(store.url, kind="benchmark", name="toy")


def test_a_mark_that_another_left_is_no_licence(store):
    store.write(".unfinished", b"not ours")
    store.write("data.txt", b"theirs")
    with pytest.raises(RecipeError, match="is a folder with other files in it; choose another --out"):
        fetch_earlier(store.url, kind="benchmark", name="toy")
    assert store.read("data.txt") == b"theirs"


def test_two_builds_that_are_delivered_at_once_are_not_mixed(store, tmp_path, monkeypatch):
    one, two = folder(tmp_path / "one", a="one", b="first"), folder(tmp_path / "two", a="two", b="second")
    put = Storage.put

    def overtaken(storage: Storage, path: Path, name: str) -> None:
        put(storage, path, name)
        if path == one / "a.txt":
            monkeypatch.setattr(Storage, "put", put)
            deliver(two, store.url)

    monkeypatch.setattr(Storage, "put", overtaken)
    with pytest.raises(DataError, match="another build was delivered there meanwhile; run the same command again"):
        deliver(one, store.url)
    deliver(one, store.url)
    assert {name: store.read(name) for name in store.sizes()} == {
        path.name: path.read_bytes() for path in sorted(one.iterdir())
    }
