"""Sources on the hub, pinned or not."""

import pytest

from pyrite.core import RecipeError
from pyrite.formats import Manifest
from pyrite.publishing.pins import refuse_unpinned

COMMIT = "0123456789abcdef0123456789abcdef01234567"


def manifest(*tables, path="org/rows", revision=COMMIT):
    recipe = {"source": {str(place): table for place, table in enumerate(tables)}}
    return Manifest("benchmark", "toy", recipe=recipe, sources={"eval": {"path": path, "revision": revision}})


@pytest.mark.parametrize(
    "tables",
    [
        [{"path": "org/rows", "revision": COMMIT}],
        [{"path": "org/rows", "revision": COMMIT}, {"path": "other/rows"}],
        [{"path": "org/rows", "revision": "f" * 40}],
        [{"split": [{"path": "org/rows", "revision": COMMIT}]}],
    ],
)
def test_a_commit_pins(tables):
    refuse_unpinned(manifest(*tables))


@pytest.mark.parametrize(
    "tables",
    [
        [{"path": "org/rows", "revision": None}],
        [{"path": "org/rows", "revision": "main"}],
        [{"path": "org/rows", "revision": "refs/convert/parquet"}],
        [{"path": "org/rows", "revision": COMMIT}, {"path": "org/rows"}],
        [],
    ],
)
def test_a_name_that_moves_or_none_does_not(tables):
    with pytest.raises(RecipeError, match=f"source 'eval': org/rows .* not pinned; write revision = \"{COMMIT}\""):
        refuse_unpinned(manifest(*tables))


def test_a_local_file_needs_none():
    refuse_unpinned(manifest({"path": "org/rows"}, revision=None))
