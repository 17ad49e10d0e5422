"""One table for every system: its settings become text, beside those of its short form."""

import pytest

from pyrite.core import RecipeError
from pyrite.pipelines.recipe_systems import SystemTable


def test_settings_of_the_table_stand_over_those_of_the_short_form() -> None:
    table = SystemTable(
        system="dense:org/model,max_length=64,dtype=float16",
        query_prompt="検索クエリ: ",
        max_length=128,
        normalize=True,
        devices=["cuda:0", "cuda:1"],
        scale=20.0,
    )
    spec = table.spec()
    assert (spec.family, spec.argument) == ("dense", "org/model")
    assert spec.settings == {
        "max_length": "128",
        "dtype": "float16",
        "query_prompt": "検索クエリ: ",
        "normalize": "true",
        "devices": "cuda:0+cuda:1",
        "scale": "20.0",
    }


def test_the_name_of_a_file_may_hold_commas() -> None:
    assert SystemTable(system="scores:a,b=c.parquet").spec().argument == "a,b=c.parquet"
    assert SystemTable(system="run:a,b=c.parquet").spec().settings == {}


def test_an_unknown_family_names_the_accepted_ones() -> None:
    with pytest.raises(RecipeError, match=r"unknown system 'bm26'; accepted: bm25"):
        SystemTable(system="bm26").spec()
