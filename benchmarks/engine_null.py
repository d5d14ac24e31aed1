"""A model that needs no time, so that what is measured is the engine."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from pathlib import Path

from nliprobe.api.run import describe_suite, describe_system
from nliprobe.engine.ask import Caches
from nliprobe.engine.local import execute
from nliprobe.engine.stages import SHARD_SIZE
from nliprobe.engine.steps import RunTally
from nliprobe.models.base import Model
from nliprobe.models.system import System, SystemSpec
from nliprobe.probes.suite import Suite
from nliprobe.represent.controls import Control
from nliprobe.represent.reader import Reader, build_representation
from nliprobe.store.cache import AnswerCache
from nliprobe.store.record import RunRecord
from nliprobe.store.run import RunFolder
from nliprobe.task.case import Input, Prediction
from nliprobe.task.labels import SETS


def _answers() -> list[Prediction]:
    draw = random.Random(0)
    answers = []
    for _ in range(1024):
        weights = [draw.random() for _ in range(3)]
        e, n, c = (weight / sum(weights) for weight in weights)
        answers.append(Prediction(SETS[1 << weights.index(max(weights))], (e, n, c)))
    return answers


ANSWERS = _answers()


class Null(Model):
    """Answers at once with probabilities, by the input's id; or at a rate, while Python is free, as with a GPU."""

    def __init__(self, per_second: float | None = None) -> None:
        self.per_second = per_second
        self.frees_interpreter = per_second is not None  # type: ignore[misc]
        self.seconds = 0.0

    def fingerprint(self) -> str | None:
        return "null"

    def predict(self, inputs: Sequence[Input]) -> list[Prediction]:
        start = time.perf_counter()
        answers = [ANSWERS[int(item.id[:4], 16) % len(ANSWERS)] for item in inputs]
        if self.per_second is not None:
            # It sleeps until the batch is due, so that what it takes to wake up is not added up.
            time.sleep(max(0.0, start + len(inputs) / self.per_second - time.perf_counter()))
        self.seconds += time.perf_counter() - start
        return answers


class _One(Caches):
    """The cache of the one system, in a folder of the benchmark."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._cache = AnswerCache(folder)
        self._cache.merge()

    def of(self, system: System) -> AnswerCache:
        return self._cache


def null_system(model: Null) -> System:
    """The model with a reader of its own, so that nothing is read before."""
    reader = Reader(build_representation("para"), Control.FULL, seed=0, keyed=False)
    return System(SystemSpec.parse("svm?name=null"), model, reader, {})


def run_suite(suite: Suite, model: Null, folder: Path, cache: Path) -> RunTally:
    """Run a suite into a new folder, with a cache; training, the doctor and the command line are left out."""
    system = null_system(model)
    record = RunRecord("", "", "", describe_suite(suite, {}), SHARD_SIZE)
    run = RunFolder.create(folder, record, [describe_system(system)])
    return execute(run, suite, [system], lambda made: None, shard_size=SHARD_SIZE, caches=_One(cache))
