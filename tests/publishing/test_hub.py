"""Uploads to a hub that is a folder."""

import fnmatch
import inspect
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import huggingface_hub
import pytest
from huggingface_hub import errors

from pyrite.core import DataError, RecipeError
from pyrite.formats import Manifest, read_manifest, write_manifest
from pyrite.publishing import check_folder, publish_folder, write_card
from pyrite.publishing.hub import UploadApi


class FolderHub:
    """Repositories under a folder; what is asked is kept, so that a test sees who was asked for what."""

    def __init__(self, root: Path) -> None:
        self.root, self.asked, self.private, self.commits = root, [], {}, 0

    def hf_hub_download(self, repo_id, filename, *, repo_type=None):
        self.asked.append(("download", filename))
        assert repo_type == "dataset"
        if not (self.root / repo_id).is_dir():
            raise errors.RepositoryNotFoundError(
                "404", response=SimpleNamespace(status_code=404, headers={}, request=None)
            )
        if not (self.root / repo_id / filename).is_file():
            raise errors.EntryNotFoundError("404")
        return str(self.root / repo_id / filename)

    def create_repo(self, repo_id, *, repo_type=None, private=None, exist_ok=False):
        assert (repo_type, exist_ok) == ("dataset", True)
        self.asked.append(("create", repo_id))
        self.private.setdefault(repo_id, private)
        (self.root / repo_id).mkdir(parents=True, exist_ok=True)

    def upload_folder(
        self, *, repo_id, folder_path, repo_type=None, commit_message=None, ignore_patterns=None, delete_patterns=None
    ):
        self.asked.append(("upload", commit_message))
        target = self.root / repo_id
        sent = {
            path.relative_to(folder_path).as_posix(): path for path in Path(folder_path).rglob("*") if path.is_file()
        }
        sent = {name: path for name, path in sent.items() if not any(fnmatch.fnmatch(name, p) for p in ignore_patterns)}
        there = {path.relative_to(target).as_posix(): path for path in target.rglob("*") if path.is_file()}
        for name, path in there.items():
            if name not in sent and any(fnmatch.fnmatch(name, pattern) for pattern in delete_patterns):
                path.unlink()
        changed = [
            n for n, p in sent.items() if not (target / n).is_file() or (target / n).read_bytes() != p.read_bytes()
        ]
        for name in changed:
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(sent[name], target / name)
        self.commits += bool(changed)
        return SimpleNamespace(commit_url=f"https://hub/{repo_id}/{self.commits}")


@pytest.fixture
def hub(tmp_path):
    return FolderHub(tmp_path / "hub")


