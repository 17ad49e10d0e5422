import json
import os
from dataclasses import replace

import pytest
import shard_work
from shard_work import SHOUT, shards

from pyrite.core import DataError
from pyrite.engine import (
    Engine,
    Shard,
    Stage,
    Storage,
    WorkFolder,
    copy_of_store,
    digest_of,
    explain,
    remove_stored_work,
    remove_work,
    work_folders,
)
from pyrite.engine.lock import WorkLock
from pyrite.engine.runs import Rerun


def run(tmp_path, texts=("one", "two"), *, stage=SHOUT, params=None, given=None, about=None):
    with Engine(tmp_path / "work", about=about) as engine:
        return engine.run(stage, given or shards(tmp_path / "log", texts), params or {})


def reasons(tmp_path):
    return {rerun.stage: dict(rerun.reasons) for rerun in explain(tmp_path / "work")}


def test_a_first_run_was_not_done_before(tmp_path):
    run(tmp_path)
    assert explain(tmp_path / "work") == [Rerun("shout", 2, {"not done before": 2})]


def test_a_run_that_kept_everything_leaves_the_explanation_of_the_one_before(tmp_path):
    run(tmp_path)
    run(tmp_path)
    assert reasons(tmp_path) == {"shout": {"not done before": 2}}


def test_each_part_of_a_key_that_changed_is_named(tmp_path):
    run(tmp_path, params={"ending": "?"})
    run(tmp_path, params={"ending": "!"})
    assert reasons(tmp_path) == {"shout": {"the parameter 'ending' is another": 2}}
    run(tmp_path, params={"ending": "!"}, stage=replace(SHOUT, version=2))
    assert reasons(tmp_path) == {"shout": {"the stage's version is 2, it was 1": 2}}
    given = shards(tmp_path / "log", ["one", "three"])
    run(tmp_path, params={"ending": "!"}, given=[given[0], replace(given[1], name="shard two")])
    # The first shard has the key of the second run again, and the other is of the last version's input.
    assert reasons(tmp_path) == {"shout": {"the input is another": 1}}


def test_parts_of_an_input_are_named_where_a_shard_names_them(tmp_path):
    (shard,) = shards(tmp_path / "log", ["one"])

    def asked(model, texts):
        parts = {"model": model, "texts": texts}
        return [Shard("one", digest_of(parts), shard.data, parts)]

    run(tmp_path, given=asked("a", 1))
    run(tmp_path, given=asked("b", 1))
    assert reasons(tmp_path) == {"shout": {"the input 'model' is another": 1}}
    run(tmp_path, given=asked("b", 2), params={"ending": "."})
    assert reasons(tmp_path) == {"shout": {"the parameter 'ending' is another and the input 'texts' is another": 1}}


def test_an_output_that_is_gone_is_a_reason(tmp_path):
    done = run(tmp_path)
    done[0].path.unlink()
    run(tmp_path)
    assert reasons(tmp_path) == {"shout": {"the output was gone, or not as it was written": 1}}


def test_a_manifest_of_an_older_release_is_read(tmp_path):
    """Rows without parts and run are as good as others."""
    run(tmp_path)
    manifest = tmp_path / "work" / "manifest.jsonl"
    rows = [json.loads(line) for line in manifest.read_text().splitlines()]
    manifest.write_text(
        "".join(json.dumps({k: v for k, v in row.items() if k not in ("parts", "run")}) + "\n" for row in rows)
    )
    assert [done.fresh for done in run(tmp_path)] == [False, False]
    run(tmp_path, params={"ending": "!"})
    assert reasons(tmp_path) == {"shout": {"the parameter 'ending' is another": 2}}


def test_a_work_folder_tells_what_is_in_it(tmp_path):
    done = run(tmp_path, about={"name": "minerals", "recipe": "minerals.toml"})
    run(tmp_path, stage=Stage("facts", 1, shard_work.give_facts), about={"name": "minerals", "recipe": "minerals.toml"})
    os.link(done[0].path, tmp_path / "built.txt")
    (folder,) = work_folders(tmp_path)
    assert folder == WorkFolder.read(tmp_path / "work")
    assert work_folders(tmp_path / "work") == [folder]
    assert folder.about == {"name": "minerals", "recipe": "minerals.toml"}
    assert dict(folder.stages) == {"shout": 2, "facts": 2}
    # What a built folder shares is not given back.
    assert folder.size - folder.freed == len("ONE")
    assert folder.used == max((tmp_path / "work" / name).stat().st_mtime for name in ("manifest.jsonl", ".lock"))


def test_a_folder_of_other_things_is_neither_listed_nor_removed(tmp_path):
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter.txt").write_text("mine")
    assert work_folders(tmp_path) == []
    assert work_folders(tmp_path / "nowhere") == []
    for refuse in (remove_work, WorkFolder.read, explain):
        with pytest.raises(DataError, match="no work folder"):
            refuse(tmp_path / "thesis")
    assert (tmp_path / "thesis" / "chapter.txt").exists()


def test_a_work_folder_is_removed_whole_unless_a_run_is_at_work_there(tmp_path):
    run(tmp_path)
    with WorkLock(tmp_path / "work"), pytest.raises(DataError, match="another run"):
        remove_work(tmp_path / "work")
    assert work_folders(tmp_path)
    remove_work(tmp_path / "work")
    assert not (tmp_path / "work").exists()


def test_work_in_a_store_is_listed_explained_and_removed(bucket, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "one"))
    store = Storage(f"{bucket}/work")
    store.write("notes.txt", b"not ours")
    for params in ({}, {"ending": "!"}):
        with Engine(store.url) as engine:
            engine.run(SHOUT, shards(tmp_path / "log", ["one"]), params)
    # From a machine that never worked there.
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "two"))
    copy = copy_of_store(store.url)
    (told,) = work_folders(copy.parent)
    assert (told.about, told.stages) == ({"store": store.url}, {"shout": 2})
    assert [(one.stage, one.reasons) for one in explain(copy)] == [("shout", {"the parameter 'ending' is another": 1})]
    # The copy alone goes where nothing else is asked for.
    before = store.sizes()
    remove_work(copy)
    assert not copy.exists()
    assert store.sizes() == before
    store.write("shout/theirs.txt", b"not ours")
    store.write("manifest/theirs.json", b"{}")
    store.write("lent/theirs.txt", b"not ours")
    remove_stored_work(store.url)
    assert list(store.sizes()) == ["lent/theirs.txt", "manifest/theirs.json", "notes.txt", "shout/theirs.txt"]
    assert not copy.exists()
    for ask in (copy_of_store, remove_stored_work):
        with pytest.raises(DataError, match="is no work folder of a run; name the URL that was given as --work"):
            ask(store.url)
    assert not copy.exists()
