"""What the tests of services share: a clock that does not wait, and inputs whose labels are their last words."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeVar

from tests.models.fault_server import FaultServer

from nliprobe.models.http import HttpModel, HttpParams
from nliprobe.models.http_client import JsonClient, RequestPolicy
from nliprobe.task.case import Input, Prediction, Status
from nliprobe.task.labels import LabelMap

T = TypeVar("T", bound=RequestPolicy)


@dataclass
class FakeClock:
    """A clock on which time passes only while somebody waits; everybody who waits until a moment is woken by it."""

    time: float = 1000.0
    slept: list[float] = field(default_factory=list)

    def now(self) -> float:
        return self.time

    def wall(self) -> float:
        return 1_800_000_000.0 + self.time

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        until = self.time + seconds
        await asyncio.sleep(0)
        self.time = max(self.time, until)


class Highest:
    """Draws the longest wait every time."""

    def uniform(self, a: float, b: float) -> float:
        return b


def client(server: FaultServer, clock: FakeClock | None = None, **policy: float | int | str) -> JsonClient:
    return JsonClient(server.url, made(RequestPolicy, policy), clock=clock or FakeClock(), draw=Highest())


def made(kind: type[T], policy: dict[str, float | int | str]) -> T:
    return kind(**policy)  # type: ignore[arg-type]


@contextmanager
def service(server: FaultServer, labels: str = "", **params: float | int | str) -> Iterator[HttpModel]:
    """A model that asks the server, without real waits."""
    known = made(HttpParams, params)
    asked = JsonClient(server.url, known, clock=FakeClock(), draw=Highest())
    model = HttpModel(server.url, known, LabelMap.parse(labels) if labels else None, asked)
    try:
        yield model
    finally:
        model.close()


def inputs(labels: str, start: int = 0) -> list[Input]:
    return [Input(f"i{start + n}", ("P ", "q."), f"it is {label}") for n, label in enumerate(labels)]


def shown(predictions: Sequence[Prediction]) -> str:
    """A letter per answer: its label, ``-`` for none, ``!`` for a failure."""
    marks = {Status.NO_ANSWER: "-", Status.FAILED: "!"}
    return "".join(marks.get(answer.status, str(answer.label)) for answer in predictions)
