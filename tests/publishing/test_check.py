"""The publish check: one line for each thing that would mislead a user."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import datasets
import pyarrow as pa
import pytest

from pyrite.core import DataError
from pyrite.formats import write_parquet
from pyrite.publishing import check_folder, write_card

Put = Callable[[Path, list[dict[str, Any]]], None]


def told(folder: Path) -> list[str]:
    """The offences that are not only about a card that is older than the rows."""
    lines = [str(offence) for offence in check_folder(folder)]
    return [line for line in lines if "is stale" not in line and "manifest.json" not in line]


@pytest.mark.usefixtures("no_network")
def test_a_built_folder_can_be_published(published: Path) -> None:
    """O38: checked from the local folder, without a network."""
    assert check_folder(published) == []


def test_the_check_leaves_datasets_as_it_was(published: Path) -> None:
    datasets.enable_progress_bars()
    offline = datasets.config.HF_HUB_OFFLINE
    check_folder(published)
    assert not datasets.are_progress_bars_disabled()
    assert datasets.config.HF_HUB_OFFLINE is offline


def test_a_folder_without_a_card_is_told(toy: Path) -> None:
    """O50, O51, X13: without configs `datasets` guesses, and loads the qrels alone."""
    assert [str(one) for one in check_folder(toy)] == ["README.md: is missing, so that datasets would guess the tables"]
    (toy / "README.md").write_text("# Toy\n", encoding="utf-8")
    assert check_folder(toy)[0].what == "declares no configs, so that datasets would guess the tables"


def test_a_table_that_no_config_names_is_told(published: Path) -> None:
    """O51."""
    write_parquet(published / "corpus" / "more.parquet", pa.table({"_id": ["x"], "text": ["y"]}))
    lines = told(published)
    assert lines[0] == "corpus/more.parquet: no config of README.md names it, so that nobody would load it"


@pytest.mark.parametrize("split", ["ja-dev", "v1.", "a b", ".x"])
def test_a_split_name_that_datasets_refuses_is_told(published: Path, split: str) -> None:
    """O52."""
    card = published / "README.md"
    card.write_text(card.read_text(encoding="utf-8").replace("split: test", f"split: '{split}'"), encoding="utf-8")
    assert told(published)[0] == (
        f"README.md: config 'qrels', split '{split}': "
        "datasets refuses this split name; use letters, digits, _ and single dots"
    )


def test_a_split_name_with_a_dot_is_legal(published: Path) -> None:
    """O52."""
    card = published / "README.md"
    card.write_text(card.read_text(encoding="utf-8").replace("split: test", "split: v1.1"), encoding="utf-8")
    assert all("refuses" not in line for line in told(published))


def test_old_counts_in_the_card_are_told_and_a_new_card_drops_them(published: Path) -> None:
    """O53."""
    card = published / "README.md"
    info = (
        "dataset_info:\n- config_name: corpus\n  features:\n  - name: _id\n    dtype: string\n"
        "  - name: text\n    dtype: string\n  splits:\n  - name: corpus\n    num_bytes: 1\n    num_examples: 5\n"
    )
    card.write_text(card.read_text(encoding="utf-8").replace("configs:\n", f"{info}configs:\n", 1), encoding="utf-8")
    expected = "README.md: config 'corpus', split 'corpus': dataset_info counts 5 rows, the files hold 6"
    assert expected in told(published)
    write_card(published)
    assert check_folder(published) == []


def test_a_file_that_the_card_names_and_the_folder_lacks_is_told(published: Path) -> None:
    (published / "qrels" / "test.parquet").rename(published / "qrels" / "dev.parquet")
    lines = told(published)
    assert "README.md: config 'qrels', split 'test': there is no file qrels/test.parquet" in lines


def test_a_stale_number_is_told_with_both_lines(published: Path) -> None:
    card = published / "README.md"
    text = card.read_text(encoding="utf-8").replace("searching 6 documents", "searching 7 documents")
    card.write_text(text, encoding="utf-8")
    assert [str(one) for one in check_folder(published)] == [
        "README.md: section 'about': is stale; it says '… (2 in the headline protocol) searching 7 documents, "
        "in the BEIR layout (corpus,…', the files say '… (2 in the headline protocol) searching 6 documents, "
        "in the BEIR layout (corpus,…'"
    ]


def test_a_front_matter_that_is_not_what_the_files_say_is_told(published: Path) -> None:
    card = published / "README.md"
    card.write_text(card.read_text(encoding="utf-8").replace("n<1K", "1M<n<10M"), encoding="utf-8")
    assert [str(one) for one in check_folder(published)] == [
        "README.md: front matter: is not what the files say now; write the card again"
    ]


def test_two_defaults_and_none_are_told(published: Path) -> None:
    card = published / "README.md"
    text = card.read_text(encoding="utf-8")
    card.write_text(text.replace("  default: true\n", ""), encoding="utf-8")
    assert told(published)[0] == "README.md: configs: one config has to be the default; marked as it: none"
    card.write_text(text.replace("- config_name: qrels\n", "- config_name: qrels\n  default: true\n"), encoding="utf-8")
    assert told(published)[0] == "README.md: configs: one config has to be the default; marked as it: corpus, qrels"


def test_a_truncated_file_is_told_in_one_line(published: Path) -> None:
    path = published / "corpus" / "corpus.parquet"
    path.write_bytes(path.read_bytes()[:-20])
    assert [str(one) for one in check_folder(published)] == ["corpus/corpus.parquet: is not a whole Parquet file"]


def test_a_licence_by_hand_below_a_share_alike_source_is_told(published: Path) -> None:
    card = published / "README.md"
    text = card.read_text(encoding="utf-8").replace("license: cc-by-sa-4.0", "license: mit")
    card.write_text(text, encoding="utf-8")
    assert "README.md: license: 'mit' does not keep the terms of 'The Mineral Book' (CC BY-SA 4.0)" in told(published)


def test_a_folder_without_a_manifest_is_told(published: Path) -> None:
    (published / "manifest.json").unlink()
    assert [str(one) for one in check_folder(published)] == ["manifest.json: there is no such file"]


def test_a_config_that_datasets_can_not_load_is_told_in_its_words(published: Path) -> None:
    (published / "extra.csv").write_text('a,b\n1,2\n"open', encoding="utf-8")
    card = published / "README.md"
    extra = "configs:\n- config_name: extra\n  data_files: extra.csv\n"
    card.write_text(card.read_text(encoding="utf-8").replace("configs:\n", extra, 1), encoding="utf-8")
    lines = told(published)
    assert lines[0].startswith("README.md: config 'extra', split 'train': datasets can't load it (")


def test_a_path_that_is_no_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="there is no such folder"):
        check_folder(tmp_path / "nowhere")
    (tmp_path / "faq.csv").write_text("question,passage\na?,A.\n")
    with pytest.raises(DataError, match=r"faq\.csv: is a file; name the folder of a built dataset; .* pyrite build"):
        check_folder(tmp_path / "faq.csv")
