"""Builds whose sources, work and dataset lie in an object store: the bytes are those of a build on a disk."""

import json
import shutil
import sys
from pathlib import Path

import fsspec
import pytest

from pyrite.cli.app import main
from pyrite.core import DataError, RecipeError
from pyrite.engine import Storage, cache_folder
from pyrite.pipelines import build
from pyrite.sources import fetch

sys.path.insert(0, str(Path(__file__).parent))

from sources_to_kill import files, write_sources


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """Another machine, by its number: one with a cache of its own."""
    return lambda number: monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / f"machine-{number}"))


def upload(folder: Path, url: str) -> None:
    fsspec.filesystem("s3").put(f"{folder}/", f"{url}/", recursive=True)


def downloaded(url: str, folder: Path) -> dict[str, bytes]:
    storage = Storage(url)
    return {name: storage.read(name) for name in sorted(storage.sizes())}


@pytest.fixture(params=["benchmark", "nano", "training"])
def recipe(request, tmp_path, bucket, make_mining) -> Path:
    """A recipe of each kind, its sources in a store as well."""
    kind, raw = request.param, tmp_path / "raw"
    if kind == "training":
        path = make_mining()
        raw.mkdir()
        for name in ("queries.parquet", "corpus.parquet"):
            shutil.move(tmp_path / name, raw / name)
        text = path.read_text().replace('"queries.parquet"', f'"{bucket}/raw/queries.parquet"')
        text = text.replace('"corpus.parquet"', f'"{bucket}/raw/corp*.parquet"')
    else:
        path = write_sources(raw, kind)
        text = path.read_text().partition("[[candidates]]")[0]
        for name in ("eval.parquet", "train", "toy"):
            text = text.replace(f'"{name}"', f'"{bucket}/raw/{name}"')
    assert text.count(bucket) == (1 if kind == "nano" else 2)
    upload(raw, f"{bucket}/raw")
    shutil.rmtree(raw)
    recipe = tmp_path / "recipe.toml"
    recipe.write_text(text)
    return recipe


def test_sources_work_and_dataset_of_a_store_give_the_bytes_of_a_disk(recipe, bucket, machine, tmp_path):
    machine(1)
    here = build(recipe, out=tmp_path / "here", work=tmp_path / "work")
    there = build(recipe, out=f"{bucket}/sets/there", work=f"{bucket}/work", workers=2)
    assert there.where == f"{bucket}/sets/there"
    assert files(here.folder) == files(there.folder) == downloaded(f"{bucket}/sets/there", tmp_path)
    # Another machine finds all of it done, and an earlier build that is its own.
    machine(2)
    again = build(recipe, out=f"{bucket}/sets/there", work=f"{bucket}/work")
    assert sum(stage.done_now for stage in again.stages.values()) == 0
    assert files(again.folder) == files(here.folder)


@pytest.fixture
def benchmark(tmp_path) -> Path:
    return write_sources(tmp_path, "benchmark")


def command(*given: str) -> int:
    """How a command ends."""
    with pytest.raises(SystemExit) as ended:
        main(list(given))
    return int(ended.value.code or 0)


def test_verbs_take_a_url_where_they_take_a_folder(benchmark, bucket, machine, tmp_path, capsys, monkeypatch):
    machine(1)
    monkeypatch.chdir(tmp_path)
    url = f"{bucket}/gems"
    assert command("build", str(benchmark), "--out", url, "--work", f"{bucket}/work", "--json") == 0
    assert json.loads(capsys.readouterr().out)["folder"] == url
    assert not Path("s3:").exists()
    machine(2)
    for verb in ("check", "verify", "inspect"):
        assert command(verb, url) == 0
    assert command("diff", url, url) == 0
    assert command("export", url, "beir", "--out", "exported") == 0
    assert Path("exported/corpus.jsonl").is_file()
    assert command("evaluate", url, "--system", "bm25", "--out", "results") == 0
    assert Path("results/report.json").is_file()
    capsys.readouterr()
    assert command("card", url) == 2
    assert capsys.readouterr().err == f"pyrite: {url}: is in an object store; name a path of this machine.\n"
    assert command("check", f"{bucket}/nothing") == 2
    assert "there is no such folder; check the URL." in capsys.readouterr().err


