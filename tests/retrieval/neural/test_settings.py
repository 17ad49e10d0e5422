"""Settings are read from text, refused early, and told as they were set."""

import pytest

from pyrite.core import RecipeError
from pyrite.retrieval.neural import NeuralSettings


def of(family: str = "dense", **given: str) -> NeuralSettings:
    return NeuralSettings.of(family, given, where="here")


def test_every_setting_is_read_as_what_it_is() -> None:
    settings = of(
        query_prompt="query: ",
        max_length="256",
        batch_size="8",
        dtype="bfloat16",
        normalize="false",
        truncate_dim="64",
        devices="cuda:0 + cpu",
        scale="20",
        revision="v1",
    )
    assert settings == NeuralSettings(
        "query: ", None, None, 256, 8, "bfloat16", False, 64, ("cuda:0", "cpu"), "v1", 20.0
    )


def test_only_what_is_set_is_told_and_the_name_is_not() -> None:
    assert of(normalize="false", devices="cpu", name="mine").said() == {"normalize": False, "devices": ["cpu"]}


@pytest.mark.parametrize(
    ("family", "key", "text", "said"),
    [
        ("dense", "max_length", "0", "a whole number of 1 or more"),
        ("dense", "max_length", "many", "a whole number of 1 or more"),
        ("dense", "scale", "-1", "a number above 0"),
        ("dense", "scale", "x", "a number above 0"),
        ("dense", "normalize", "yes", "true or false"),
        ("dense", "dtype", "int8", "float32, float16, bfloat16"),
        ("dense", "devices", "cpu+", "cuda:0\\+cuda:1"),
        ("dense", "depth", "3", "has no setting 'depth'"),
        ("sparse", "truncate_dim", "3", "sparse has no setting 'truncate_dim'; accepted: query_prompt"),
        ("rerank", "query_prompt", "q", "rerank has no setting 'query_prompt'"),
    ],
)
def test_a_setting_without_sense_is_refused_by_name(family: str, key: str, text: str, said: str) -> None:
    with pytest.raises(RecipeError, match=said):
        of(family, **{key: text})


def test_a_side_without_a_prompt_of_its_own_takes_the_common_one() -> None:
    settings = of(query_prompt="", prompt="both: ")
    assert (settings.prompt_of("query"), settings.prompt_of("document")) == ("", "both: ")
