"""The card of a Nano dataset: its tables, and usage code that runs, from the folder's files."""

from __future__ import annotations

from typing import Any

from pyrite.publishing.frontmatter import dump_yaml
from pyrite.publishing.nano_facts import NanoFacts
from pyrite.publishing.statistics import size_category
from pyrite.publishing.templating import render_template


def render_nano_facts(facts: NanoFacts, dataset_id: str | None = None, *, canary: str = "") -> str:
    """The card of a folder whose files were read already.

    Args:
        facts: what the files say.
        dataset_id: what usage code loads: a repository's id, or (None) the dataset's name, as seen from beside it.
        canary: the dataset's canary string, where its recipe asks for one.
    """
    where = f"{facts.folder}/metadata"
    body = render_template("nano.md.jinja", where=where, facts=facts, dataset=dataset_id or facts.name, canary=canary)
    return f"---\n{dump_yaml(_front(facts))}---\n\n{body}"


def _front(facts: NanoFacts) -> dict[str, Any]:
    configs: dict[str, dict[str, Any]] = {}
    for part in facts.parts:
        config = configs.setdefault(part.config, {"config_name": part.config})
        if part.config == "corpus":
            config["default"] = True
        config.setdefault("data_files", []).append({"split": part.split, "path": part.files[0]})
    tags = ["retrieval", "benchmark", "nano", *(["multilingual"] if len(facts.languages) > 1 else [])]
    front: dict[str, Any] = {
        "pretty_name": facts.title,
        "language": facts.languages,
        "license": facts.licence,
        "task_categories": ["text-retrieval"],
        "tags": list(dict.fromkeys([*tags, *facts.card["tags"]])),
        "size_categories": [size_category(facts.rows)],
        "configs": list(configs.values()),
    }
    return {key: value for key, value in front.items() if value != []}
