"""The client of JSON services: how long it waits before it asks again, and how many requests it sends per second."""

from __future__ import annotations

import asyncio
import random
from email.utils import formatdate
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.models import fault_server as faults
from tests.models.fault_server import Exchange, FaultServer, status

from nliprobe.models._http_pace import LONGEST_WAIT, Pace, backoff, retry_after

pytest.importorskip("httpx2", reason="services are asked with httpx2, which is not installed")

from tests.models.http_helpers import FakeClock, client

from nliprobe.models.http_client import LONGEST_PAUSE, JsonClient, Reply

PAIR = {"pairs": [{"id": "a", "premise": "p", "hypothesis": "it is E"}]}
ANSWER = {"answers": [{"id": "a", "label": "E"}]}


def post(asked: JsonClient) -> Reply:
    return asyncio.run(asked.post(PAIR))


def test_waits_double_and_are_bounded() -> None:
    clock = FakeClock()
    with FaultServer(script=[status(500)] * 8) as server:
        assert post(client(server, clock, retries=8)).attempts == 9
    assert clock.slept == [1, 2, 4, 8, 16, 32, 60, 60]


@given(st.integers(0, 10_000), st.integers(0, 2**32))
def test_every_wait_is_drawn_between_zero_and_its_bound(attempt: int, seed: int) -> None:
    assert 0 <= backoff(attempt, random.Random(seed)) <= min(LONGEST_WAIT, 2.0 ** min(attempt, 10))


def test_retry_after_is_honoured_in_seconds_and_as_a_date() -> None:
    clock = FakeClock()
    now = clock.wall()
    date, until = formatdate(now - 500, usegmt=True), formatdate(now - 500 + 30, usegmt=True)
    script = [status(429, Retry_After="7"), status(503, Retry_After=until, Date=date), status(429, Retry_After="0.5")]
    with FaultServer(script=script) as server:
        assert post(client(server, clock)).attempts == 4
    assert clock.slept == [8, 31, 1.5], "a second on top at most, so that clients do not come back together"


@pytest.mark.parametrize(
    ("value", "seconds"),
    [(None, None), ("", None), ("soon", None), ("nan", None), ("-5", 0.0), ("12", 12.0), ("inf", float("inf"))],
)
def test_retry_after_of_any_kind(value: str | None, seconds: float | None) -> None:
    assert retry_after(value, None, FakeClock()) == seconds


@given(st.text(max_size=40), st.none() | st.text(max_size=40))
def test_retry_after_never_fails(value: str, date: str | None) -> None:
    wait = retry_after(value, date, FakeClock())
    assert wait is None or wait >= 0


def test_a_date_that_is_over_is_not_waited_for() -> None:
    assert retry_after("Wed, 21 Oct 2015 07:28:00 GMT", None, FakeClock()) == 0
    assert LONGEST_PAUSE < 3600


def test_after_a_429_all_requests_pause() -> None:
    """One of eight requests is refused: the seven others were sent before, and nothing else is sent in the pause."""
    clock = FakeClock()
    moments: list[float] = []

    def timed(exchange: Exchange) -> None:
        moments.append(clock.time)
        faults.answer(exchange)

    async def both(asked: JsonClient) -> None:
        first = asyncio.create_task(asked.post(PAIR))
        while not clock.slept:
            await asyncio.sleep(0.001)
        await asyncio.gather(first, *(asked.post(PAIR) for _ in range(8)))

    with FaultServer(script=[status(429, Retry_After="40")], usual=timed) as server:
        started = clock.time
        asyncio.run(both(client(server, clock, concurrency=9)))
        assert len(server.asked) == 10
    assert min(moments) >= started + 40


def test_the_rate_is_kept_by_all_requests_together() -> None:
    clock = FakeClock()
    moments: list[float] = []

    def timed(exchange: Exchange) -> None:
        moments.append(clock.time)
        faults.answer(exchange)

    async def many(asked: JsonClient) -> None:
        await asyncio.gather(*(asked.post(PAIR) for _ in range(10)))

    with FaultServer(usual=timed) as server:
        started = clock.time
        asyncio.run(many(client(server, clock, rate=30, concurrency=10)))
    assert clock.time - started == pytest.approx(18), "nine gaps of two seconds"


@given(st.integers(1, 20), st.integers(1, 600))
def test_pace_gives_each_turn_its_own_time(turns: int, rate: int) -> None:
    clock = FakeClock()
    pace = Pace(rate, clock)
    moments: list[float] = []

    async def turn() -> None:
        await pace.turn()
        moments.append(clock.time)

    async def all_turns() -> None:
        await asyncio.gather(*(turn() for _ in range(turns)))

    asyncio.run(all_turns())
    gaps = [later - earlier for earlier, later in pairwise(moments)]
    assert all(gap >= 60 / rate - 1e-6 for gap in gaps)
