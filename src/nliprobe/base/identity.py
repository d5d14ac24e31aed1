"""Keep what a function makes of large immutable objects, which take long to hash, by their identity."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


def kept_by_identity(size: int) -> Callable[[Callable[[T], R]], Callable[[T], R]]:
    """Return a decorator that keeps the results for the last objects, at most ``size`` of them.

    Objects are held together with their results, so an identity is never that of another object.
    """

    def decorate(function: Callable[[T], R]) -> Callable[[T], R]:
        kept: dict[int, tuple[T, R]] = {}

        @wraps(function)
        def look_up(thing: T) -> R:
            entry = kept.get(id(thing))
            if entry is not None:
                return entry[1]
            if len(kept) >= size:
                kept.clear()
            result = function(thing)
            kept[id(thing)] = (thing, result)
            return result

        return look_up

    return decorate
