"""Word salad to search, and a cache of its own for every test."""

from __future__ import annotations

from pathlib import Path

import pytest

from pyrite.core import Collection, Corpus, Document, Qrels, Queries, Query


@pytest.fixture(scope="session")
def minerals(model_words: tuple[str, ...]) -> Collection:
    """60 documents of word salad and 12 queries, with positives everywhere; no two documents are alike."""
    import numpy as np

    chance = np.random.default_rng(4)
    texts = [" ".join(chance.choice(model_words, chance.integers(4, 40))) for _ in range(60)]
    asked = [" ".join(chance.choice(model_words, 5)) + "?" for _ in range(12)]
    grades = {
        f"q{number}": {f"d{place}": place % 3 for place in range(60) if (7 * place + 5 * number) % 4 == 0}
        for number in range(12)
    }
    return Collection(
        "minerals",
        "en",
        Corpus.of([Document(f"d{number}", text) for number, text in enumerate(texts)]),
        Queries.of([Query(f"q{number}", text) for number, text in enumerate(asked)]),
        Qrels.of(grades),
    )


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYRITE_CACHE", str(tmp_path / "cache"))
