"""A spec says its short form, and that is read back to the same spec."""

import pytest

from pyrite.core import RecipeError
from pyrite.retrieval import SystemSpec, parse_system


@pytest.mark.parametrize(
    "spec",
    [
        SystemSpec("bm25"),
        SystemSpec("bm25:ja", {"k1": "1.2"}),
        SystemSpec("dense:org/m", {"query_prompt": "query: ", "document_prompt": "", "max_length": "64"}),
        SystemSpec("rerank:m", {"over": "(bm25:en,k1=1)", "prompt": 'say "yes", or no'}),
        SystemSpec("fusion:rrf", {"of": "bm25+(dense:m,max_length=3)"}),
        SystemSpec("run:a,b=c.trec"),
    ],
    ids=lambda spec: spec.family,
)
def test_the_short_form_is_read_back(spec: SystemSpec) -> None:
    assert parse_system(spec.text) == spec


def test_a_setting_that_is_not_accepted_is_named() -> None:
    with pytest.raises(RecipeError, match="fusion has no setting 'depht'; write usage"):
        SystemSpec("fusion:rrf", {"depht": "3"}).only("of", "depth", usage="usage")
