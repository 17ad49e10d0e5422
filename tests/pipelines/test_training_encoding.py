"""A pool encoded in blocks: the rankings of one search, the same bytes by any workers, and nothing encoded again."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from pyrite.core import Pool, Run, TextPairs
from pyrite.engine import Engine, StageCount
from pyrite.pipelines import encoding, load_recipe, training_scoring, training_searching
from pyrite.pipelines.recipe_training import TrainingRecipe
from pyrite.pipelines.training_pool import BuiltPool, build_pool
from pyrite.pipelines.training_scoring import teacher_scores
from pyrite.pipelines.training_searching import retrieve_pool
from pyrite.pipelines.training_sources import open_sources
from pyrite.pipelines.training_systems import systems_of
from pyrite.retrieval import make_scorer

Make = Callable[..., Path]
KINDS = {"dense": "dense", "sparse": "masked", "multi-vector": "dense"}


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYRITE_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def make_pool(make_mining: Make, model_words: tuple[str, ...]) -> Callable[..., Path]:
    """The recipe of a pool of 60 documents of word salad and 8 queries; `changed` replaces texts, by id."""

    def made(system: str, changed: dict[str, str] | None = None) -> Path:
        chance = np.random.default_rng(4)
        texts = {f"d{row}": " ".join(chance.choice(model_words, chance.integers(4, 40))) for row in range(60)}
        queries = [(" ".join(chance.choice(model_words, 5)) + "?", [f"d{7 * row}"]) for row in range(8)]
        return make_mining(
            texts=texts | (changed or {}), queries=queries, retriever=[{"system": system, "depth": 20}], run={},
            teacher={"system": "scores:scores.parquet", "depth": 3}, logits={},
        )  # fmt: skip

    return made


def mined(path: Path, workers: int = 1) -> tuple[BuiltPool, Pool, dict[str, StageCount]]:
    loaded = load_recipe(str(path))
    assert isinstance(loaded.recipe, TrainingRecipe)
    with Engine(path.parent / "work", workers=workers) as engine:
        built = build_pool(loaded.recipe, open_sources(loaded.recipe, loaded.base), engine)
        pool, _ = retrieve_pool(built, systems_of(loaded.recipe, loaded.base).retrievers, [20], engine)
        return built, pool, dict(engine.counts)


def encoded(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (folder / "work" / "encode").iterdir()}


def rankings(found: Pool | Run) -> dict[str, list[tuple[str, float]]]:
    return {query: [(hit.doc_id, hit.score) for hit in hits if hit.rank] for query, hits in by_query(found)}


def by_query(found: Pool | Run) -> Iterable[tuple[str, list[Any]]]:
    return found if isinstance(found, Run) else ((query, found[query]) for query in found.queries.ids.to_pylist())


def retriever_of(recipe: Path) -> Any:
    loaded = load_recipe(str(recipe))
    return systems_of(loaded.recipe, loaded.base).retrievers[0]


FORMS = [
    *("{dense}", "{sparse}", "{multi-vector}", "{rerank}"),
    *("fusion:rrf,of=bm25+{dense}", "fusion:rrf,of=bm25+{multi-vector}"),
]


@pytest.mark.parametrize("form", FORMS)
def test_a_pool_encoded_in_blocks_is_ranked_as_one_that_is_not(
    form: str, make_pool: Callable[..., Path], make_model: Make, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    forms = {family: f"{family}:{make_model(kind)}" for family, kind in KINDS.items()}
    recipe = make_pool(form.format(**forms, rerank=f"rerank:{make_model('cross')},over={forms['dense']}"))
    built, pool, counts = mined(recipe)
    assert counts["encode"].done_now == (1 if "multi-vector" in form else 2)
    expected = rankings(retriever_of(recipe).index(built.corpus).search(built.queries, 20))
    # One block has the batches of the whole pool: not a bit is another, but where token vectors are kept in one way
    # and pass in the other.
    assert_ranked(pool, expected, near=1e-6 if form == "{multi-vector}" else 0)
    shutil.rmtree(tmp_path / "work")
    monkeypatch.setattr(encoding, "BLOCK", 8)
    monkeypatch.setattr(training_searching, "PART", 16)
    _, pool, counts = mined(recipe)
    many = "mining-search-part" if form == "{multi-vector}" else "encode"
    assert counts[many].done_now > 1
    assert_ranked(pool, expected, near=1e-5)


def assert_ranked(pool: Pool, expected: dict[str, list[tuple[str, float]]], *, near: float) -> None:
    for query, hits in rankings(pool).items():
        assert [doc for doc, _ in hits] == [doc for doc, _ in expected[query]]
        assert [score for _, score in hits] == pytest.approx([score for _, score in expected[query]], rel=near, abs=0)


def test_the_bytes_are_the_same_whoever_works_and_whatever_the_users_cache_has(
    make_pool: Callable[..., Path], make_model: Make, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(encoding, "BLOCK", 16)
    recipe = make_pool(f"dense:{make_model('dense')}")
    built, pool, counts = mined(recipe)
    assert counts["encode"].done_now == len(encoded(tmp_path)) > 4
    assert not (tmp_path / "cache").exists()
    alone, expected = encoded(tmp_path), rankings(pool)
    # Other batches than those of any block, in the user's cache.
    retriever_of(recipe).index(built.corpus.take(np.arange(0, 60, 7))).search(built.queries, 1)
    for workers in (2, 4) if os.environ.get("PYRITE_NIGHTLY") else (2,):
        shutil.rmtree(tmp_path / "work")
        _, pool, _ = mined(recipe, workers)
        assert encoded(tmp_path) == alone
        assert rankings(pool) == expected


@pytest.mark.parametrize("family", ["dense", "multi-vector"])
def test_how_much_was_cut_is_said_once_of_the_whole_pool(
    family: str, make_pool: Callable[..., Path], make_model: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(encoding, "BLOCK", 16)
    monkeypatch.setattr(training_searching, "PART", 16)
    with pytest.warns(UserWarning, match="cuts") as said:
        built, *_ = mined(make_pool(f"{family}:{make_model('dense')},max_length=10"))
    cut = np.mean([len(text.split()) + 2 > 10 for text in built.corpus.texts.to_pylist()])
    told = [str(one.message) for one in said if "documents at 10 tokens" in str(one.message)]
    assert [sentence.split(" cuts ")[1] for sentence in told] == [f"{cut:.1%} of 60 documents at 10 tokens"]


@pytest.mark.parametrize("family", KINDS)
def test_a_teacher_that_encodes_is_given_the_texts_of_its_pairs(
    family: str, make_pool: Callable[..., Path], make_model: Make, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    built, pool, _ = mined(make_pool("bm25:en"))
    teacher = make_scorer(f"{family}:{make_model(KINDS[family])}", {"scale": "20"})
    rows = np.flatnonzero(pool.rank <= 9)
    query, documents = pool.query_of[rows], pool.documents[rows]
    with Engine(tmp_path / "work") as engine:
        found = teacher_scores(built, teacher, engine)(pool, rows)
        monkeypatch.setattr(encoding, "BLOCK", 8)
        monkeypatch.setattr(training_scoring, "BLOCK", 16)
        parted = teacher_scores(built, teacher, engine)(pool, rows)
    assert not (tmp_path / "cache").exists()
    texts = sum(len(np.unique(side)) for side in (query, documents))
    kept = [pa.ipc.open_file(path).read_all() for path in (tmp_path / "work" / "encode").iterdir()]
    assert sum(map(len, kept)) == 2 * texts
    assert np.array_equal(found, teacher.score(TextPairs(built.queries, built.corpus, query, documents)))
    assert parted == pytest.approx(found, rel=1e-4)


KILLED = """
import os, signal, sys
from pathlib import Path
from pyrite.pipelines import build, encoding

