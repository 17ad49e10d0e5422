import json
import random
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from pyrite.core import MissingExtraError, RecipeError
from pyrite.retrieval.bm25 import detection
from pyrite.retrieval.bm25.detection import detect_language

SAMPLES = 20


def test_twenty_queries_tell_the_language_of_every_real_collection(shared_data: Path) -> None:
    source, wrong = random.Random(11), []
    for collection in json.loads((shared_data / "collections.json").read_text()):
        folder, split = shared_data / Path(collection["path"]).name, collection["split"]
        path = folder / "queries" / f"{split}.parquet" if split else folder / "queries.parquet"
        language = collection["language"].split("->")[0]  # of the queries
        queries = pq.read_table(path)["text"].to_pylist()
        right = 0
        for _ in range(SAMPLES):
            try:
                right += detect_language(source.sample(queries, min(20, len(queries)))) == language
            except RecipeError:
                continue
        if right < 0.95 * SAMPLES:
            wrong.append((path, language, right))
    assert wrong == []


@pytest.mark.parametrize("texts", [[], ["", "  "], ["12345", "67"], ["...", "👍"], ["hello"], ["ok", "no"]])
def test_texts_that_do_not_tell_are_an_error_and_not_english(texts: list[str]) -> None:
    with pytest.raises(RecipeError, match="cannot be told; give the language, or name the analyzer"):
        detect_language(texts)


def test_many_texts_are_looked_at_evenly(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    monkeypatch.setattr(detection, "_ranked", lambda text: seen.append(text) or [(9.0, "en"), (0.0, "de")])
    assert detect_language(f"text {number}" for number in range(1001)) == "en"
    lines = seen[0].split("\n")
    assert (lines[0], lines[1], lines[-1], len(lines)) == ("text 0", "text 3", "text 999", 334)


def test_without_the_extra_the_command_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(detection, "find_spec", lambda name: None)
    detection._identifier.cache_clear()
    with pytest.raises(MissingExtraError, match=r'detecting a language .*pip install "pyrite\[languages\]"'):
        detect_language(["what is gold made of?"])


def test_a_text_may_come_from_a_generator() -> None:
    assert detect_language(text for text in ("¿dónde está la biblioteca?", "¿quién escribió el libro?")) == "es"
