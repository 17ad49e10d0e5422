"""`pyrite demo`: the whole road on embedded data, offline."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pyrite.cli.app import app
from pyrite.cli.options import (
    here,
    progress,
)
from pyrite.cli.tables import print_table
from pyrite.core import MissingExtraError

if TYPE_CHECKING:
    from pyrite.evaluation import Comparison, Table
    from pyrite.pipelines import Built

LANGUAGES = ("ar", "de", "en", "es", "ja", "ru", "zh")
UNSPACED = ("ja", "zh")
"""No extra is installed that could cut them into words: pieces of two characters are their words."""
MEASURE = "nDCG@10"


@app.command(short_help="Go the whole road on embedded data, offline.", epilog="Example: pyrite demo --out demo")
def demo(
    out: Annotated[Path, typer.Option("--out", callback=here, help="The folder to write.")] = Path("demo"),
    work: Annotated[
        Path | None,
        typer.Option(
            "--work", callback=here, help="Where finished shards are kept for a resume (default: the user's cache)."
        ),
    ] = None,
) -> None:
    """Build benchmarks about minerals in seven languages, measure systems on them and mine a training set; offline."""
    typer.echo("Questions about minerals in seven languages, and passages that look like the answer and are not.")
    benchmarks = [_build(language, out, work) for language in LANGUAGES]
    _tell_benchmarks(benchmarks, out)
    nano = _build("nano", out, work)
    counts = nano.manifest.counts
    typer.echo(
        f"{nano.folder}: a Nano dataset of {counts['splits']} splits, {counts['queries']} queries over "
        f"{counts['corpus']} documents, judgements graded 2, 1 and 0."
    )
    missing = _missing_encoder()
    print_table(_measured(nano.folder, out, work, encoder=missing is None))
    if missing is None:
        mined = _build("mined", out, work).manifest.facts["statistics"]
        typer.echo(
            f"{out}/mined: from {mined['pairs']} training questions "
            f"{mined['margin_only'] + mined['top_up']} rows with hard negatives and the encoder's logits; "
            f"{mined['weak_positive']} positives were too weak for it, {mined['short']} rows came out short, and "
            f"{mined['too_few_candidates']} had no candidate left."
        )
    else:
        typer.echo(f"No training set is mined: {missing}")
    _tell_next(out, mined=missing is None)


def _build(name: str, out: Path, work: Path | None) -> Built:
    """One recipe of the demo built, and held to the rules of what can be published."""
    from pyrite.pipelines import build
    from pyrite.publishing import check_folder

    here = None if work is None else work / name
    built = build(f"demo/{name}", out=out / name, work=here, progress=progress(False))
    offences = check_folder(built.folder)
    for offence in offences:
        typer.echo(str(offence))
    if offences:
        raise typer.Exit(1)
    return built


def _tell_benchmarks(benchmarks: Sequence[Built], out: Path) -> None:
    queries = sum(built.manifest.counts["queries"] for built in benchmarks)
    corpus = sum(built.manifest.counts["corpus"] for built in benchmarks)
    dropped = [entry["dropped"] for built in benchmarks for entry in built.manifest.ledger]
    leaks = sum(count for reasons in dropped for reason, count in reasons.items() if reason.endswith("a gold passage"))
    typer.echo(
        f"{out}/{', '.join(LANGUAGES)}: a benchmark each, together {queries} queries over {corpus} documents. {leaks} "
        "training rows were evaluation passages, some in disguise: left out, and listed in provenance/leaks.parquet."
    )
    report = benchmarks[LANGUAGES.index("en")].report
    assert report is not None
    first = report.systems[0].system
    curve = [
        point.estimate.mean
        for point in report.sweeps["distractors"]
        if point.measure == MEASURE and point.system == first
    ]
    typer.echo(
        f"{out}/en: {first} reaches {MEASURE} {curve[0]:.2f} among the gold passages alone, {curve[-1]:.2f} with all "
        "distractors."
    )


def _missing_encoder() -> MissingExtraError | None:
    """What is to be installed before the demo's encoder can be used; None where it is there."""
    from pyrite.retrieval import make_retriever

    try:
        make_retriever("use")
    except MissingExtraError as error:
        return error
    return None


