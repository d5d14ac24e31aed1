"""When requests are sent: the rate that a user sets, the pauses that a server asks for, and waits between attempts."""

from __future__ import annotations

import asyncio
import time
from email.utils import parsedate_to_datetime
from typing import Protocol

# Waits grow from the first to the longest, each drawn between zero and its bound ("full jitter"), so that clients that
# failed together do not come back together.
FIRST_WAIT = 1.0
LONGEST_WAIT = 60.0


class Clock(Protocol):
    """Tells the time and waits; tests have one that does not."""

    def now(self) -> float:
        """Return seconds that only grow."""

    def wall(self) -> float:
        """Return the seconds since 1970."""

    async def sleep(self, seconds: float) -> None:
        """Wait."""


class SystemClock:
    """The clock of the machine."""

    def now(self) -> float:
        """Return seconds that only grow."""
        return time.monotonic()

    def wall(self) -> float:
        """Return the seconds since 1970."""
        return time.time()

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)


class Random(Protocol):
    """Draws numbers."""

    def uniform(self, a: float, b: float, /) -> float:
        """Return a number between two others."""


class Pace:
    """Says when the next request may be sent; all requests of a client ask the same one.

    Args:
        rate: requests per minute, evenly spaced; 0 for no limit.
        clock: tells the time.
    """

    def __init__(self, rate: float, clock: Clock) -> None:
        self._gap = 60.0 / rate if rate else 0.0
        self._clock = clock
        self._next = 0.0
        self._resumes = 0.0

    async def turn(self) -> None:
        """Wait until a request may be sent."""
        while (wait := max(self._next, self._resumes) - (now := self._clock.now())) > 0:
            await self._clock.sleep(wait)
        self._next = now + self._gap

    def pause(self, seconds: float) -> None:
        """Let no request be sent for some seconds, whoever wants to send it."""
        self._resumes = max(self._resumes, self._clock.now() + seconds)


def backoff(attempt: int, random: Random) -> float:
    """Return how long to wait after the attempt with this number, counted from 0."""
    return random.uniform(0.0, min(LONGEST_WAIT, FIRST_WAIT * 2.0 ** min(attempt, 30)))


def retry_after(value: str | None, date: str | None, clock: Clock) -> float | None:
    """Return how many seconds a server asks to wait, or none if it does not say.

    Args:
        value: its header Retry-After, in seconds or as a date.
        date: its header Date; a date to wait for is counted from there, because two clocks differ.
        clock: tells the time if the server does not.
    """
    if value is None:
        return None
    try:
        seconds = float(value)
    except ValueError:
        until = _moment(value)
        if until is None:
            return None
        sent = _moment(date) if date is not None else None
        seconds = until - (clock.wall() if sent is None else sent)
    return max(0.0, seconds) if seconds == seconds else None


def _moment(text: str) -> float | None:
    try:
        return parsedate_to_datetime(text).timestamp()
    except (TypeError, ValueError, OverflowError):
        return None
