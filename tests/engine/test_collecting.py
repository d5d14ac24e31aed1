"""The collector pauses while many objects are made, and misses nothing afterwards."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from nliprobe.engine.local import collector_paused


class Ring:
    """An object that holds itself."""

    def __init__(self) -> None:
        self.own = self


@pytest.fixture(autouse=True)
def collector() -> Iterator[None]:
    before = gc.isenabled()
    gc.enable()
    yield
    (gc.enable if before else gc.disable)()


def test_the_collector_is_off_in_the_block_and_on_after_it() -> None:
    with collector_paused():
        assert not gc.isenabled()
    assert gc.isenabled()
    with pytest.raises(ZeroDivisionError), collector_paused():
        raise ZeroDivisionError
    assert gc.isenabled()


def test_a_block_inside_another_does_not_end_its_pause() -> None:
    with collector_paused():
        with collector_paused():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()


def test_who_has_switched_the_collector_off_keeps_it_off() -> None:
    gc.disable()
    with collector_paused():
        pass
    assert not gc.isenabled()


def test_cycles_of_the_block_are_collected_later() -> None:
    with collector_paused():
        ring = weakref.ref(Ring())
        young: list[list[int]] = [[] for _ in range(10_000)]
        assert ring() is not None
    assert gc.get_count()[0] < 5_000, "what was made counts as old"
    gc.collect()
    assert ring() is None
    assert len(young) == 10_000


def test_frozen_objects_stay_frozen() -> None:
    gc.freeze()
    try:
        with collector_paused():
            pass
        assert gc.get_freeze_count() > 0
    finally:
        gc.unfreeze()
