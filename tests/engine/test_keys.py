import math
import subprocess
import sys

import numpy as np
import pytest

from pyrite.engine import digest_of
from pyrite.engine.keys import WorkKey


def test_a_digest_is_32_hex_characters_of_blake2b_over_canonical_json():
    import hashlib

    assert (
        digest_of("a", {"y": 1, "x": [True, None]})
        == hashlib.blake2b(b'["a",{"x":[true,null],"y":1}]', digest_size=16).hexdigest()
    )


def test_a_digest_is_the_same_in_a_process_with_another_hash_seed():
    """O18."""
    script = "from pyrite.engine import digest_of; print(digest_of({'b': 'ü', 'a': [1, 2.5, None]}))"
    printed = {
        subprocess.run(
            [sys.executable, "-c", script], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout.strip()
        for seed in ("1", "2")
    }
    assert printed == {digest_of({"a": [1, 2.5, None], "b": "ü"})}


@pytest.mark.parametrize(
    ("one", "other"),
    [("1", 1), (1, 1.0), (1, True), (None, "null"), (["ab"], ["a", "b"]), ({"a": None}, {}), ("\u00e9", "e\u0301")],
)
def test_values_that_differ_have_digests_that_differ(one, other):
    assert digest_of(one) != digest_of(other)


def test_parts_do_not_run_into_each_other():
    assert digest_of("ab", "c") != digest_of("a", "bc")


def test_a_number_of_numpy_counts_as_the_number_it_is():
    assert digest_of(np.int64(3), np.float64(0.5)) == digest_of(3, 0.5)


def test_a_lone_surrogate_has_a_digest():
    assert len(digest_of("\ud800")) == 32


@pytest.mark.parametrize("value", [{1, 2}, b"bytes", object(), {1: "key"}, [{None: 1}]])
def test_a_value_without_one_json_form_is_refused(value):
    with pytest.raises(TypeError):
        digest_of(value)


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_a_float_that_is_not_finite_is_refused(value):
    with pytest.raises(ValueError, match="finite"):
        digest_of([value])


@pytest.mark.parametrize(
    "changed",
    [
        WorkKey.of("count", 2, {"k1": 1.5}, "ab"),
        WorkKey.of("counts", 1, {"k1": 1.5}, "ab"),
        WorkKey.of("count", 1, {"k1": 1.2}, "ab"),
        WorkKey.of("count", 1, {"k1": 1.5, "b": 0.75}, "ab"),
        WorkKey.of("count", 1, {"k1": 1.5}, "ac"),
    ],
)
def test_a_key_changes_with_stage_version_parameters_and_input(changed):
    assert changed.digest != WorkKey.of("count", 1, {"k1": 1.5}, "ab").digest


def test_a_key_does_not_change_with_the_order_of_the_parameters():
    assert WorkKey.of("s", 1, {"a": 1, "b": 2}, "x").digest == WorkKey.of("s", 1, {"b": 2, "a": 1}, "x").digest