def systems_of(language: str, *, encoder: bool) -> dict[str, str]:
    """What is measured in a language: a short name, and the system.

    >>> systems_of("ja", encoder=False)["words"]
    'bm25:ngram:ja/2,name=words'
    """
    if language in UNSPACED:
        words, letters = f"bm25:ngram:{language}/2", f"bm25:ngram:{language}/1"
    else:
        words, letters = f"bm25:{language}", f"bm25:ngram:{language}/4"
    # One name in every language, so that a leaderboard has a row a system.
    found = {
        "words": f"{words},name=words",
        "letters": f"{letters},name=letters",
        "both": f"fusion:rrf,of={words}+{letters},name=both",
    }
    return {**found, "encoder": "use"} if encoder else found


def _measured(folder: Path, out: Path, work: Path | None, *, encoder: bool) -> Table:
    """Every system on every split; the reports and runs go to results/LANGUAGE."""
    from pyrite.evaluation import Table, align, compare
    from pyrite.pipelines import Protocol, evaluate_dataset, write_results

    rows: list[tuple[str, ...]] = []
    names = list(systems_of("en", encoder=encoder))
    other = "encoder" if encoder else "letters"
    for language in LANGUAGES:
        evaluated = evaluate_dataset(
            str(folder),
            list(systems_of(language, encoder=encoder).values()),
            split=language,
            protocol=Protocol(measures=(MEASURE, "R@10"), depth=20),
            work=None if work is None else work / "evaluate",
            progress=progress(False),
        )
        write_results(evaluated, out / "results" / language)
        own = dict(zip(names, evaluated.runs, strict=False))
        compared = compare(align([evaluated.report], MEASURE))
        means = [f"{evaluated.report.mean(MEASURE, own[name].system):.2f}" for name in names]
        difference = _difference(compared, own[other].system, own["words"].system)
        rows.append((language, str(compared.queries), *means, *difference))
    header = ("split", "queries", *names, f"{other} - words", "p (Holm)")
    notes = (
        "words: BM25 of the language's stems (Japanese and Chinese: of two characters). letters: BM25 of four "
        "characters (of one). both: the two fused." + (" encoder: a dense system without torch." if encoder else ""),
    )
    return Table(f"{MEASURE} on the splits of {folder}", header, tuple(rows), notes)


def _difference(compared: Comparison, one: str, other: str) -> tuple[str, str]:
    """Mean difference with its interval, and the corrected p of the paired test."""
    pair = next(pair for pair in compared.pairs if {pair.better, pair.worse} == {one, other})
    low, mean, high = pair.difference.low, pair.difference.mean, pair.difference.high
    if pair.better != one:
        low, mean, high = -high, -mean, -low
    return f"{mean:+.2f} [{low:+.2f}, {high:+.2f}]", f"{pair.p_holm:.4f}"


def _tell_next(out: Path, *, mined: bool) -> None:
    from pyrite.pipelines import write_leaderboard_page

    page = out / "report.html"
    write_leaderboard_page([out / "results"], page)
    typer.echo(f"To look at in a browser: {page}, and one beside every other report.")
    typer.echo("Try next:")
    typer.echo(f"  pyrite inspect {out}/en")
    typer.echo(f"  pyrite compare {out}/results/ja")
    typer.echo(f"  pyrite evaluate {out}/en --system bm25 --system bm25:en,variant=robertson --distractors 0,20,all")
    if mined:
        typer.echo(f"  pyrite audit {out}/mined --out {out}/audit")
        typer.echo(f"  pyrite export {out}/mined labeled-list --out {out}/labeled-list")
    typer.echo("  pyrite recipes show benchmark/from-tables > my.toml   # then point its sources at your own files")
