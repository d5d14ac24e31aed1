"""What each stage of a run costs per case, in CPU time, and what a run takes on disk: the numbers of docs/scale.md.

The cases are row deletions of InfoTabS. CPU time counts all threads of the process and hardly depends on what else the
machine does. The last part is a whole run by ``--engine ray`` with a model that answers at once: the CPU time of the
driver, which is the one process that a cluster cannot multiply.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from random import Random
from typing import TypeVar

from measure import corpora, report
from nliprobe.api.run import describe_suite, describe_system
from nliprobe.api.sources import open_source
from nliprobe.engine import stages
from nliprobe.engine.ask import Asked
from nliprobe.engine.choice import EngineChoice
from nliprobe.models.system import System, SystemSpec
from nliprobe.probes.suite import Suite
from nliprobe.store.cache import AnswerCache
from nliprobe.store.record import RunRecord
from nliprobe.store.run import RunFolder
from nliprobe.task.case import Prediction
from nliprobe.task.labels import SETS

SHARDS = 4
MODEL = """
def predict(pairs):
    return [[0.5, 0.3, 0.2]] * len(pairs)
"""
T = TypeVar("T")


class Costs:
    """CPU seconds by stage."""

    def __init__(self) -> None:
        self.seconds: Counter[str] = Counter()

    def of(self, stage: str, work: Callable[[], T]) -> T:
        start = time.process_time()
        result = work()
        self.seconds[stage] += time.process_time() - start  # type: ignore[assignment]
        return result


def drawn(random: Random) -> Prediction:
    """A made-up answer."""
    entailed = random.random()
    neutral = random.random() * (1 - entailed)
    return Prediction(random.choice((SETS[1], SETS[2], SETS[4])), (entailed, neutral, 1 - entailed - neutral))


def in_memory(cache: AnswerCache) -> int:
    """Bytes of a cache in memory."""
    return sum(part.high.nbytes + part.low.nbytes + int(part.answers.estimated_size()) for part in cache._shards)


def megabytes(folder: Path) -> float:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


def new_run(folder: Path, suite: Suite, system: System) -> RunFolder:
    record = RunRecord("", "", "", describe_suite(suite), stages.SHARD_SIZE)
    return RunFolder.create(folder, record, [describe_system(system)])


def measure_stages(suite: Suite, system: System, folder: Path) -> dict[str, object]:
    """Do all stages by hand, shard by shard, first with an empty cache and then with a full one."""
    run, costs = new_run(folder / "run", suite, system), Costs()
    kind = f"predictions/{system.folder}"
    cache = AnswerCache(folder / "cache")
    random = Random("stages")
    cases = asked = 0
    generated = stages.shards(suite)
    for _ in range(SHARDS):
        shard = costs.of("generate", lambda: next(generated))
        costs.of("write cases", lambda shard=shard: stages.write_cases(run, shard))  # type: ignore[misc]
        question = costs.of("represent", lambda shard=shard: stages.represent(system, shard))  # type: ignore[misc]
        missing = costs.of(
            "look up",
            lambda question=question: stages.look_up(system, question, {}, cache),  # type: ignore[misc]
        )
        # Probabilities as different as those of a network, because alike ones would hardly take any room on disk.
        answers = {item.id: drawn(random) for item in missing.missing}
        costs.of(
            "write answers",
            lambda missing=missing, answers=answers: stages.write_answers(  # type: ignore[misc]
                run, kind, missing, Asked(answers, answers), cache, None
            ),
        )
        costs.of(
            "look up, all cached",
            lambda question=question: stages.look_up(system, question, {}, cache),  # type: ignore[misc]
        )
        cases += len(shard.cases)
        asked += len(answers)
    each = {name: 1e6 * seconds / cases for name, seconds in costs.seconds.items()}
    sizes = {name: megabytes(run.path / name) for name in ("pairs", "facets", "cases", "predictions")}
    return {
        "cases": cases,
        "distinct_inputs": asked,
        "microseconds_per_case": each,
        "microseconds_in_all": sum(value for name, value in each.items() if name != "look up, all cached"),
        "megabytes_per_million_cases": {name: 1e6 * size / cases for name, size in sizes.items()},
        "megabytes_of_cache_per_million_inputs": 1e6 * megabytes(folder / "cache") / asked,
        "megabytes_of_cache_in_memory_per_million_inputs": in_memory(cache) / asked,
    }


class FirstCases:
    """The beginning of a suite: so many of its cases and skipped pairs."""

    needs_pool = False

    def __init__(self, suite: Suite, cases: int) -> None:
        self._suite, self._cases = suite, cases
        self.sources = suite.sources

    def items(self, source: object, pool: object) -> object:
        return islice(self._suite.items(source, pool), self._cases)  # type: ignore[arg-type]


def measure_driver(suite: Suite, system: System, folder: Path, cases: int) -> dict[str, object]:
    """Run the same cases on one worker, and return what that costs the driver."""
    from nliprobe.engine.on_ray.engine import RayEngine

    os.environ["NLIPROBE_CACHE"] = str(folder / "driver")
    with RayEngine(EngineChoice("ray", workers=1), [system], print) as engine:
        engine.pool()
        run, start, begun = new_run(folder / "ray", suite, system), time.process_time(), time.perf_counter()
        first = FirstCases(suite, cases)
        tally = engine.execute(run, first, [system], lambda made: None, shard_size=stages.SHARD_SIZE)  # type: ignore[arg-type]
        spent, passed = time.process_time() - start, time.perf_counter() - begun
    return {
        "cases": tally.cases,
        "driver_microseconds_per_case": 1e6 * spent / tally.cases,
        "wall_microseconds_per_case": 1e6 * passed / tally.cases,
    }


def main() -> None:
    root = corpora()
    if root is None:
        print("stages: NLIPROBE_DATA has no InfoTabS; skipped")
        return
    suite = Suite.build([open_source("infotabs/train", root)], ["gold", "rows.delete"])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "null.py").write_text(MODEL)
        system = System.build(
            SystemSpec.parse(
                f"python:{folder / 'null.py'}:predict?version=1&name=null&labels=entailment,neutral,contradiction"
            )
        )
        result = measure_stages(suite, system, folder)
        if find_spec("ray") is not None:
            result["ray"] = measure_driver(suite, system, folder, SHARDS * stages.SHARD_SIZE)
        report("stages", result)


if __name__ == "__main__":
    main()
