"""The card of a benchmark folder: golden bytes, merging, and every number from the files."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml

from pyrite.core import DataError, RecipeError
from pyrite.formats import write_parquet
from pyrite.publishing import check_folder, loaded_id, merge_card, render_card, verify_folder, write_card
from pyrite.publishing.frontmatter import read_front
from pyrite.publishing.sections import split_sections

GOLDEN = Path(__file__).parent / "golden" / "toy-minerals.md"

Put = Callable[[Path, list[dict[str, Any]]], None]


def section(folder: Path, name: str) -> str:
    card = render_card(folder)
    return next((piece.text for piece in split_sections(card) if piece.name == name), "")


def test_the_card_of_the_toy_folder_is_the_golden_one(toy: Path) -> None:
    assert render_card(toy) == GOLDEN.read_text(encoding="utf-8")


def test_a_second_writing_changes_no_byte(toy: Path) -> None:
    """O54."""
    first = write_card(toy).read_bytes()
    stamp = (toy / "README.md").stat().st_mtime_ns
    assert write_card(toy).read_bytes() == first
    assert (toy / "README.md").stat().st_mtime_ns == stamp


def test_where_the_folder_lies_leaves_no_trace(make_toy: Callable[..., Path], tmp_path: Path) -> None:
    card = render_card(make_toy())
    (tmp_path / "toy-minerals").rename(tmp_path / "elsewhere")
    assert render_card(tmp_path / "elsewhere") == card


def test_what_a_person_wrote_survives(toy: Path) -> None:
    """O54: an extra config, a key and a paragraph by hand stay through every writing."""
    path = write_card(toy)
    (toy / "extra").mkdir()
    write_parquet(toy / "extra" / "notes.parquet", pa.table({"_id": ["q0"], "note": ["easy"]}))
    text = path.read_text(encoding="utf-8")
    extra = "- config_name: extra\n  data_files: extra/notes.parquet\n"
    text = text.replace("configs:\n", f"viewer: false\nconfigs:\n{extra}", 1)
    text = text.replace("<!-- pyrite: usage -->", "A paragraph by hand.\n\n<!-- pyrite: usage -->", 1)
    path.write_text(text, encoding="utf-8")
    first = write_card(toy).read_text(encoding="utf-8")
    front = read_front(first)
    assert front["viewer"] is False
    assert [config["config_name"] for config in front["configs"]] == ["corpus", "queries", "qrels", "extra"]
    assert first.index("A paragraph by hand.") < first.index("## Usage")
    assert write_card(toy).read_text(encoding="utf-8") == first
    assert [str(offence) for offence in check_folder(toy)] == []


def test_a_card_that_pyrite_did_not_write_stays_whole(toy: Path) -> None:
    """O54."""
    (toy / "README.md").write_text("---\nlicense: mit\n---\n\n# Mine\n\nBy hand.\n", encoding="utf-8")
    text = write_card(toy).read_text(encoding="utf-8")
    assert text.endswith("\n# Mine\n\nBy hand.\n")
    assert text.index("# Toy Minerals") < text.index("# Mine")
    assert write_card(toy).read_text(encoding="utf-8") == text


def test_a_card_by_hand_may_be_empty(toy: Path) -> None:
    (toy / "README.md").write_text("\n", encoding="utf-8")
    assert write_card(toy).read_text(encoding="utf-8") == GOLDEN.read_text(encoding="utf-8")


def test_the_repository_that_a_published_card_loads_stays(toy: Path) -> None:
    (toy / "README.md").write_text(render_card(toy, dataset_id="org/toy"), encoding="utf-8")
    text = write_card(toy).read_text(encoding="utf-8")
    assert loaded_id(text) == "org/toy"
    assert text.count('load_dataset("org/toy"') == 4
    assert check_folder(toy) == []


def test_merging_is_idempotent(toy: Path) -> None:
    made = render_card(toy)
    existing = "---\nx: 1\n---\nby hand\n"
    once = merge_card(made, existing)
    assert merge_card(made, once) == once


def test_an_edited_row_changes_each_number_that_depends_on_it(published: Path, put_rows: Put) -> None:
    path = published / "corpus" / "corpus.parquet"
    rows = pq.read_table(path).to_pylist()
    rows[-1]["text"] += " And so on and on."
    put_rows(path, rows)
    assert str(verify_folder(published)[0]).startswith("corpus/corpus.parquet: is changed")
    stale = [offence.where for offence in check_folder(published)]
    assert stale == [
        "section 'about'",  # the saturation that was measured before
        "section 'statistics'",
        "section 'scores'",
        "section 'published'",
        "section 'versions'",
    ]
    text = write_card(published).read_text(encoding="utf-8")
    assert "| words a document | 8.0 |" in text  # 43 words became 48
    assert "Not shown: the tables are no longer those that were measured." in text
    assert "| nDCG@10 of bm25 | 0.9 | not measured |" in text
    assert [str(offence) for offence in check_folder(published)] == []
    assert verify_folder(published) != []


def test_a_row_less_changes_every_count(published: Path, put_rows: Put) -> None:
    path = published / "corpus" / "corpus.parquet"
    put_rows(path, pq.read_table(path).to_pylist()[:-1])
    lines = [str(offence) for offence in check_folder(published)]
    assert "corpus/corpus.parquet: holds 5 rows, manifest.json says 6" in lines
    assert "manifest.json: counts.corpus: is 6, the files hold 5" in lines
    assert "manifest.json: counts.distractors: is 3, the files hold 2" in lines
    text = write_card(published).read_text(encoding="utf-8")
    assert "searching 5 documents" in text
    assert "| corpus (distractors) | 2 |" in text


def test_the_front_matter_names_every_file_of_every_split(toy: Path) -> None:
    """O50."""
    corpus = toy / "corpus" / "corpus.parquet"
    (toy / "corpus" / "corpus-00001-of-00002.parquet").write_bytes(corpus.read_bytes())
    corpus.rename(toy / "corpus" / "corpus-00000-of-00002.parquet")
    configs = {config["config_name"]: config for config in read_front(render_card(toy))["configs"]}
    assert configs["corpus"]["data_files"] == [
        {"split": "corpus", "path": ["corpus/corpus-00000-of-00002.parquet", "corpus/corpus-00001-of-00002.parquet"]}
    ]
    assert [config.get("default") for config in configs.values()] == [True, None, None]


def test_coerced_scalars_are_quoted_in_the_front_matter(make_toy: Callable[..., Path]) -> None:
    text = render_card(make_toy(language="no", card={"pretty_name": "1e3", "tags": ["012"]}))
    assert "pretty_name: '1e3'\nlanguage:\n- 'no'\n" in text
    assert "- '012'\n" in text
    front = yaml.safe_load(text.split("---\n")[1])
    assert (front["language"], front["pretty_name"], front["tags"][-1]) == (["no"], "1e3", "012")


def test_without_results_the_scores_are_not_measured(make_toy: Callable[..., Path]) -> None:
    folder = make_toy(results=False)
    assert section(folder, "scores").splitlines()[1:4] == ["## Reference scores", "", "Not measured."]
    assert "| nDCG@10 of bm25 | 0.9 | not measured |" in section(folder, "published")


def test_further_results_are_shown(make_toy: Callable[..., Path], tmp_path: Path) -> None:
    folder = make_toy()
    (folder / "results").rename(tmp_path / "more")
    assert "Not measured." in render_card(folder)
    assert "| bm25:en | Lexical | 0.7500 (0.5000–1.0000) |" in render_card(folder, results=[tmp_path / "more"])


def test_merged_questions_are_told_as_merged(make_toy: Callable[..., Path]) -> None:
    built = section(make_toy(queries={"duplicates": "merge", "limit": "all", "headline": None}), "built")
    assert "| queries | 3 | Every distinct question of the evaluation table, in order" in built
    assert "Rows with the same question are one query" in built


def test_repeated_questions_are_counted_where_they_are_kept(toy: Path) -> None:
    assert "1 query text repeats (1 row beyond the first)" in section(toy, "built")


@pytest.mark.parametrize(
    ("distractors", "sentence"),
    [
        ({"count": "all"}, "Every distinct passage of the training table that is not gold, in order"),
        ({"count": 3}, "The first 3 distinct passages of the training table that are not gold, in order"),
        ({"choose": "random", "seed": 7}, "A random sample (seed 7) of the distinct passages"),
        ({"choose": "hard", "system": "bm25"}, "Passages of the training table that `bm25` ranks highest"),
    ],
)
def test_each_choice_of_distractors_has_its_sentence(
    make_toy: Callable[..., Path], distractors: dict[str, Any], sentence: str
) -> None:
    assert f"| corpus (distractors) | 3 | {sentence}" in section(make_toy(distractors=distractors), "built")


def test_what_identical_means_is_told(make_toy: Callable[..., Path]) -> None:
    built = section(make_toy(dedup={"identical": "normalised", "near": 0.9}), "built")
    assert "equal after Unicode NFKC" in built
    assert "a Jaccard similarity of 0.9 or more" in built


def test_fewer_queries_than_the_recipe_takes_are_told(make_toy: Callable[..., Path]) -> None:
    assert "The recipe takes up to 50; the table holds no more." in section(make_toy(queries={"limit": 50}), "built")


def test_several_positives_a_query_are_told(toy: Path, put_rows: Put) -> None:
    path = toy / "qrels" / "test.parquet"
    extra = {"query-id": "q0", "corpus-id": "p2", "score": 2}
    put_rows(path, [*pq.read_table(path).to_pylist(), extra])
    built = section(toy, "built")
    assert "1 to 2 relevant passages a query, 1.3333 on average; judgements by score: 3 of 1, 1 of 2." in built


def test_without_a_leak_list_the_card_names_the_training_passages(toy: Path) -> None:
    (toy / "provenance" / "leaks.parquet").unlink()
    told = section(toy, "evaluation-set")
    assert "leaks" not in told
    assert "The 3 distractors are passages of" in told


def test_a_set_without_distractors_has_no_line_for_them(make_toy: Callable[..., Path], put_rows: Put) -> None:
    folder = make_toy(distractors={"count": 0}, source={"train": None}, results=False)
    path = folder / "corpus" / "corpus.parquet"
    put_rows(path, pq.read_table(path).to_pylist()[:3])
    text = render_card(folder)
    assert "(distractors)" not in text
    assert "0 distractors" in section(folder, "statistics")


def test_the_canary_is_the_same_for_a_name_and_absent_unless_asked_for(make_toy: Callable[..., Path]) -> None:
    assert "pyrite-canary" not in render_card(make_toy(card={"canary": False}))


def test_a_licence_below_a_share_alike_source_stops_the_card(make_toy: Callable[..., Path]) -> None:
    folder = make_toy(card={"license": "MIT"})
    with pytest.raises(RecipeError, match="share-alike"):
        write_card(folder)
    assert not (folder / "README.md").exists()


def test_a_recipe_text_with_a_mark_in_it_can_not_break_the_card(make_toy: Callable[..., Path]) -> None:
    folder = make_toy(card={"summary": "Ends here <!-- pyrite: end --> or not."})
    first = write_card(folder).read_bytes()
    assert write_card(folder).read_bytes() == first


def test_a_local_source_is_told_by_its_name_alone(make_toy: Callable[..., Path], tmp_path: Path) -> None:
    assert str(tmp_path) not in render_card(make_toy())


def test_no_row_of_a_table_is_broken_by_what_it_tells(make_toy: Callable[..., Path]) -> None:
    folder = make_toy(published={"a|b": "x\ny"})
    assert "| a\\|b | x y |" in section(folder, "published")


def test_the_ledger_adds_up_or_the_card_is_refused(toy: Path) -> None:
    manifest = toy / "manifest.json"
    manifest.write_text(re.sub(r'"kept": 3', '"kept": 2', manifest.read_text(encoding="utf-8")), encoding="utf-8")
    with pytest.raises(DataError, match="does not add up"):
        render_card(toy)


def test_a_missing_table_is_an_error_that_names_it(toy: Path) -> None:
    (toy / "queries" / "queries.parquet").unlink()
    with pytest.raises(DataError, match="queries: there is no Parquet file"):
        render_card(toy)
