"""The tables of a mined set agree with each other, whatever was selected."""

from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq

from pyrite.pipelines import build

Make = Callable[..., Path]


def mined(recipe: Path) -> Path:
    return build(recipe, out=recipe.parent / "out", work=recipe.parent / "work").folder


def test_filtered_rows_are_tied_to_their_provenance(make_mining: Make) -> None:
    folder = mined(make_mining(filter={"margin_min": 5.0}))
    provenance = pq.read_table(folder / "provenance" / "train.parquet").to_pylist()
    filtered = pq.read_table(folder / "n-tuples-filtered" / "train.parquet").to_pylist()
    rows = pq.read_table(folder / "n-tuples" / "train.parquet").to_pylist()
    assert [row["verdict"] for row in provenance] == ["valid", "borderline", "valid", "valid"]
    assert [row["filtered_row"] for row in provenance] == [0, None, 2, 1]
    assert [row["quality_score"] is None for row in provenance] == [False, True, False, False]
    for row in provenance:
        if row["filtered_row"] is not None:
            assert filtered[row["filtered_row"]] == rows[row["row"]]


def test_short_rows_have_a_provenance_of_their_own(make_mining: Make) -> None:
    folder = mined(make_mining(select={"absolute_margin": 6.5, "short_rows": "keep"}))
    short = pq.read_table(folder / "provenance" / "short.parquet").to_pylist()
    assert [(row["row"], row["query-id"], row["positive-id"], row["negative-ids"]) for row in short] == [
        (0, "q0", "p2", ["n4"]),
        (1, "q0", "p4", ["n4"]),
    ]
    assert [(row["verdict"], row["filtered_row"]) for row in short] == [(None, None)] * 2


def test_large_configs_are_cut_into_files_that_the_card_names(make_mining: Make) -> None:
    texts = {f"d{n}": f"document {n} " + "x" * 200_000 for n in range(12)}
    recipe = make_mining(
        texts=texts,
        queries=[(f"question {n}?", [f"d{n}"]) for n in range(6)],
        run={f"q{n}": [f"d{m}" for m in range(12)] for n in range(6)},
        logits={f"q{n}": {f"d{m}": 9.1 if m == n else -m / 3 for m in range(12)} for n in range(6)},
        retriever=[{"system": "run:run.parquet", "depth": 12}],
        teacher={"system": "scores:scores.parquet", "depth": 12},
        shard_bytes=1_000_000,
    )
    folder = mined(recipe)
    names = sorted(path.name for path in (folder / "n-tuples").iterdir())
    assert names == [f"train-{n:05d}-of-00003.parquet" for n in range(3)]
    assert "n-tuples/train-00002-of-00003.parquet" in (folder / "README.md").read_text(encoding="utf-8")
