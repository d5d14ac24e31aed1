"""Pairs per second of ``small`` on SNLI dev, against the SVM and, where torch is installed, the same network in torch.

All are asked the same 10,000 pairs, from segments to predictions, in the same run. The SVM learnt from the built-in
sentences: what it learnt from hardly changes its speed. The torch network has the weights of ``small`` and is asked as
``nliprobe`` asks networks, in batches of similar lengths. Loading is the time from the first import of nliprobe
to a first answer, in a fresh process that has imported numpy.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from measure import corpora, report, run_process
from nliprobe.api.sources import open_source
from nliprobe.models import Model
from nliprobe.models.base import Example
from nliprobe.models.small import LONGEST, Small
from nliprobe.models.svm import Svm
from nliprobe.represent.controls import Control
from nliprobe.represent.reader import Reader, build_representation
from nliprobe.task.case import Input

REPEATS = 5
LOAD = (
    "import time, numpy; start = time.perf_counter(); from nliprobe.models.small import Small; "
    "from nliprobe.task.case import Input; Small().predict([Input('a', ('A dog runs.',), 'An animal moves.')]); "
    "print(time.perf_counter() - start)"
)


def asked(source: str) -> list[Example]:
    """The pairs of a source as models read them."""
    reader = Reader(build_representation("para"), Control.FULL, seed=0, keyed=False)
    return [Example(reader.read_pair(pair), pair.gold) for pair in open_source(source).pairs() if pair.gold is not None]


class Rates(NamedTuple):
    """Pairs per second of wall time and of processor time, medians of repeats."""

    wall: float
    processor: float


def rates(make: Callable[[], Model], inputs: Sequence[Input]) -> Rates:
    """Ask a new model each time, loaded but without any answer kept, in batches as the engine asks them."""

    def ready() -> Callable[[], None]:
        model = make()
        model.predict(inputs[:10])

        def work() -> None:
            for place in range(0, len(inputs), model.batch):
                model.predict(inputs[place : place + model.batch])

        return work

    return timed(ready, len(inputs))


def timed(ready: Callable[[], Callable[[], None]], pairs: int) -> Rates:
    """Time work that is made ready anew each time."""
    wall, processor = [], []
    for _ in range(REPEATS):
        work = ready()
        start, used = time.perf_counter(), time.process_time()
        work()
        wall.append(pairs / (time.perf_counter() - start))
        processor.append(pairs / (time.process_time() - used))
    return Rates(statistics.median(wall), statistics.median(processor))


def trained_svm() -> Svm:
    svm = Svm()
    svm.fit(asked("builtin/sentences-train"))
    return svm


def torch_rates(inputs: Sequence[Input]) -> Rates | None:
    """The same network in torch, if it is installed."""
    if find_spec("torch") is None:
        return None
    sys.path.insert(0, str(Path(__file__).parents[1]))
    from scripts.build_small import torch_network

    from nliprobe.models._small_files import FOLDER, read
    from nliprobe.models.batches import choose_device, network_scores
    from nliprobe.models.zoo.decatt import DecAtt, DecAttPlan

    files = read(FOLDER)
    network, module, device = DecAtt(DecAttPlan(longest=LONGEST)), torch_network(files.full), choose_device("cpu")
    network.vocabulary = files.vocabulary

    def work() -> None:
        prepared = network.prepare(module, inputs)
        network_scores(
            lambda items: network.forward(module, items, device), prepared, device, 16_384, exact=True,
            cpu_budget=network.cpu_budget,
        )  # fmt: skip

    return timed(lambda: work, len(inputs))


def loading_seconds() -> float:
    """The time from the first import of nliprobe to the first answer, in processes that have numpy already."""
    times = []
    for _ in range(REPEATS):
        done = subprocess.run([sys.executable, "-c", LOAD], capture_output=True, text=True, check=True)
        times.append(float(done.stdout))
    return statistics.median(times)


def demo_seconds() -> float:
    """The whole demo with nothing cached."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "nliprobe", "demo", "--out", f"{folder}/demo"]
        return run_process(command, {"NLIPROBE_CACHE": f"{folder}/cache"}).seconds


def main() -> None:
    result: dict[str, object] = {"loading_seconds": loading_seconds(), "demo_seconds": demo_seconds()}
    if corpora() is not None:
        inputs = [example.input for example in asked("snli/dev")]
        ours, svm, torch = rates(Small, inputs), rates(trained_svm, inputs), torch_rates(inputs)
        result |= {
            "pairs": len(inputs),
            "small_per_second": ours.wall,
            "small_per_processor_second": ours.processor,
            "svm_per_second": svm.wall,
            "svm_per_processor_second": svm.processor,
            "torch_per_second": None if torch is None else torch.wall,
            "torch_per_processor_second": None if torch is None else torch.processor,
            "ratio_to_torch": None if torch is None else ours.wall / torch.wall,
            "ratio_to_torch_by_processor": None if torch is None else ours.processor / torch.processor,
            # On a busy machine only the rates per processor second mean something.
            "load_average": os.getloadavg()[0],
        }
    report("small", {**result, "must": {"small_per_second": 2000, "loading_seconds": 0.3, "demo_seconds": 60}})


if __name__ == "__main__":
    main()
