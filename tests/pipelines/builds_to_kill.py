"""Builds in processes of their own that are killed at a point, and what is compared afterwards."""

import json
import os
import random
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent
sys.path.insert(0, str(FOLDER))

from kill_points import counted  # noqa: E402
from sources_to_kill import LARGEST, files  # noqa: E402


@dataclass(frozen=True)
class Builds:
    """A process that builds in children of its own, told how; `errors` is where they write stderr."""

    process: subprocess.Popen[str]
    errors: Path

    def run(self, told: dict) -> int:
        self.process.stdin.write(json.dumps(told) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())["code"]


@dataclass(frozen=True)
class Place:
    """A folder for one build and its repeats; `stored`: its work is in an object store, a disk behind a URL."""

    folder: Path
    recipe: Path
    builds: Builds
    stored: bool = False

    @property
    def out(self) -> Path:
        return self.folder / "out"

    @property
    def work(self) -> Path:
        return self.folder / "work"

    def build(
        self, *, die_at: int = 0, workers: int = 1, command: bool = False, machine: str = "one", **points: object
    ) -> int:
        """The exit code of one run: of `build`, or of the command; a machine has a cache of its own."""
        self.folder.mkdir(exist_ok=True)
        files_of = {"trace": str(self.folder / "trace"), "work": str(self.folder / "done")}
        died = str(self.folder / f"died-{die_at}")
        told = {"recipe": str(self.recipe), "out": str(self.out), "work": str(self.work), "workers": workers}
        if self.stored:
            told |= {"work": f"local://{self.work}", "cache": str(self.folder / f"machine-{machine}")}
        if command:
            places = ["--out", told["out"], "--work", told["work"], "--workers", str(workers)]
            told["command"] = ["build", told["recipe"], *places, "--quiet"]
        return self.builds.run({**told, "points": {**files_of, "die_at": die_at, "died": died, **points}})

    def said(self) -> str:
        """The last line that a build wrote to stderr."""
        return self.builds.errors.read_text().splitlines()[-1]

    def trace(self) -> list[str]:
        return (self.folder / "trace").read_text().splitlines()

    def did(self) -> Counter[str]:
        """Rows hashed, texts encoded, pairs scored and shards begun, over all runs."""
        scored = self.folder / "done.pairs"
        lines = scored.read_text().splitlines() if scored.exists() else []
        return counted(self.folder / "done") + Counter(pairs=sum(line != "block" for line in lines))


def beside(whole: Place, name: str, *, stored: bool = False) -> Place:
    """Another folder for the same recipe."""
    return Place(whole.folder.parent / name, whole.recipe, whole.builds, stored)


def leftovers(place: Place) -> list[str]:
    """Names beside the finished folder, and in the work folder, that no finished run leaves."""
    own = {"out", "work", "trace", "done", "done.pairs"}
    strays = [path.name for path in place.folder.iterdir() if path.name not in own]
    strays = [name for name in strays if not name.startswith(("died-", "machine-"))]
    return strays + [str(path) for path in place.work.rglob(".tmp-*")]


def assert_same(place: Place, whole: Place, name: object = None) -> None:
    assert files(place.out) == files(whole.out), name
    assert leftovers(place) == [], name


def assert_bounded(place: Place, whole: Place, *, workers: int = 1) -> None:
    """What was done twice is what the largest shard has, for each worker."""
    once, twice = whole.did(), place.did()
    for what, most in LARGEST[whole.recipe.stem].items():
        assert once[what] <= twice[what] <= once[what] + most * workers, what
    again = [twice[what] - number for what, number in once.items() if what.startswith("shard of")]
    assert 0 <= sum(again) <= workers


def chosen(whole: Place, count: int) -> list[int]:
    """Seeded numbers of points, one in each part of the build, so that its end is struck as well as its beginning."""
    total = len(whole.trace())
    if os.environ.get("PYRITE_NIGHTLY"):
        return list(range(1, total + 1))
    chance, part = random.Random(f"{whole.recipe.stem} {count}"), total / count
    return [chance.randint(int(number * part) + 1, int((number + 1) * part)) for number in range(count)]
