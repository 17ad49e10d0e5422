"""The card of a published folder: rendered from its files, merged with what a person wrote."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

from pyrite.engine import atomic_file
from pyrite.formats import read_manifest
from pyrite.publishing.exclusion import exclude_line
from pyrite.publishing.facts import BenchmarkFacts, benchmark_facts
from pyrite.publishing.frontmatter import dump_yaml, merge_front, split_front
from pyrite.publishing.nano_card import render_nano_facts
from pyrite.publishing.nano_facts import NanoFacts, nano_facts
from pyrite.publishing.reading import Reading
from pyrite.publishing.sections import merge_sections
from pyrite.publishing.statistics import size_category
from pyrite.publishing.templating import render_template
from pyrite.publishing.training_card import render_training_facts
from pyrite.publishing.training_facts import TrainingFacts, training_facts

CARD = "README.md"

CANARIES = uuid.UUID("6f1f8a52-0f6c-5f1e-9b57-3f2c1f9f6d0e")
"""The namespace of canary strings: one name, one string, for ever."""

DATASET_ID = re.compile(r'^(corpus|pairs) = load_dataset\((?P<id>"(?:[^"\\]|\\.)+"), "(corpus|pairs)"', re.MULTILINE)


def render_card(folder: Path, *, results: Sequence[Path] = (), dataset_id: str | None = None) -> str:
    """The card of a built folder, every number computed from its files as they are now.

    Args:
        folder: a folder with manifest.json and its tables; what lies in `results/` is shown too.
        results: further folders of reports to show.
        dataset_id: what usage code loads: a repository's id, or (None) the dataset's name, as seen from beside it.

    Raises:
        DataError: a table or the manifest is missing or can't be read.
        RecipeError: the licence does not keep the terms of a share-alike source.
    """
    return render_facts(read_facts(folder, results), dataset_id)


def read_facts(
    folder: Path, results: Sequence[Path] = (), *, reading: Reading | None = None
) -> BenchmarkFacts | NanoFacts | TrainingFacts:
    """What the files of a folder say, by the kind of dataset that its manifest names; `reading`: of it as it is."""
    kind = read_manifest(folder).kind
    if kind == "training":
        return training_facts(folder, results, reading=reading)
    return (nano_facts if kind == "nano" else benchmark_facts)(folder, results, reading=reading)


def render_facts(facts: BenchmarkFacts | NanoFacts | TrainingFacts, dataset_id: str | None = None) -> str:
    """The card of a folder whose files were read already."""
    if isinstance(facts, TrainingFacts):
        return render_training_facts(facts, dataset_id, canary=canary(facts.name))
    if isinstance(facts, NanoFacts):
        return render_nano_facts(facts, dataset_id, canary=canary(facts.name))
    return f"---\n{dump_yaml(_front(facts))}---\n\n{_body(facts, dataset_id or facts.name)}"


def write_card(folder: Path, *, results: Sequence[Path] = (), reading: Reading | None = None) -> Path:
    """Write README.md: the rendered card merged with the one that is there; a second call changes nothing.

    The name that usage code loads stays as the existing card has it (a card that was published names its
    repository). `reading`: of the folder as it is, where it was read already.
    """
    path = folder / CARD
    existing = path.read_text(encoding="utf-8") if path.is_file() else ""
    facts = read_facts(folder, results, reading=reading)
    text = merge_card(render_facts(facts, loaded_id(existing)), existing)
    if text != existing:
        with atomic_file(path) as temporary:
            temporary.write_text(text, encoding="utf-8", newline="\n")
    return path


def merge_card(made: str, existing: str) -> str:
    """A rendered card with everything that a person wrote into an existing one.

    Unknown keys, configs and tags of the front matter stay, and so does every paragraph outside the generated
    sections, where it stands. `merge_card(made, merge_card(made, text))` is `merge_card(made, text)`.
    """
    if not existing.strip():
        return made
    front, body = split_front(made)
    ours: dict[str, Any] = yaml.safe_load(front)
    _, old = split_front(existing)
    return f"---\n{merge_front(ours, existing)}---\n\n{merge_sections(body, old).lstrip(chr(10))}"


def loaded_id(card: str) -> str | None:
    """The name or repository id that a card's usage code loads; None where it has none."""
    found = DATASET_ID.search(card)
    return str(json.loads(found["id"])) if found else None


def canary(name: str) -> str:
    """The canary string of a dataset, the same for its name on every day.

    >>> canary("toy")
    'pyrite-canary 94a65253-46d3-5660-bfd8-9fdc8ddd545f'
    """
    return f"pyrite-canary {uuid.uuid5(CANARIES, name)}"


def _front(facts: BenchmarkFacts) -> dict[str, Any]:
    front: dict[str, Any] = {
        "pretty_name": facts.title,
        "language": [facts.manifest.language],
        "license": facts.licence,
        "task_categories": ["text-retrieval"],
        "tags": list(dict.fromkeys(["retrieval", "benchmark", *facts.card.get("tags", ())])),
        "size_categories": [size_category(facts.rows)],
        "configs": _configs(facts),
    }
    return {key: value for key, value in front.items() if value != [""]}


def _configs(facts: BenchmarkFacts) -> list[dict[str, Any]]:
    configs: dict[str, dict[str, Any]] = {}
    for part in facts.parts:
        config = configs.setdefault(part.config, {"config_name": part.config})
        if part.config == "corpus":
            config["default"] = True
        path = part.files[0] if len(part.files) == 1 else list(part.files)
        config.setdefault("data_files", []).append({"split": part.split, "path": path})
    return list(configs.values())


def _body(facts: BenchmarkFacts, dataset: str) -> str:
    splits = [part.split for part in facts.parts if part.config == "qrels"]
    return render_template(
        "benchmark.md.jinja",
        where=f"{facts.folder}/manifest.json",
        facts=facts,
        dataset=dataset,
        split="test" if "test" in splits else splits[0],
        canary=canary(facts.name),
        exclude=exclude_line(facts.recipe, facts.manifest.sources, dataset),
    )
