from collections.abc import Callable
from dataclasses import replace

from pyrite.core import SystemReport
from pyrite.reporting import MeasuredSet, Page


def test_systems_stand_in_the_order_of_the_headline_board(several: Page) -> None:
    assert several.systems[0] == "system 6"
    assert set(several.systems) == {f"system {number}" for number in range(8)}
    assert Page("nothing").systems == ()


def test_a_measure_counts_where_every_system_has_it(
    make_set: Callable[..., MeasuredSet], make_system: Callable[..., SystemReport]
) -> None:
    one = make_set("minerals", {"good": [1, 1, 1, 1]})
    further = make_system("other", RR_10=[1, 1, 1, 1], AP=[1, 1, 1, 1])
    both = replace(one, report=replace(one.report, systems=(*one.report.systems, further)))
    assert (one.measures, both.measures) == (("nDCG@10", "RR@10"), ("RR@10",))
