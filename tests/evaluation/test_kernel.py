"""The compiled loop, called as `find_hits` calls it."""

import numpy as np

from pyrite.evaluation.kernel import find


def int32(*values):
    return np.array(values, np.int32)


def test_each_judged_document_is_found_once_at_its_rank():
    """Query 0 judges codes 0 and 2, query 1 is absent from the run, query 2 judges codes 2 and 1.

    The run: ranking 0 is documents 3 1 0, ranking 1 is documents 0 2; documents 0..3 have codes 2, -1, 0, 1.
    """
    judgements, ranks = find(
        np.array([1, -1, 0]),
        np.array([0, 3, 5]),
        int32(2, -1, 0, 1),
        int32(3, 1, 0, 0, 2),
        np.array([0, 2, 3, 5]),
        int32(0, 2, 0, 2, 1),
    )
    assert (judgements.tolist(), ranks.tolist()) == ([1, 0, 4, 3], [1, 2, 1, 3])


def test_a_document_that_only_an_earlier_query_judged_is_not_found():
    judgements, ranks = find(
        np.array([0, 0]), np.array([0, 2]), int32(0, 1), int32(0, 1), np.array([0, 1, 2]), int32(0, 1)
    )
    assert (judgements.tolist(), ranks.tolist()) == ([0, 1], [1, 2])


def test_the_compiled_loop_does_what_the_plain_one_does():
    generator = np.random.default_rng(0)
    rows = np.array([3, -1, 0, 2, 1])
    run_offsets = np.array([0, 20, 20, 40, 45])
    positions = np.concatenate([generator.permutation(30)[:n] for n in (20, 0, 20, 5)]).astype(np.int32)
    codes = np.where(generator.random(30) < 0.7, generator.permutation(30), -1).astype(np.int32)
    judged = np.concatenate([generator.permutation(30)[:12] for _ in rows]).astype(np.int32)
    arguments = (rows, run_offsets, codes, positions, np.arange(0, 61, 12), judged)
    compiled, plain = find(*arguments), find.py_func(*arguments)
    assert len(plain[0]) > 5
    assert [part.tolist() for part in compiled] == [part.tolist() for part in plain]
