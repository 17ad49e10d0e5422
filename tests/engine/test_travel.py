"""What a task names is there on the machine where it is done, and is put into the store once."""

from pathlib import Path

import pytest
from shard_work import SHOUT, shards

from pyrite.core import DataError
from pyrite.engine import Engine
from pyrite.engine.place import Place
from pyrite.engine.storage import Storage
from pyrite.engine.travel import packed_to_travel, unpacked

pytest.importorskip("ray")


@pytest.fixture
def machine(tmp_path, monkeypatch):
    return lambda number: monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / f"machine-{number}"))


@pytest.fixture
def store(tmp_path, machine) -> Storage:
    machine(1)
    return Storage(f"local://{tmp_path}/store")


def test_outputs_files_and_lent_folders_travel(store, machine, tmp_path):
    with Engine(store.url) as engine:
        (done,) = engine.run(SHOUT, shards(tmp_path / "log", ["one"]), {})
        place = engine._place
        table = tmp_path / "raw" / "table.csv"
        table.parent.mkdir()
        table.write_text("a,b\n")
        dataset = tmp_path / "dataset"
        (dataset / "corpus").mkdir(parents=True)
        # A file of a finished dataset is a link of an output.
        (dataset / "corpus" / "corpus.txt").hardlink_to(done.path)
        (dataset / "README.md").write_text("# Gems")
        place.lent.add(dataset)
        nested = {"paths": [done.path, table], "dataset": dataset, "word": "s", "elsewhere": tmp_path / "raw"}
        task = packed_to_travel((nested, place), place)
        assert packed_to_travel((nested, place), place) == task
    objects = [name for name in store.sizes() if not name.startswith("manifest/")]
    assert [name.rpartition("/")[2] for name in objects if name.startswith("lent/")] == ["README.md", "table.csv"]
    assert len(objects) == 3

    machine(2)
    table.unlink()
    got, there = unpacked(task)
    assert there.folder == Place.of(store.url).folder != place.folder
    output, copy = got["paths"]
    assert output == there.folder / done.path.relative_to(place.folder)
    assert (output.read_text(), copy.read_text(), copy.name) == ("ONE", "a,b\n", "table.csv")
    assert (got["dataset"] / "corpus" / "corpus.txt").read_text() == "ONE"
    assert (got["dataset"] / "README.md").read_text() == "# Gems"
    # A folder that was not lent is a path as any other, and so is what is not there.
    assert got["elsewhere"] == tmp_path / "raw"
    # A second task finds everything where the first one has put it.
    again, _ = unpacked(task)
    assert again["dataset"] == got["dataset"]


def test_without_a_store_paths_stay_as_they_are(tmp_path):
    file = tmp_path / "file"
    file.write_text("x")
    place = Place(tmp_path / "work")
    assert unpacked(packed_to_travel((file, Path("gone"), place), place)) == (file, Path("gone"), place)


def test_an_object_that_was_edited_is_an_error_with_its_name(store, machine, tmp_path):
    with Engine(store.url) as engine:
        (done,) = engine.run(SHOUT, shards(tmp_path / "log", ["one"]), {})
        task = packed_to_travel(done.path, engine._place)
    (name,) = store.sizes("shout")
    store.write(name, b"TWO")
    machine(2)
    with pytest.raises(DataError) as edited:
        unpacked(task)
    assert str(edited.value).startswith(f"{store.url}/{name}: is not there as it was put; remove it, ")
