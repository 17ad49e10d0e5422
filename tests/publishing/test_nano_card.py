"""The card of a Nano folder: golden bytes, and the tables that its readers look for."""

from collections.abc import Callable
from pathlib import Path

from pyrite.publishing import loaded_id, render_card, write_card
from pyrite.publishing.frontmatter import read_front
from pyrite.publishing.sections import split_sections

GOLDEN = Path(__file__).parent / "golden" / "nano-toy.md"


def section(folder: Path, name: str) -> str:
    return next((piece.text for piece in split_sections(render_card(folder)) if piece.name == name), "")


def test_the_card_of_the_nano_toy_is_the_golden_one(nano_toy: Path) -> None:
    assert render_card(nano_toy) == GOLDEN.read_text(encoding="utf-8")


def test_a_second_writing_changes_no_byte_and_hand_written_text_stays(nano_toy: Path) -> None:
    """O54."""
    path = write_card(nano_toy)
    path.write_text(path.read_text(encoding="utf-8") + "\nWritten by hand.\n", encoding="utf-8")
    merged = write_card(nano_toy).read_bytes()
    assert b"Written by hand." in merged
    assert write_card(nano_toy).read_bytes() == merged


def test_every_config_names_the_file_of_every_split(nano_toy: Path) -> None:
    """O50, O51."""
    configs = read_front(render_card(nano_toy))["configs"]
    assert [config["config_name"] for config in configs] == ["corpus", "queries", "qrels", "bm25"]
    assert [config.get("default", False) for config in configs] == [True, False, False, False]
    assert configs[3]["data_files"] == [
        {"split": "en", "path": "bm25/en.parquet"},
        {"split": "ja", "path": "bm25/ja.parquet"},
    ]


def test_the_split_mapping_has_source_task_and_counts_and_says_why_a_fallback_is_used(nano_toy: Path) -> None:
    told = section(nano_toy, "splits")
    assert "| ja | ja_queries | org/minerals | dev | 2 | 3 | 3 |" in told
    assert "- ja uses `dev`: `testB` is not usable, as it does not exist." in told
    assert "- en uses" not in told


def test_the_bm25_table_has_tokenizer_forced_positives_and_the_raw_measures(nano_toy: Path) -> None:
    told = section(nano_toy, "candidates")
    assert "| ja | wordseg:ja | 1 | 2 | 0.5000 | 0.7500 |" in told
    assert "before any positive was put in" in told


def test_skipped_tasks_have_a_reason_and_none_is_said_where_there_is_none(
    nano_toy: Path, make_nano_toy: Callable[..., Path]
) -> None:
    assert "- xx (xx_queries): testB: it does not exist" in section(nano_toy, "skipped")
    assert "None." in section(make_nano_toy(facts={}), "skipped")


def test_published_numbers_stand_beside_ours(nano_toy: Path) -> None:
    told = section(nano_toy, "published")
    assert "| split | corpus | here | nDCG@10 | here |" in told
    assert "| en | 4 | 3 | 0.5 | 0.5 |" in told
    assert "| ja |" not in told


def test_the_card_says_that_published_qrels_are_binary_and_where_the_grades_are(nano_toy: Path) -> None:
    assert "The published qrels are binary; the grades are in `provenance/qrels`." in section(nano_toy, "built")
    assert "2 of the 6 qrels are such" in section(nano_toy, "built")


def test_the_ledger_is_the_manifest_s_and_points_to_the_notes_of_the_splits(nano_toy: Path) -> None:
    told = section(nano_toy, "ledger")
    assert "| duplicate texts | documents | 5 | 4 | 1 same text as an earlier one |" in told
    assert "2 notes there name judgements" in told


def test_the_usage_code_keeps_the_repository_that_it_was_published_under(nano_toy: Path) -> None:
    card = render_card(nano_toy, dataset_id="org/NanoToy")
    assert loaded_id(card) == "org/NanoToy"
    assert 'bm25 = load_dataset("org/NanoToy", "bm25", split=split)' in card


def test_a_licence_is_inherited_from_the_credits(nano_toy: Path) -> None:
    assert read_front(render_card(nano_toy))["license"] == "cc-by-sa-4.0"


def test_every_section_is_one_that_a_later_card_can_find_again(nano_toy: Path) -> None:
    """A name with a digit in it would leave its mark among the hand-written text."""
    card = render_card(nano_toy)
    named = [piece.name for piece in split_sections(card) if piece.name]
    assert card.count("<!-- pyrite: ") == 2 * len(named)
    assert "candidates" in named
