"""The rules of the house, run over the source: what a reviewer would otherwise have to remember."""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import pyrite

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "pyrite"
ROOMS = sorted(path.parent.name for path in SOURCE.glob("*/__init__.py"))
PUBLIC = (
    *("BM25", "Collection", "Corpus", "Document", "PyriteError", "Qrels", "Queries", "Query", "Report", "Run"),
    *("build", "evaluate", "load", "measure", "search"),
)
MODEL_ROOMS = {"retrieval", "training"}
MODEL_LIBRARIES = {"torch", "sentence_transformers", "transformers"}
EMPTY_NAMES = {"utils", "util", "helpers", "helper", "misc", "manager", "common", "payload", "stuff", "data2"}
WRITERS = {
    *("write_text", "write_bytes", "ParquetWriter", "write_parquet"),
    *("copyfile", "copy2", "copytree", "replace_file", "savez"),
}
COVERED_BY = {
    **dict.fromkeys(
        (
            *("cli/card.py", "cli/check.py", "cli/inspect.py"),
            *("cli/options.py", "cli/recipes.py", "cli/reference.py", "cli/search.py", "cli/tables.py"),
            *("pipelines/evaluating.py", "pipelines/searching.py"),
        ),
        "test_docs.py",
    ),
    **dict.fromkeys(("cli/app.py", "cli/offences.py"), "cli/test_errors.py"),
    **dict.fromkeys(
        (
            *("pipelines/benchmark.py", "pipelines/benchmark_stages.py", "pipelines/expecting.py"),
            *("pipelines/scanned.py", "pipelines/writing.py", "pipelines/gold.py", "core/protocols.py"),
        ),
        "pipelines/test_build.py",
    ),
    **dict.fromkeys(("cli/compare.py", "cli/fidelity.py", "cli/leaderboard.py"), "cli/test_comparing_verbs.py"),
    **dict.fromkeys(("pipelines/hard.py", "pipelines/leaks.py"), "pipelines/test_near_and_hard.py"),
    **dict.fromkeys(
        ("pipelines/auditing_copy.py", "pipelines/auditing_copy_nano.py", "publishing/audit_card.py"),
        "pipelines/test_auditing_apply.py",
    ),
    "pipelines/auditing_sources.py": "pipelines/test_auditing.py",
    "core/report.py": "formats/test_results.py",
    "pipelines/hard_stages.py": "pipelines/test_hard_guard.py",
    "pipelines/protocol.py": "pipelines/test_protocol_of_a_folder.py",
    "core/texts.py": "core/test_collection.py",
    "engine/bar.py": "engine/test_progress.py",
    "pipelines/recipe_parts.py": "pipelines/test_recipe.py",
    "publishing/folder.py": "publishing/test_verify.py",
    "publishing/offence.py": "publishing/test_check.py",
    "retrieval/search/compiled.py": "retrieval/search/test_exact.py",
    "retrieval/neural/told.py": "retrieval/neural/test_indexes.py",
}
"""Files without a test of their own name, and the test that goes through them: they have one door for several files."""


@dataclass(frozen=True)
class Module:
    """One source file: its place under src/pyrite, its text, its syntax tree."""

    place: str
    text: str
    tree: ast.Module

    @property
    def room(self) -> str:
        """The folder under src/pyrite; "" for the package's own file."""
        return self.place.split("/")[0] if "/" in self.place else ""

    @classmethod
    def of(cls, place: str, text: str) -> Module:
        return cls(place, text, ast.parse(text))


MODULES = [
    Module.of(path.relative_to(SOURCE).as_posix(), path.read_text(encoding="utf-8"))
    for path in sorted(SOURCE.rglob("*.py"))
]


def too_long(module: Module) -> Iterator[str]:
    lines = len(module.text.splitlines())
    if lines > 300:
        yield f"{lines} lines, 300 at most"


def too_many_parameters(module: Module) -> Iterator[str]:
    if module.room == "cli":
        return
    for node in ast.walk(module.tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            given = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            named = [arg.arg for arg in given if arg.arg not in ("self", "cls")]
            if len(named) > 6:
                yield f"{node.name} takes {len(named)} parameters, 6 at most"


def names_that_say_nothing(module: Module) -> Iterator[str]:
    for part in Path(module.place).with_suffix("").parts:
        if EMPTY_NAMES & set(part.lower().split("_")):
            yield f"'{part}' names no answer"


def prints(module: Module) -> Iterator[str]:
    if module.room != "cli":
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("print", "sys.stdout.write"):
                yield f"line {node.lineno} prints"


def model_imports(module: Module) -> Iterator[str]:
    # Inside a function a library is loaded when it is used; at the top, when anyone imports the room.
    for node in module.tree.body if module.room in MODEL_ROOMS else ast.walk(module.tree):
        for name in imported(node):
            if name.split(".")[0] in MODEL_LIBRARIES:
                yield f"imports {name}"


def side_doors(module: Module) -> Iterator[str]:
    for node in ast.walk(module.tree):
        for name in imported(node):
            parts = name.split(".")
            if parts[0] == "pyrite" and len(parts) > 2 and parts[1] != module.room:
                yield f"imports {name}, past the door of {parts[1]}"


def unkept_writes(module: Module) -> Iterator[str]:
    """In the pipelines a file is written by a stage, which the engine runs, or inside `with atomic_...`."""
    if module.room != "pipelines" or module.place.endswith("_stages.py"):
        return
    safe: set[ast.AST] = set()
    for node in ast.walk(module.tree):
        if isinstance(node, ast.With) and any("atomic_" in ast.unparse(item.context_expr) for item in node.items):
            safe.update(ast.walk(node))
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Call) and node not in safe:
            called = ast.unparse(node.func)
            opened = called.split(".")[-1] == "open" and not read_only(node)
            if called.split(".")[-1] in WRITERS or called == "pq.write_table" or opened:
                yield f"line {node.lineno} writes a file past the engine ({called})"


