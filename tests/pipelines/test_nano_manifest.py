import json
from pathlib import Path

import pytest
import yaml

from pyrite.formats import read_manifest


@pytest.fixture
def folder(write_rows, make_nano) -> Path:
    for split in ("en", "de", "bare"):
        write_rows(f"toy/corpus/{split}.parquet", [{"_id": "d0", "text": "gold"}, {"_id": "d1", "text": "gold"}])
        write_rows(f"toy/queries/{split}.parquet", [{"_id": "q0", "text": "gold?"}])
        grade = 0 if split == "bare" else 1
        write_rows(f"toy/qrels/{split}.parquet", [{"query-id": "q0", "corpus-id": "d1", "score": grade}])
    published = {"corpus": 2, "qrels": 1, "forced": 0, "nDCG@10": 0.9, "R@100": 1.0, "unheard": 3}
    return make_nano(
        {
            "dataset_id": "someone/NanoToy",
            "source": {"path": "toy", "split": "{split}"},
            "card": {"summary": "Two words."},
            "split": [
                {"name": "en", "language": "en", "source_task": "gold_en", "published": published},
                {"name": "de", "language": "de"},
                {"name": "bare", "language": "en", "source_task": "bare_task"},
            ],
        }
    )


def test_every_published_number_stands_beside_ours(folder: Path):
    rows = {row["name"]: (row["published"], row["built"]) for row in read_manifest(folder).published}
    assert rows == {
        "en: corpus": (2, 1),
        "en: qrels": (1, 1),
        "en: forced": (0, 0),
        "en: nDCG@10": (0.9, 1.0),
        "en: R@100": (1.0, 1.0),
        "en: unheard": (3, None),
    }


def test_the_manifest_counts_splits_and_names_sources_and_what_was_skipped(folder: Path):
    manifest = read_manifest(folder)
    assert manifest.counts == {"splits": 2, "queries": 2, "corpus": 2, "qrels": 2}
    assert manifest.language == ""
    assert {name: (told["split"], told["rows"]) for name, told in manifest.sources.items()} == {
        "en": ("en", 2),
        "de": ("de", 2),
    }
    reason = "bare: none of its queries has a positive"
    assert manifest.facts["skipped"] == [{"split": "bare", "source_task": "bare_task", "reason": reason}]


def test_the_accounts_of_the_splits_are_added_up_and_their_notes_stay_with_them(folder: Path):
    entries = {entry["stage"]: entry for entry in read_manifest(folder).ledger}
    assert (entries["duplicate texts"]["in"], entries["duplicate texts"]["kept"]) == (4, 2)
    assert entries["duplicate texts"]["dropped"] == {"same text as an earlier one": 2}
    assert entries["documents of the split"]["notes"] == []
    told = json.loads((folder / "metadata/en.json").read_text())["ledger"]
    assert told[-2]["notes"] == ["1 positives", "0 judged negatives", "0 fill"]


def test_the_metadata_name_the_task_the_rules_and_the_analyzer(folder: Path):
    told = json.loads((folder / "metadata/de.json").read_text())
    assert (told["source"]["task"], told["language"], told["language_from"]) == ("de", "de", "recipe")
    assert told["rules"]["limit_queries"] == 200
    settings = told["candidates"]["bm25"]["settings"]
    assert {"analyzer", "fingerprint", "versions", "variant", "k1", "b"} <= set(settings)


def test_hakari_reads_where_the_dataset_is_and_its_splits(folder: Path):
    told = yaml.safe_load((folder / "hakari.yaml").read_text(encoding="utf-8"))
    assert (told["dataset_id"], told["splits"]) == ("someone/NanoToy", ["en", "de"])
    assert told["metadata"]["language"] == "multilingual"
    assert told["metadata"]["short_description"] == "Two words."
