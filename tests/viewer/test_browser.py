"""The viewer as a person has it: in headless Chromium."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pyrite.viewer import ViewerServer
from pyrite.viewer.asked import url

See = Callable[..., Any]
Serve = Callable[..., ViewerServer]


@pytest.fixture
def server(dataset: Path, results: Path, mined: Path, audit: Path, serve: Serve) -> ViewerServer:
    return serve(dataset, results, mined, audit)


def at(server: ViewerServer, path: str = "/", **parameters: Any) -> str:
    return server.address.rstrip("/") + url(path, **parameters)


def quiet(seen: Any, server: ViewerServer) -> None:
    """Nothing was complained of, and nothing was asked of another place."""
    assert seen.faults == []
    assert [address for address in seen.asked if not address.startswith(server.address)] == []


def lines(audit: Path) -> list[tuple[str, str]]:
    path = audit / "review.jsonl"
    told = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []
    return [(one["item"], one["decision"]) for one in told]


def test_open_search_and_look_at_a_query(server: ViewerServer, see: See) -> None:
    seen = see(at(server))
    page = seen.page
    page.keyboard.press("/")
    page.keyboard.type("what")
    page.keyboard.press("Enter")
    page.wait_for_url("**/queries?**")
    assert page.locator("tbody tr").count() == 2
    page.get_by_role("link", name="What is fool's gold?").click()
    page.wait_for_url("**/query?**")
    assert page.locator("h1").inner_text() == "What is fool's gold?"
    assert page.locator(".system").count() == 2
    assert page.locator(".system .is-hit .place").all_inner_texts() == ["1", "2"]
    assert set(page.locator(".system mark").all_inner_texts()) >= {"gold", "Gold"}
    page.keyboard.press("j")
    page.wait_for_url("**id=q3**")
    page.keyboard.press("k")
    page.wait_for_url("**id=q1**")
    quiet(seen, server)


def test_compare_two_systems_and_go_to_a_lost_query(server: ViewerServer, see: See) -> None:
    seen = see(at(server, "/results", board=0))
    page = seen.page
    page.get_by_role("button", name="Compare").click()
    page.wait_for_url("**/compare?**")
    assert page.locator("tbody tr td:last-child").all_inner_texts() == ["−1.0000", "−0.5000"]
    page.locator("tbody th a").first.click()
    page.wait_for_url("**id=q3**")
    page.keyboard.press("j")
    page.wait_for_url("**id=q2**")
    page.get_by_role("link", name="2 of 2 lost").click()
    page.wait_for_url("**/compare?**")
    page.get_by_role("link", name="Won").click()
    page.wait_for_url("**which=won**")
    assert page.locator("tbody tr td:last-child").all_inner_texts() == ["+0.5000"]
    page.locator("tbody th a").click()
    page.wait_for_url("**/query?**")
    quiet(seen, server)


def test_rows_near_the_margin_are_walked_with_keys(server: ViewerServer, see: See) -> None:
    seen = see(at(server, "/mined", mined=0))
    page = seen.page
    page.locator("tbody th a").first.click()
    page.wait_for_url("**row=0**")
    page.keyboard.press("j")
    page.wait_for_url("**row=1**")
    assert "Too few candidates keep the margin" in page.locator("main").inner_text()
    page.get_by_role("link", name="Show all 1,400 characters").click()
    page.wait_for_url("**whole=1**")
    assert page.locator(".more").count() == 0
    quiet(seen, server)


def test_a_review_by_keys_is_saved_at_once_and_is_there_after_a_reload(
    server: ViewerServer, see: See, audit: Path
) -> None:
    seen = see(at(server, "/review", queue=0))
    page = seen.page
    said = page.locator("#said")
    page.keyboard.press("j")
    for key, told in (("n", "Item 1 saved: not relevant"), ("u", "Item 2 saved: unsure")):
        page.keyboard.press(key)
        said.get_by_text(told).wait_for()
    page.keyboard.press("k")
    page.keyboard.press("k")
    page.keyboard.press("r")
    said.get_by_text("Item 1 saved: relevant").wait_for()
    assert lines(audit) == [("pair-1", "not relevant"), ("query-1", "unsure"), ("pair-1", "relevant")]
    page.reload()
    assert page.locator("[aria-pressed=true][name=decision]").all_inner_texts() == ["Relevant r", "Unsure u"]
    assert page.locator("#open").inner_text() == "1"
    page.get_by_role("button", name="No leak").click()
    said.get_by_text("Item 3 saved: not relevant").wait_for()
    assert lines(audit)[-1] == ("leak-1", "not relevant")
    quiet(seen, server)


def test_a_review_works_without_scripts(server: ViewerServer, see: See, audit: Path) -> None:
    seen = see(at(server, "/review", queue=0), scripts=False)
    seen.page.get_by_role("button", name="Not relevant").first.click()
    seen.page.wait_for_url("**#item-1")
    assert lines(audit) == [("pair-1", "not relevant")]
    assert seen.page.locator("[aria-pressed=true]").first.inner_text().startswith("Not relevant")


def test_a_decision_that_is_not_saved_is_told(server: ViewerServer, see: See, audit: Path) -> None:
    seen = see(at(server, "/review", queue=0))
    server.site.token = "another"
    seen.page.get_by_role("button", name="Unsure").first.click()
    seen.page.locator("#said.wrong").wait_for()
    assert "is not saved" in seen.page.locator("#said").inner_text()
    assert seen.page.locator("[aria-pressed=true][name=decision]").count() == 0
    assert lines(audit) == []


def test_keys_can_be_turned_off_and_stay_off(server: ViewerServer, see: See) -> None:
    seen = see(at(server, "/query", set=0, id="q1"))
    page = seen.page
    page.get_by_role("button", name="Keys on").click()
    page.reload()
    page.get_by_role("button", name="Keys off").wait_for()
    page.keyboard.press("j")
    page.get_by_role("link", name="Next query").click()
    page.wait_for_url("**id=q2**")


@pytest.mark.parametrize("path", ["/", "/queries", "/query?id=q1", "/compare", "/mined", "/row?row=1", "/review"])
@pytest.mark.parametrize(("scheme", "width"), [("light", 360), ("dark", 1280)])
def test_light_and_dark_wide_and_narrow(server: ViewerServer, see: See, path: str, scheme: str, width: int) -> None:
    seen = see(server.address.rstrip("/") + path, scheme=scheme, width=width)
    page = seen.page
    beyond = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert beyond == 0, "the page itself never scrolls to the side"
    paper = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    assert paper == {"light": "rgb(250, 248, 243)", "dark": "rgb(22, 20, 15)"}[scheme]
    quiet(seen, server)


CONTRAST = """() => {
  const parse = (c) => (c.match(/[0-9.]+/g) || []).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((v) => v / 255)
    .map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const back = (e) => {
    for (; e; e = e.parentElement) {
      const c = parse(getComputedStyle(e).backgroundColor);
      if (c.length === 3) return c;
    }
    return [255, 255, 255];
  };
  const poor = [];
  for (const e of document.querySelectorAll('main *, header *, footer *')) {
    const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
    if (!own || e.closest('svg, .off, option')) continue;
    const [a, b] = [light(parse(getComputedStyle(e).color)), light(back(e))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5) poor.push(`${e.tagName}.${e.className} ${ratio.toFixed(2)}`);
  }
  return poor;
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_stands_out_from_what_is_behind_it(server: ViewerServer, see: See, scheme: str) -> None:
    for path in ("/", "/queries", "/query?id=q1", "/results", "/compare", "/mined", "/row?row=1", "/review"):
        page = see(server.address.rstrip("/") + path, scheme=scheme).page
        assert page.evaluate(CONTRAST) == [], path


def test_the_first_tab_leads_past_the_head_and_focus_is_seen(server: ViewerServer, see: See) -> None:
    page = see(at(server, "/queries", set=0)).page
    page.keyboard.press("Tab")
    skip = page.locator(":focus")
    assert skip.inner_text() == "Skip to the content"
    assert skip.bounding_box()["x"] >= 0
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"


def test_a_hostile_corpus_is_inert(hostile: Path, serve: Serve, see: See) -> None:
    server = serve(hostile, hostile.parent / "hostile-run.parquet")
    for path, asked in (
        ("/queries", {"set": 0}),
        ("/query", {"set": 0, "id": "<b>q</b>"}),
        ("/document", {"set": 0, "id": "s4", "query": "<b>q</b>"}),
        ("/document", {"set": 0, "id": "s3"}),
    ):
        seen = see(at(server, path, **asked), width=800)
        assert seen.page.title().endswith("· Pyrite")
        assert seen.page.evaluate("document.scripts.length") == 1
        assert seen.page.locator("main img").count() == 0
        quiet(seen, server)
    assert seen.page.locator(".control").all_inner_texts() == ["NUL", "BEL", "ESC", "RLO", "PDF"]


def test_texts_run_in_the_direction_of_their_language(
    tmp_path: Path, make_dataset: Callable, serve: Serve, see: See
) -> None:
    folder = make_dataset(tmp_path / "ar", {"d1": "الذهب عنصر."}, {"q1": "ما هو الذهب؟"}, [("q1", "d1", 1)])
    page = see(at(serve(folder), "/query", set=0, id="q1")).page
    for place in ("h1 .text", ".judged .text"):
        assert page.locator(place).evaluate("e => getComputedStyle(e).direction") == "rtl"
    assert page.locator("h2").first.evaluate("e => getComputedStyle(e).direction") == "ltr"
