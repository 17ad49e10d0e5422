"""Paths in a short form are those of a folder, in the parts of a system too."""

from pathlib import Path

import pytest

from pyrite.retrieval import located, parse_system


@pytest.fixture
def base(tmp_path: Path) -> Path:
    for name in ("models/a", "models/b+c", "models/x,y"):
        (tmp_path / name).mkdir(parents=True)
    return tmp_path


def test_a_model_folder_beside_the_recipe_is_found_and_its_settings_stay(base: Path) -> None:
    spec = parse_system(located('dense:models/a,max_length=64,query_prompt="q, "', base))
    assert spec.argument == str(base / "models/a")
    assert spec.settings == {"max_length": "64", "query_prompt": "q, "}


def test_a_hub_id_and_an_analyzer_stay_as_they_are(base: Path) -> None:
    assert located("dense:org/model@v1", base) == "dense:org/model@v1"
    assert located("bm25:en", base) == "bm25:en"
    assert located("bm25", base) == "bm25"


def test_a_given_file_is_always_one_beside_the_recipe(base: Path) -> None:
    assert located("run:a,b.trec", base) == f"run:{base}/a,b.trec"
    assert located("run:/elsewhere/a.trec", base) == "run:/elsewhere/a.trec"


def test_the_parts_of_a_fusion_and_the_first_stage_of_a_reranker_are_found_too(base: Path) -> None:
    text = "rerank:models/b+c,over=(fusion:rrf,of=bm25+dense:models/a+run:mine.trec),depth=7"
    outer = parse_system(located(text, base))
    assert outer.argument == str(base / "models/b+c")
    assert outer.settings["depth"] == "7"
    inner = parse_system(outer.settings["over"].removeprefix("(").removesuffix(")"))
    assert inner.settings["of"] == f"bm25+(dense:{base}/models/a)+(run:{base}/mine.trec)"


def test_a_path_with_signs_of_the_grammar_survives_in_brackets(base: Path) -> None:
    fused = parse_system(located("fusion:rrf,of=bm25+(dense:models/b+c)", base))
    assert fused.settings["of"] == f"bm25+(dense:{base}/models/b+c)"
