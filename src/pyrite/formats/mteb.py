"""The task file that MTEB reads, beside tables in its layout."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pyrite.formats.language_tags import language_tag

_LICENCES = {
    *("mit", "cc-by-2.0", "cc-by-3.0", "cc-by-4.0", "cc-by-sa-3.0", "cc-by-sa-4.0", "cc-by-nc-3.0", "cc-by-nc-4.0"),
    *("cc-by-nc-sa-3.0", "cc-by-nc-sa-4.0", "cc-by-nc-nd-4.0", "cc-by-nd-4.0", "openrail", "odc-by", "afl-3.0"),
    *("apache-2.0", "cc0-1.0", "bsd-3-clause", "gpl-3.0", "lgpl", "lgpl-3.0", "cdla-sharing-1.0", "mpl-2.0"),
}
"""The licences that a task may name; any other is left out."""

_TEMPLATE = '''\
"""The MTEB task {name}. Its data are {place}."""

from pathlib import Path

from mteb.abstasks import AbsTaskRetrieval
from mteb.abstasks.task_metadata import TaskMetadata


class {name}(AbsTaskRetrieval):
    ignore_identical_ids = {remove_self}

    metadata = TaskMetadata(
        name="{name}",
        description={description},
        reference={reference},
        dataset={{"path": {path}, "revision": {revision}}},
        type="Retrieval",
        category="t2t",
        modalities=["text"],
        eval_splits={splits},
        eval_langs={languages},
        main_score="ndcg_at_10",
        date=None,
        domains=None,
        task_subtypes=None,
        license={licence},
        annotations_creators=None,
        dialect=None,
        sample_creation=None,
        bibtex_citation={bibtex},
    )
'''


@dataclass(frozen=True)
class MtebTask:
    """What MTEB has to know of a retrieval task.

    Attributes:
        title: of the dataset; the task's name is made of its letters and digits.
        languages: config prefix -> ISO 639 code; "" for the only one, whose configs have no prefix.
        splits: of the qrels.
        description: one or more sentences.
        dataset_id: where the tables are on the hub; "" for the folder in which the task file lies.
        revision: the commit there; "" for the newest of its main branch.
        licence: identifier. reference: a URL, or "". bibtex: the citations, or "".
        remove_self: whether a document whose id is the query's id is taken out of every ranking.
    """

    title: str
    languages: Mapping[str, str]
    splits: Sequence[str]
    description: str
    dataset_id: str = ""
    revision: str = ""
    licence: str = ""
    reference: str = ""
    bibtex: str = ""
    remove_self: bool = False

    @property
    def name(self) -> str:
        """The class and the task.

        >>> MtebTask("miriad-benchmark 200k", {"": "en"}, ["test"], "").name
        'MiriadBenchmark200k'
        """
        words = re.findall(r"[A-Za-z0-9]+", self.title)
        joined = "".join(word[0].upper() + word[1:] for word in words)
        return joined if joined[:1].isalpha() else f"Task{joined}"

    def to_python(self) -> str:
        """The text of the task file."""
        # "und": undetermined.
        tags = {prefix: [language_tag(code) or "und"] for prefix, code in self.languages.items()}
        return _TEMPLATE.format(
            place=f"{self.dataset_id} on the Hugging Face hub" if self.dataset_id else "in this folder",
            name=self.name,
            remove_self=self.remove_self,
            description=_text(self.description),
            reference=_text(self.reference) if self.reference else "None",
            path=_text(self.dataset_id) if self.dataset_id else "str(Path(__file__).parent)",
            revision=_text(self.revision or "main"),
            splits=_text(list(self.splits)),
            languages=_text(tags[""] if list(tags) == [""] else tags),
            licence=_text(self.licence) if self.licence in _LICENCES else "None",
            bibtex=_text(self.bibtex) if self.bibtex else "None",
        )


def _text(value: object) -> str:
    """A literal of Python: what JSON writes of strings, lists and mappings of them is one."""
    return json.dumps(value, ensure_ascii=False)


def write_mteb_task(path: Path, task: MtebTask) -> None:
    """Write the task file."""
    path.write_text(task.to_python(), encoding="utf-8", newline="\n")
