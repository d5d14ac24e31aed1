"""Limits: how large a request may be, how many a client may send, how often a wrong token may be tried."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable

# Text of a form or of JSON. A table of 200 rows has some 20 KB; a passage of 100,000 characters fits twice.
LARGEST_BODY = 1_000_000
# Somebody who has not come in sends a token and an id of a crowd platform, and nothing that takes long to read.
LARGEST_BODY_OF_ANYBODY = 20_000
# Clients that are remembered; beyond that the ones that were silent longest are forgotten.
_MOST_CLIENTS = 10_000


class Bucket:
    """Lets a client do something so often at once, and then so often per second."""

    def __init__(self, burst: float, per_second: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._burst, self._rate, self._clock = burst, per_second, clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, client: str) -> bool:
        """Count one more, and tell whether it is still allowed."""
        with self._lock:
            left = self._now(client)
            self._left[client] = (max(0.0, left - 1), self._clock())
            self._left.move_to_end(client)
            while len(self._left) > _MOST_CLIENTS:
                self._left.popitem(last=False)
            return left >= 1

    def is_open(self, client: str) -> bool:
        """Tell whether one more would be allowed, without counting it."""
        with self._lock:
            return self._now(client) >= 1

    def _now(self, client: str) -> float:
        left, since = self._left.get(client, (self._burst, self._clock()))
        return min(self._burst, left + (self._clock() - since) * self._rate)


class Failures(Bucket):
    """Counts wrong tokens by the address they come from; a guess among 2^128 needs no more than a few tries."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(burst=20, per_second=0.2, clock=clock)
