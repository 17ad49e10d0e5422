"""`pyrite mine`: hard negatives for known positives, without writing a recipe."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from pyrite.cli.app import app
from pyrite.cli.build import built_json, show_built
from pyrite.cli.options import (
    SYSTEM_HELP,
    Address,
    BuildWork,
    Hosted,
    Json,
    Quiet,
    Split,
    Workers,
    parse_count,
    print_json,
    progress,
    told_by_options,
    workers_of,
)


@app.command(
    short_help="Mine hard negatives with a teacher's logits.",
    epilog="Example: pyrite mine queries.jsonl --corpus corpus.jsonl --retriever bm25:en --teacher scores:logits.csv "
    "--absolute-margin 4 --out mined",
)
def mine(
    pairs: Annotated[str, typer.Argument(help="Queries with relevant ids, one a row; or a folder with the corpus.")],
    retriever: Annotated[list[str], typer.Option("--retriever", help=f"{SYSTEM_HELP}; may be given again.")],
    teacher: Annotated[
        str,
        typer.Option(
            "--teacher", help="rerank:MODEL, multi-vector:MODEL, dense:MODEL,scale=20, use,scale=20 or scores:FILE."
        ),
    ],
    out: Annotated[
        str,
        typer.Option(
            "--out", help="A folder, or a URL as in s3://bucket/mined; its name is the dataset's.", metavar="PATH"
        ),
    ],
    corpus: Annotated[
        str, typer.Option("--corpus", help="Documents: id, text (default: PAIRS is a folder that has them).")
    ] = "",
    columns: Annotated[
        str,
        typer.Option(
            "--columns", help="Names in PAIRS, as in query=question,relevant=docs (default: query, relevant, id)."
        ),
    ] = "",
    corpus_columns: Annotated[
        str, typer.Option("--corpus-columns", help="Names in the corpus, as in id=docid (default: id, text, title).")
    ] = "",
    split: Split = None,
    language: Annotated[
        str, typer.Option("--language", help="ISO 639, for a bm25 that names none (default: none; bm25 then has to).")
    ] = "",
    duplicates: Annotated[
        Literal["merge", "keep"], typer.Option("--duplicates", help="What queries of equal text become.")
    ] = "merge",
    missing: Annotated[
        Literal["error", "drop"], typer.Option("--missing", help="What a relevant id that the corpus lacks is.")
    ] = "error",
    limit: Annotated[str, typer.Option("--limit", help="The first N distinct questions, or all.")] = "all",
    sample: Annotated[str, typer.Option("--sample", help="Corpus documents beside the positives, N or all.")] = "all",
    seed: Annotated[int, typer.Option("--seed", min=0, help="Of --sample N.")] = 0,
    depth: Annotated[int, typer.Option("--depth", min=1, help="Candidates a retriever and query.")] = 100,
    teacher_depth: Annotated[
        int | None,
        typer.Option(
            "--teacher-depth", min=1, help="Ranks scored for every query (default: 50, or --depth where that is less)."
        ),
    ] = None,
    num_negatives: Annotated[int, typer.Option("--num-negatives", min=1, help="Negatives a row.")] = 5,
    positive_min: Annotated[float, typer.Option("--positive-min", help="Least logit of a positive.")] = 2.0,
    absolute_margin: Annotated[
        float | None,
        typer.Option("--absolute-margin", help="Positive - negative is at least this (default: no margin)."),
    ] = None,
    relative_margin: Annotated[
        float | None,
        typer.Option(
            "--relative-margin", help="Negative is at most positive - this * |positive| (default: no margin)."
        ),
    ] = None,
    top_up: Annotated[
        bool, typer.Option("--top-up", help="Fill short rows with what only the margin kept out, not drop them.")
    ] = False,
    set_: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            help="KEY=VALUE: any other setting of the recipe that is printed; may be repeated.",
        ),
    ] = None,
    work: BuildWork = None,
    workers: Workers = 1,
    engine: Hosted = "local",
    address: Address = "",
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Mine pairs, triplets and n-tuples with a teacher's logits; prints the recipe that it ran."""
    hosts = workers_of(workers, engine, address)
    from pyrite.pipelines import MiningRequest, mining_recipe, override_recipe
    from pyrite.pipelines import build as run_build

    settings: dict[str, Any] = {
        "language": language,
        "source.queries.split": split,
        "pairs.duplicates": duplicates,
        "pairs.missing": missing,
        "pairs.limit": parse_count(limit, option="--limit"),
        "pool.sample": parse_count(sample, option="--sample"),
        "pool.seed": seed,
        "retriever.depth": depth,
        "teacher.depth": teacher_depth,
        "select.num_negatives": num_negatives,
        "select.positive_min": positive_min,
        "filter.positive_min": positive_min,
        "select.absolute_margin": absolute_margin,
        "select.relative_margin": relative_margin,
        "select.top_up": top_up,
    }
    request = MiningRequest(
        name=Path(out.rstrip("/")).resolve().name,
        pairs=pairs,
        corpus=corpus,
        retrievers=tuple(retriever),
        teacher=teacher,
        columns=_columns(columns, "--columns"),
        corpus_columns=_columns(corpus_columns, "--corpus-columns"),
        settings={key: value for key, value in settings.items() if value not in (None, "")},
    )
    with told_by_options(settings):
        asked = mining_recipe(request)
    recipe = override_recipe(asked, set_ or [])
    built = run_build(recipe, out=out, work=work, workers=hosts, progress=progress(quiet or json))
    if json:
        print_json({**built_json(built), "recipe": recipe.text, "statistics": built.manifest.facts["statistics"]})
    elif not quiet:
        typer.echo(recipe.text)
        show_built(built)


def _columns(text: str, option: str) -> dict[str, str]:
    parts = [part.partition("=") for part in text.split(",") if part.strip()]
    if any(not (name.strip() and theirs.strip()) for name, _, theirs in parts):
        raise typer.BadParameter(f"'{text}' is not NAME=THEIRS,...", param_hint=option)
    return {name.strip(): theirs.strip() for name, _, theirs in parts}
