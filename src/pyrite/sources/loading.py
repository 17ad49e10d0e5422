"""A whole collection, from a folder or the hub."""

from __future__ import annotations

from pathlib import Path

from pyrite.core import Collection, RecipeError
from pyrite.formats import collection_files, read_collection
from pyrite.sources.hub import HubApi, is_hub_id, open_dataset


def load(
    path_or_id: str, *, split: str | None = None, revision: str | None = None, hub: HubApi | None = None
) -> Collection:
    r"""The collection in a folder, in any layout that is known, or of a dataset on the hub.

    Args:
        path_or_id: a folder, which is never looked for on the network, or a hub id.
        split: which one, where there are several; see `formats.read_collection`.
        revision: commit, tag or branch of a hub dataset.
        hub: who is asked for a hub id; default: the Hugging Face hub.

    Of a hub dataset only the split's tables and the manifest are fetched. DataError for data that are not fit or a hub
    that cannot be reached, RecipeError where there is nothing of this name.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "corpus.jsonl").write_text('{"_id": "d1", "text": "An element."}')
    ...     _ = Path(folder, "queries.jsonl").write_text('{"_id": "1", "text": "gold?"}')
    ...     _ = Path(folder, "qrels.tsv").write_text("1\td1\t1")
    ...     load(folder).qrels["1"]
    {'d1': 1}
    """
    folder = fetch(path_or_id, split=split, revision=revision, hub=hub)
    named = folder == Path(path_or_id).expanduser() or (folder / "manifest.json").is_file()
    return read_collection(folder, split=split, name=None if named else path_or_id.rpartition("/")[2])


def fetch(path_or_id: str, *, split: str | None = None, revision: str | None = None, hub: HubApi | None = None) -> Path:
    """The folder of a collection on this machine, downloaded first where it is on the hub; arguments as in `load`.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     fetch(folder) == Path(folder)
    True
    """
    path = Path(path_or_id).expanduser()
    if path.exists():
        return path
    if not is_hub_id(path_or_id):
        raise RecipeError("there is no such folder", where=path_or_id, fix="check the path")
    dataset = open_dataset(path_or_id, revision, api=hub)
    found = collection_files(dataset.names, split, where=path_or_id)
    manifest = [name for name in ("manifest.json",) if name in dataset.names]
    fetched = [(name, dataset.fetch(name)) for name in (*found.all(), *manifest)]
    name, place = fetched[0]
    return place.parents[name.count("/")]
