"""Raw upstream tables: found, checked and cut into shards before a row is read."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

import pyarrow as pa

from pyrite.core import RecipeError
from pyrite.engine import digest_of, is_url, local_path
from pyrite.formats import (
    Column,
    DataWarning,
    Kind,
    TableFormat,
    cast_warning,
    choose_columns,
    column_names,
    format_of,
    integer_columns,
)
from pyrite.sources.cards import CardConfig, card_configs
from pyrite.sources.choosing import Asked, choose_files
from pyrite.sources.hub import HubApi, HubDataset, converted, is_hub_id, open_dataset
from pyrite.sources.remote import remote_files, within_folder
from pyrite.sources.shards import SHARD_BYTES, TableFile, TableShard, fingerprint, shards_of
from pyrite.sources.spec import SourceSpec

_NUMBERS: dict[str, Kind] = {"relevance": "integer", "rank": "integer", "score": "number", "logit": "number"}

_OPTIONS = {"query": "--columns", "relevant": "--columns", "id": "--corpus-columns", "text": "--corpus-columns"}
"""How the command line names a column of the queries, or of the corpus, of a set that is mined."""


@dataclass(frozen=True)
class Table:
    """A raw table whose files and columns are known to be there; no row is read yet.

    Attributes:
        spec: what was asked for.
        kind: the format of its files.
        files: in order.
        columns: what is read, under our names.
        revision: the commit of a hub source, else None.
    """

    spec: SourceSpec
    kind: TableFormat
    files: tuple[TableFile, ...]
    columns: tuple[Column, ...]
    revision: str | None = None

    @property
    def name(self) -> str:
        """What errors call it: the path as the recipe has it."""
        return self.spec.path

    @property
    def digest(self) -> str:
        """A cheap fingerprint of the files: names, sizes and samples; the same on every machine."""
        return digest_of([fingerprint(file, self.kind) for file in self.files])

    def origin(self) -> dict[str, str | None]:
        """Where it is from, for a manifest: path, revision (of the hub), config, split."""
        return {
            "path": self.spec.path,
            "revision": self.revision,
            "config": self.spec.config,
            "split": self.spec.split,
        }

    def shards(self, *, shard_bytes: int = SHARD_BYTES) -> list[TableShard]:
        """The parts of the table in order, of about `shard_bytes` of input each (64 MB)."""
        return [
            shard for file in self.files for shard in shards_of(file, self.kind, self.columns, shard_bytes=shard_bytes)
        ]

    def read(self) -> Iterator[pa.RecordBatch]:
        """All batches in row order; see `TableShard.read`."""
        return (batch for shard in self.shards() for batch in shard.read())


def open_table(
    spec: SourceSpec,
    *,
    needs: Sequence[str],
    base: Path,
    optional: Sequence[str] = (),
    single: Sequence[str] = (),
    hub: HubApi | None = None,
) -> Table:
    r"""The table that a spec names, with its columns checked.

    Args:
        spec: where it is.
        needs: our names of the columns that are read.
        base: what relative paths are relative to.
        optional: our names of columns that are read where they are there, and are null where not.
        single: those of them that hold one value a row; a list there is a DataError.
        hub: who is asked for a hub id; default: the Hugging Face hub.

    A column is text, an "id" (or "..._id") text that is never missing, "relevance" and "rank" whole numbers, "score"
    and "logit" numbers. A file's `config` and `split` are not looked at. RecipeError where nothing, or more than one
    table, is there; DataError for a missing column or a broken file; a DataWarning for a text column of integers.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "rows.jsonl").write_text('{"question": "why?", "answer": "because"}\n')
    ...     spec = SourceSpec("rows.jsonl", columns={"query": "question"})
    ...     table = open_table(spec, needs=["query"], base=Path(folder))
    ...     [batch.to_pylist() for batch in table.read()]
    [[{'query': 'why?'}]]
    """
    files, revision = _find(spec, base, hub)
    kind = spec.format or format_of(files[0].path.name)
    if kind is None:
        fix = 'name it by format = "parquet", "jsonl", "csv" or "tsv"'
        raise RecipeError("the file's name does not tell its format", where=str(files[0].path), fix=fix)
    wanted = [
        Column(name, (spec.columns.get(name, name),), _kind(name), optional=name in optional, single=name in single)
        for name in (*needs, *optional)
    ]
    return Table(spec, kind, files, _checked(files, kind, wanted), revision)


def _kind(name: str) -> Kind:
    if name in _NUMBERS:
        return _NUMBERS[name]
    return "id" if name == "id" or name.endswith(("_id", "-id")) else "text"


def _how_to_name(name: str) -> str:
    option = _OPTIONS.get(name)
    told = f" or, with pyrite mine, {option} {name}=THEIRS" if option else ""
    return f'name the right one, by columns = {{ {name} = "THEIRS" }} in a recipe{told}'


def _checked(files: Sequence[TableFile], kind: TableFormat, wanted: Sequence[Column]) -> tuple[Column, ...]:
    """The columns, each file having them; integers among texts are told of here, once for the whole table."""
    told: set[str] = set()
    for file in files:
        chosen = choose_columns(wanted, column_names(file.path, kind), str(file.path), advise=_how_to_name)
        numbers = integer_columns(file.path, kind)
        for column, theirs in chosen:
            if column.kind in ("text", "id") and theirs in numbers and column.name not in told:
                told.add(column.name)
                warnings.warn(cast_warning(str(file.path), theirs), DataWarning, stacklevel=4)
    return tuple(replace(column, told=column.name in told) for column in wanted)


def _find(spec: SourceSpec, base: Path, hub: HubApi | None) -> tuple[tuple[TableFile, ...], str | None]:
    if files := find_files(spec, base):
        return files, None
    dataset, names = on_hub(spec, open_dataset(spec.path, spec.revision, api=hub))
    fetched = tuple(
        TableFile(dataset.fetch(name), name, f"{dataset.repo_id}@{dataset.revision}/{name}") for name in names
    )
    return fetched, dataset.revision


def find_files(spec: SourceSpec, base: Path) -> tuple[TableFile, ...] | None:
    """The files of a table on this machine; None where there are none, and the path may be a hub id.

    RecipeError where it is neither, and where the folder there holds no or more than one table that fits.
    """
    if is_url(spec.path):
        return _in_store(spec)
    path = base / local_path(spec.path)
    if path.is_file():
        return (TableFile(path, path.name),)
    if path.is_dir():
        names = sorted(one.relative_to(path).as_posix() for one in path.rglob("*") if one.is_file())
        readme = path / "README.md"
        configs = card_configs(readme.read_text("utf-8", "replace"), where=str(readme)) if readme.is_file() else ()
        chosen = choose_files(names, Asked(str(path), spec.config, spec.split, spec.format), configs)
        return tuple(TableFile(path / name, name) for name in chosen)
    if matches := _fitting(path):
        return tuple(TableFile(one, one.name) for one in matches)
    if is_hub_id(spec.path):
        return None
    raise RecipeError("there is no such file or folder", where=str(path), fix="check the path")


def _in_store(spec: SourceSpec) -> tuple[TableFile, ...]:
    """What a URL names, as of a local path: one file, those that fit a pattern, or the table of a folder."""
    found = remote_files(spec.path)
    if within := within_folder(spec.path, found):
        readme = within.get("README.md")
        configs = card_configs(readme.read_bytes().decode("utf-8", "replace"), where=str(readme)) if readme else ()
        names = choose_files(list(within), Asked(spec.path, spec.config, spec.split, spec.format), configs)
    else:
        within = {one.url: one for one in found}
        names = list(within)
    # It has all that the readers of a table ask of a path.
    chosen = [(name.rpartition("/")[2], within[name]) for name in names]
    return tuple(TableFile(cast(Path, one), label, f"{one.url}@{one.state}") for label, one in chosen)


def _fitting(pattern: Path) -> list[Path]:
    magic = [place for place, part in enumerate(pattern.parts) if any(sign in part for sign in "*?[")]
    if not magic:
        return []
    within = Path(*pattern.parts[: magic[0]])
    return sorted(one for one in within.glob("/".join(pattern.parts[magic[0] :])) if one.is_file())


def on_hub(spec: SourceSpec, dataset: HubDataset) -> tuple[HubDataset, list[str]]:
    """The files of a table among those of a dataset, and the commit that they are in; only the card is fetched."""
    configs: tuple[CardConfig, ...] = ()
    if "README.md" in dataset.names:
        readme = dataset.fetch("README.md").read_text("utf-8", "replace")
        configs = card_configs(readme, where=f"{spec.path}, README.md")
    # Data files beside a script are its raw material, not the tables that it makes of them.
    if not dataset.has_data or (dataset.has_script and not configs):
        dataset, configs = converted(dataset, pinned=spec.revision is not None), ()
    return dataset, choose_files(dataset.names, Asked(spec.path, spec.config, spec.split, spec.format), configs)
