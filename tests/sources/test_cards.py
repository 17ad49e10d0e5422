"""What a card's front matter says of its files."""

import pytest

from pyrite.core import DataError
from pyrite.sources.cards import CardConfig, card_configs


def configs(yaml):
    return card_configs(f"---\nlicense: mit\n{yaml}\n---\n# Card\n---\nnot: this", where="README.md")


@pytest.mark.parametrize(
    ("files", "splits"),
    [
        ("data_files: a.csv", {"train": ("a.csv",)}),
        ("data_files: [a.csv, ./b.csv]", {"train": ("a.csv", "b.csv")}),
        ("data_files: {train: a.csv, 1e3: [b.csv, c.csv]}", {"train": ("a.csv",), "1e3": ("b.csv", "c.csv")}),
        ("data_files: [{split: no, path: a.csv}, {split: on, path: [b, c]}]", {"no": ("a.csv",), "on": ("b", "c")}),
        ("data_dir: ./sub/\n  data_files: a.csv", {"train": ("sub/a.csv",)}),
        ("data_dir: sub", {}),
    ],
)
def test_every_shape_of_data_files_is_read_and_names_stay_strings(files, splits):
    [config] = configs(f"configs:\n- config_name: 012\n  {files}")
    assert (config.name, config.splits) == ("012", splits)


def test_the_default_config_is_marked():
    found = configs("configs:\n- config_name: a\n- config_name: b\n  default: true")
    assert [one.default for one in found] == [False, True]


@pytest.mark.parametrize("text", ["# Card", "", "---\nlicense: mit\n---", "text\n---\nconfigs: []\n---"])
def test_a_card_without_configs_has_none(text):
    assert card_configs(text, where="README.md") == ()


def test_windows_line_ends_and_a_byte_order_mark_are_no_matter():
    text = "\ufeff---\r\nconfigs:\r\n- config_name: a\r\n---\r\n# Card"
    assert card_configs(text, where="README.md") == (CardConfig("a", False, {}),)


def test_front_matter_that_is_no_yaml_is_a_sentence():
    with pytest.raises(DataError, match=r"README\.md: the front matter is not YAML"):
        configs("configs: [")
