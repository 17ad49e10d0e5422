"""The card that goes to the hub: the folder's own, and what people wrote into the one that is there."""

from __future__ import annotations

import warnings
from pathlib import Path

import yaml

from pyrite.formats import DataWarning
from pyrite.publishing.card import CARD, merge_card, render_card
from pyrite.publishing.frontmatter import merge_front, read_front, split_front
from pyrite.publishing.sections import split_sections


def card_for_hub(folder: Path, repo_id: str, remote: str = "") -> str:
    """The card of a folder as it is published: usage code loads the repository, and no key or config is lost.

    Text that a person wrote comes from the folder's card; where that has none, from the one on the hub. Where both
    have some, the folder's stands, and a DataWarning names what the hub's had besides. Keys, configs and tags that
    only the hub's card has stay in any case. Made again from its own result, the card does not change.

    Args:
        folder: a built folder.
        repo_id: of the repository.
        remote: the text of the card on the hub, "" for none.
    """
    path = folder / CARD
    local = path.read_text(encoding="utf-8") if path.is_file() else ""
    base = local if hand_written(local) or not remote.strip() else remote
    text = merge_card(render_card(folder, dataset_id=repo_id), base)
    if not remote.strip():
        return text
    lost = [piece for piece in hand_written(remote) if piece not in split_front(text)[1]]
    if lost:
        first = lost[0].splitlines()[0]
        warnings.warn(
            f"{repo_id}: the card on the hub has text that {path} has not, and that goes: '{first[:60]}'; "
            "copy it into the folder's card to keep it",
            DataWarning,
            stacklevel=2,
        )
    return _with_front_of(text, remote)


def hand_written(card: str) -> list[str]:
    """The pieces of a card outside its generated sections, blank ones left out."""
    pieces = split_sections(split_front(card)[1])
    return [piece.text.strip() for piece in pieces if not piece.name and piece.text.strip()]


def _with_front_of(text: str, remote: str) -> str:
    """The card with each key, config and tag of another one's front matter that it lacks."""
    ours = read_front(text)
    merged = merge_front(ours, remote)
    # Written anew only where something came, so that comments in the folder's own front matter stay.
    return text if yaml.safe_load(merged) == ours else f"---\n{merged}---\n{split_front(text)[1]}"