def test_a_delivery_that_is_broken_off_is_not_taken_for_the_whole_and_goes_on(
    benchmark, bucket, machine, tmp_path, monkeypatch
):
    machine(1)
    url, work = f"{bucket}/gems", tmp_path / "work"
    build(benchmark, out=url, work=work)
    Storage(url).write("README.md", Storage(url).read("README.md") + b"\n## By hand\n\nKept in a cool place.\n")
    expected = build(benchmark, out=url, work=work).folder
    wanted = files(expected)
    assert b"Kept in a cool place." in wanted["README.md"]
    puts: list[str] = []
    stop_at, put = [0], Storage.put

    def watched(storage: Storage, path: Path, name: str) -> None:
        puts.append(name)
        if len(puts) == stop_at[0]:
            raise KeyboardInterrupt
        put(storage, path, name)

    monkeypatch.setattr(Storage, "put", watched)
    more = ["distractors.count=100"]
    for stop in (1, 2, 4):
        puts.clear()
        stop_at[0] = stop
        with pytest.raises(KeyboardInterrupt):
            build(benchmark, out=url, work=work, overrides=more)
        with pytest.raises(DataError, match="is not delivered to its end; let the build that writes it end"):
            fetch(url)
    # What is there already of this very build is not put again, but for the card.
    puts.clear()
    stop_at[0] = 0
    other = build(benchmark, out=url, work=work, overrides=more)
    assert downloaded(url, tmp_path) == files(other.folder) != wanted
    assert b"Kept in a cool place." in files(other.folder)["README.md"]
    assert "queries/queries.parquet" not in puts
    assert "README.md" in puts
    assert fetch(url) == other.folder


def test_a_url_with_something_else_in_it_is_refused(benchmark, bucket, machine, tmp_path):
    machine(1)
    Storage(bucket).write("gems/notes.txt", b"mine")
    with pytest.raises(RecipeError, match="is a folder with other files in it; choose another --out"):
        build(benchmark, out=f"{bucket}/gems", work=tmp_path / "work")
    build(benchmark, out=f"{bucket}/other", work=tmp_path / "work")
    with pytest.raises(RecipeError, match="holds the benchmark 'kill-benchmark', not 'other'"):
        build(benchmark, out=f"{bucket}/other", work=tmp_path / "work", overrides=["name=other"])
    assert Storage(bucket).read("gems/notes.txt") == b"mine"
    assert not (cache_folder("work") / "kill-benchmark").exists()


def test_a_source_that_changed_in_the_store_is_read_again(bucket, machine, tmp_path):
    machine(1)
    raw = tmp_path / "raw"
    recipe = write_sources(raw, "benchmark")
    upload(raw, f"{bucket}/raw")
    sources = [f"source.eval.path={bucket}/raw/eval.parquet", f"source.train.path={bucket}/raw/train"]
    before = build(recipe, out=tmp_path / "out", work=tmp_path / "work", overrides=sources)
    Storage(bucket).put(raw / "train" / "part-0.parquet", "raw/train/part-1.parquet")
    after = build(recipe, out=tmp_path / "out", work=tmp_path / "work", overrides=sources)
    assert after.manifest.counts["corpus"] < before.manifest.counts["corpus"]
    # A URL is no path that a rebuild has to look for.
    assert command("verify", str(after.folder), "--rebuild") == 0
    with pytest.raises(RecipeError, match="there is no such file or folder; check the URL"):
        build(recipe, out=tmp_path / "out", work=tmp_path / "work", overrides=[f"source.eval.path={bucket}/no.csv"])


