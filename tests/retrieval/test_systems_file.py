"""A file of systems: its tables are what the short forms say."""

from pathlib import Path

import pytest

from pyrite.core import RecipeError
from pyrite.retrieval import make_retriever, parse_system, read_systems

TEXT = """
[[system]]
system = "bm25:ja"

[[system]]
system = "dense:models/tiny"
query_prompt = "query, or so: "
document_prompt = ""
max_length = 256
normalize = true
devices = ["cuda:0", "cuda:1"]

[[system]]
system = "rerank:org/ce"
over = "(bm25:en,k1=0.9)"
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "systems.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_every_table_becomes_a_system_with_paths_from_the_file(tmp_path: Path) -> None:
    (tmp_path / "models" / "tiny").mkdir(parents=True)
    first, second, third = read_systems(write(tmp_path, TEXT))
    assert first == "bm25:ja"
    spec = parse_system(second)
    assert spec.argument == str(tmp_path / "models" / "tiny")
    assert spec.settings == {
        "query_prompt": "query, or so: ",
        "document_prompt": "",
        "max_length": "256",
        "normalize": "true",
        "devices": "cuda:0+cuda:1",
    }
    assert make_retriever(third).name == "rerank:org/ce,over=(bm25:en,k1=0.9)"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("system = 3", r"something else than \[\[system\]\] tables"),
        ('[[system]]\nsystem = "bm25"\n[other]\n', "something else than"),
        ("[[system]]\nk1 = 3\n", "system 1: has no key 'system'"),
        ('[[system]]\nsystem = "bm25"\nk1 = {a = 1}\n', "'k1' is neither text, a number"),
        ("[[system", "is not TOML"),
    ],
)
def test_anything_else_in_the_file_is_refused(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match=said):
        read_systems(write(tmp_path, text))


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match="can't be read"):
        read_systems(tmp_path / "none.toml")
