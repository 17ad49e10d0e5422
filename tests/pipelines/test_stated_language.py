"""A language that the texts are clearly not in is told of, and none that they are in."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from importlib import resources
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pyrite.cli import main
from pyrite.formats import DataWarning, Manifest, write_manifest
from pyrite.pipelines import build, warn_of_language
from pyrite.pipelines.stated_language import LEAST, doubted_language

needs_model = pytest.mark.skipif(find_spec("py3langid") is None, reason="the extra languages is not installed")
RECIPES = Path(str(resources.files("pyrite") / "recipes" / "demo"))
LANGUAGES = ("ar", "de", "en", "es", "ja", "ru", "zh")


def texts(language: str) -> tuple[list[str], list[str]]:
    """Questions and passages of the demo."""
    rows = [json.loads(line) for line in (RECIPES / f"{language}_eval.jsonl").read_text(encoding="utf-8").splitlines()]
    return [row["question"] or "" for row in rows], [row["passage"] or "" for row in rows]


@needs_model
@pytest.mark.parametrize("language", LANGUAGES)
def test_only_a_wrong_language_is_doubted_and_the_right_one_is_named(language: str) -> None:
    queries, passages = texts(language)
    assert doubted_language(language, queries, passages) is None
    found = {stated: doubted_language(stated, queries, passages) for stated in LANGUAGES if stated != language}
    assert {stated: doubt[0] for stated, doubt in found.items() if doubt} == dict.fromkeys(found, language)
    assert min(doubt[1] for doubt in found.values() if doubt) > 0.9


@needs_model
def test_what_the_documents_are_in_is_right_too() -> None:
    """Swahili questions about English passages may be stated as either."""
    asked, told = texts("de")[0], texts("en")[1]
    assert doubted_language("en", asked, told) is None
    assert doubted_language("de", asked, told) is None
    assert doubted_language("fr", asked, told) is not None


@needs_model
def test_nothing_is_said_of_few_texts_of_numbers_and_of_what_the_model_does_not_tell_apart() -> None:
    queries, passages = texts("en")
    queries = list(dict.fromkeys(queries))
    assert doubted_language("de", queries[: LEAST - 1], passages) is None
    assert doubted_language("de", [*queries[: LEAST - 1], "1 + 1", "", "42"], passages) is None
    assert doubted_language("de", [f"Which element is number {n}?" for n in range(100)], passages) is None
    assert doubted_language("de-AT", queries[:LEAST], passages) is not None
    for unknown in ("sr", "nb", "fil", "yue", "tlh"):
        assert doubted_language(unknown, queries, passages) is None


def test_without_the_extra_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pyrite.pipelines.stated_language.find_spec", lambda _: None)
    assert doubted_language("de", *texts("en")) is None


@pytest.fixture
def stated_as(tmp_path: Path) -> Callable[[str], Path]:
    """The recipe of a benchmark of the demo's English texts that says another language."""
    queries, passages = texts("en")

    def made(language: str) -> Path:
        rows = pa.table({"query": queries, "passage": passages})
        pq.write_table(rows, tmp_path / "eval.parquet")
        path = tmp_path / f"minerals-{language}.toml"
        path.write_text(
            f'kind = "benchmark"\nname = "minerals"\nlanguage = "{language}"\n[source.eval]\npath = "eval.parquet"\n'
            '[[credit]]\nname = "The Mineral Book"\nlicense = "CC BY 4.0"\n'
        )
        return path

    return made


@needs_model
def test_a_build_and_a_check_warn_and_end_well(
    stated_as: Callable[[str], Path], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: Any
) -> None:
    told = r"minerals: the language is stated as 'de', and \d+% of the queries .* read like 'en'"
    with pytest.warns(DataWarning, match=told):
        folder = build(stated_as("de"), out=tmp_path / "out", work=tmp_path / "work").folder
    monkeypatch.setattr(warnings, "showwarning", warnings.showwarning)
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        with pytest.raises(SystemExit) as ended:
            main(["check", str(folder)])
    said = capsys.readouterr()
    assert (ended.value.code, said.out) == (0, f"{folder} can be published.\n")
    assert "pyrite: warning: minerals: the language is stated as 'de'" in said.err


@needs_model
def test_what_is_stated_rightly_is_built_without_a_word(stated_as: Callable[[str], Path], tmp_path: Path) -> None:
    build(stated_as("en"), out=tmp_path / "out", work=tmp_path / "work")


def put(folder: Path, manifest: Manifest, tables: dict[str, dict[str, list[str]]]) -> Path:
    """A folder of so many Parquet tables."""
    for name, columns in tables.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(pa.table(columns), folder / f"{name}.parquet")
    write_manifest(folder / "manifest.json", manifest)
    return folder


@needs_model
def test_each_split_of_a_nano_set_is_held_against_its_own_language(tmp_path: Path) -> None:
    queries, passages = texts("en")
    columns = {"queries": {"text": queries}, "corpus": {"text": passages}}
    tables = {f"{table}/{split}": held for table, held in columns.items() for split in ("en", "xx")}
    folder = put(tmp_path, Manifest("nano", "toy", ""), tables)
    (folder / "metadata").mkdir()
    for split, language in (("en", "en"), ("xx", "de")):
        (folder / "metadata" / f"{split}.json").write_text(json.dumps({"language": language}))
    with pytest.warns(DataWarning) as caught:
        warn_of_language(folder)
    assert [str(one.message).partition(":")[0] for one in caught] == ["toy, xx"]


@needs_model
def test_the_rows_of_a_mined_set_are_looked_at_where_it_states_a_language(tmp_path: Path) -> None:
    queries, passages = texts("en")
    tables = {"n-tuples/train": {"query": queries, "positive": passages}}
    warn_of_language(put(tmp_path, Manifest("training", "toy", ""), tables))
    with pytest.warns(DataWarning, match="toy: the language is stated as 'de'"):
        warn_of_language(put(tmp_path, Manifest("training", "toy", "de"), tables))
