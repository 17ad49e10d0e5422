"""The example of sixteen languages, over real collections, and the recipe for one's own folder."""

import json
import shutil
from pathlib import Path

import pytest

from pyrite.core import RecipeError
from pyrite.pipelines import build
from pyrite.publishing import check_folder, verify_folder

EXAMPLE = Path(__file__).resolve().parents[2] / "docs/examples/nano-sixteen-languages.toml"
SEGMENTERS = ("fugashi", "unidic_lite", "jieba", "kiwipiepy", "pythainlp")
TOKENIZERS = {
    "ar": "stemmer:ar/arabic",
    "bn": "whitespace:bn",
    "de": "stemmer:de/german",
    "en": "stemmer:en/english",
    "es": "stemmer:es/spanish",
    "fa": "whitespace:fa",
    "fi": "stemmer:fi/finnish",
    "fr": "stemmer:fr/french",
    "hi": "stemmer:hi/hindi",
    "id": "stemmer:id/indonesian",
    "ja": "wordseg:ja",
    "ko": "wordseg:ko",
    "ru": "stemmer:ru/russian",
    "sw": "whitespace:sw",
    "th": "wordseg:th",
    "zh": "wordseg:zh",
}


def metadata(folder: Path, split: str) -> dict:
    return json.loads((folder / f"metadata/{split}.json").read_text(encoding="utf-8"))


def test_one_command_makes_sixteen_splits_that_can_be_published(shared_data: Path, tmp_path: Path):
    for package in SEGMENTERS:
        pytest.importorskip(package, reason="the languages extra is not installed")
    shutil.copyfile(EXAMPLE, tmp_path / "nano.toml")
    (tmp_path / "data").symlink_to(shared_data)
    small = ["nano.limit_queries=12", "nano.limit_documents=60"]
    built = build(tmp_path / "nano.toml", out=tmp_path / "NanoSixteen", work=tmp_path / "work", overrides=small)
    assert built.manifest.counts["splits"] == 16
    assert built.manifest.counts["queries"] == 16 * 12
    assert built.manifest.counts["corpus"] == 16 * 60
    told = {split: metadata(built.folder, split)["candidates"]["bm25"] for split in TOKENIZERS}
    assert {split: bm25["settings"]["analyzer"] for split, bm25 in told.items()} == TOKENIZERS
    # Twelve questions and sixty passages: the right analyzer finds nearly every answer.
    assert [split for split, bm25 in told.items() if bm25["measures"]["nDCG@10"] < 0.6] == []
    assert check_folder(built.folder) == []
    assert verify_folder(built.folder) == []


def own(write_rows, tmp_path: Path, *overrides: str) -> Path:
    texts = ["Der Pyrit ist ein Mineral.", "Gold ist weich.", "Quarz ist hart.", "Steinsalz ist Salz."]
    write_rows("own/corpus.parquet", [{"_id": f"d{n}", "text": text} for n, text in enumerate(texts)])
    asked = ["Welches Mineral ist weich?", "Welches von den Mineralen glänzt wie Gold?", "Was ist Salz für ein Stein?"]
    write_rows("own/queries.parquet", [{"_id": f"q{n}", "text": text} for n, text in enumerate(asked)])
    judged = [{"query-id": f"q{n}", "corpus-id": doc, "score": 1} for n, doc in enumerate(["d1", "d0", "d3"])]
    write_rows("own/qrels.parquet", judged)
    given = [f"source.path={tmp_path / 'own'}", "name=NanoOwn", *overrides]
    return build("nano/from-folder", out=tmp_path / "NanoOwn", work=tmp_path / "work", overrides=given).folder


def test_from_folder_makes_a_nano_dataset_of_one_s_own_collection(write_rows, tmp_path: Path):
    folder = own(write_rows, tmp_path, "language=de")
    told = metadata(folder, "test")
    assert told["counts"]["corpus"] == 4
    assert told["candidates"]["bm25"]["settings"]["analyzer"] == "stemmer:de/german"
    assert check_folder(folder) == []


def test_a_language_that_nobody_names_is_detected_from_the_queries_and_recorded(write_rows, tmp_path: Path):
    pytest.importorskip("py3langid", reason="the languages extra is not installed")
    folder = own(write_rows, tmp_path)
    told = metadata(folder, "test")
    assert (told["language"], told["language_from"]) == ("de", "queries")
    assert told["candidates"]["bm25"]["settings"]["analyzer"] == "stemmer:de/german"
    assert "language:\n- de\n" in (folder / "README.md").read_text(encoding="utf-8")


def test_an_unknown_language_is_an_error_that_lists_the_accepted_ones_before_any_work(write_rows, tmp_path: Path):
    with pytest.raises(RecipeError, match=r"split 'test': no analyzer for the language 'tlh'.*af, am, ar"):
        own(write_rows, tmp_path, "language=tlh")
    assert not (tmp_path / "work/nano-choose").exists()
