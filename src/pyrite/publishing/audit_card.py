"""The card of an audited copy of a collection that Pyrite did not build."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pyrite.core import Ledger
from pyrite.formats import read_manifest
from pyrite.publishing.audit_facts import audit_facts
from pyrite.publishing.digest import content_digest
from pyrite.publishing.frontmatter import dump_yaml
from pyrite.publishing.licence import UNKNOWN
from pyrite.publishing.statistics import size_category
from pyrite.publishing.templating import render_template


def render_collection_card(folder: Path, configs: Mapping[str, Mapping[str, list[str]]]) -> str:
    """The card of a folder of kind "collection" that an audit made.

    Args:
        folder: with its manifest.
        configs: config -> split -> files, as `formats.write_published` returns them.
    """
    manifest, digest = read_manifest(folder), content_digest(folder)
    front: dict[str, Any] = {
        "pretty_name": manifest.name,
        "language": [manifest.language],
        "license": UNKNOWN,
        "task_categories": ["text-retrieval"],
        "tags": ["retrieval"],
        "size_categories": [size_category(sum(manifest.counts.values()))],
        "configs": [
            {
                "config_name": config,
                **({"default": True} if config == "corpus" else {}),
                "data_files": [
                    {"split": split, "path": files[0] if len(files) == 1 else files} for split, files in splits.items()
                ],
            }
            for config, splits in configs.items()
        ],
    }
    facts = {"audit": audit_facts(folder, manifest, digest), "digest": digest}
    body = render_template(
        "audited.md.jinja",
        where=f"{folder}/manifest.json",
        facts=facts,
        manifest=manifest,
        ledger=Ledger.from_json(manifest.ledger),
    )
    return f"---\n{dump_yaml({key: value for key, value in front.items() if value != ['']})}---\n\n{body}"
