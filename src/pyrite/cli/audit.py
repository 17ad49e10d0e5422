"""`pyrite audit`: what may be wrong with a dataset, as a queue to review; and a copy with it put right."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from pyrite.cli.app import app
from pyrite.cli.options import (
    Json,
    Quiet,
    Split,
    Systems,
    Work,
    here,
    parse_count,
    print_json,
    progress,
)
from pyrite.cli.tables import ledger_table, print_table
from pyrite.core import RecipeError
from pyrite.evaluation import Table


@app.command(
    short_help="Queue what looks wrong, and clean a copy.",
    epilog="Example: pyrite audit demo/en --system bm25 --teacher scores:logits.csv --against rows.jsonl "
    "--out audit-en",
)
def audit(
    dataset: Annotated[str, typer.Argument(help="A dataset folder, a mined set, a BEIR zip, a hub id.")],
    system: Systems = None,
    teacher: Annotated[
        str,
        typer.Option(
            "--teacher", help="rerank:MODEL, multi-vector:MODEL or scores:FILE (default: a mined set's own, else none)."
        ),
    ] = "",
    against: Annotated[
        str,
        typer.Option(
            "--against", help="A dataset, a mined set or a training table: leaks are looked for (default: not)."
        ),
    ] = "",
    column: Annotated[
        list[str] | None,
        typer.Option(
            "--column", help="A column of that table, NAME=THEIRS: query=..., passage=... (default: passage=passage)."
        ),
    ] = None,
    split: Split = None,
    queries: Annotated[str, typer.Option("--queries", help="Only the first N are audited, or all.")] = "all",
    out: Annotated[
        Path | None, typer.Option("--out", callback=here, help="The audit's folder (default: audit-NAME).")
    ] = None,
    depth: Annotated[int, typer.Option("--depth", min=1, help="Ranks of each system that are looked at.")] = 50,
    positive: Annotated[
        Literal["best", "lowest"], typer.Option("--positive", help="The positive that documents are held against.")
    ] = "best",
    agree: Annotated[
        int, typer.Option("--agree", min=1, help="Systems that have to agree, where no teacher decides.")
    ] = 2,
    top: Annotated[int, typer.Option("--top", min=1, help="Ranks within which they have to.")] = 10,
    near: Annotated[
        float, typer.Option("--near", help="Likeness of near-duplicates: Jaccard of 5-word shingles; 0: none.")
    ] = 0.8,
    ambiguous: Annotated[
        int, typer.Option("--ambiguous", min=1, help="Documents above the positive that make a query ambiguous.")
    ] = 5,
    apply: Annotated[
        bool, typer.Option("--apply", help="Write a copy by the decisions in the audit's folder and the rules below.")
    ] = False,
    copy: Annotated[Path | None, typer.Option("--copy", help="The copy's folder (default: NAME-audited).")] = None,
    judge: Annotated[
        str, typer.Option("--judge", help="Who decides what nobody reviewed, as in scores:FILE (default: the teacher).")
    ] = "",
    relevant_at: Annotated[
        float | None,
        typer.Option(
            "--relevant-at", help="The judge's logit from which a document is relevant (default: only people decide)."
        ),
    ] = None,
    relevant: Annotated[
        Literal["add", "drop-document", "drop-query"],
        typer.Option("--relevant", help="What an unmarked positive becomes: a judgement, or out it goes."),
    ] = "add",
    near_duplicates: Annotated[
        Literal["review", "add", "merge", "drop"],
        typer.Option("--near-duplicates", help="What near-duplicates of positives become."),
    ] = "review",
    leaks: Annotated[
        Literal["review", "drop"], typer.Option("--leaks", help="What queries that leak become.")
    ] = "review",
    ambiguous_queries: Annotated[
        Literal["keep", "drop"], typer.Option("--ambiguous-queries", help="What ambiguous queries become.")
    ] = "keep",
    work: Work = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Find likely false negatives, near-duplicates, ambiguous queries, leaks; --apply puts them right in a copy."""
    from pyrite.auditing import AuditRules, Remedy
    from pyrite.pipelines import AuditRequest, Other, apply_audit, read_audit
    from pyrite.pipelines import audit as run_audit

    name = _name(dataset, split)
    folder = out or Path(f"audit-{name}")
    remedy = Remedy(relevant_at, relevant, near_duplicates, leaks == "drop", ambiguous_queries == "drop")
    _must_fit(apply, judge, remedy, copy)
    if apply and not (system or teacher or against) and (folder / "audit.json").is_file():
        audited = read_audit(folder)
        if split is not None and audited.told["split"] != split:
            raise RecipeError(
                f"is the audit of split '{audited.told['split']}'", where=str(folder), fix="name another --out"
            )
    else:
        other = Other(against, _columns(column or []), near) if against else None
        rules = AuditRules(depth, positive, agree, top, near, ambiguous)
        count = parse_count(queries, option="--queries")
        limit = None if count == "all" else count
        request = AuditRequest(dataset, tuple(system or ()), teacher, split, other, rules, limit)
        audited = run_audit(request, out=folder, work=work, progress=progress(quiet or json))
    applied = None
    if apply:
        applied = apply_audit(audited, dataset, out=copy or Path(f"{name}-audited"), remedy=remedy, judge=judge)
    if json:
        told = {"folder": str(applied.folder), "ledger": applied.ledger.to_json()} if applied is not None else None
        print_json({"folder": str(audited.folder), "audit": dict(audited.told), "copy": told})
    elif not quiet and applied is None:
        show_audit(audited)
    elif not quiet and applied is not None:
        print_table(ledger_table(applied.ledger.to_json()))
        counts = ", ".join(f"{count:,} {part}" for part, count in applied.manifest.counts.items())
        typer.echo(f"{applied.folder}: {counts}.")
        typer.echo(f"Next: pyrite check {applied.folder}")


