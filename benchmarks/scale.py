"""What a run by ``--engine ray`` costs its driver, and what it takes on disk: numbers of docs/scale.md.

The cases are row deletions of InfoTabS, and the model answers at once. The driver is the one process that a cluster
cannot multiply. Its CPU time counts all its threads and depends little on what else the machine does. Beside it is the
same run in one process, model included.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from importlib.util import find_spec
from itertools import islice
from pathlib import Path

from measure import corpora, report
from nliprobe.api.run import describe_suite, describe_system
from nliprobe.api.sources import open_source
from nliprobe.engine.choice import Engine, EngineChoice, LocalEngine
from nliprobe.engine.stages import SHARD_SIZE
from nliprobe.models.system import System, SystemSpec
from nliprobe.probes.suite import Suite
from nliprobe.store.record import RunRecord
from nliprobe.store.run import RunFolder
from nliprobe.task.case import Case, Skip
from nliprobe.task.source import PairSource, Pool

CASES = 4 * SHARD_SIZE
KINDS = ("pairs", "facets", "cases", "predictions")
# Probabilities as different as those of a network: alike ones would hardly take any room on disk.
MODEL = """
import random

def predict(pairs):
    answers = []
    for _ in pairs:
        first = random.random()
        second = random.random() * (1 - first)
        answers.append([first, second, 1 - first - second])
    return answers
"""


class FirstCases:
    """The beginning of a suite of one corpus: so many of its cases and skipped pairs."""

    needs_pool = False

    def __init__(self, suite: Suite) -> None:
        self._suite = suite
        self.sources = suite.sources

    def items(self, source: PairSource, pool: Pool | None) -> Iterator[tuple[str, Case | Skip]]:
        return islice(self._suite.items(source, pool), CASES)


def megabytes(folder: Path) -> float:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


def measure(engine: Engine, suite: Suite, system: System, out: Path) -> dict[str, object]:
    """Run the cases into a new folder with an empty cache."""
    os.environ["NLIPROBE_CACHE"] = str(out / "cache")
    record = RunRecord("", "", "", describe_suite(suite), SHARD_SIZE)
    run = RunFolder.create(out / "run", record, [describe_system(system)])
    cpu, wall = time.process_time(), time.perf_counter()
    tally = engine.execute(run, FirstCases(suite), [system], lambda made: None, shard_size=SHARD_SIZE)
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    return {
        "cases": tally.cases,
        "inputs": tally.asked.total(),
        "cpu_microseconds_per_case": 1e6 * cpu / tally.cases,
        "wall_microseconds_per_case": 1e6 * wall / tally.cases,
        "megabytes_per_million_cases": {kind: 1e6 * megabytes(run.path / kind) / tally.cases for kind in KINDS},
        "megabytes_of_cache_per_million_inputs": 1e6 * megabytes(out / "cache") / tally.asked.total(),
    }


def main() -> None:
    root = corpora()
    if root is None or find_spec("ray") is None:
        print("scale: NLIPROBE_DATA has no InfoTabS, or the [ray] extra is not installed; skipped")
        return
    from nliprobe.engine.on_ray.engine import RayEngine

    suite = Suite.build([open_source("infotabs/train", root)], ["gold", "rows.delete"])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "null.py").write_text(MODEL)
        spec = SystemSpec.parse(f"python:{folder / 'null.py'}:predict?version=1&name=null")
        system = System.build(SystemSpec(spec.model, labels="entailment,neutral,contradiction", given_name="null"))
        load = os.getloadavg()[0]
        local = measure(LocalEngine(), suite, system, folder / "local")
        with RayEngine(EngineChoice("ray", workers=1), [system], print) as engine:
            engine.pool()
            driver = measure(engine, suite, system, folder / "ray")
        report("scale", {"load_before": load, "local": local, "driver": driver})


if __name__ == "__main__":
    main()
