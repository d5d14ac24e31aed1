"""Raters at a given rate, and as fast as they can: run as a program by the benchmark of the studio.

It reads a plan as JSON from standard input and writes what it measured, as JSON, to standard output. At a given rate a
judgement is due whether or not earlier ones are done (open loop), and its latency counts from when it was due: a server
that falls behind cannot hide it.
"""

from __future__ import annotations

import asyncio
import json
import resource
import statistics
import sys
import time
from collections import Counter, deque
from typing import TypedDict

from tests.studio.load.raters import HttpRater, Offer


class Plan(TypedDict):
    """What is measured.

    Attributes:
        port: of the server.
        base: the address of the work.
        raters: the cookie and the token of forms of each.
        rate: judgements per second that are due.
        seconds: for how long.
        fastest: how many raters then work as fast as they can.
        fastest_seconds: for how long.
    """

    port: int
    base: str
    raters: list[tuple[str, str]]
    rate: float
    seconds: float
    fastest: int
    fastest_seconds: float


class Working:
    """A rater with the item that they have."""

    def __init__(self, rater: HttpRater, offer: Offer) -> None:
        self.rater, self.offer = rater, offer

    async def judge(self) -> None:
        """Send a judgement, and see that it is acknowledged."""
        answer = await self.rater.judge(self.offer, "E")
        assert answer.status == 200, answer

    async def go_on(self) -> None:
        """Get the next item."""
        offer = await self.rater.next()
        assert offer is not None, "there are too few items for this measurement"
        self.offer = offer


async def steadily(crowd: list[Working], rate: float, seconds: float) -> dict[str, object]:
    """Judge at a rate; raters take turns."""
    idle, judged, offered = deque(crowd), list[float](), list[float]()
    running: set[asyncio.Task[None]] = set()

    async def work(one: Working, due: float) -> None:
        await one.judge()
        done = time.perf_counter()
        judged.append(done - due)
        await one.go_on()
        offered.append(time.perf_counter() - done)
        idle.append(one)

    start, most = time.perf_counter() + 0.1, 0
    for number in range(int(rate * seconds)):
        due = start + number / rate
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        while not idle:
            await asyncio.sleep(0.001)
        task = asyncio.create_task(work(idle.popleft(), due))
        running.add(task)
        task.add_done_callback(running.discard)
        most = max(most, len(running))
    await asyncio.gather(*running)
    took = time.perf_counter() - start
    return {
        "offered_per_second": rate,
        "done_per_second": round(len(judged) / took, 1),
        "judgements": len(judged),
        "most_at_once": most,
        "judgement_ms": _percentiles(judged),
        "next_item_ms": _percentiles(offered),
    }


async def fast(crowd: list[Working], seconds: float) -> float:
    """Return how many judgements per second are acknowledged if everybody goes on at once."""
    end, count = time.perf_counter() + seconds, 0

    async def work(one: Working) -> None:
        nonlocal count
        while time.perf_counter() < end:
            await one.judge()
            count += 1
            await one.go_on()

    start = time.perf_counter()
    await asyncio.gather(*(work(one) for one in crowd))
    return count / (time.perf_counter() - start)


async def main(plan: Plan) -> dict[str, object]:
    """Measure everything of a plan."""
    raters = [HttpRater(plan["port"], plan["base"], cookie, token) for cookie, token in plan["raters"]]
    crowd = []
    for rater in raters:
        offer = await rater.next()
        assert offer is not None
        crowd.append(Working(rater, offer))
    print("ready", file=sys.stderr, flush=True)
    began = _cpu()
    result = await steadily(crowd, plan["rate"], plan["seconds"])
    result["client_cpu_share"] = round((_cpu() - began) / plan["seconds"], 3)
    print("steady", file=sys.stderr, flush=True)
    # Whoever looks at the server does it now.
    sys.stdin.readline()
    result["highest_per_second"] = round(await fast(crowd[: plan["fastest"]], plan["fastest_seconds"]), 1)
    result["answers"] = dict(sum((rater.answers for rater in raters), Counter[int]()))
    return result


def _percentiles(seconds: list[float]) -> dict[str, float]:
    cuts = statistics.quantiles(seconds, n=100, method="inclusive")
    return {f"p{place}": round(1e3 * cuts[place - 1], 1) for place in (50, 95, 99)} | {
        "worst": round(1e3 * max(seconds), 1)
    }


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    print(json.dumps(asyncio.run(main(json.loads(sys.stdin.readline())))))