def show_audit(audited: Any) -> None:
    """What an audit found, and where the queue is."""
    for table in audit_tables(audited.told):
        print_table(table)
    for note in audited.told["notes"]:
        typer.echo(f"- {note}")
    typer.echo(f"{audited.folder}: queue.parquet has {len(audited.queue):,} items, most suspicious first; audit.json.")
    if len(audited.queue):
        typer.echo(f"Next: pyrite view {audited.folder} to decide item by item, then run it again with --apply.")


def audit_tables(told: dict[str, Any]) -> list[Table]:
    """The tables that `show_audit` prints."""
    counts = told["counts"]
    items = {**counts["items"]}
    together = items.pop("together")
    evidence = [f"{count:,} by {name}" for name, count in counts["evidence"].items() if count]
    said = {
        "false negative": "; ".join(evidence),
        "near-duplicate": f"{counts['copies']:,} copies but for case, width and white space"
        if counts["copies"]
        else "",
        "ambiguous": f"{told['rules']['ambiguous']} documents or more above the positive" if items["ambiguous"] else "",
        "leak": "; ".join(f"{count:,} {reason}" for reason, count in counts["leaks"].items()),
    }
    rows = [(kind, said[kind], f"{count:,}") for kind, count in items.items()]
    used = counts["negatives of mined rows"]
    notes = (f"{used:,} of the suspected documents are negatives of mined rows",) if used else ()
    fates = [(fate, f"{count:,}") for fate, count in counts["fates"].items() if count]
    above = [(band, f"{count:,}") for band, count in counts["above"].items() if count]
    return [
        Table("The queue", ("kind", "", "items"), (*rows, ("together", "", f"{together:,}")), notes, named_by=2),
        Table(
            "Pairs that were looked at",
            ("what became of them", "pairs"),
            (*fates, ("together", f"{counts['pairs']:,}")),
        ),
        Table(
            "Documents above the positive", ("how many", "queries"), (*above, ("together", f"{counts['queries']:,}"))
        ),
    ]


def _name(dataset: str, split: str | None) -> str:
    stem = Path(dataset).expanduser().resolve().name if Path(dataset).exists() else dataset.rpartition("/")[2]
    return f"{stem.removesuffix('.zip')}-{split.replace('/', '-')}" if split else stem.removesuffix(".zip")


def _columns(given: list[str]) -> dict[str, str]:
    parts = [text.partition("=") for text in given]
    if any(not (name.strip() and theirs.strip()) for name, _, theirs in parts):
        raise typer.BadParameter("write NAME=THEIRS, as in passage=text", param_hint="--column")
    return {name.strip(): theirs.strip() for name, _, theirs in parts}


def _must_fit(apply: bool, judge: str, remedy: Any, copy: Path | None) -> None:
    if not apply and (judge or remedy.rules or copy is not None):
        raise RecipeError("a judge, a rule or --copy changes nothing by itself", fix="add --apply")
    if judge and remedy.relevant_at is None:
        raise RecipeError(f"--judge {judge} has no threshold", fix="add --relevant-at LOGIT")
