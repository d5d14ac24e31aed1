"""Make many objects at once without the garbage collector looking at them again and again."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collector_paused() -> Iterator[None]:
    """Pause the collector of reference cycles while a block makes many objects that are in none.

    A shard has some hundred thousand of them, and each full collection looks at all: a third of the time in which cases
    are made. What was made in the block counts as old afterwards, so that the next collection of young objects is
    short; a full one still finds every cycle. Where the collector is off already, it stays so.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        # Freezing and thawing moves all objects among the old ones without a look at any. Someone who has frozen
        # objects, such as a server before it forks, wants them to stay so.
        if not gc.get_freeze_count():
            gc.freeze()
            gc.unfreeze()
        gc.enable()
