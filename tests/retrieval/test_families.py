"""Systems of models and of other systems, from their short forms."""

import pytest

from pyrite.core import RecipeError
from pyrite.retrieval import BM25, Fusion, NeuralRetriever, Reranker, make_retriever, make_scorer


def test_a_neural_system_has_its_model_revision_and_settings() -> None:
    made = make_retriever('dense:org/model@v2,max_length=256,query_prompt="query: ",devices=cuda:0+cuda:1')
    assert isinstance(made, NeuralRetriever)
    assert (made.family, made.system.model) == ("dense", "org/model")
    settings = made.system.settings
    assert (settings.revision, settings.max_length, settings.query_prompt) == ("v2", 256, "query: ")
    assert settings.devices == ("cuda:0", "cuda:1")


def test_a_reranker_goes_over_what_it_names_else_over_what_is_given_else_over_bm25() -> None:
    named = make_retriever("rerank:org/ce,over=(dense:org/m,max_length=64),depth=50", language="en")
    assert isinstance(named, Reranker)
    assert (named.over.name, named.depth) == ("dense:org/m,max_length=64", 50)
    assert named.name == "rerank:org/ce,over=(dense:org/m,max_length=64),depth=50"
    given = make_retriever("rerank:org/ce", language="en", first_stage=BM25("de"))
    assert isinstance(given, Reranker)
    assert given.over == BM25("de")
    plain = make_retriever("rerank:org/ce", language="en")
    assert isinstance(plain, Reranker)
    assert plain.over.name == "bm25:en"


def test_a_fusion_has_its_members_and_numbers() -> None:
    made = make_retriever("fusion:weighted,of=bm25+(bm25,k1=0.9)+run:a.trec,weights=0.5+0.3+0.2", language="en")
    assert isinstance(made, Fusion)
    assert [member.name for member in made.members] == ["bm25:en", "bm25:en,k1=0.9", "run:a"]
    assert made.weights == (0.5, 0.3, 0.2)
    assert make_retriever(made.name.replace("run:a", "run:a.trec"), language="en") == made


def test_scorers_are_the_families_that_can_score_a_pair() -> None:
    assert make_scorer("rerank:org/ce", {"prompt": "judge: "}).name == "rerank:org/ce"
    assert make_scorer("dense:org/m", {"scale": "20"}).name == "dense:org/m"
    with pytest.raises(RecipeError, match="unknown scorer 'bm25'"):
        make_scorer("bm25")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("dense:", "dense: names no model; write dense:MODEL"),
        ("dense:m,over=bm25", "dense has no setting 'over'"),
        ("rerank:m,depth=0", "depth=0 is not a whole number of 1 or more"),
        ("rerank:m,over=foo:x", "unknown system 'foo:x'"),
        ("fusion:rrf", "a fusion names no systems"),
        ("fusion:rrf,of=bm25", "a fusion needs two systems or more"),
        ("fusion:rrf,of=bm25+bm25,k=-1", "k=-1 is not a number of 0 or more"),
        ("fusion:sum,of=bm25+bm25", "unknown fusion 'sum'; take one of rrf, weighted"),
        ("fusion:weighted,of=bm25+bm25,weights=1", "1 weights for 2 systems"),
        ("fusion:rrf,off=bm25", "fusion has no setting 'off'"),
    ],
)
def test_what_cannot_be_made_is_refused_before_any_work(text: str, said: str) -> None:
    with pytest.raises(RecipeError, match=said):
        make_retriever(text, language="en")
