import logging
from pathlib import Path

import fsspec
import pytest

from pyrite.core import DataError, RecipeError
from pyrite.engine import digest_file
from pyrite.engine.storage import Storage, Stored, is_url, local_path


@pytest.fixture(params=["bucket", "gs_bucket", "hub_folder", "disk", "memory"])
def store(request, tmp_path) -> Storage:
    """Stores that speak S3, Google's protocol and the hub's, a disk behind a URL, and one in memory."""
    if request.param not in ("disk", "memory"):
        return Storage(f"{request.getfixturevalue(request.param)}/work")
    return Storage(f"local://{tmp_path}/store" if request.param == "disk" else f"memory://{tmp_path}")


def test_objects_are_put_listed_fetched_and_removed(store, tmp_path):
    file = tmp_path / "file"
    file.write_bytes(b"gold" * 1000)
    store.put(file, "stage/a.txt")
    store.write("rows/2", b"two")
    store.write("rows/1", b"one")
    assert store.sizes() == {"rows/1": 3, "rows/2": 3, "stage/a.txt": 4000}
    assert store.sizes("rows") == {"rows/1": 3, "rows/2": 3}
    assert store.sizes("row") == store.sizes("nowhere") == {}
    assert store.read_all(["rows/2", "rows/1"]) == {"rows/2": b"two", "rows/1": b"one"}
    assert store.read_all(["rows/1"]) == {"rows/1": b"one"}
    assert (store.size("stage/a.txt"), store.size("stage"), store.size("b")) == (4000, None, None)
    assert store.get(Stored("stage/a.txt", 4000, digest_file(file)), tmp_path / "new" / "b.txt")
    assert (tmp_path / "new" / "b.txt").read_bytes() == file.read_bytes()
    store.remove(["rows/1", "stage/a.txt"])
    assert store.sizes() == {"rows/2": 3}


def test_what_another_wrote_is_seen_at_once(store, tmp_path):
    assert store.sizes("rows") == {}
    Storage(store.url).write("rows/1", b"one")
    assert store.sizes("rows") == {"rows/1": 3}


def test_an_object_of_other_bytes_is_not_taken(store, tmp_path):
    store.write("a", b"true")
    digest = digest_file(_file(tmp_path / "true", b"true"))
    store.write("a", b"fake")
    assert not store.get(Stored("a", 4, digest), tmp_path / "a")
    assert not store.get(Stored("a", 5, digest), tmp_path / "a")
    assert not store.get(Stored("b", 4, digest), tmp_path / "a")
    assert [path.name for path in tmp_path.iterdir() if path.name != "store"] == ["true"]


def _file(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def test_what_a_store_refuses_is_one_sentence(object_store):
    with pytest.raises(DataError) as refused:
        Storage("s3://no-such-bucket/work").write("a", b"")
    told = str(refused.value)
    assert told.startswith("s3://no-such-bucket/work/a: cannot be written (")
    assert told.endswith("; check the URL, the credentials and the network, and run the same command again.")


def test_what_a_library_logs_of_a_refusal_is_not_printed_beside_the_sentence():
    for _ in range(3):
        Storage("memory://logged").sizes()
    assert len(logging.getLogger("gcsfs").handlers) == 1
    assert logging.getLogger("google.auth").hasHandlers()


def test_a_missing_package_and_an_unknown_store_say_what_to_do(monkeypatch):
    with pytest.raises(RecipeError, match=r"^zzz://work: is no store that is known .*; check the URL\.$"):
        Storage("zzz://work").sizes()

    def not_there(url: str) -> None:
        raise ImportError("Please install gcsfs to access Google Storage")

    monkeypatch.setattr(fsspec.core, "url_to_fs", not_there)
    with pytest.raises(RecipeError) as missing:
        Storage("gcs://work").sizes()
    assert str(missing.value).endswith('; run: pip install "pyrite[gs]".')


def test_a_path_of_this_machine_is_no_url(tmp_path):
    assert [is_url(one) for one in ("work", "./s3:/b", tmp_path, "hf://datasets/a/b")] == [False, False, False, True]
    assert local_path("file:///work") == Path("/work") == local_path(Path("/work"))
