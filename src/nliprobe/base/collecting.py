"""Python's search for garbage, put off while millions of objects are made that all stay."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_collecting() -> Iterator[None]:
    """Put off the search for garbage in cycles; for work that makes many objects and few cycles.

    The search looks at all objects again and again as their number grows: a fifth of the time in which the failing
    cases of a run of a million are packed.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
