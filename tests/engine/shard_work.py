"""Stages to run in tests; also a script, for tests that kill the whole run: 12 shards, 7 of them behind a gate."""

import errno
import os
import signal
import sys
import time
import warnings
from pathlib import Path

from pyrite.core import DataError
from pyrite.engine import Engine, Shard, Stage, digest_of


def log(data: dict, line: str) -> None:
    """One line in the shard's log: what was really done, seen from outside."""
    with Path(data["log"]).open("a") as file:
        file.write(line + "\n")


def shout(data, params, out):
    log(data, data["text"])
    while data["gate"] and not Path(data["gate"]).exists():
        time.sleep(0.005)
    out.write_text(data["text"].upper() + params.get("ending", ""))
    return {"characters": len(data["text"])}


def shout_at_last(data, params, out):
    """Killed on its first tries, as by a memory killer."""
    log(data, data["text"])
    if data["text"] == params["victim"] and Path(data["log"]).read_text().count(data["text"]) <= params["deaths"]:
        os.kill(os.getpid(), signal.SIGKILL)
    out.write_text(data["text"].upper())


def refuse_some(data, params, out):
    """Later shards fail sooner, so that the first to fail in time is not the first in order."""
    log(data, data["text"])
    if data["text"] in params["bad"]:
        time.sleep(params["bad"][data["text"]])
        raise KeyError(data["text"])
    out.write_text(data["text"].upper())


class StubbornError(Exception):
    def __init__(self, *, needed):
        super().__init__("cannot travel")
        self.needed = needed


def refuse_stubbornly(data, params, out):
    raise StubbornError(needed=lambda: None)


def warn(data, params, out):
    warnings.warn("ids were integers", UserWarning, stacklevel=1)
    warnings.warn(f"seen in {data['text'][0]}", DeprecationWarning, stacklevel=1)
    out.write_text(data["text"])


def say_no(data, params, out):
    out.write_text("half")
    raise DataError("the id is missing", where=f"{data['text']}.jsonl, line 3", fix="give it one")


def fill_the_disk(data, params, out):
    out.write_text("half")
    if data.get("full"):
        raise OSError(errno.ENOSPC, "No space left on device")


def write_nothing(data, params, out):
    return {}


def give_facts(data, params, out):
    out.write_text("")
    return {"z": (1, 2), "a": {"n": 0.5}}


SHOUT = Stage("shout", 1, shout, suffix=".txt")


def shards(log_file: Path, texts, gate: Path | str = "") -> list[Shard]:
    """One shard a text, done once there is a file at `gate`; log and gate don't decide the output."""
    return [
        Shard(f"shard {text}", digest_of(text), {"text": text, "log": str(log_file), "gate": str(gate)})
        for text in texts
    ]


def outputs(work: Path) -> dict[str, bytes]:
    """Every output of a work folder by its relative path."""
    return {str(path.relative_to(work)): path.read_bytes() for path in sorted(work.glob("*/*"))}


if __name__ == "__main__":
    folder, workers = Path(sys.argv[1]), int(sys.argv[2])
    log_file, texts = folder / "log", [f"text {n}" for n in range(12)]
    given = [*shards(log_file, texts[:5]), *shards(log_file, texts[5:], gate=folder / "gate")]
    with Engine(folder / "work", workers=workers) as engine:
        engine.run(SHOUT, given, {})
