"""A run with and without a thread next to the model's, in turn: the model waits as long as the other stages take."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Self

from measure import corpora, report
from nliprobe.api.run import describe_suite, describe_system
from nliprobe.api.sources import open_source
from nliprobe.base.registry import Spec
from nliprobe.engine.local import execute
from nliprobe.models.base import Model
from nliprobe.models.system import System, SystemSpec
from nliprobe.probes.suite import Suite
from nliprobe.represent.controls import Control
from nliprobe.represent.reader import Reader, build_representation
from nliprobe.store.record import RunRecord
from nliprobe.store.run import RunFolder
from nliprobe.task.case import Input, Prediction
from nliprobe.task.labels import SETS, LabelMap

REPEATS = 5
SHARD_SIZE = 2_048
ANSWERS = [Prediction(SETS[1]), Prediction(SETS[2]), Prediction(SETS[4])]


class Timed(Model):
    """Answers by the input's id after it has waited for each batch, as for a GPU."""

    def __init__(self, seconds_each: float) -> None:
        self.seconds_each = seconds_each
        self.seconds = 0.0

    @classmethod
    def from_spec(cls, spec: Spec, labels: LabelMap | None) -> Self:
        return cls(0.0)

    def fingerprint(self) -> str | None:
        return None

    def predict(self, inputs: Sequence[Input]) -> list[Prediction]:
        start = time.perf_counter()
        time.sleep(self.seconds_each * len(inputs))
        self.seconds += time.perf_counter() - start
        return [ANSWERS[int(item.id[:8], 16) % 3] for item in inputs]


def run_once(suite: Suite, model: Timed, *, overlap: bool) -> float:
    """Seconds for one run into a new folder."""
    spec = SystemSpec.parse("timed")
    reader = Reader(build_representation("para"), Control.FULL, seed=0, keyed=False)
    system = System(spec, model, reader, {})
    with tempfile.TemporaryDirectory() as name:
        record = RunRecord("", "", "", describe_suite(suite, {}), SHARD_SIZE)
        folder = RunFolder.create(Path(name) / "run", record, [describe_system(system)])
        start = time.perf_counter()
        execute(folder, suite, [system], lambda made: None, shard_size=SHARD_SIZE, overlap=overlap)
        return time.perf_counter() - start


def pairs_of_times(suite: Suite, seconds_each: float) -> Iterator[tuple[float, float, float]]:
    """Seconds with overlap, without, and of the model alone, one after the other so that both meet the same machine."""
    for repeat in range(REPEATS):
        times: dict[bool, float] = {}
        model_seconds = 0.0
        for overlap in (True, False) if repeat % 2 else (False, True):
            model = Timed(seconds_each)
            times[overlap] = run_once(suite, model, overlap=overlap)
            if not overlap:
                model_seconds = model.seconds
        yield times[True], times[False], model_seconds


def main() -> None:
    if corpora() is None:
        print("overlap: NLIPROBE_DATA has no InfoTabS; skipped")
        return
    suite = Suite.build([open_source("infotabs/dev")], ["gold", "rows.delete", "rows.permute?n=10"])
    host = statistics.median(run_once(suite, Timed(0.0), overlap=False) for _ in range(REPEATS))
    cases = sum(1 for source in suite.sources for _ in suite.items(source, None))
    waiting = list(pairs_of_times(suite, host / cases))
    ratios = [with_thread / max(without - model, model) for with_thread, without, model in waiting]
    report(
        "overlap",
        {
            "cases": cases,
            "host_seconds": host,
            "waiting_model_seconds": statistics.median(times[2] for times in waiting),
            "waiting_with_overlap_seconds": statistics.median(times[0] for times in waiting),
            "waiting_without_overlap_seconds": statistics.median(times[1] for times in waiting),
            "waiting_share_of_time": statistics.median(times[0] / times[1] for times in waiting),
            "waiting_against_longer_of_both": statistics.median(ratios),
            "must": {"waiting_share_of_time": 0.7},
        },
    )


if __name__ == "__main__":
    main()
