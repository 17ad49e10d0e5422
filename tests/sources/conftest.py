"""A hub made of folders."""

from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace

import pytest


@dataclass
class FolderHub:
    """Answers as the hub does: ROOT/org/name/REVISION/ is the tree of one commit."""

    root: Path
    fetched: list[str] = field(default_factory=list)

    def repo_info(self, repo_id, *, revision=None, repo_type=None):
        assert repo_type == "dataset"
        folder = self.root / repo_id / (revision or "main").replace("/", "-")
        if not folder.is_dir():
            raise ConnectionError(repo_id)
        files = [path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()]
        return SimpleNamespace(sha=folder.name, siblings=[SimpleNamespace(rfilename=name) for name in files])

    def hf_hub_download(self, repo_id, filename, *, repo_type=None, revision=None):
        assert repo_type == "dataset"
        self.fetched.append(filename)
        return str(self.root / repo_id / revision / filename)


@pytest.fixture
def hub(tmp_path):
    return FolderHub(tmp_path / "hub")


@pytest.fixture
def put(tmp_path):
    """Write a file under the folder of a test: text, bytes, or rows of a Parquet table."""
    import pyarrow as pa

    from pyrite.formats import write_parquet

    def write(name, content):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, dict):
            write_parquet(path, pa.table(content))
        elif isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_text(content, encoding="utf-8")
        return path

    return write
