"""How large a raw table is, before it is read: files, bytes and rows, and how sure the rows are."""

from __future__ import annotations

import csv
import gzip
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from pyrite.engine import is_url, local_path
from pyrite.formats import DELIMITERS, TableFormat, collection_files, format_of, names_in, open_parquet
from pyrite.sources.hub import HubApi, HubDataset, converted, is_hub_id, open_dataset
from pyrite.sources.remote import remote_files, within_folder
from pyrite.sources.spec import SourceSpec
from pyrite.sources.table import find_files, on_hub

COUNTED = 64 << 20
"""Up to this size a file is read to count its rows; of a larger one parts are."""

_BLOCK = 4 << 20
_SPREAD = 0.05
"""What an estimate of rows may be off by beyond what its own samples differ by."""


@dataclass(frozen=True)
class Outline:
    """The size of a raw table.

    Attributes:
        path: as the recipe has it.
        files: how many there are.
        bytes: of the files, here or on the hub; None where the hub does not say.
        rows: at least and at most; equal where they were counted; None where the files would have to be downloaded.
        local: whether every file is on this machine.
    """

    path: str
    files: int
    bytes: int | None
    rows: tuple[int, int] | None
    local: bool


def outline(spec: SourceSpec, *, base: Path, hub: HubApi | None = None) -> Outline:
    r"""The size of the table that a spec names, without reading it and without downloading data.

    Rows of Parquet are counted in its footers, those of other files by their lines, in samples where they are large.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "rows.jsonl").write_text('{"a": 1}\n{"a": 2}\n')
    ...     outline(SourceSpec("rows.jsonl"), base=Path(folder))
    Outline(path='rows.jsonl', files=1, bytes=18, rows=(2, 2), local=True)
    """
    files = find_files(spec, base)
    if files is None:
        dataset, names = on_hub(spec, open_dataset(spec.path, spec.revision, api=hub))
        return _on_hub(spec.path, dataset, names, cached=hub is None)
    return _here(spec.path, [file.path for file in files], spec.format)


def outline_collection(
    path: str, *, base: Path, split: str | None = None, revision: str | None = None, hub: HubApi | None = None
) -> Outline:
    """The size of all tables of a collection's split together; arguments as in `load`, paths relative to `base`."""
    if is_url(path):
        within = within_folder(path, remote_files(path))
        names = collection_files(list(within), split, where=path).all()
        return _here(path, [cast(Path, within[name]) for name in names], None)
    folder = base / local_path(path)
    if folder.exists() or not is_hub_id(path):
        names = collection_files(names_in(folder), split, where=str(folder)).all()
        return _here(path, [folder / name for name in names], None)
    dataset = open_dataset(path, revision, api=hub)
    if not dataset.has_data:
        dataset = converted(dataset, pinned=revision is not None)
    names = collection_files(dataset.names, split, where=path).all()
    return _on_hub(path, dataset, names, cached=hub is None)


def _here(told: str, paths: Sequence[Path], kind: TableFormat | None) -> Outline:
    spans = [_rows(path, kind or format_of(path.name)) for path in paths]
    rows = (sum(low for low, _ in spans), sum(high for _, high in spans))
    local = all(isinstance(path, Path) for path in paths)
    return Outline(told, len(paths), sum(path.stat().st_size for path in paths), rows, local)


def _on_hub(told: str, dataset: HubDataset, names: Sequence[str], *, cached: bool) -> Outline:
    """Of files that were downloaded before as of files here; of others what the hub says."""
    paths = [_cached(dataset, name) for name in names] if cached else [None]
    here = [path for path in paths if path is not None]
    if len(here) == len(names):
        return _here(told, here, None)
    return Outline(told, len(names), _sizes(dataset, names), None, False)


def _cached(dataset: HubDataset, name: str) -> Path | None:
    from huggingface_hub import try_to_load_from_cache

    found = try_to_load_from_cache(dataset.repo_id, name, revision=dataset.revision, repo_type="dataset")
    return Path(found) if isinstance(found, str) else None


def _sizes(dataset: HubDataset, names: Sequence[str]) -> int | None:
    """The bytes of these files, where the hub says those of all."""
    asked: Callable[..., Any] = dataset.api.repo_info
    info = dataset.ask(
        lambda: asked(dataset.repo_id, revision=dataset.revision, repo_type="dataset", files_metadata=True)
    )
    sizes = {sibling.rfilename: getattr(sibling, "size", None) for sibling in info.siblings or ()}
    told = [sizes.get(name) for name in names]
    return None if None in told else sum(cast(list[int], told))


def _rows(path: Path, kind: TableFormat | None) -> tuple[int, int]:
    if kind == "parquet":
        with open_parquet(path) as file:
            rows = int(file.metadata.num_rows)
        return rows, rows
    size = path.stat().st_size
    if path.suffix == ".gz":
        return _packed_rows(path, size, kind)
    if size <= COUNTED:
        rows = _count(path.read_bytes(), kind)
        return rows, rows
    rates = []
    with path.open("rb") as stream:
        for start in (0, (size - _BLOCK) // 2, size - _BLOCK):
            stream.seek(start)
            # What is before the first line's end, and after the last, belongs to lines that began elsewhere.
            block = stream.read(_BLOCK)
            whole = block[block.find(b"\n") + 1 : block.rfind(b"\n") + 1]
            rates.append(whole.count(b"\n") / max(len(whole), 1))
        stream.seek(0)
        rows_a_line = _rows_a_line(stream.read(_BLOCK), kind)
    return _span(size * min(rates) * rows_a_line, size * max(rates) * rows_a_line, _SPREAD)


def _packed_rows(path: Path, size: int, kind: TableFormat | None) -> tuple[int, int]:
    with path.open("rb") as raw, gzip.open(raw) as stream:
        block = stream.read(COUNTED)
        if not stream.read(1):
            rows = _count(block, kind)
            return rows, rows
        read = raw.tell()
    # How well the rest is packed is anybody's guess.
    rows = int(_count(block, kind) * size / max(read, 1))
    return _span(rows, rows, 0.3)


def _count(text: bytes, kind: TableFormat | None) -> int:
    if kind in DELIMITERS:
        reader = csv.reader(io.StringIO(text.decode("utf-8", "replace"), newline=""), delimiter=DELIMITERS[str(kind)])
        return max(sum(1 for row in reader if row) - 1, 0)
    return sum(1 for line in text.splitlines() if line.strip())


def _rows_a_line(text: bytes, kind: TableFormat | None) -> float:
    """Less than one where quoted fields hold line ends."""
    lines = text.count(b"\n")
    return min(_count(text, kind) / lines, 1.0) if kind in DELIMITERS and lines else 1.0


def _span(low: float, high: float, spread: float) -> tuple[int, int]:
    return int(low * (1 - spread)), int(high * (1 + spread)) + 1