def write(system, texts, role, out):
    done = Path(sys.argv[2]).read_text().splitlines() if Path(sys.argv[2]).exists() else []
    if len(done) == int(sys.argv[3]):
        os.kill(os.getpid(), signal.SIGKILL)
    with open(sys.argv[2], "a") as log:
        log.write(f"{len(texts)}\\n")
    return write_encoded(system, texts, role, out)

write_encoded, encoding.write_encoded, encoding.BLOCK = encoding.write_encoded, write, 16
folder = Path(sys.argv[1]).parent
build(sys.argv[1], out=folder / "out", work=folder / "work")
"""


def test_after_a_kill_finished_blocks_are_not_encoded_again(
    make_pool: Callable[..., Path], make_model: Make, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    recipe = make_pool(f"dense:{make_model('dense')}")
    command = [sys.executable, "-c", KILLED, str(recipe), str(tmp_path / "log"), "3"]
    assert subprocess.run(command, check=False).returncode == -signal.SIGKILL
    kept = sum(map(int, (tmp_path / "log").read_text().split()))
    monkeypatch.setattr(encoding, "BLOCK", 16)
    given: list[int] = []
    write = encoding.write_encoded

    def counting(system: Any, texts: Any, *rest: Any) -> int:
        given.append(len(texts))
        return write(system, texts, *rest)

    monkeypatch.setattr(encoding, "write_encoded", counting)
    _, pool, counts = mined(recipe)
    assert counts["encode"].done_before == 3
    # 60 documents and 8 queries, each once.
    assert 0 < kept < kept + sum(given) == 68
    resumed = encoded(tmp_path), rankings(pool)
    shutil.rmtree(tmp_path / "work")
    _, pool, _ = mined(recipe)
    assert (encoded(tmp_path), rankings(pool)) == resumed


@pytest.mark.parametrize(("family", "stage"), [("dense", "encode"), ("multi-vector", "mining-search-part")])
def test_a_changed_text_makes_its_block_anew_and_a_changed_model_all_of_them(
    family: str, stage: str, make_pool: Callable[..., Path], make_model: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(encoding, "BLOCK", 16)
    monkeypatch.setattr(training_searching, "PART", 16)
    whole = mined(make_pool(f"{family}:{make_model('dense')}"))[2][stage].done_now
    assert whole > 4
    changed = mined(make_pool(f"{family}:{make_model('dense')}", {"d30": "gold is a soft element"}))[2][stage]
    assert 1 <= changed.done_now <= 2
    assert changed.done_before >= whole - 2
    other = mined(make_pool(f"{family}:{make_model('dense', 1)}"))[2][stage]
    assert (other.done_before, other.done_now) == (0, whole)
