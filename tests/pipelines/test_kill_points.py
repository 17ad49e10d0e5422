"""A build that is killed at any point, and run again, ends in the same bytes; what was done twice is one shard.

Of several hundred points a seeded choice is run here. `make nightly` runs them all, by PYRITE_NIGHTLY=1.
"""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

sys.path.insert(0, str(Path(__file__).parent))

from builds_to_kill import (
    Builds,
    Place,
    assert_bounded,
    assert_same,
    beside,
    chosen,
    leftovers,
)
from sources_to_kill import files, write_sources

from pyrite.engine import Engine

CHOSEN = 7
"""Points of each kind of recipe."""


def test_the_points_are_of_every_kind(whole: Place) -> None:
    kinds = {"shard", "write", "fsync", "replace", "rename", "row"}
    assert {f"{when} {kind}" for when in ("before", "after") for kind in kinds} | {"inside row"} <= set(whole.trace())
    assert len(whole.trace()) > 100


def test_a_build_killed_at_a_point_resumes_to_the_same_bytes(whole: Place) -> None:
    for number in chosen(whole, CHOSEN):
        place, name = beside(whole, f"point-{number}"), whole.trace()[number - 1]
        assert place.build(die_at=number) == -signal.SIGKILL, name
        # The last thing that a build does is to put the folder in its place, whole.
        assert not place.out.exists() or files(place.out) == files(whole.out), name
        assert place.build() == 0, name
        assert_same(place, whole, name)
        assert_bounded(place, whole)
        shutil.rmtree(place.folder)


def test_a_build_that_is_killed_again_and_again_comes_to_its_end(whole: Place) -> None:
    """Each run lives a little longer than the one before; a resume needs less, for it does less."""
    place, step = beside(whole, "again"), len(whole.trace()) // 8
    codes = []
    while not codes or codes[-1] == -signal.SIGKILL:
        codes.append(place.build(die_at=step * (len(codes) + 1)))
        assert len(codes) < 10
    assert codes[-1] == 0
    assert len(codes) > 2
    assert_same(place, whole)
    assert_bounded(place, whole, workers=len(codes) - 1)


@pytest.mark.parametrize("workers", [2, 4])
def test_workers_change_no_byte_even_when_one_is_killed(whole: Place, workers: int) -> None:
    place = beside(whole, f"workers-{workers}")
    assert place.build(workers=workers, inside="worker", die_at=9 if workers == 2 else 0) == 0
    assert (place.folder / "died-9").exists() == (workers == 2)
    assert_same(place, whole)
    assert_bounded(place, whole, workers=workers)


@pytest.mark.parametrize(("how", "code"), [("interrupt", 130), ("full", 1)])
def test_an_interrupt_and_a_full_disk_say_how_to_go_on(whole: Place, how: str, code: int) -> None:
    for number in chosen(whole, 2):
        place, name = beside(whole, f"{how}-{number}"), whole.trace()[number - 1]
        got = place.build(die_at=number, how=how, command=True)
        said = place.said()
        assert got == code, (name, said)
        assert said.startswith("pyrite: "), (name, said)
        assert ("the disk is full; free some space" if how == "full" else "the same command goes on") in said, name
        # What was swapped in is swapped in; else nothing stands where the folder will be.
        assert not place.out.exists() or files(place.out) == files(whole.out), name
        assert leftovers(place) == [], name
        assert place.build(command=True) == 0, name
        assert_same(place, whole, name)
        assert_bounded(place, whole)


