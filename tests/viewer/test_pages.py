"""Every page as text: whole, escaped, and a sentence where there is none."""

from __future__ import annotations

import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import pytest

from pyrite.core import Run
from pyrite.formats import write_trec_run
from pyrite.viewer import open_paths
from pyrite.viewer.asked import url
from pyrite.viewer.pages import PAGES, Site, figure, signed

VOID = {"meta", "link", "img", "input", "line", "polygon", "rect", "br"}


class Nesting(HTMLParser):
    """What is opened and not closed, every tag, every attribute."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert tag in VOID or self.open.pop() == tag


def read(site: Site, path: str, query: str = "") -> tuple[int, str, Nesting]:
    answer = site.answer(path, query)
    text = answer.body.decode()
    nesting = Nesting()
    nesting.feed(text)
    assert [tag for tag in nesting.open if tag != "p"] == []
    return answer.status, text, nesting


ADDRESSES = [
    ("/", ""),
    ("/queries", "set=0"),
    ("/queries", "set=0&find=nothing+like+it"),
    ("/query", "set=0&id=q1"),
    ("/query", "set=0&id=q3&s=0&depth=50"),
    ("/query", "set=0&id=q3&board=0&which=lost"),
    ("/document", "set=0&id=d1&query=q1"),
    ("/document", "set=0&id=d1"),
    ("/results", "board=0"),
    ("/compare", "board=0"),
    ("/compare", "board=0&a=1&b=0&which=level"),
    ("/mined", "mined=0"),
    ("/mined", "mined=0&find=nothing+like+it"),
    ("/row", "mined=0&row=1"),
    ("/review", "queue=0"),
    ("/review", "queue=0&kind=leak&which=open"),
]


@pytest.mark.parametrize(("path", "query"), ADDRESSES)
def test_every_page_is_whole_and_runs_nothing_inline(
    path: str, query: str, dataset: Path, results: Path, mined: Path, audit: Path
) -> None:
    status, text, nesting = read(Site(open_paths([dataset, results, mined, audit]), "secret"), path, query)
    assert status == 200, text
    for tag, given in nesting.tags:
        assert not [name for name in given if name.startswith("on") or name == "style"], (tag, given)
        for name in ("src", "href", "action"):
            assert (given.get(name) or "/").startswith(("/", "#")), (tag, given)
    ids = [given["id"] for _, given in nesting.tags if "id" in given]
    assert len(ids) == len(set(ids))
    tables = [tag for tag, _ in nesting.tags if tag == "table"]
    assert len(tables) == text.count("<caption")
    assert [given for tag, given in nesting.tags if tag == "th" and "scope" not in given] == []
    labelled = re.findall(r"<label[^>]*>", text)
    named = [given for tag, given in nesting.tags if tag in ("input", "select") and given.get("type") != "hidden"]
    assert len(labelled) == len(named)
    assert len([tag for tag, _ in nesting.tags if tag == "h1"]) == 1


def test_a_run_by_itself_comes_with_what_to_run_for_its_values(
    dataset: Path, results: Path, make_run: Callable[[str], Run]
) -> None:
    run = dataset.parent / "first.trec"
    write_trec_run(run, make_run("first"))
    status, text, _ = read(Site(open_paths([dataset, run]), "secret"), "/queries", "set=0")
    assert (status, f"--system run:{run} --out results</bdi></code>" in text) == (200, True)
    assert "pyrite evaluate" not in read(Site(open_paths([dataset, results, run]), "secret"), "/queries", "set=0")[1]


def test_a_hostile_corpus_is_escaped_everywhere(hostile: Path) -> None:
    site = Site(open_paths([hostile, hostile.parent / "hostile-run.parquet"]), "secret")
    for path, query in (("/queries", "set=0"), ("/query", url("", set=0, id="<b>q</b>").removeprefix("?"))):
        status, text, nesting = read(site, path, query)
        assert status == 200
        assert "<script>document" not in text
        assert [given for tag, given in nesting.tags if tag == "img" and given.get("src") != "/icon.svg"] == []
        assert len(text) < 60_000, "a long passage is cut"
    assert "\x00" not in text
    assert "\x1b" not in text
    assert "Show all 1,050,000 characters" in text
    whole = site.answer("/document", "set=0&id=s4").body.decode()
    assert whole.count("gold and lead, ") == 70_000
    assert site.answer("/document", url("", set=0, id="../../etc/passwd").removeprefix("?")).status == 200
    named = site.answer("/queries", url("", set=0, find="<script>alert(1)</script>").removeprefix("?"))
    assert b"<script>alert" not in named.body


@pytest.mark.parametrize(
    ("path", "query"),
    [
        ("/nowhere", ""),
        ("/../pyproject.toml", ""),
        ("/static/viewer.css", ""),
        ("/viewer.css/../../pages.py", ""),
        ("/queries", "set=7"),
        ("/queries", "set=x"),
        ("/query", "set=0&id=%00"),
        ("/results", ""),
        ("/mined", ""),
        ("/row", "row=1"),
        ("/review", ""),
        ("/query", "set=0&id=%ff"),
    ],
)
def test_what_is_not_there_is_a_page_of_one_sentence(path: str, query: str, dataset: Path) -> None:
    status, text, _ = read(Site(open_paths([dataset]), "secret"), path, query)
    assert status == 404
    assert "This cannot be shown" in text
    assert "Traceback" not in text


def test_a_file_that_broke_since_is_a_page_of_one_sentence(dataset: Path) -> None:
    site = Site(open_paths([dataset]), "secret")
    (dataset / "corpus/corpus.parquet").write_bytes(b"PAR1")
    status, text, _ = read(site, "/query", "set=0&id=q1")
    assert status == 500
    assert "is not a whole Parquet file" in text


def test_a_fault_of_our_own_is_a_page_of_one_sentence(dataset: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site = Site(open_paths([dataset]), "secret")
    monkeypatch.setitem(PAGES, "/row", ("row", lambda _shelf, _asked: 1 / 0))
    status, text, _ = read(site, "/row")
    assert status == 500
    assert "This is a fault in Pyrite (ZeroDivisionError: division by zero)" in text


def test_every_address_of_the_site_is_tried_above() -> None:
    assert {path for path, _ in ADDRESSES} == set(PAGES)


def test_numbers_have_a_true_minus_and_differences_a_sign() -> None:
    assert (figure(-1234.5, 1), figure(None), signed(0.25, 2), signed(-0.25, 2)) == ("−1,234.5", "–", "+0.25", "−0.25")
