"""What the card of a mined set tells is computed from its files."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from pyrite.core import DataError
from pyrite.formats import read_manifest, write_parquet
from pyrite.pipelines import build
from pyrite.publishing.training_facts import Spread, training_facts

Make = Callable[..., Path]


def test_counts_and_spreads_are_those_of_the_tables(mined_folder: Path) -> None:
    facts = training_facts(mined_folder)
    assert facts.config_rows == {"pairs": 5, "triplets": 4, "n-tuples": 4, "n-tuples-filtered": 4, "provenance": 4}
    assert facts.counts.items() <= read_manifest(mined_folder).counts.items()
    assert (facts.rows, facts.negatives) == (17, 2)
    assert facts.spreads["margin"] == Spread(4.0, 5.0, 4.75, 5.0)
    told = read_manifest(mined_folder).facts["statistics"]
    for name, spread in facts.spreads.items():
        assert spread.values == pytest.approx(told[name])
    assert (facts.origins.margin_only, facts.origins.extended, facts.origins.top_up) == (4, 3, 0)
    assert facts.origins.negatives == told["origins"]
    assert facts.origins.verdicts == told["filtered"]


def test_a_changed_table_changes_the_facts(mined_folder: Path) -> None:
    path = mined_folder / "n-tuples" / "train.parquet"
    write_parquet(path, pq.read_table(path).slice(0, 3))
    facts = training_facts(mined_folder)
    assert facts.changed
    assert facts.counts["n-tuples"] == 3


def test_the_teacher_is_told_by_family_and_model(make_mining: Make, mined_folder: Path) -> None:
    teacher = training_facts(mined_folder).teacher
    assert (teacher["family"], teacher["model"]) == ("scores", "scores.parquet")


def test_a_config_that_is_gone_is_named(mined_folder: Path) -> None:
    (mined_folder / "triplets" / "train.parquet").unlink()
    with pytest.raises(DataError, match="triplets: there is no Parquet file"):
        training_facts(mined_folder)


def test_labels_of_different_lengths_are_told(make_mining: Make) -> None:
    recipe = make_mining(select={"absolute_margin": 6.5, "short_rows": "keep"})
    folder = build(recipe, out=recipe.parent / "out", work=recipe.parent / "work").folder
    facts = training_facts(folder)
    assert facts.counts["n-tuples-short"] == 2
    table = pq.read_table(folder / "n-tuples" / "train.parquet").to_pylist()
    table[0]["label"] = [1.0]
    path = folder / "n-tuples" / "train.parquet"
    write_parquet(path, pq.read_table(path).from_pylist(table, schema=pq.read_schema(path)))
    with pytest.raises(DataError, match="labels have different lengths"):
        training_facts(folder)
    assert Spread.of(np.empty(0)).values == [0.0] * 4
