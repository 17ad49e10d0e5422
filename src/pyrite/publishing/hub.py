"""A checked folder goes to the hub, by huggingface_hub and with its login alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar

from pyrite.core import DataError, PyriteError, RecipeError
from pyrite.engine import atomic_file
from pyrite.formats import read_manifest
from pyrite.publishing.card import CARD
from pyrite.publishing.check import check_folder
from pyrite.publishing.hub_card import card_for_hub
from pyrite.publishing.offence import Offence
from pyrite.publishing.parts import hidden
from pyrite.publishing.pins import refuse_unpinned

_REPO_ID = re.compile(r"[A-Za-z0-9][\w.-]*/[\w.-]+")
_HIDDEN = [".*", "*/.*"]
T = TypeVar("T")


class UploadApi(Protocol):
    """What is asked of the hub; `huggingface_hub.HfApi` answers it."""

    def hf_hub_download(self, repo_id: str, filename: str, *, repo_type: str | None = None) -> Any:
        """The path of a local copy of one file."""
        ...

    def create_repo(
        self, repo_id: str, *, repo_type: str | None = None, private: bool | None = None, exist_ok: bool = False
    ) -> Any:
        """Make the repository, unless it is there."""
        ...

    def upload_folder(
        self,
        *,
        repo_id: str,
        folder_path: str | Path,
        repo_type: str | None = None,
        commit_message: str | None = None,
        ignore_patterns: list[str] | str | None = None,
        delete_patterns: list[str] | str | None = None,
    ) -> Any:
        """One commit of the folder; a value with `commit_url`."""
        ...


@dataclass(frozen=True)
class Publication:
    """What went, or would go, to the hub.

    Attributes:
        repo_id: the repository.
        files: path -> bytes, sorted.
        offences: what the check found; where there is one, nothing goes.
        url: of the commit; "" where nothing went.
    """

    repo_id: str
    files: Mapping[str, int]
    offences: tuple[Offence, ...] = ()
    url: str = ""

    def to_json(self) -> dict[str, Any]:
        """Plain values for `--json`."""
        offences = [offence.to_json() for offence in self.offences]
        return {"repo_id": self.repo_id, "files": dict(self.files), "offences": offences, "url": self.url}


def publish_folder(
    folder: Path, repo_id: str, *, private: bool = False, dry_run: bool = False, hub: UploadApi | None = None
) -> Publication:
    """Check a built folder and upload it as a dataset repository, one commit; a second call changes nothing.

    The card is written for the repository first, into the folder too (see `card_for_hub`). Files on the hub in the
    dataset's own folders (corpus/, queries/, ...) that the folder no longer has are deleted by the same commit, so
    that no shard of an earlier version is loaded; all other files there stay. Hidden files never go. The token is the
    hub library's own: none is asked for, stored or shown.

    Args:
        folder: a built dataset folder.
        repo_id: "org/name".
        private: of a repository that is made; one that is there keeps what it is.
        dry_run: check and list, without a connection and without a change.
        hub: who is asked; default: the Hugging Face hub.

    Raises:
        RecipeError: the id is none, a source on the hub is not pinned, or there is no right to write.
        DataError: there is no built folder, or the hub cannot be reached.
    """
    if not _REPO_ID.fullmatch(repo_id):
        raise RecipeError(f"'{repo_id}' is no repository id", fix='write it as "org/name"')
    manifest = read_manifest(folder)
    refuse_unpinned(manifest)
    if offences := check_folder(folder):
        return Publication(repo_id, _files(folder), tuple(offences))
    if dry_run:
        return Publication(repo_id, _files(folder))
    api = hub or _hub()
    text = card_for_hub(folder, repo_id, _remote_card(api, repo_id))
    if text != (folder / CARD).read_text(encoding="utf-8"):
        with atomic_file(folder / CARD) as temporary:
            temporary.write_text(text, encoding="utf-8", newline="\n")
    files = _files(folder)
    own = sorted({f"{path.partition('/')[0]}/*" for path in files if "/" in path})
    _ask(lambda: api.create_repo(repo_id, repo_type="dataset", private=private or None, exist_ok=True), repo_id)
    commit = _ask(
        lambda: api.upload_folder(
            repo_id=repo_id,
            folder_path=folder,
            repo_type="dataset",
            commit_message=f"{manifest.name}, content {manifest.content.get('digest', '')}".rstrip(" ,"),
            ignore_patterns=_HIDDEN,
            delete_patterns=own,
        ),
        repo_id,
    )
    return Publication(repo_id, files, url=str(getattr(commit, "commit_url", "") or ""))


def _files(folder: Path) -> dict[str, int]:
    places = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    return {place: path.stat().st_size for place, path in sorted(places.items()) if not hidden(place)}


def _hub() -> UploadApi:
    # Not at the top: importing it takes longer than most commands.
    from huggingface_hub import HfApi

    return HfApi()


def _remote_card(api: UploadApi, repo_id: str) -> str:
    from huggingface_hub import errors

    def download() -> str:
        try:
            path = api.hf_hub_download(repo_id, CARD, repo_type="dataset")
        except errors.GatedRepoError:
            raise
        except (errors.RepositoryNotFoundError, errors.EntryNotFoundError) as error:
            # "Not there" and "cannot be asked" come as kinds of one error.
            if isinstance(error, errors.LocalEntryNotFoundError):
                raise
            return ""
        return Path(path).read_text(encoding="utf-8")

    return _ask(download, repo_id)


def _ask(call: Callable[[], T], repo_id: str) -> T:
    try:
        return call()
    except PyriteError:
        raise
    except Exception as error:  # httpx, requests, OSError and the hub's own kinds, by version
        raise _sentence(error, repo_id) from error


def _sentence(error: Exception, repo_id: str) -> PyriteError:
    from huggingface_hub import errors

    status = getattr(getattr(error, "response", None), "status_code", None)
    if isinstance(error, errors.OfflineModeIsEnabled):
        what = "the hub is not asked while HF_HUB_OFFLINE is set"
        return DataError(what, where=repo_id, fix="unset it, or look with --dry-run")
    if isinstance(error, errors.HFValidationError):
        return RecipeError("the hub takes no such repository id", where=repo_id, fix='write it as "org/name"')
    if isinstance(error, errors.LocalTokenNotFoundError) or status == 401:
        return RecipeError("the hub wants a login", where=repo_id, fix="log in with `hf auth login`, or set HF_TOKEN")
    if isinstance(error, errors.RepositoryNotFoundError | errors.GatedRepoError) or status == 403:
        fix = "check the id, and that the login may write there"
        return RecipeError("this login may not write to the repository", where=repo_id, fix=fix)
    told = f"answered with status {status}" if status else f"cannot be reached ({type(error).__name__})"
    return DataError(f"the hub {told}", where=repo_id, fix="try again later: the same command goes on")
