"""What `[evaluate]` names, measured in builds: any system, with both curves, in the results and on the card."""

from __future__ import annotations

import io
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pyrite.core import Collection, PyriteError
from pyrite.engine import TerminalProgress
from pyrite.formats import read_report
from pyrite.pipelines import Protocol, build, evaluate_dataset, searching

EVALUATE = """\
[evaluate]
systems = [
    "bm25",
    "dense:models/dense",
    { system = "multi-vector:models/dense", max_length = 32 },
    "fusion:rrf,of=bm25+dense:models/dense,name=both",
    "rerank:models/cross,over=bm25,depth=3",
]
measures = ["nDCG@10"]
depth = 10
distractors = [0, 1, "all"]
max_lengths = [8, 16, 64]
"""
BENCHMARK = """\
kind = "benchmark"
name = "minerals"
language = "en"

[source.eval]
path = "eval.parquet"

[source.train]
path = "train.parquet"

"""
GOLD = ("pyrite glitters in a vein of quartz, old and bright and yellow and hard", "gold is a soft yellow element")
TRAIN = ("copper is a red ore", "a dark cube of lead", "zinc is heavy")
REPORTED = [
    "bm25:en",
    "dense:models/dense",
    "multi-vector:models/dense,max_length=32",
    "fusion:both",
    "rerank:models/cross,over=bm25:en,depth=3",
    "rerank:models/cross,over=bm25:en,depth=3 (forced positives)",
]


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYRITE_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def models(make_model: Callable[..., Path], tmp_path: Path) -> None:
    """Model folders beside the recipe."""
    (tmp_path / "models").mkdir()
    for kind in ("dense", "cross"):
        shutil.copytree(make_model(kind), tmp_path / "models" / kind)


@pytest.fixture
def recipe(models: None, tmp_path: Path) -> Path:
    questions = ["what glitters in quartz?", "which element is soft?"]
    pq.write_table(pa.table({"query": questions, "passage": GOLD}), tmp_path / "eval.parquet")
    pq.write_table(pa.table({"passage": TRAIN}), tmp_path / "train.parquet")
    path = tmp_path / "minerals.toml"
    path.write_text(BENCHMARK + EVALUATE, encoding="utf-8")
    return path


def points(report: dict, sweep: str) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for point in report["sweeps"][sweep]:
        found.setdefault(point["system"], []).append(point["at"])
    return found


@pytest.mark.filterwarnings("ignore:.* cuts .*")
def test_a_benchmark_is_measured_with_models_beside_its_recipe_and_both_curves(recipe: Path, tmp_path: Path) -> None:
    folder = build(recipe, out=tmp_path / "out", work=tmp_path / "work").folder
    report = json.loads((folder / "results/report.json").read_text())
    assert [one["system"] for one in report["systems"]] == REPORTED
    assert str(tmp_path) not in json.dumps(report)
    assert points(report, "distractors") == {name: [0, 1, 3] for name in REPORTED[:5]}
    cut = {name: [8, 16, 64] for name in REPORTED if name.startswith(("dense", "multi", "rerank")) and "(" not in name}
    assert points(report, "max_length") == cut
    dense = {one["system"]: one for one in report["systems"]}["dense:models/dense"]
    assert dense["truncated"] == {"documents": 0.0, "queries": 0.0}
    at_8 = next(
        one for one in report["sweeps"]["max_length"] if one["at"] == 8 and one["system"] == "dense:models/dense"
    )
    assert at_8["truncated"]["documents"] > 0
    card = (folder / "README.md").read_text()
    assert "Means of nDCG@10 when documents are cut at a number of tokens." in card
    assert "| tokens | 8 | 16 | 64 |" in card
    assert "Means as distractors join the 2 gold passages." in card
    assert "| distractors | 0 | 1 | 3 |" in card
    assert str(tmp_path) not in card


