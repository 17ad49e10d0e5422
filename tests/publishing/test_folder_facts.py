"""What a manifest says of a folder of any kind."""

from pathlib import Path

from pyrite.formats import Manifest
from pyrite.publishing.folder_facts import FolderFacts


def _facts(card: dict[str, object] | None) -> FolderFacts:
    recipe = {} if card is None else {"card": card}
    return FolderFacts(Manifest(kind="benchmark", name="minerals", recipe=recipe), Path("minerals"), "")


def test_the_heading_is_the_pretty_name_or_else_the_name() -> None:
    assert _facts({"pretty_name": "Minerals"}).title == "Minerals"
    assert _facts({"pretty_name": ""}).title == _facts(None).title == "minerals"


def test_what_a_recipe_leaves_out_of_its_card_is_there_and_empty() -> None:
    card = _facts({"summary": "About gold."}).card
    assert (card["summary"], card["train_on"], card["canary"]) == ("About gold.", "", False)
