"""Hard distractors ranked and guarded by any system, on tables small enough to follow by hand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pyrite.pipelines import build
from pyrite.pipelines import guarding as module
from pyrite.pipelines.build import Built

GOLD = ("pyrite glitters in a vein of quartz", "gold is a soft yellow element")
TRAIN = ("copper is a red ore", "pyrite glitters in a deep vein", "zinc is heavy", "gold is a soft element", "lead")
RECIPE = """\
kind = "benchmark"
name = "minerals"
language = "en"

[source.eval]
path = "eval.parquet"

[source.train]
path = "train.parquet"

[distractors]
count = 3
choose = "hard"

[distractors.guard]
near = 1.0
"""


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Built]:
    monkeypatch.setenv("PYRITE_CACHE", str(tmp_path / "cache"))
    questions = ["what glitters in quartz?", "which element is soft?"]
    pq.write_table(pa.table({"query": questions, "passage": GOLD}), tmp_path / "eval.parquet")
    pq.write_table(pa.table({"passage": TRAIN}), tmp_path / "train.parquet")
    (tmp_path / "minerals.toml").write_text(RECIPE)

    def made(*overrides: str, name: str = "out") -> Built:
        return build(tmp_path / "minerals.toml", out=tmp_path / name, work=tmp_path / f"w-{name}", overrides=overrides)

    return made


def distractors(folder: Path) -> set[str]:
    rows = pq.read_table(folder / "corpus/corpus.parquet").to_pylist()
    return {row["text"] for row in rows if row["_id"].startswith("d")}


def dropped(one: Built) -> dict[str, int]:
    return dict(next(entry["dropped"] for entry in one.manifest.ledger if entry["stage"] == "distractors"))


def link(make_model: Callable[..., Path], folder: Path, kind: str) -> None:
    (folder / "models").mkdir(exist_ok=True)
    (folder / "models" / kind).symlink_to(make_model(kind))


@pytest.mark.parametrize(
    ("family", "kind"), [("dense", "dense"), ("sparse", "masked"), ("multi-vector", "dense"), ("rerank", "cross")]
)
def test_a_model_beside_the_recipe_ranks_the_training_pool(family, kind, make_model, built, tmp_path: Path) -> None:
    link(make_model, tmp_path, kind)
    one = built(f"distractors.system={family}:models/{kind}", "distractors.count=2")
    assert len(distractors(one.folder)) == 2
    assert one.stages["rank"].done_now == 1
    # A reranker over bm25 encodes no text by itself; of a multi-vector model the queries alone are kept.
    assert ("encode" in one.stages) == (family != "rerank")
    assert not (tmp_path / "cache" / "embeddings").exists() or family == "rerank"


def test_a_fusion_ranks_the_training_pool(make_model, built, tmp_path: Path) -> None:
    link(make_model, tmp_path, "dense")
    one = built("distractors.system=fusion:rrf,of=bm25+dense:models/dense")
    assert len(distractors(one.folder)) == 3


def scored_like(monkeypatch: pytest.MonkeyPatch, second_positives: set[str]) -> list[int]:
    """A model that gives gold and its second positives 9, and the rest 1; what it is asked is counted."""
    asked: list[int] = []

    class Model:
        def score(self, pairs):
            asked.append(len(pairs))
            texts = [pairs.corpus[int(place)].text for place in pairs.doc_positions]
            return np.array([9.0 if text in second_positives | set(GOLD) else 1.0 for text in texts], np.float32)

    monkeypatch.setattr(module, "make_scorer", lambda *_: Model())
    return asked


@pytest.mark.parametrize("family", ["dense", "sparse", "multi-vector", "rerank"])
def test_a_planted_second_positive_is_kept_out_by_a_model_of_any_family(
    family, make_model, built, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """O10: training rows 1 and 3 answer the questions, and their judgement is hidden."""
    kind = {"sparse": "masked", "rerank": "cross"}.get(family, "dense")
    link(make_model, tmp_path, kind)
    asked = scored_like(monkeypatch, {TRAIN[1], TRAIN[3]})
    system = ("distractors.system=run:all.trec", f"distractors.guard.system={family}:models/{kind}")
    lines = [f"q{query} Q0 t{row} {row + 1} {5 - row} x" for query in (0, 1) for row in range(5)]
    (tmp_path / "all.trec").write_text("\n".join(lines) + "\n")
    one = built(*system, "distractors.guard.margin=1.0")
    assert distractors(one.folder) == {TRAIN[0], TRAIN[2], TRAIN[4]}
    assert dropped(one)["guarded: scored like a positive"] == 2
    assert asked == [12]  # five candidates and the positive, for each query


def test_a_guard_of_bm25_or_a_fusion_keeps_out_what_ranks_with_the_positive(built) -> None:
    free = built("distractors.count=2")
    assert distractors(free.folder) == {TRAIN[1], TRAIN[3]}
    for system in ("bm25", "fusion:rrf,of=bm25+bm25:en"):
        one = built(
            "distractors.system=bm25",
            "distractors.count=1",
            f"distractors.guard.system={system}",
            "distractors.guard.margin=0.0",
            name=system.partition(":")[0],
        )
        assert len(distractors(one.folder)) == 1
        assert one.stages["guard"].done_now == 1


def test_what_a_guard_scored_is_kept_for_the_next_build(make_model, built, tmp_path: Path) -> None:
    link(make_model, tmp_path, "cross")
    system = ("distractors.count=1", "distractors.guard.system=rerank:models/cross", "distractors.guard.margin=0")
    first, second = built(*system), built(*system)
    assert (first.stages["guard"].done_now, second.stages["guard"].done_now) == (1, 0)
    assert distractors(first.folder) == distractors(second.folder)