@pytest.mark.filterwarnings("ignore:.* cuts .*")
def test_a_nano_split_is_measured_with_both_curves_and_ranked_by_models(
    models: None, write_rows, make_nano, tmp_path: Path
) -> None:
    texts = [*GOLD, *TRAIN]
    write_rows("minerals/corpus.parquet", [{"_id": f"d{n}", "text": text} for n, text in enumerate(texts)])
    asked = [("q0", "what glitters in quartz?"), ("q1", "which element is soft?")]
    write_rows("minerals/queries.parquet", [{"_id": name, "text": text} for name, text in asked])
    write_rows("minerals/qrels.parquet", [{"query-id": f"q{n}", "corpus-id": f"d{n}", "score": 1} for n in range(2)])
    folder = make_nano(
        {
            "source": {"path": "minerals"},
            "nano": {"fill": "hard", "guard": {"near": 1.0, "system": "rerank:models/cross", "margin": 0.0}},
            "split": [{"name": "en", "language": "en"}],
            "candidates": [
                {"name": "dense", "system": "dense:models/dense"},
                {"name": "hybrid", "of": ["bm25", "dense"]},
                {"name": "reranked", "system": "rerank:models/cross,over=(fusion:rrf,of=bm25+dense:models/dense)"},
            ],
            "evaluate": {
                "systems": ["bm25", "dense:models/dense"],
                "measures": ["nDCG@10"],
                "distractors": [0, "all"],
                "max_lengths": [8, 64],
            },
        }
    )
    report = read_report(folder / "results/en")
    assert sorted({(point.system, point.at) for point in report.sweeps["max_length"]}) == [
        ("dense:models/dense", 8),
        ("dense:models/dense", 64),
    ]
    assert {point.at for point in report.sweeps["distractors"]} >= {0}
    metadata = json.loads((folder / "metadata/en.json").read_text())
    assert metadata["candidates"]["dense"]["system"] == "dense:models/dense"
    assert metadata["candidates"]["reranked"]["system"].startswith(
        "rerank:models/cross,over=(fusion:rrf,of=bm25:en+dens"
    )
    assert pq.read_table(folder / "hybrid/en.parquet").num_rows == 2


class Told(TerminalProgress):
    """Remembers what was shown."""

    def __init__(self) -> None:
        super().__init__(io.StringIO())
        self.stages: list[tuple[str, int, str]] = []

    def start(self, stage: str, total: int, unit: str) -> None:
        self.stages.append((stage, total, unit))


@pytest.mark.filterwarnings("ignore:.* cuts .*")
def test_a_build_shows_how_far_encoding_and_scoring_are(recipe: Path, tmp_path: Path) -> None:
    told = Told()
    build(recipe, out=tmp_path / "out", work=tmp_path / "work", progress=told)
    shown = {stage: (total, unit) for stage, total, unit in told.stages}
    assert shown["dense:models/dense: encode documents"] == (5, "texts")
    assert ("rerank:models/cross: score pairs") in shown


def test_a_run_file_that_changed_under_its_name_is_measured_again(tmp_path: Path) -> None:
    for name, rows in (
        ("corpus", [{"_id": "d1", "text": "a"}, {"_id": "d2", "text": "b"}]),
        ("queries", [{"_id": "q1", "text": "a"}]),
        ("qrels", [{"query-id": "q1", "corpus-id": "d1", "score": 1}]),
    ):
        (tmp_path / "toy").mkdir(exist_ok=True)
        pq.write_table(pa.Table.from_pylist(rows), tmp_path / "toy" / f"{name}.parquet")
    run = tmp_path / "mine.trec"

    def measured() -> float:
        made = evaluate_dataset(
            str(tmp_path / "toy"),
            [f"run:{run}"],
            protocol=Protocol(measures=("RR@10",)),
            work=tmp_path / "work",
        )
        return made.report.mean("RR@10")

    run.write_text("q1 Q0 d2 1 2.0 x\nq1 Q0 d1 2 1.0 x\n")
    assert measured() == 0.5
    run.write_text("q1 Q0 d1 1 2.0 x\nq1 Q0 d2 2 1.0 x\n")
    assert measured() == 1.0


def test_a_system_that_is_not_there_stops_a_build_before_anything_is_read(recipe: Path, tmp_path: Path) -> None:
    shutil.rmtree(tmp_path / "models" / "cross")
    (tmp_path / "eval.parquet").unlink()
    with pytest.raises(PyriteError, match="models/cross"):
        build(recipe, out=tmp_path / "out", work=tmp_path / "work")


def test_a_corpus_is_read_once_for_all_systems_and_for_what_measures_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Texts of gigabytes would be in memory as often as they are read."""
    read: list[Path] = []
    whole = searching.read_collection

    def noted(path: Path, **given: object) -> Collection:
        read.append(path)
        return whole(path, **given)  # type: ignore[arg-type]

    monkeypatch.setattr(searching, "read_collection", noted)
    pq.write_table(pa.table({"query": ["what glitters?"], "passage": [GOLD[0]]}), tmp_path / "eval.parquet")
    pq.write_table(pa.table({"passage": list(TRAIN)}), tmp_path / "train.parquet")
    recipe = tmp_path / "minerals.toml"
    recipe.write_text(BENCHMARK + '[evaluate]\nsystems = ["bm25", "bm25:ngram:en/3"]\ndistractors = [0, "all"]\n')
    folder = build(recipe, out=tmp_path / "minerals", work=tmp_path / "work").folder
    assert len(read) == 1
    evaluate_dataset(str(folder), ["bm25", "bm25:ngram:en/3"], protocol=Protocol(), work=tmp_path / "evaluated")
    assert read[1:] == [folder]
