"""Putting off the search for garbage: it is on again afterwards, unless it was off before."""

from __future__ import annotations

import gc

import pytest

from nliprobe.base.collecting import without_collecting


def test_it_is_off_meanwhile_and_on_again_even_after_an_error() -> None:
    assert gc.isenabled()
    seen: list[bool] = []

    def work() -> None:
        with without_collecting():
            seen.append(gc.isenabled())
            raise ValueError("now")

    with pytest.raises(ValueError, match="now"):
        work()
    assert [*seen, gc.isenabled()] == [False, True]


def test_who_has_switched_it_off_finds_it_off() -> None:
    gc.disable()
    try:
        with without_collecting():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
