"""The card of a mined training set: its tables, the teacher's code and the losses that its labels are for."""

from __future__ import annotations

from typing import Any

from pyrite.publishing.frontmatter import dump_yaml
from pyrite.publishing.statistics import size_category
from pyrite.publishing.templating import render_template
from pyrite.publishing.training_facts import TrainingFacts

TEMPERATURE = 2.0
"""Of the distillation loss that the card shows; sentence-transformers' own default is 1.0."""

MODEL = "BAAI/bge-m3"
"""The student that the training code on the card starts from."""


def render_training_facts(facts: TrainingFacts, dataset_id: str | None = None, *, canary: str = "") -> str:
    """The card of a folder whose files were read already.

    Args:
        facts: what the files say.
        dataset_id: what usage code loads: a repository's id, or (None) the dataset's name, as seen from beside it.
        canary: the dataset's canary string, where its recipe asks for one.
    """
    body = render_template(
        "training.md.jinja",
        where=f"{facts.folder}/manifest.json",
        facts=facts,
        dataset=dataset_id or facts.name,
        canary=canary,
        temperature=TEMPERATURE,
        student=MODEL,
    )
    return f"---\n{dump_yaml(_front(facts))}---\n\n{body}"


def _front(facts: TrainingFacts) -> dict[str, Any]:
    configs = []
    for part in facts.parts:
        path = part.files[0] if len(part.files) == 1 else list(part.files)
        config: dict[str, Any] = {"config_name": part.config}
        if part.config == "n-tuples-filtered":
            config["default"] = True
        configs.append({**config, "data_files": [{"split": part.split, "path": path}]})
    tags = ["retrieval", "hard-negatives", "distillation", "sentence-transformers"]
    front: dict[str, Any] = {
        "pretty_name": facts.title,
        "language": [facts.manifest.language],
        "license": facts.licence,
        "task_categories": ["text-retrieval"],
        "tags": list(dict.fromkeys([*tags, *facts.card["tags"]])),
        "size_categories": [size_category(facts.rows)],
        "configs": configs,
    }
    return {key: value for key, value in front.items() if value != [""]}
