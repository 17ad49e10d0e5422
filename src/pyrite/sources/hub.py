"""Datasets on the Hugging Face hub: their files are read, their code is never run."""

from __future__ import annotations

import errno
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar

from pyrite.core import DataError, PyriteError, RecipeError
from pyrite.formats import format_of

CONVERTED = "refs/convert/parquet"
"""The branch on which the hub keeps a Parquet copy of a dataset, made by its own servers."""

_HUB_ID = re.compile(r"[A-Za-z0-9][\w.-]*/[\w.-]+")
_LOCAL = "give the path of a local copy"
T = TypeVar("T")


class HubApi(Protocol):
    """What is asked of the hub; `huggingface_hub.HfApi` answers it."""

    def repo_info(self, repo_id: str, *, revision: str | None = None, repo_type: str | None = None) -> Any:
        """A value with `sha` and `siblings`, each of which has an `rfilename`."""
        ...

    def hf_hub_download(
        self, repo_id: str, filename: str, *, repo_type: str | None = None, revision: str | None = None
    ) -> Any:
        """The path of a local copy, within a folder that has the repository's layout."""
        ...


@dataclass(frozen=True)
class HubDataset:
    """One commit of a dataset repository.

    Attributes:
        repo_id: "org/name". revision: the commit. names: its files.
        api: who fetches them.
    """

    repo_id: str
    revision: str
    names: tuple[str, ...]
    api: HubApi

    def fetch(self, name: str) -> Path:
        """A local copy of one file."""
        return Path(
            self.ask(lambda: self.api.hf_hub_download(self.repo_id, name, repo_type="dataset", revision=self.revision))
        )

    def ask(self, call: Callable[[], T]) -> T:
        """What a call of the hub gives; whatever goes wrong is one sentence."""
        return _ask(call, self.repo_id, self.revision)

    @property
    def has_data(self) -> bool:
        """Whether any of its files is of a format that is read."""
        return any(format_of(name) for name in self.names)

    @property
    def has_script(self) -> bool:
        """Whether it is loaded by a script of its own: a Python file with the repository's name."""
        return f"{self.repo_id.rpartition('/')[2]}.py" in self.names


def is_hub_id(path: str) -> bool:
    """Whether a path has the form of a hub id.

    >>> is_hub_id("sbintuitions/JMTEB"), is_hub_id("../data/rows.parquet"), is_hub_id("rows.parquet")
    (True, False, False)
    """
    return _HUB_ID.fullmatch(path) is not None


def open_dataset(repo_id: str, revision: str | None = None, *, api: HubApi | None = None) -> HubDataset:
    """The files of a dataset at a revision (default: the newest commit of its main branch).

    DataError where the hub cannot be reached, RecipeError where there is no such dataset or revision, or no right to
    read it; each one sentence.
    """
    asked = api or _hub()
    info = _ask(lambda: asked.repo_info(repo_id, revision=revision, repo_type="dataset"), repo_id, revision)
    names = tuple(sorted(sibling.rfilename for sibling in info.siblings or ()))
    return HubDataset(repo_id, str(info.sha), names, asked)


def converted(dataset: HubDataset, *, pinned: bool) -> HubDataset:
    """The Parquet copy of a dataset that only its own script could load.

    RecipeError where the source is pinned to a commit of the script: that does not say which copy is meant.
    """
    copy = open_dataset(dataset.repo_id, CONVERTED, api=dataset.api)
    if pinned:
        raise RecipeError(
            "this revision holds a loading script, which is never run",
            where=dataset.repo_id,
            fix=f"pin the commit of its Parquet copy, now {copy.revision}",
        )
    return copy


def _hub() -> HubApi:
    # Not at the top: importing it takes longer than most commands.
    from huggingface_hub import HfApi

    return HfApi()


def _ask(call: Callable[[], T], repo_id: str, revision: str | None) -> T:
    try:
        return call()
    except PyriteError:
        raise
    except Exception as error:  # httpx, requests, OSError and the hub's own kinds, by version
        raise _sentence(error, repo_id, revision) from error


def _sentence(error: Exception, repo_id: str, revision: str | None) -> PyriteError:
    from huggingface_hub import errors

    if isinstance(error, errors.GatedRepoError):
        fix = "ask for access on its page, and log in with `hf auth login`"
        return RecipeError("the dataset is gated on the hub", where=repo_id, fix=fix)
    if isinstance(error, errors.RevisionNotFoundError):
        return RecipeError(f"the dataset has no revision '{revision}' on the hub", where=repo_id, fix="check it")
    if isinstance(error, errors.RepositoryNotFoundError | errors.HFValidationError):
        fix = "check the spelling, or log in with `hf auth login` where it is private"
        return RecipeError("is neither a path here nor a dataset on the hub", where=repo_id, fix=fix)
    if isinstance(error, errors.OfflineModeIsEnabled):
        what = "is not a path here, and the hub is not asked while HF_HUB_OFFLINE is set"
        return DataError(what, where=repo_id, fix=f"unset it, or {_LOCAL}")
    if isinstance(error, OSError) and error.errno == errno.ENOSPC:
        return DataError("the disk is full", where=str(error.filename or repo_id), fix="free some space and try again")
    what = f"is not a path here, and the hub cannot be reached ({type(error).__name__})"
    return DataError(what, where=repo_id, fix=f"try again later, or {_LOCAL}")
