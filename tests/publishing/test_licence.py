"""Which licence a dataset may carry."""

from typing import Any

import pytest

from pyrite.core import RecipeError
from pyrite.publishing import dataset_licence
from pyrite.publishing.licence import licence_id


def recipe(*licences: str, own: str = "", role: str = "data") -> dict[str, Any]:
    credits = [{"name": f"work {place}", "license": one, "role": role} for place, one in enumerate(licences)]
    return {"credit": credits, "card": {"license": own}}


@pytest.mark.parametrize(
    ("told", "identifier"),
    [
        ("CC BY 4.0", "cc-by-4.0"),
        ("CC-BY-SA-3.0", "cc-by-sa-3.0"),
        ("Creative Commons CC BY-NC 4.0 License", "cc-by-nc-4.0"),
        ("MIT License", "mit"),
        ("Apache 2.0", "apache-2.0"),
        ("Apache License, Version 2.0", "apache-2.0"),
        ("CC0", "cc0-1.0"),
        ("ask the author", "other"),
        ("", "other"),
    ],
)
def test_a_licence_is_known_as_people_write_it(told: str, identifier: str) -> None:
    assert licence_id(told) == identifier


def test_a_dataset_inherits_the_most_demanding_licence() -> None:
    assert dataset_licence(recipe("CC0", "CC BY 4.0", "MIT")) == "cc-by-4.0"
    assert dataset_licence(recipe("MIT", "CC BY-SA 4.0")) == "cc-by-sa-4.0"
    assert dataset_licence(recipe("CC BY-SA 3.0", "CC BY-SA 4.0")) == "cc-by-sa-4.0"


def test_sources_that_no_single_licence_fits_leave_it_to_the_reader() -> None:
    assert dataset_licence(recipe("CC BY-SA 4.0", "CC BY-NC 4.0")) == "other"
    assert dataset_licence(recipe("CC BY 4.0", "ask the author")) == "other"
    assert dataset_licence(recipe()) == "other"


def test_a_source_without_a_licence_leaves_it_open_and_a_tool_does_not() -> None:
    assert dataset_licence(recipe("CC BY 4.0", "")) == "other"
    assert dataset_licence(recipe("CC BY 4.0", "", own="cc-by-4.0")) == "cc-by-4.0"
    used = recipe("CC BY 4.0")
    used["credit"].append({"name": "a stemmer", "license": "", "role": "code"})
    assert dataset_licence(used) == "cc-by-4.0"


@pytest.mark.parametrize("own", ["MIT", "CC0", "CC BY 4.0", "CC BY-SA 3.0"])
def test_a_licence_below_a_share_alike_source_is_an_error(own: str) -> None:
    with pytest.raises(RecipeError, match=r"card.license: .* share-alike terms of 'work 0' \(CC BY-SA 4.0\)"):
        dataset_licence(recipe("CC BY-SA 4.0", own=own))


def test_a_licence_that_keeps_the_share_alike_terms_is_fine() -> None:
    assert dataset_licence(recipe("CC BY-SA 3.0", own="CC BY-SA 4.0")) == "cc-by-sa-4.0"


def test_a_share_alike_tool_does_not_bind_the_data() -> None:
    assert dataset_licence(recipe("GPL-3.0", own="MIT", role="code")) == "mit"


def test_an_own_licence_that_is_not_known_is_written_as_other() -> None:
    assert dataset_licence(recipe("CC BY 4.0", own="My own words")) == "other"
