"""What measuring leaves on disk: reports, runs, and the card that shows them."""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from itertools import count
from pathlib import Path

from pyrite.core import RecipeError, Run
from pyrite.engine import Engine, Progress, atomic_file, atomic_folder
from pyrite.formats import write_report, write_run, write_trec_run
from pyrite.pipelines.asked import must_be_possible
from pyrite.pipelines.build import default_work
from pyrite.pipelines.evaluating import Evaluated, evaluate_folder, files_digest
from pyrite.pipelines.protocol import Protocol
from pyrite.pipelines.reports import write_results_page
from pyrite.publishing import answer_for, write_card
from pyrite.retrieval import progress_to
from pyrite.sources import fetch

LONGEST = 150
"""Characters of a folder's name."""
TREC_SUFFIXES = (".trec", ".run", ".txt")
KEPT = (
    ("train.json", "report.json", "per_query.parquet"),
    ("report.json", "per_query.parquet"),
    ("audit.json", "queue.parquet"),
)
"""What a dataset's folder keeps of training a student, of measuring, and of an audit."""


def evaluate_dataset(
    dataset: str,
    systems: Sequence[str],
    *,
    protocol: Protocol,
    split: str | None = None,
    work: Path | None = None,
    progress: Progress | None = None,
) -> Evaluated:
    """Measure systems on the folder or hub id of a dataset; runs are kept, so that a second call searches nothing."""
    must_be_possible(systems, protocol)
    folder = fetch(dataset, split=split)
    directory = work if work is not None else default_work(f"evaluate-{files_digest(folder)[:16]}")
    with Engine(directory, progress=progress) as engine, progress_to(progress):
        return evaluate_folder(folder, systems, split=split, protocol=protocol, engine=engine)


def write_run_file(run: Run, out: Path) -> None:
    """Write a run by its file's ending: Parquet, or trec_eval's six columns."""
    if out.suffix != ".parquet" and out.suffix not in TREC_SUFFIXES:
        raise RecipeError(
            f"ends in '{out.suffix}'", where=str(out), fix=f"name it .parquet or {', '.join(TREC_SUFFIXES)}"
        )
    with atomic_file(out) as path:
        (write_run if out.suffix == ".parquet" else write_trec_run)(path, run)


def write_results(evaluated: Evaluated, out: Path) -> None:
    """Write report.json, its page, per_query.parquet and every run, as Parquet and for trec_eval; whole or not at all.

    An earlier folder of results is replaced; any other folder with files in it is refused.
    """
    refuse_other_files(out)
    names = run_folders([run.system for run in evaluated.runs])
    with atomic_folder(out) as folder:
        write_report(folder, evaluated.report)
        write_results_page(folder, [evaluated.report], lengths=evaluated.lengths)
        for name, run in zip(names, evaluated.runs, strict=True):
            (folder / "runs" / name).mkdir(parents=True)
            write_run(folder / "runs" / name / "run.parquet", run)
            write_trec_run(folder / "runs" / name / "run.trec", run)


def refuse_other_files(out: Path) -> None:
    """RecipeError where results may not be written: over a file, or into a folder with other files in it."""
    if out.exists() and not out.is_dir():
        raise RecipeError("is a file, not a folder", where=str(out), fix="choose another --out")
    if out.exists() and not (out / "report.json").is_file() and any(out.iterdir()):
        raise RecipeError("is a folder with other files in it", where=str(out), fix="choose another --out")


def run_folders(systems: Sequence[str]) -> list[str]:
    """The name of each system as a folder's: no two alike, and none longer than a file system takes.

    >>> run_folders(["dense:org/model", "dense:org-model"])
    ['dense-org-model', 'dense-org-model-2']
    """
    names: list[str] = []
    for system in systems:
        plain = re.sub(r"[^\w.=,-]+", "-", system).strip("-")[:LONGEST] or "system"
        alike = (f"{plain}-{number}" if number > 1 else plain for number in count(1))
        names.append(next(name for name in alike if name not in names))
    return names


def renew_card(folder: Path, results: Sequence[Path] = ()) -> bool:
    """Take further results into a built folder and write its card again; True where the card changed.

    The manifest's digests follow only what is added here: an edited table stays an offence to `verify_folder`.
    """
    if not (folder / "manifest.json").is_file():
        raise RecipeError("has no manifest.json, so Pyrite did not build it", where=str(folder))
    for path in results:
        if not any((_inside(path) / names[0]).is_file() for names in KEPT):
            raise RecipeError(
                "has no report.json and no audit.json",
                where=str(path),
                fix="name a folder that evaluate, audit or train wrote",
            )
    for path in results:
        target = folder / "results" / path.resolve().name
        with atomic_folder(target) as fresh:
            for name in next(names for names in KEPT if (_inside(path) / names[0]).is_file()):
                shutil.copyfile(_inside(path) / name, fresh / name)
    if results:
        answer_for(folder, "results/")
    before = (folder / "README.md").read_bytes() if (folder / "README.md").is_file() else b""
    write_card(folder)
    return (folder / "README.md").read_bytes() != before


def _inside(path: Path) -> Path:
    """Where a folder of results has them: `train` writes them beside its students."""
    return path / "results" if (path / "results" / "train.json").is_file() else path
