import json

from pyrite.reporting import Page
from pyrite.reporting.charts import chart_data


def test_every_number_of_a_chart_is_that_of_its_table(page: Page) -> None:
    data = json.loads(json.dumps(chart_data(page)))
    assert data["systems"] == ["good", "bad"]
    (one,) = data["sets"]
    assert one["means"]["nDCG@10"] == [[1, 0.5, 0.4, 0.6, "a"], [0, 0.75, 0.65, 0.85, "a"]]
    assert one["sweeps"]["distractors"]["nDCG@10"][1] == [0, 20, 30, 0.7, 0.6, 0.95]
    assert data["boards"][0] == {"measure": "nDCG@10", "order": [0, 1], "means": [[0, 0.75], [1, 0.5]]}
    assert data["ledger"] == [
        {"stage": "passages", "unit": "rows", "in": 12, "kept": 9, "dropped": [["empty", 1], ["seen before", 2]]}
    ]
    assert [one["count"] for one in data["lengths"]] == [3, 2]


def test_every_measured_query_is_in_one_bar(page: Page) -> None:
    for _, counts in chart_data(page)["sets"][0]["bars"]["nDCG@10"]:
        assert (len(counts), sum(counts)) == (20, 4)
    (_, bad), _ = chart_data(page)["sets"][0]["bars"]["nDCG@10"]
    assert (bad[0], bad[10], bad[19]) == (1, 2, 1)


def test_a_page_without_a_build_has_no_ledger(several: Page) -> None:
    assert chart_data(several)["ledger"] == []


def test_what_was_given_positives_is_told_apart_and_is_no_part_of_the_order(forced: Page, page: Page) -> None:
    data = chart_data(forced)
    assert (data["systems"], data["apart"]) == (["good", "bad", "good, given all"], [2])
    assert [board["order"] for board in data["boards"]] == [[0, 1], [0, 1]]
    assert chart_data(page)["apart"] == []
