"""`pyrite recipes`: what is shipped, and what one says."""

from __future__ import annotations

from typing import Annotated

import typer

from pyrite.cli.app import app
from pyrite.cli.options import Json, print_json

recipes = typer.Typer(
    help="List the shipped recipes, or show one.",
    invoke_without_command=True,
    rich_markup_mode=None,
    epilog="Example: pyrite recipes show benchmark/miriad-200k",
)
app.add_typer(recipes, name="recipes")


@recipes.callback()
def list_recipes(context: typer.Context, json: Json = False) -> None:
    """List the shipped recipes, or show one."""
    from pyrite.pipelines import load_recipe, shipped_recipes

    if context.invoked_subcommand is not None:
        return
    names = shipped_recipes()
    if json:
        print_json(names)
        return
    for name in names:
        recipe = load_recipe(name).recipe.model_dump()
        typer.echo(f"{name:28} {recipe['kind']:10} {recipe['card']['pretty_name'] or recipe['name']}")


@recipes.command(epilog="Example: pyrite recipes show benchmark/miriad-200k > my.toml")
def show(name: Annotated[str, typer.Argument(help="A shipped recipe's name.")]) -> None:
    """Print a recipe, to read or to start one's own from."""
    from pyrite.pipelines import find_recipe

    typer.echo(find_recipe(name).read_text(encoding="utf-8"), nl=False)
