"""As `test_kill_points`, with the work in an object store, and another machine that goes on."""

import shutil
import signal
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from builds_to_kill import Place, assert_bounded, assert_same, beside, chosen
from sources_to_kill import files

CHOSEN = 2
"""Points of each kind of recipe."""


def test_a_build_killed_at_a_point_goes_on_from_the_store_to_the_same_bytes(whole: Place) -> None:
    first = beside(whole, "stored", stored=True)
    assert first.build() == 0, first.said()
    assert_same(first, whole)
    assert {"before object", "after object"} <= set(first.trace())
    for number in chosen(first, CHOSEN):
        place, name = beside(whole, f"stored-{number}", stored=True), first.trace()[number - 1]
        assert place.build(die_at=number) == -signal.SIGKILL, name
        assert not place.out.exists() or files(place.out) == files(whole.out), name
        assert place.build(machine="two") == 0, (name, place.said())
        assert_same(place, whole, name)
        assert_bounded(place, whole)
        shutil.rmtree(place.folder)


def test_workers_put_their_outputs_even_when_one_is_killed(whole: Place) -> None:
    place = beside(whole, "stored-workers", stored=True)
    assert place.build(workers=2, inside="worker", die_at=9) == 0, place.said()
    assert (place.folder / "died-9").exists()
    assert_same(place, whole)
    assert_bounded(place, whole, workers=2)
    shutil.rmtree(place.out)
    done = place.did()
    assert place.build(machine="two") == 0
    assert_same(place, whole)
    assert place.did() == done
