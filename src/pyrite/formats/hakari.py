"""The dataset description that HAKARI-Bench reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

NANOBEIR_SPLITS = (
    "NanoClimateFEVER",
    "NanoDBPedia",
    "NanoFEVER",
    "NanoFiQA2018",
    "NanoHotpotQA",
    "NanoMSMARCO",
    "NanoNFCorpus",
    "NanoNQ",
    "NanoQuoraRetrieval",
    "NanoSCIDOCS",
    "NanoArguAna",
    "NanoSciFact",
    "NanoTouche2020",
)
"""The splits that sentence-transformers' NanoBEIR evaluators know, and no others."""

_SHORT = 140


@dataclass(frozen=True)
class HakariDataset:
    """What HAKARI-Bench has to know of a Nano dataset.

    Attributes:
        name: of the dataset. dataset_id: where it is on the hub.
        splits: split -> ISO 639-1 code, or "" where it is not known or has none.
        description: one or more sentences; its first 140 characters are the short one.
        candidates: the config with the candidate lists.
        tasks: split -> what it asks, where there is more to say than its name.
    """

    name: str
    dataset_id: str
    splits: Mapping[str, str]
    description: str
    candidates: str = "bm25"
    tasks: Mapping[str, str] = field(default_factory=dict)

    def to_yaml(self) -> str:
        """The YAML text.

        >>> text = HakariDataset("NanoToy", "me/NanoToy", {"no": "no"}, "Toys.").to_yaml()
        >>> text.splitlines()[:3]
        ['name: NanoToy', 'dataset_id: me/NanoToy', 'benchmark_kind: nano']
        """
        languages = {_language(code) for code in self.splits.values()}
        values = {
            "name": self.name,
            "dataset_id": self.dataset_id,
            "benchmark_kind": "nanobeir" if set(self.splits) == set(NANOBEIR_SPLITS) else "nano",
            "corpus_config": "corpus",
            "queries_config": "queries",
            "qrels_config": "qrels",
            "candidate_config": self.candidates,
            "splits": list(self.splits),
            "metadata": self._told(languages.pop() if len(languages) == 1 else "multilingual", self.description),
            "task_metadata": {
                split: self._told(_language(code), self.tasks.get(split, f"Split {split} of {self.name}."))
                for split, code in self.splits.items()
            },
        }
        return str(yaml.safe_dump(values, sort_keys=False, allow_unicode=True, width=2**31))

    def _told(self, language: str, description: str) -> dict[str, Any]:
        return {
            "language": language,
            "category": "natural_language",
            "short_description": description if len(description) <= _SHORT else f"{description[: _SHORT - 3]}...",
            "description": description,
        }


def write_hakari(path: Path, dataset: HakariDataset) -> None:
    """Write the YAML."""
    path.write_text(dataset.to_yaml(), encoding="utf-8", newline="\n")


def _language(code: str) -> str:
    # HAKARI takes two-letter codes only.
    return code if len(code) == 2 else "unknown"