def test_a_clock_that_jumps_changes_nothing(whole: Place) -> None:
    place = beside(whole, "clock")
    assert place.build(clock=True, die_at=len(whole.trace()) * 2 // 3) == -signal.SIGKILL
    finished = (place.work / "manifest.jsonl").read_bytes().count(b"\n")
    for number, path in enumerate(sorted(place.work.rglob("*"))):
        os.utime(path, (0, 0) if number % 2 else (4_102_444_800, 4_102_444_800))
    assert place.build(clock=True) == 0
    assert_same(place, whole)
    rows = (place.work / "manifest.jsonl").read_bytes().count(b"\n")
    assert rows == (whole.work / "manifest.jsonl").read_bytes().count(b"\n")
    assert finished > 1


def test_outputs_that_were_cut_or_edited_are_done_again(whole: Place) -> None:
    place = beside(whole, "damaged")
    assert place.build() == 0
    stages = sorted(path for path in place.work.iterdir() if path.is_dir())
    for number, stage in enumerate(stages):
        victim = min(stage.iterdir())
        data = bytearray(victim.read_bytes())
        data[len(data) // 2] ^= 1
        victim.unlink()  # a link of the finished folder keeps its bytes
        victim.write_bytes(data[: len(data) // 2] if number % 2 else data)
    shutil.rmtree(place.out)
    before = place.did()
    assert place.build() == 0
    assert_same(place, whole)
    again = place.did() - before
    assert sum(number for what, number in again.items() if what.startswith("shard of")) == len(stages)


def test_a_source_that_changed_under_its_name_is_read_again(whole: Place, tmp_path: Path) -> None:
    """What was kept of the old file is not mixed in."""
    kind = whole.recipe.stem
    place = Place(tmp_path / "kept", write_sources(tmp_path, kind), whole.builds)
    assert place.build() == 0
    assert files(place.out) == files(whole.out)
    source = {"benchmark": "train/part-2", "nano": "toy/corpus/corpus", "training": "corpus/part-1"}[kind]
    table = pq.read_table(tmp_path / f"{source}.parquet")
    column = table.column_names[-1]
    texts = [text.replace("lies", "sits") for text in table[column].to_pylist()]
    table = table.set_column(table.num_columns - 1, column, pa.array(texts))
    pq.write_table(table, tmp_path / f"{source}.parquet")
    assert place.build() == 0
    fresh = Place(tmp_path / "fresh", place.recipe, whole.builds)
    assert fresh.build() == 0
    assert files(place.out) == files(fresh.out) != files(whole.out)


def test_a_second_run_in_the_same_work_folder_stops_and_corrupts_nothing(whole: Place) -> None:
    place = beside(whole, "two")
    place.folder.mkdir()
    with Engine(place.work):
        assert place.build(command=True) == 1
        assert f"another run (process {os.getpid()}) is at work in this folder" in place.said()
    assert place.build(command=True) == 0
    assert_same(place, whole)


def test_a_kill_while_an_earlier_folder_is_replaced_keeps_what_a_person_wrote_in_its_card(whole: Place) -> None:
    """The old folder, the new one, or for an instant none: then the next run puts the old one back first."""
    place = beside(whole, "replaced")
    shutil.copytree(whole.out, place.out)
    card = place.out / "README.md"
    card.write_text(card.read_text() + "\n## By hand\n\nKept in a cool place.\n")
    assert place.build() == 0
    expected, before = files(place.out), len(place.trace())
    # With everything finished a build has fewer points, the same ones each time.
    assert place.build() == 0
    trace = place.trace()[before:]
    points = [number for number, name in enumerate(trace, 1) if "rename" in name][-4:]
    assert [trace[number - 1] for number in points] == ["before rename", "after rename"] * 2
    for number in points:
        assert place.build(die_at=number) == -signal.SIGKILL
        assert not place.out.exists() or files(place.out) == expected
        assert place.build() == 0
        assert files(place.out) == expected
        assert leftovers(place) == []
    assert b"Kept in a cool place." in expected["README.md"]


def test_a_disk_that_is_really_full_is_told_and_the_build_goes_on_once_there_is_space(
    builds: Builds, tmp_path: Path
) -> None:
    """A file system in memory, too small for the work; then the same one, larger."""
    recipe = write_sources(tmp_path, "benchmark")
    disk = tmp_path / "disk"
    disk.mkdir()
    command = [sys.executable, "-m", "pyrite.cli", "build", str(recipe), "--quiet"]
    command += ["--out", str(disk / "out"), "--work", str(disk / "work")]
    script = 'mount -t tmpfs -o size=120k none "$0" || exit 99; "$@"; echo $?; mount -o remount,size=64m "$0"; "$@"'
    script += '; echo $?; cd "$0/out" && find . -type f | wc -l'
    alone = ["unshare", "--mount", *([] if os.geteuid() == 0 else ["--map-root-user"]), "sh", "-c", script]
    done = subprocess.run([*alone, str(disk), *command], check=False, capture_output=True, text=True)
    if done.returncode == 99 or "unshare" in done.stderr:
        pytest.skip("no file system of its own can be mounted here (unshare --mount)")
    first, second, count = done.stdout.split()
    assert (first, second) == ("1", "0"), done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith(f"pyrite: {disk}/work")
    assert "the disk is full; free some space there and run the same command again" in done.stderr
    place = Place(tmp_path, recipe, builds)
    assert place.build() == 0
    assert int(count) == len(files(place.out))
