"""YAML that every parser reads alike, and a merge that loses nothing."""

import pytest
import yaml

from pyrite.core import DataError
from pyrite.publishing.frontmatter import dump_yaml, merge_front, read_front, split_front

COERCED = ["no", "y", "On", "TRUE", "null", "~", "1e3", "012", "0x1F", "0o17", "1_000", "12:30", ".5", "-.inf", "1.10"]


@pytest.mark.parametrize("text", COERCED)
def test_a_text_that_a_parser_would_coerce_is_quoted(text: str) -> None:
    dumped = dump_yaml({"value": text, "list": [text]})
    assert dumped == f"value: '{text}'\nlist:\n- '{text}'\n"
    assert yaml.safe_load(dumped) == {"value": text, "list": [text]}


def test_plain_text_is_not_quoted() -> None:
    assert dump_yaml({"a": "1K<n<10K", "b": "v1", "c": "日本語"}) == "a: 1K<n<10K\nb: v1\nc: 日本語\n"


def test_a_date_stays_a_text() -> None:
    assert yaml.safe_load(dump_yaml({"day": "2024-01-01"})) == {"day": "2024-01-01"}


def test_a_long_line_is_not_folded() -> None:
    assert dump_yaml({"summary": "word " * 100 + "end"}).count("\n") == 1


def test_a_card_without_front_matter_is_all_body() -> None:
    assert split_front("# Card\n\n---\n") == ("", "# Card\n\n---\n")


def test_front_matter_without_an_end_is_an_error_with_its_line() -> None:
    with pytest.raises(DataError, match=r"README.md, line 1: the front matter has no end"):
        split_front("---\nlicense: mit\n")


def test_front_matter_that_is_no_yaml_names_the_line() -> None:
    with pytest.raises(DataError, match=r"README.md, line 3: the front matter is not YAML"):
        read_front("---\nlicense: mit\n  tags: a\n---\n")


def test_keys_that_are_not_ours_stay_as_they_were_written() -> None:
    """O54."""
    theirs = "---\n# by hand\nversion: 1.10   # of the data\nno: yes\nlicense: mit\nextra:\n- a\n\n- b\n---\n"
    merged = merge_front({"license": "cc-by-4.0"}, theirs)
    assert merged == "license: cc-by-4.0\n# by hand\nversion: 1.10   # of the data\nno: yes\nextra:\n- a\n\n- b\n"


def test_front_matter_in_flow_style_keeps_its_values() -> None:
    merged = merge_front({"license": "mit"}, "---\n{license: x, extra: [1, 2]}\n---\n")
    assert yaml.safe_load(merged) == {"license": "mit", "extra": [1, 2]}


def test_a_config_by_hand_stays_and_may_be_the_default() -> None:
    """O54."""
    ours = {"configs": [{"config_name": "corpus", "default": True, "data_files": "c.parquet"}]}
    theirs = (
        "---\nconfigs:\n- config_name: corpus\n  data_files: old.parquet\n- config_name: mine\n  default: true\n---\n"
    )
    assert yaml.safe_load(merge_front(ours, theirs))["configs"] == [
        {"config_name": "corpus", "data_files": "c.parquet"},
        {"config_name": "mine", "default": True},
    ]


def test_tags_by_hand_come_after_ours_once() -> None:
    merged = merge_front({"tags": ["retrieval"]}, "---\ntags:\n- mine\n- retrieval\n---\n")
    assert yaml.safe_load(merged)["tags"] == ["retrieval", "mine"]


def test_a_licence_by_hand_stays_only_where_ours_is_unknown() -> None:
    card = "---\nlicense: openrail\n---\n"
    assert merge_front({"license": "other"}, card) == "license: openrail\n"
    assert merge_front({"license": "cc-by-sa-4.0"}, card) == "license: cc-by-sa-4.0\n"


def test_old_counts_of_our_configs_go_and_those_of_others_stay() -> None:
    """O53: counts in `dataset_info` speak of other files and make `datasets` fail."""
    ours = {"configs": [{"config_name": "corpus"}]}
    theirs = (
        "---\ndataset_info:\n- config_name: corpus\n  download_size: 1\n- config_name: mine\n  download_size: 2\n---\n"
    )
    assert yaml.safe_load(merge_front(ours, theirs))["dataset_info"] == [{"config_name": "mine", "download_size": 2}]
    alone = "---\ndataset_info:\n  config_name: corpus\n---\n"
    assert "dataset_info" not in yaml.safe_load(merge_front(ours, alone))


def test_a_second_merge_changes_nothing() -> None:
    ours = {"license": "mit", "tags": ["a"], "configs": [{"config_name": "corpus", "default": True}]}
    theirs = "---\n# kept\nx: 012\nconfigs:\n- config_name: 'no'\n  data_files: f.csv\ntags: [b]\n---\n"
    once = merge_front(ours, theirs)
    assert merge_front(ours, f"---\n{once}---\n") == once