def read_only(call: ast.Call) -> bool:
    modes = [ast.unparse(argument) for argument in [*call.args, *(k.value for k in call.keywords if k.arg == "mode")]]
    return not any(re.fullmatch(r"'[rbt]*[wax+][rbt+]*'", mode) for mode in modes)


def loose_ends(module: Module) -> Iterator[str]:
    for number, line in enumerate(module.text.splitlines(), start=1):
        if re.search(r"\b(TODO|FIXME|XXX|HACK)\b|(?<![\w.])/(root|home|work|Users)/", line):
            yield f"line {number} leaves something open or names one machine's folder"


def imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [node.module] if isinstance(node, ast.ImportFrom) and node.module and not node.level else []


Rule = Callable[[Module], Iterator[str]]
RULES: dict[Rule, tuple[str, str]] = {
    too_long: ("core/long.py", "x = 1\n" * 301),
    too_many_parameters: ("core/wide.py", "def f(self, a, b, c, *, d, e, f, g): ..."),
    names_that_say_nothing: ("core/text_utils.py", ""),
    prints: ("core/loud.py", "print('done')"),
    model_imports: ("evaluation/heavy.py", "def f():\n    import torch"),
    side_doors: ("pipelines/sly.py", "from pyrite.formats.beir import read_beir"),
    unkept_writes: ("pipelines/bold.py", "def f(path):\n    with path.open('wb') as file:\n        file.write(b'')"),
    loose_ends: ("core/later.py", "x = 1  # TO" + "DO: think"),
}
"""Each rule beside a file that breaks it."""


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_the_source_keeps_every_rule(rule: Rule) -> None:
    assert [f"{module.place}: {offence}" for module in MODULES for offence in rule(module)] == []


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_every_rule_sees_what_it_looks_for(rule: Rule) -> None:
    assert len(list(rule(Module.of(*RULES[rule])))) == 1


def test_a_stage_is_run_by_the_engine_and_never_called() -> None:
    calls = [(module, node) for module in MODULES for node in ast.walk(module.tree) if isinstance(node, ast.Call)]
    works = {
        ast.unparse(node.args[2])
        for module, node in calls
        if module.room == "pipelines" and ast.unparse(node.func) == "Stage" and len(node.args) > 2
    }
    assert "scan" in works
    called = [
        f"{module.place}:{node.lineno}"
        for module, node in calls
        if module.room == "pipelines" and ast.unparse(node.func) in works
    ]
    assert called == []


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_has_a_door_that_says_what_it_exports(room: str) -> None:
    door = importlib.import_module(f"pyrite.{room}")
    assert len(door.__all__) == len(set(door.__all__))
    assert [name for name in door.__all__ if not hasattr(door, name)] == []


@pytest.mark.parametrize("room", ROOMS)
def test_what_a_door_exports_has_a_docstring(room: str) -> None:
    door = importlib.import_module(f"pyrite.{room}")
    documented = {
        (f"pyrite.{module.place.removesuffix('.py').replace('/', '.')}", node.name): ast.get_docstring(node)
        for module in MODULES
        for node in ast.walk(module.tree)
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
    }
    exported = [getattr(door, name) for name in door.__all__]
    places = [(value.__module__, value.__qualname__) for value in exported if hasattr(value, "__qualname__")]
    assert places
    assert [place for place in places if place in documented and not documented[place]] == []


def test_tests_mirror_the_source() -> None:
    bare = [
        module.place
        for module in MODULES
        if not module.place.endswith("__init__.py")
        and any(isinstance(node, ast.FunctionDef) for node in ast.walk(module.tree))
        and not (ROOT / "tests" / Path(module.place).parent / f"test_{Path(module.place).name}").is_file()
    ]
    assert sorted(set(bare) - set(COVERED_BY)) == []
    assert sorted(set(COVERED_BY) - set(bare)) == [], "these have a test of their own now: take them off the list"
    assert [test for test in COVERED_BY.values() if not (ROOT / "tests" / test).is_file()] == []


def test_the_public_surface_is_this_list() -> None:
    assert tuple(pyrite.__all__) == PUBLIC
    assert len(PUBLIC) <= 15
    assert [name for name in PUBLIC if not getattr(pyrite, name).__doc__] == []


@pytest.mark.parametrize(
    "program",
    [
        "import pyrite, pyrite.cli",
        "import pyrite; [getattr(pyrite, name) for name in pyrite.__all__]",
    ],
    ids=["import", "every public name"],
)
def test_importing_pyrite_loads_no_model_library(program: str) -> None:
    look = f"{program}; import sys; print(sorted({MODEL_LIBRARIES!r} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_every_package_of_every_extra_is_pinned() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = dict(line.split("==") for line in lines if line and not line.startswith("#"))
    pins = {name.lower().replace("_", "-"): version for name, version in pins.items()}
    wanted = [Requirement(text) for text in project["dependencies"]]
    wanted += [Requirement(text) for extra in project["optional-dependencies"].values() for text in extra]
    names = [(requirement, requirement.name.lower().replace("_", "-")) for requirement in wanted]
    assert [str(requirement) for requirement, name in names if pins.get(name) not in requirement.specifier] == []
    assert sorted(pins) == list(pins), "constraints.txt is sorted by name"


def test_no_file_of_the_project_names_an_index() -> None:
    files = [ROOT / "Makefile", ROOT / "constraints.txt", ROOT / ".ci" / "run", ROOT / "pyproject.toml"]
    assert [file.name for file in files if re.search(r"index-url|find-links|https?://", file.read_text())] == []
