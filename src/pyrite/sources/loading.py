"""A whole collection, from a folder, an archive, the hub or ir_datasets."""

from __future__ import annotations

from pathlib import Path

from pyrite.core import Collection, DataError, RecipeError
from pyrite.engine import is_url, local_path
from pyrite.formats import ReferBy, collection_files, read_collection
from pyrite.sources.archives import is_archive, unpack
from pyrite.sources.hub import HubApi, converted, is_hub_id, open_dataset
from pyrite.sources.irds import fetch_irds, is_irds_id
from pyrite.sources.remote import fetch_folder


def load(
    path_or_id: str,
    *,
    split: str | None = None,
    revision: str | None = None,
    refer_by: ReferBy | None = None,
    hub: HubApi | None = None,
) -> Collection:
    r"""The collection in a folder, in any layout that is known, in a BEIR zip, on the hub or in ir_datasets.

    Args:
        path_or_id: a folder or zip file, which is never looked for on the network; a hub id; a folder of an object
            store ("s3://bucket/gems"); or "ir-datasets:beir/scifact/test".
        split: which one, where there are several; see `formats.read_collection`.
        revision: commit, tag or branch of a hub dataset.
        refer_by: what the lists of relevant documents hold, where there are no qrels: "id"s or "row" numbers of the
            corpus; default: as their values tell.
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
    path = Path(path_or_id) if is_url(path_or_id) else local_path(path_or_id)
    named = folder == path or (folder / "manifest.json").is_file()
    name = None if named else path.stem if path.is_file() else path_or_id.rpartition("/")[2]
    try:
        return read_collection(folder, split=split, name=name, refer_by=refer_by)
    except DataError as error:
        if folder == path:
            raise
        # The person knows the name that was given, not the place where it was unpacked.
        where = error.where.replace(str(folder), path_or_id)
        raise DataError(error.what, where=where, fix=error.fix) from error


def fetch(path_or_id: str, *, split: str | None = None, revision: str | None = None, hub: HubApi | None = None) -> Path:
    """The folder of a collection on this machine, downloaded or unpacked first where it has to be; see `load`.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     fetch(folder) == Path(folder)
    True
    """
    if is_url(path_or_id):
        return fetch_folder(path_or_id)
    path = local_path(path_or_id)
    if is_archive(path):
        return unpack(path)
    if path.exists():
        return path
    if is_irds_id(path_or_id):
        return fetch_irds(path_or_id)
    if not is_hub_id(path_or_id):
        raise RecipeError("there is no such folder", where=path_or_id, fix="check the path")
    dataset = open_dataset(path_or_id, revision, api=hub)
    if not dataset.has_data:
        dataset = converted(dataset, pinned=revision is not None)
    found = collection_files(dataset.names, split, where=path_or_id)
    manifest = [name for name in ("manifest.json",) if name in dataset.names]
    fetched = [(name, dataset.fetch(name)) for name in (*found.all(), *manifest)]
    name, place = fetched[0]
    return place.parents[name.count("/")]
