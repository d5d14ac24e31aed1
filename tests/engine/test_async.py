"""Models that are asked asynchronously: bounded, in order, failures alone, cancelled when it must stop."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Self

import pytest
from tests.engine.fakes import LABELS, folder, suite, system

from nliprobe.base.errors import ModelError, UsageError
from nliprobe.base.interrupts import ONE_PRESS
from nliprobe.base.registry import Spec
from nliprobe.engine import ask as asking
from nliprobe.engine.ask import Failures, ask
from nliprobe.engine.local import execute
from nliprobe.models.asynchronous import AsyncModel
from nliprobe.models.failures import Mistake
from nliprobe.store.run import RunFolder
from nliprobe.task.case import Input, Prediction, Status
from nliprobe.task.labels import LabelMap

INPUTS = [Input(f"{n:032x}", ("p",), str(n)) for n in range(60)]


class Service(AsyncModel):
    """Answers after a moment; ``faults`` names what it does to some inputs."""

    concurrency = 5

    def __init__(self, faults: dict[int, BaseException] | None = None) -> None:
        self.faults = faults or {}
        self.flying = self.peak = self.cancelled = 0
        self.answered: list[str] = []
        self.loops: set[int] = set()

    @classmethod
    def from_spec(cls, spec: Spec, labels: LabelMap | None) -> Self:
        return cls()

    def fingerprint(self) -> str | None:
        return "service"

    async def answer(self, asked: Input) -> Prediction:
        self.loops.add(id(asyncio.get_running_loop()))
        self.flying += 1
        self.peak = max(self.peak, self.flying)
        number = int(asked.id, 16)
        try:
            await asyncio.sleep(0.001 * (number % 3))
            fault = self.faults.get(number)
            if fault is not None:
                raise fault
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        finally:
            self.flying -= 1
        self.answered.append(asked.id)
        return Prediction(LABELS[number % 3])


@pytest.fixture
def service() -> Iterator[Service]:
    model = Service()
    yield model
    model.close()


def test_async_answers_in_order_with_bounded_concurrency(service: Service) -> None:
    assert service.predict(INPUTS) == [Prediction(LABELS[n % 3]) for n in range(60)]
    assert service.peak == 5
    assert service.answered != sorted(service.answered), "they come as they are ready"
    assert service.predict([]) == []
    assert service.predict([INPUTS[0]] * 3) == [Prediction(LABELS[0])] * 3
    assert len(service.loops) == 1


def test_async_models_answer_inside_an_event_loop(service: Service) -> None:
    """Cells of a notebook run inside one."""

    async def cell() -> list[Prediction]:
        return [*service.predict(INPUTS[:20]), *service.predict(INPUTS[20:])]

    answers = asyncio.run(cell())
    assert answers == [Prediction(LABELS[int(item.id, 16) % 3]) for item in INPUTS]
    assert service.peak == 5
    service.faults[7] = TypeError("no")
    with pytest.raises(Mistake, match="TypeError: no"):
        asyncio.run(cell())
    assert service.flying == 0


@pytest.mark.parametrize("fault", [KeyboardInterrupt("broken off"), SystemExit(1), TypeError("no")])
def test_async_models_say_an_error_once(
    service: Service, fault: BaseException, caplog: pytest.LogCaptureFixture
) -> None:
    """A task that an error ended would print it again whenever it is collected, into the middle of something else."""
    service.faults = {7: fault}
    broken = False
    try:  # not by pytest.raises, which would keep the tasks of the traceback
        service.predict(INPUTS)
    except (KeyboardInterrupt, SystemExit, Mistake):
        broken = True
    assert broken
    fault.__traceback__ = None
    gc.collect()
    assert not caplog.records


def test_async_failures_stay_alone(service: Service) -> None:
    service.faults = {3: ValueError("too long"), 17: ConnectionError("gone"), 40: TimeoutError()}
    failures = Failures()
    answers = ask(system(service), INPUTS, None, lambda count: None, failures).answers
    assert {int(name, 16) for name, a in answers.items() if a.status is Status.FAILED} == {3, 17, 40}
    assert answers[INPUTS[17].id].raw == "ConnectionError: gone"
    assert failures.failed == 3


@pytest.mark.parametrize(
    ("fault", "kind", "message"),
    [
        (UsageError("The key is missing."), UsageError, "^The key is missing.$"),
        (TypeError("oh"), ModelError, "fake failed: TypeError: oh .*mistake in its code"),
    ],
)
def test_async_stops_at_once_and_keeps_what_was_answered(
    service: Service, fault: Exception, kind: type[Exception], message: str
) -> None:
    service.faults = {30: fault}
    kept: dict[str, Prediction] = {}
    with pytest.raises(kind, match=message):
        ask(system(service), INPUTS, kept.update, lambda count: None, Failures())
    assert set(kept) == set(service.answered)
    assert len(kept) >= 25
    assert service.cancelled > 0
    assert service.flying == 0


def test_async_stops_after_many_failures_in_a_row(service: Service) -> None:
    service.faults = {n: ConnectionError("refused") for n in range(10, 60)}
    with pytest.raises(ModelError, match=r"20 inputs in a row, \d+ in all. The first failure was: ConnectionError:"):
        ask(system(service), INPUTS, None, lambda count: None, Failures())
    assert service.flying == 0


def test_async_keeps_answers_on_the_way(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "KEEP_SECONDS", 0.0)
    sizes: list[int] = []
    asked = ask(system(service), INPUTS, lambda answers: sizes.append(len(answers)), lambda count: None, Failures())
    assert sum(sizes) + len(asked.unkept) == len(asked.answers) == 60
    assert len(sizes) > 10


class Pressed(Service):
    """The user presses Ctrl-C while it answers."""

    presses = 1

    async def answer(self, asked: Input) -> Prediction:
        if len(self.answered) == 30 and self.presses:
            self.presses -= 1
            os.kill(os.getpid(), signal.SIGINT)
            if self.presses:
                time.sleep(ONE_PRESS + 0.1)
                self.presses -= 1
                os.kill(os.getpid(), signal.SIGINT)
        return await super().answer(asked)


def test_async_first_interrupt_finishes_the_shard(tmp_path: Path) -> None:
    item = system(Pressed())
    try:
        tally = execute(folder(tmp_path / "run", item), suite(), [item], lambda made: None, shard_size=100)
    finally:
        item.model.close()
    assert tally.interrupted
    assert tally.shards == 1
    assert RunFolder.open(tmp_path / "run").has(f"predictions/{item.folder}", 0, 100)


def test_async_second_interrupt_cancels_and_keeps(tmp_path: Path) -> None:
    model = Pressed()
    model.presses = 2
    item = system(model)
    with pytest.raises(KeyboardInterrupt):
        execute(folder(tmp_path / "run", item), suite(), [item], lambda made: None, shard_size=100)
    assert model.flying == 0
    rest = Service()
    item = system(rest)
    try:
        execute(RunFolder.open(tmp_path / "run"), suite(), [item], lambda made: None, shard_size=100)
    finally:
        rest.close()
    assert not set(rest.answered) & set(model.answered), "what was answered is not asked again"
    assert len(model.answered) >= 30
