"""What the README and the guides show is run as written, in the folder that `make demo` leaves behind."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import typer

from pyrite.cli.app import app, load_verbs
from pyrite.cli.reference import reference
from pyrite.pipelines import check_recipe

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted(
    path for part in (".", "*") for path in (ROOT / "docs").glob(f"{part}/*.md") if "_build" not in path.parts
)
DOCS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *PAGES]
RUN = [ROOT / "README.md", *sorted((ROOT / "docs" / "guide").glob("*.md"))]


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, the file name that its fence gives it, its text."""

    language: str
    title: str
    text: str


def blocks(page: Path) -> list[Block]:
    found = re.findall(r'^```(\w+)(?: title="([^"]+)")?\n(.*?)^```$', page.read_text(encoding="utf-8"), re.M | re.S)
    return [Block(*parts) for parts in found]


def shell(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "XDG_CACHE_HOME": str(folder / "cache"), "HF_HUB_OFFLINE": "1"}
    script = ["bash", "-euo", "pipefail", "-c", command]
    return subprocess.run(script, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the demo was built."""
    folder = tmp_path_factory.mktemp("docs")
    done = shell("pyrite demo --out demo", folder)
    assert done.returncode == 0, done.stderr
    assert (folder / "demo" / "en" / "README.md").is_file()
    assert (folder / "demo" / "de" / "README.md").is_file()
    return folder


@pytest.mark.parametrize("page", RUN, ids=lambda page: page.stem)
def test_every_block_of_a_guide_runs_as_written(page: Path, demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(demo)
    ran = 0
    for block in blocks(page):
        if block.title:
            Path(block.title).parent.mkdir(parents=True, exist_ok=True)
            Path(block.title).write_text(block.text, encoding="utf-8")
        elif block.language == "sh":
            done = shell(block.text, demo)
            assert done.returncode == 0, f"{block.text}\n{done.stdout}\n{done.stderr}"
        elif block.language == "python":
            exec(compile(block.text, str(page), "exec"), {})
        else:
            continue
        ran += 1
    assert ran


def test_the_readme_has_five_lines_of_shell_and_five_of_python() -> None:
    written = {block.language: block.text.splitlines() for block in blocks(ROOT / "README.md")}
    lines = {language: [line for line in text if line.strip()] for language, text in written.items()}
    assert len(lines["sh"]) == 5
    assert len(lines["python"]) == 5


def recipes() -> Iterator[tuple[str, str]]:
    for page in DOCS:
        for number, block in enumerate(blocks(page)):
            if block.language == "toml":
                yield f"{page.stem}, block {number}", block.text


@pytest.mark.parametrize(("where", "text"), list(recipes()))
def test_a_recipe_in_the_docs_is_a_valid_recipe(where: str, text: str) -> None:
    assert check_recipe(tomllib.loads(text), where=where)


@pytest.mark.parametrize("page", DOCS, ids=lambda page: page.stem)
def test_a_link_inside_the_project_leads_somewhere(page: Path) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_every_page_of_the_docs_is_linked_from_another() -> None:
    linked = {
        (page.parent / link).resolve()
        for page in DOCS
        for link in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text(encoding="utf-8"))
    }
    assert sorted(page.name for page in set(PAGES) - linked) == []


def test_the_command_line_reference_is_what_the_code_says() -> None:
    assert (ROOT / "docs" / "reference" / "cli.md").read_text(encoding="utf-8") == reference()


def test_every_option_that_may_be_left_out_says_what_happens_then() -> None:
    """A flag's help says what it turns on, a repeatable option adds to nothing; every other one names its default."""
    load_verbs()
    silent, commands = [], [typer.main.get_command(app)]
    for command in commands:
        commands += getattr(command, "commands", {}).values()
        for option in command.params:
            given = option.required or option.default not in (None, "")
            if option.param_type_name == "option" and not (given or option.is_flag or option.multiple):
                silent += [f"{command.name} {option.opts[0]}"] if "(default: " not in option.help else []
    assert silent == []