def files(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_whole_folder_goes_and_its_card_loads_the_repository(published, hub):
    made = publish_folder(published, "org/minerals-toy", private=True, hub=hub)
    assert files(hub.root / "org/minerals-toy") == files(published)
    assert made.files == {name: len(content) for name, content in files(published).items()}
    assert (made.url, hub.private) == ("https://hub/org/minerals-toy/1", {"org/minerals-toy": True})
    assert 'load_dataset("org/minerals-toy", "corpus"' in (published / "README.md").read_text()
    assert check_folder(published) == []


def test_a_second_publication_changes_nothing(published, hub):
    """O54."""
    publish_folder(published, "org/toy", hub=hub)
    before = files(published)
    publish_folder(published, "org/toy", hub=hub)
    assert (files(published), hub.commits) == (before, 1)


def test_a_dry_run_lists_every_file_and_asks_nobody(published, hub, no_network):
    before = files(published)
    planned = publish_folder(published, "org/toy", dry_run=True, hub=hub)
    assert planned.files == {name: len(content) for name, content in before.items()}
    assert (hub.asked, planned.url, files(published)) == ([], "", before)


def test_an_offence_stops_everything(published, hub, put_rows):
    put_rows(published / "qrels" / "test.parquet", [{"query-id": "q0", "corpus-id": "p9", "score": 1}])
    made = publish_folder(published, "org/toy", hub=hub)
    assert any("document 'p9'" in str(offence) for offence in made.offences)
    assert (hub.asked, made.url) == ([], "")


def test_a_source_on_the_hub_has_to_be_pinned(published, hub):
    manifest = read_manifest(published)
    recipe = json.loads(json.dumps(dict(manifest.recipe)))
    del recipe["source"]["train"]["revision"]
    write_manifest(published / "manifest.json", Manifest(**(vars(manifest) | {"recipe": recipe})))
    with pytest.raises(RecipeError, match='org/minerals is on the hub and not pinned; write revision = "abc123"'):
        publish_folder(published, "org/toy", dry_run=True)
    assert hub.asked == []


def test_shards_of_an_earlier_version_go_and_foreign_files_stay(published, hub):
    remote = hub.root / "org/toy"
    (remote / "corpus").mkdir(parents=True)
    (remote / "corpus" / "corpus-00001-of-00002.parquet").write_bytes(b"old")
    (remote / "figure.png").write_bytes(b"theirs")
    publish_folder(published, "org/toy", hub=hub)
    assert sorted(path.name for path in (remote / "corpus").iterdir()) == ["corpus.parquet"]
    assert (remote / "figure.png").read_bytes() == b"theirs"


def test_hidden_files_never_go(published, hub):
    (published / ".cache").mkdir()
    (published / ".cache" / "token").write_text("secret")
    (published / "corpus" / ".swp").write_text("x")
    made = publish_folder(published, "org/toy", hub=hub)
    assert not [name for name in (*files(hub.root / "org/toy"), *made.files) if "/." in f"/{name}"]


def test_what_people_wrote_on_the_hub_comes_back(published, hub):
    """O54."""
    publish_folder(published, "org/toy", hub=hub)
    remote = hub.root / "org/toy" / "README.md"
    text = remote.read_text().replace("license:", "arxiv: 2501.1\nlicense:", 1)
    remote.write_text(text.replace("<!-- pyrite: usage -->", "A note of ours.\n\n<!-- pyrite: usage -->"))
    before = remote.read_text()
    publish_folder(published, "org/toy", hub=hub)
    assert "A note of ours.\n\n<!-- pyrite: usage -->" in remote.read_text()
    assert "arxiv: 2501.1" in remote.read_text()
    assert before.count("\n") == remote.read_text().count("\n")


@pytest.mark.parametrize("repo_id", ["minerals", "a/b/c", "../x", "org/", "org/a b"])
def test_what_is_no_repository_id_is_told_first(published, hub, repo_id):
    with pytest.raises(RecipeError, match='is no repository id; write it as "org/name"'):
        publish_folder(published, repo_id, hub=hub)
    assert hub.asked == []


def response(status):
    return SimpleNamespace(status_code=status, headers={}, request=None)


@pytest.mark.parametrize(
    ("error", "kind", "said"),
    [
        (ConnectionError("no route"), DataError, r"org/toy: the hub cannot be reached \(ConnectionError\); try again"),
        (errors.OfflineModeIsEnabled("offline"), DataError, "the hub is not asked while HF_HUB_OFFLINE is set"),
        (errors.LocalTokenNotFoundError("no"), RecipeError, "the hub wants a login; log in with `hf auth login`"),
        (errors.HfHubHTTPError("x", response=response(401)), RecipeError, "the hub wants a login"),
        (errors.HfHubHTTPError("x", response=response(403)), RecipeError, "this login may not write"),
        (errors.HfHubHTTPError("x", response=response(503)), DataError, "the hub answered with status 503"),
        (errors.HFValidationError("x"), RecipeError, "the hub takes no such repository id"),
        (errors.LocalEntryNotFoundError("x"), DataError, "cannot be reached"),
    ],
)
def test_a_hub_that_says_no_or_nothing_is_one_sentence(published, hub, monkeypatch, error, kind, said):
    def refuse(*_args, **_more):
        raise error

    monkeypatch.setattr(hub, "hf_hub_download", refuse)
    with pytest.raises(kind, match=said) as caught:
        publish_folder(published, "org/toy", hub=hub)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("method", ["create_repo", "upload_folder"])
def test_an_upload_that_fails_is_one_sentence(published, hub, monkeypatch, method):
    def refuse(*_args, **_more):
        raise TimeoutError

    monkeypatch.setattr(hub, method, refuse)
    with pytest.raises(DataError, match=r"cannot be reached \(TimeoutError\)"):
        publish_folder(published, "org/toy", hub=hub)


@pytest.mark.parametrize("method", ["hf_hub_download", "create_repo", "upload_folder"])
def test_the_hub_library_takes_what_it_is_given_and_no_token_is_among_it(method):
    theirs = inspect.signature(getattr(huggingface_hub.HfApi, method)).parameters
    ours = inspect.signature(getattr(UploadApi, method)).parameters
    assert set(ours) <= set(theirs)
    assert not [name for name in ours if "token" in name]


def test_the_library_itself_is_asked_offline_and_the_folder_stays(published):
    """The true hub client, with the network switched off as its users do."""
    write_card(published)
    before = files(published)
    code = "import sys; from pyrite.cli import main; main(sys.argv[1:])"
    done = subprocess.run(
        [sys.executable, "-c", code, "publish", str(published), "org/toy"],
        env={**os.environ, "HF_HUB_OFFLINE": "1", "HF_TOKEN": "hf_secretsecret"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("pyrite: org/toy: the hub ")
    assert "hf_secret" not in done.stdout + done.stderr
    assert files(published) == before
