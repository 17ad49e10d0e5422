"""What a mined set is worth: students trained on it, measured before and after on a collection that was held out."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Literal, cast

from pyrite.core import RecipeError, Report
from pyrite.engine import Progress, atomic_folder, digest_file, digest_of
from pyrite.evaluation import Comparison, align, compare
from pyrite.formats import read_manifest, write_report
from pyrite.pipelines.evaluating import evaluate
from pyrite.pipelines.protocol import Protocol
from pyrite.pipelines.students_overlap import Overlap, kept_rows, overlap_with
from pyrite.pipelines.students_result import STUDENT, TRAIN, Line, line_text, result_text, stored_line
from pyrite.retrieval import NeuralRetriever, NeuralSystem, make_retriever, progress_to
from pyrite.sources import load
from pyrite.training import Objective, Student, TrainingRows, TrainingSettings, train_student, training_rows


@dataclass(frozen=True)
class TrainingRequest:
    """A student, what it is trained on, and where it is measured.

    Attributes:
        dataset: the folder of a mined set.
        student: the short form of a dense or sparse system ("dense:FOLDER,max_length=128").
        held_out: what it is measured on: a folder, a BEIR zip, a hub id or an ir_datasets id. split: which of its
            splits.
        objectives: what students are trained on, one student each, all from the same start.
        settings: of all of them.
        protocol: by which rules they are measured; the first measure decides the comparison.
        overlap: "refuse" where a training query is a query of `held_out` too, or "drop" these rows.
    """

    dataset: Path
    student: str
    held_out: str
    split: str | None = None
    objectives: tuple[Objective, ...] = ("pairs", "n-tuples")
    settings: TrainingSettings = field(default_factory=TrainingSettings)
    protocol: Protocol = field(default_factory=lambda: Protocol(("nDCG@10",)))
    overlap: Literal["refuse", "drop"] = "refuse"


@dataclass(frozen=True)
class TrainingResult:
    """Students measured before and after.

    Attributes:
        report: the student as it came, then one system an objective.
        compared: all of them, pair by pair, on the same queries.
        lines: what was trained, one an objective.
        folder: of the students and the results.
    """

    report: Report
    compared: Comparison
    lines: tuple[Line, ...]
    folder: Path


def train(asked: TrainingRequest, *, out: Path, progress: Progress | None = None) -> TrainingResult:
    """Train a student on a mined set, once an objective, and measure it before and after.

    `out` gets `students/OBJECTIVE`, each a sentence-transformers model, and `results` with report.json and
    per_query.parquet, as `evaluate --out` writes them, and train.json, which says what was done and what it gained. A
    student that is there already, and was trained from the same model on the same rows by the same settings, is not
    trained again.

    Args:
        asked: what is to be done. out: a new folder, or one that this made before.
        progress: who is told how far it is.

    Raises:
        RecipeError: the request is wrong. DataError: the data are, or training queries are among those measured.
    """
    manifest = read_manifest(asked.dataset)
    if manifest.kind != "training":
        raise RecipeError(f"is a {manifest.kind}, no mined set", where=str(asked.dataset), fix="name a mined folder")
    _refuse_other_folder(out)
    if not asked.objectives or len(set(asked.objectives)) < len(asked.objectives):
        raise RecipeError("objectives are named twice, or none is", fix="name each once")
    system = _student_system(asked.student)
    squashed = bool((manifest.recipe.get("select") or {}).get("allow_squashed"))
    sets = [training_rows(asked.dataset, objective, allow_squashed=squashed) for objective in asked.objectives]
    collection = load(asked.held_out, split=asked.split)
    overlaps = [overlap_with(collection, rows, refuse=asked.overlap == "refuse") for rows in sets]
    lines = []
    for rows, overlap in zip(sets, overlaps, strict=True):
        target = out / "students" / rows.objective
        lines.append(_trained(system, rows, overlap, target, settings=asked.settings, progress=progress))
    retrievers = [NeuralRetriever(system), *(_after(system, out, line.objective) for line in lines)]
    with progress_to(progress):
        report = evaluate(collection, retrievers, asked.protocol)
    measure = next(iter(report.systems[0].measures))
    result = TrainingResult(report, compare(align([report], measure)), tuple(lines), out)
    _write(result, asked, manifest.content.get("digest", ""))
    return result


def _student_system(text: str) -> NeuralSystem:
    family = text.partition(":")[0]
    if family not in ("dense", "sparse"):
        raise RecipeError(f"'{text}' is no student", fix="name one, as in dense:MODEL or sparse:MODEL")
    retriever = cast(NeuralRetriever, make_retriever(text))
    # Loaded once here: what can't be measured (a head that would be random, a length that is too much) is told now.
    retriever.longest()
    return retriever.system


def _refuse_other_folder(out: Path) -> None:
    if out.exists() and not out.is_dir():
        raise RecipeError("is a file, not a folder", where=str(out), fix="choose another --out")
    if out.is_dir() and {file.name for file in out.iterdir()} - {"students", "results"}:
        raise RecipeError("is a folder with other files in it", where=str(out), fix="choose another --out")


def _after(system: NeuralSystem, out: Path, objective: str) -> NeuralRetriever:
    """The trained student as a system, used as the untrained one is."""
    name = system.name.partition(":")[2]
    settings = replace(system.settings, name=f"{name} after {objective}", revision=None)
    return NeuralRetriever(NeuralSystem(system.family, str(out / "students" / objective), settings))


def _trained(
    system: NeuralSystem,
    rows: TrainingRows,
    overlap: Overlap,
    target: Path,
    *,
    settings: TrainingSettings,
    progress: Progress | None,
) -> Line:
    """Train one student into its folder, or take the one that is there."""
    own = system.settings
    student = Student(
        family=cast(Literal["dense", "sparse"], system.family),
        folder=system.files.folder,
        query_prompt=own.prompt_of("query"),
        document_prompt=own.prompt_of("document"),
        max_length=own.max_length,
        device=own.devices[0] if own.devices else None,
    )
    tables = [digest_file(path) for path in (*rows.files, *rows.short)]
    asked = [system.files.digest, system.family, student.query_prompt, student.document_prompt, student.max_length]
    key = digest_of("student", asked, rows.objective, tables, overlap.leaks.tobytes().hex(), asdict(settings))
    held = stored_line(target, key)
    if held is not None:
        return held
    with atomic_folder(target) as fresh:
        done = train_student(student, rows, kept_rows(rows, overlap), fresh, settings=settings, progress=progress)
        name = _after(system, target.parents[1], rows.objective).name
        line = Line(rows.objective, name, overlap.rows, overlap.dropped, done.steps, done.loss, done.settings, key)
        (fresh / STUDENT).write_text(line_text(line), encoding="utf-8", newline="\n")
    return line


def _write(result: TrainingResult, asked: TrainingRequest, digest: str) -> None:
    about = {
        "dataset": {"name": read_manifest(asked.dataset).name, "digest": digest},
        "student": result.report.systems[0].system,
        "overlap": asked.overlap,
    }
    with atomic_folder(result.folder / "results") as fresh:
        write_report(fresh, result.report)
        text = result_text(result.report, result.compared, result.lines, about)
        (fresh / TRAIN).write_text(text, encoding="utf-8", newline="\n")
