import pytest

from pyrite.core import DataError, Estimate
from pyrite.publishing.templating import estimates, hub_link, render_template, row, rule, shown_path


def test_a_cell_keeps_its_bars_to_itself():
    assert row(["a|b", " c\n d "], ["1"]) == "| a\\|b | c d | 1 |"


def test_numbers_stand_to_the_right():
    assert rule(1, 2) == "|---|---:|---:|"


def test_a_mean_has_its_interval_and_a_missing_one_a_dash():
    assert estimates([Estimate(0.5, 0.25, 0.75), None]) == ["0.5000 (0.2500–0.7500)", "–"]


@pytest.mark.parametrize("path", ["/data/minerals/eval.parquet", "C:\\data\\eval.parquet"])
def test_an_absolute_path_is_told_by_its_name_alone(path):
    assert shown_path(path) == "eval.parquet"


def test_a_repository_is_a_link_and_a_folder_is_not():
    assert hub_link("org/set") == "[org/set](https://huggingface.co/datasets/org/set)"
    assert hub_link("set") == "set"


def test_a_value_that_a_card_needs_and_nobody_gave_is_an_error_that_blames_the_file():
    with pytest.raises(DataError, match=r"manifest.json: lacks what the card tells .*facts"):
        render_template("nano.md.jinja", where="manifest.json")