def test_what_lies_in_the_folder_that_is_made_is_not_lost_with_it(benchmark, bucket, machine, tmp_path):
    machine(1)
    for out, work in (
        (tmp_path / "out", tmp_path / "out" / "work"),
        (tmp_path / "out", tmp_path / "out"),
        (f"{bucket}/out/", f"{bucket}/out/work"),
        (f"{bucket}/out", f"{bucket}/out/"),
    ):
        with pytest.raises(RecipeError, match="lies in the folder that is made; choose another --work or --out"):
            build(benchmark, out=out, work=work)
    for out in (tmp_path / "out", f"{bucket}/out"):
        build(benchmark, out=out, work=tmp_path / "work")
    (tmp_path / "out" / "raw").mkdir()
    (tmp_path / "out" / "raw" / "mine.txt").write_text("mine")
    with pytest.raises(RecipeError, match=r"raw/mine.txt: was put into an earlier build, and would be gone; move it"):
        build(benchmark, out=tmp_path / "out", work=tmp_path / "work")
    # In a store nothing goes that no build made.
    Storage(bucket).write("out/raw/mine.txt", b"mine")
    Storage(bucket).write("out/child/corpus/corpus.parquet", b"a neighbour's")
    build(benchmark, out=f"{bucket}/out", work=tmp_path / "work", overrides=["distractors.count=100"])
    assert Storage(bucket).read("out/raw/mine.txt") == b"mine"
    assert Storage(bucket).read("out/child/corpus/corpus.parquet") == b"a neighbour's"


@pytest.mark.parametrize("place", ["a*", "a[bc]", "x?x=1", "x/..", "x//y", "./x"])
def test_a_url_that_could_be_taken_for_others_is_refused(benchmark, bucket, machine, tmp_path, place):
    machine(1)
    for given in ({"out": f"{bucket}/{place}"}, {"out": tmp_path / "out", "work": f"{bucket}/{place}"}):
        with pytest.raises(RecipeError, match=r"name (one|the) folder"):
            build(benchmark, **{"work": tmp_path / "work", **given})
    assert not Storage(bucket).sizes()


def test_verify_reads_what_is_in_the_store_and_not_what_was(benchmark, bucket, machine, tmp_path, capsys):
    machine(1)
    url = f"{bucket}/gems"
    build(benchmark, out=url, work=tmp_path / "work")
    assert command("verify", url) == 0
    assert capsys.readouterr().out.startswith(f"{url} ")
    name = "queries/queries.parquet"
    data = bytearray(Storage(url).read(name))
    data[len(data) // 2] ^= 1
    Storage(url).write(name, bytes(data))
    assert command("verify", url) == 1
    assert name in capsys.readouterr().out
    Storage(url).write("manifest.json", b"{")
    assert command("verify", url) == 1
    assert capsys.readouterr().err.startswith(f"pyrite: {url}/manifest.json: is not a JSON file")


def test_no_folder_with_the_name_of_a_url_is_made(benchmark, bucket, machine, tmp_path, capsys, monkeypatch):
    machine(1)
    monkeypatch.chdir(tmp_path)
    folder = build(benchmark, out="gems", work="work").folder
    for given in (
        ("export", str(folder), "beir", "--out", f"{bucket}/x"),
        ("evaluate", str(folder), "--system", "bm25", "--out", f"{bucket}/x"),
        ("evaluate", str(folder), "--system", "bm25", "--work", f"{bucket}/x"),
        ("search", str(folder), "--system", "bm25", "--out", f"{bucket}/x.parquet"),
        ("audit", str(folder), "--system", "bm25", "--out", f"{bucket}/x"),
        ("demo", "--out", f"{bucket}/x"),
        ("runs", "--in", f"{bucket}/x"),
    ):
        assert command(*given) == 2, given
        assert "is in an object store; name a path of this machine" in capsys.readouterr().err, given
    for place in ("s3://", "s3:/bbb/x", "S3://bbb/x"):
        assert command("build", str(benchmark), "--out", place) == 2, place
    assert sorted(path.name for path in tmp_path.iterdir() if ":" in path.name) == []


def test_a_training_table_in_a_store_is_cleaned(benchmark, bucket, machine, tmp_path):
    machine(1)
    folder = build(benchmark, out=tmp_path / "gems", work=tmp_path / "work").folder
    Storage(bucket).put(tmp_path / "train" / "part-0.parquet", "train.parquet")
    given = ("exclude", f"{bucket}/train.parquet", "--against", str(folder), "--column", "passage")
    assert command(*given, "--out", str(tmp_path / "clean.parquet")) == 0
    assert (tmp_path / "clean.parquet").is_file()
