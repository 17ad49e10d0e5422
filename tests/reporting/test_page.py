"""The page as a reader has it: in a browser, from a file, with and without scripts."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pyrite.formats import Manifest
from pyrite.reporting import Board, MeasuredSet, Page, render_page

HOSTILE = (
    "</script><script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">\u202egnp\x00\x1b[2J"
)


@pytest.fixture
def written(tmp_path: Path) -> Callable[[Page], str]:
    """Writes a page and gives its address."""

    def made(page: Page) -> str:
        path = tmp_path / "report.html"
        path.write_text(render_page(page), encoding="utf-8")
        return path.as_uri()

    return made


def column(seen: Any, table: str, place: int) -> list[str]:
    rows = seen.page.locator(f"#{table} tbody tr:visible")
    return [row.locator("th, td").nth(place).inner_text().split("\n")[0] for row in rows.all()]


def test_the_same_page_is_the_same_text_and_tells_no_time_or_folder(page: Page) -> None:
    text = render_page(page)
    assert text == render_page(page)
    assert "/data/" not in text


def test_a_page_opens_from_a_file_and_asks_for_nothing_else(
    page: Page, several: Page, see: Callable[..., Any], written: Callable[[Page], str]
) -> None:
    for one in (page, several, Page("nothing at all")):
        address = written(one)
        seen = see(address)
        assert seen.page.title() == one.title
        assert (seen.faults, seen.asked) == ([], [address])


def test_every_chart_is_drawn_and_says_what_it_shows(
    page: Page, several: Page, see: Callable[..., Any], written: Callable[[Page], str]
) -> None:
    for one, charts in (
        (page, {"intervals": 1, "distractors": 1, "max_length": 1, "bars": 1, "lengths-chart": 2, "flow": 1}),
        (several, {"heat": 1, "intervals": 1, "bars": 1}),
    ):
        seen = see(written(one))
        found = seen.page.eval_on_selector_all(
            ".chart", "charts => charts.map(chart => [chart.id, chart.querySelectorAll(':scope svg[role=img]').length])"
        )
        assert dict(found) == charts
        labels = seen.page.eval_on_selector_all(
            "svg[role=img]", "all => all.map(svg => svg.getAttribute('aria-label'))"
        )
        assert all("The table below has the numbers." in label for label in labels)


def test_intervals_and_groups_are_drawn_where_the_numbers_are(
    page: Page, see: Callable[..., Any], written: Callable[[Page], str]
) -> None:
    seen = see(written(page))
    # good is 0.75 (0.65 to 0.85), bad 0.50 (0.40 to 0.60): one group, a knot each.
    lines = seen.page.eval_on_selector_all(
        "#intervals g[aria-label=rule] line", "all => all.map(line => [line.x1.baseVal.value, line.x2.baseVal.value])"
    )
    (good, bad) = lines
    assert good[1] - good[0] == pytest.approx(bad[1] - bad[0], abs=0.5)
    assert (good[0] - bad[0]) / (good[1] - good[0]) == pytest.approx(1.25, abs=0.02)
    assert seen.page.locator("#intervals svg > g > title").all_text_contents() == ["Group a"]
    assert seen.page.locator("#intervals svg > g:has(> title) > circle").count() == 2


def test_what_was_given_positives_stays_below_whatever_is_sorted_and_drawn(
    forced: Page, see: Callable[..., Any], written: Callable[[Page], str]
) -> None:
    seen = see(written(forced))
    told = seen.page.locator("#intervals svg text").all_text_contents()
    assert [one.split("  ")[1] for one in told if "  " in one] == ["good", "bad", "good, given all (not ranked)"]
    assert seen.page.locator("#intervals g[aria-label=dot] circle").count() == 3
    assert "good, given all (not ranked)" in " ".join(seen.page.locator("#heat").all_text_contents())
    for order in (["good", "bad"], ["bad", "good"]):
        seen.page.locator("#board-0 thead button", has_text="mean").click()
        assert column(seen, "board-0", 0) == [*order, "good, given all"]
    assert "neither ranked nor grouped" in seen.page.locator("#leaderboard").inner_text()
    assert seen.page.locator("header dl").inner_text().split("\n")[2:4] == ["systems", "2"]
    assert seen.faults == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_pointer_on_a_mark_reads_its_numbers_in_the_colours_of_the_theme(
    scheme: str, page: Page, see: Callable[..., Any], written: Callable[[Page], str]
) -> None:
    seen = see(written(page), scheme=scheme)
    seen.page.locator("#intervals g[aria-label=dot] circle").first.hover()
    tip = seen.page.locator("#intervals g[aria-label=tip] > g")
    assert "95%: 0.6500 to 0.8500" in tip.text_content()
    assert tip.locator("path").evaluate("path => getComputedStyle(path).fill") == (
        "rgb(255, 255, 255)" if scheme == "light" else "rgb(32, 30, 27)"
    )


def test_another_measure_and_another_set_are_drawn_on_demand(
    several: Page, see: Callable[..., Any], written: Callable[[Page], str]
) -> None:
    seen = see(written(several))
    dots = "#intervals g[aria-label=dot] circle"
    assert seen.page.locator(dots).count() == 8
    seen.page.select_option("#set", label="de")
    assert seen.page.locator(dots).count() == 7
    seen.page.select_option("#measure", label="RR@10")
    assert seen.page.locator("#intervals svg").get_attribute("aria-label").startswith("RR@10 of 7 systems on de")
    assert seen.faults == []


def test_a_system_that_is_unticked_leaves_the_curves(
    page: Page, see: Callable[..., Any], written: Callable[[Page], str]
) -> None:
    seen = see(written(page))
    dots = "#distractors g[aria-label=dot] circle"
    assert seen.page.locator(dots).count() == 4
    seen.page.locator("#distractors .legend").get_by_label("bad").uncheck()
    assert seen.page.locator(dots).count() == 2


def test_a_heading_sorts_its_table_up_and_down_by_number_and_by_word(
    several: Page, see: Callable[..., Any], written: Callable[[Page], str]
) -> None:
    seen = see(written(several))
    head = seen.page.locator("#board-0 thead th")
    head.nth(3).get_by_role("button").click()
    assert head.nth(3).get_attribute("aria-sort") == "descending"
    assert column(seen, "board-0", 0)[0] == "system 7"
    head.nth(3).get_by_role("button").press("Enter")
    assert head.nth(3).get_attribute("aria-sort") == "ascending"
    assert column(seen, "board-0", 0) == [f"system {number}" for number in range(8)]
    head.nth(0).get_by_role("button").click()
    head.nth(0).get_by_role("button").click()
    assert column(seen, "board-0", 0) == [f"system {number}" for number in reversed(range(8))]
    assert head.nth(3).get_attribute("aria-sort") is None
    # What was not measured stands below every number.
    head.nth(4).get_by_role("button").click()
    assert column(seen, "board-0", 4)[-1] == "–"


def test_a_filter_leaves_the_rows_with_every_word_and_says_how_many(
    several: Page, see: Callable[..., Any], written: Callable[[Page], str]
) -> None:
    seen = see(written(several))
    box = seen.page.locator("#leaderboard").get_by_label("Filter").first
    box.fill("3 SYSTEM")
    assert column(seen, "board-0", 0) == ["system 3"]
    assert seen.page.get_by_role("status").first.inner_text() == "1 of 8 rows"
    box.fill("")
    assert len(column(seen, "board-0", 0)) == 8


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_is_light_or_dark_as_the_system_is_until_someone_says_otherwise(
    scheme: str, page: Page, see: Callable[..., Any], written: Callable[[Page], str]
) -> None:
    seen = see(written(page), scheme=scheme)

    def ground() -> str:
        return seen.page.evaluate("getComputedStyle(document.body).backgroundColor")

    light, dark = "rgb(251, 250, 247)", "rgb(22, 21, 19)"
    assert ground() == (light if scheme == "light" else dark)
    button = seen.page.get_by_role("button", name="Theme")
    grounds = []
    for _ in range(3):
        button.click()
        grounds.append((button.inner_text(), ground()))
    assert grounds[:2] == [("Theme: light", light), ("Theme: dark", dark)]
    assert grounds[2] == ("Theme: auto", light if scheme == "light" else dark)
    # A mark of a chart takes the theme's colour without being drawn again.
    fill = "getComputedStyle(document.querySelector('#intervals g[aria-label=dot] circle')).fill"
    assert seen.page.evaluate(fill) == ("rgb(28, 105, 173)" if scheme == "light" else "rgb(108, 176, 242)")


@pytest.mark.parametrize("width", [320, 390])
def test_on_a_phone_only_tables_scroll_sideways(
    width: int, page: Page, several: Page, see: Callable[..., Any], written: Callable[[Page], str]
) -> None:
    long = "dense:" + "organisation-with-a-long-name/" + "model" * 30
    (one,) = page.sets
    systems = tuple(replace(system, system=long + system.system) for system in one.report.systems)
    points = {
        name: tuple(replace(point, system=long + point.system) for point in held)
        for name, held in one.report.sweeps.items()
    }
    renamed = replace(one, report=replace(one.report, systems=systems, sweeps=points), groups={})
    board = Board("nDCG@10", (long + "good", long + "bad"), {})
    for shown in (page, several, replace(page, sets=(renamed,), boards=(board,))):
        seen = see(written(shown), width=width)
        assert seen.page.evaluate("document.documentElement.scrollWidth") == width
        seen.page.locator("details").evaluate_all("all => all.forEach(one => { one.open = true; })")
        assert seen.page.evaluate("document.documentElement.scrollWidth") == width
        assert seen.faults == []


def test_charts_follow_the_window(page: Page, see: Callable[..., Any], written: Callable[[Page], str]) -> None:
    seen = see(written(page))
    seen.page.set_viewport_size({"width": 390, "height": 800})
    seen.page.wait_for_function("document.querySelector('#intervals svg').getAttribute('width') < 390")


def test_without_scripts_every_table_is_there_and_no_dead_control(
    page: Page, see: Callable[..., Any], written: Callable[[Page], str]
) -> None:
    seen = see(written(page), scripts=False)
    assert column(seen, "set-0", 3) == ["0.7500", "0.5000"]
    assert column(seen, "ledger", 2) == ["1 empty; 2 seen before"]
    assert seen.page.locator("button:visible, select:visible, figure:visible").count() == 0
    assert seen.page.locator("#set-0 svg.interval:visible").count() == 4
    for table in ("hardness-table", "distractors-0", "max_length-0", "truncated", "lengths-table", "sources"):
        assert seen.page.locator(f"#{table}").count() == 1


def test_hostile_names_are_shown_and_do_nothing(
    make_set: Callable[..., MeasuredSet], see: Callable[..., Any], written: Callable[[Page], str]
) -> None:
    one = make_set(HOSTILE, {HOSTILE: [0, 0, 1, 1], "bm25": [1, 1, 1, 1]}, split=HOSTILE)
    report = replace(
        one.report,
        systems=tuple(replace(system, settings={HOSTILE: HOSTILE}) for system in one.report.systems),
        rules=(HOSTILE,),
        versions={HOSTILE: HOSTILE},
    )
    ledger = [{"stage": HOSTILE, "unit": HOSTILE, "in": 3, "kept": 1, "dropped": {HOSTILE: 2}, "notes": [HOSTILE]}]
    manifest = Manifest(
        "benchmark", HOSTILE, recipe={}, counts={HOSTILE: 1}, ledger=ledger, sources={HOSTILE: {"path": HOSTILE}}
    )
    board = Board("nDCG@10", ("bm25", HOSTILE), {})
    page = Page(HOSTILE, (replace(one, report=report),), (board,), (), manifest, HOSTILE, HOSTILE)
    text = render_page(page)
    assert not re.search("[\x00\x1b\u202e]", text)
    seen = see(written(page))
    assert (seen.faults, len(seen.asked)) == ([], 1)
    assert seen.page.locator("img").count() == 0
    assert seen.page.title().startswith("</script><script>document.title='owned'")
    assert "⟨U+202E⟩gnp⟨U+0000⟩⟨U+001B⟩[2J" in seen.page.locator("h1").inner_text()
    assert seen.page.locator("script").count() == 4
    assert "</script>" in json.loads(seen.page.locator("#data").inner_text())["systems"][1]


def test_among_two_hundred_systems_one_is_found(
    make_set: Callable[..., MeasuredSet], see: Callable[..., Any], written: Callable[[Page], str]
) -> None:
    values = {f"system {number:04}": [0.0, 0.5, 1.0, number / 200] for number in range(200)}
    one = make_set("minerals", values)
    seen = see(written(Page("many", (one,), (Board("nDCG@10", tuple(values), {}),))))
    seen.page.locator("#leaderboard").get_by_label("Filter").first.fill("0123")
    assert column(seen, "set-0", 0) == ["system 0123"]
    assert seen.faults == []
