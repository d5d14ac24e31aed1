"""Train and ask networks on a machine that has only numpy, torch, transformers and safetensors.

``python -m nliprobe.api.remote_job plan.json OUT WORK`` trains networks and writes their answers to every distinct
input of the suites as JSON lines (input_id, probabilities), which ``nliprobe run --system predictions:FILE`` takes
back. A small network leaves a large GPU idle, so several trainings run side by side.
"""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NotRequired, TypedDict

from nliprobe.api.plan import distinct_inputs
from nliprobe.api.resolve import Request
from nliprobe.api.through import Through
from nliprobe.api.train import TrainRequest, train
from nliprobe.base.files import write_atomic, writing
from nliprobe.models.trained import Trained, TrainedParams
from nliprobe.represent.controls import Control
from nliprobe.task.case import Input
from nliprobe.task.labels import LETTERS, Partition


class JobAsking(TypedDict):
    """A suite to ask a trained network, and how its pairs are shown; by default as in training."""

    name: str
    on: list[str]
    probes: NotRequired[list[str]]
    represent: NotRequired[str]
    premise: NotRequired[str]


class JobThrough(TypedDict):
    """A probe that some training pairs pass through, the share of them, and their gold labels."""

    probe: str
    share: float
    labels: str


class JobSystem(TypedDict):
    """One network to train with several seeds, and what to ask it."""

    name: str
    network: str
    train: list[str]
    dev: list[str]
    represent: str
    premise: NotRequired[str]
    through: NotRequired[JobThrough]
    seeds: list[int]
    ask: list[JobAsking]


class BarePlan(TypedDict):
    """What to do: where the corpora are, the networks, and how many trainings run side by side."""

    root: str
    jobs: NotRequired[int]
    systems: list[JobSystem]


class _Log:
    """Writes to the log how far training is."""

    def __init__(self, name: str) -> None:
        self._name = name

    def begin(self, steps: int, done: int) -> None:
        self.say(f"{steps} steps, {done} done before")

    def advance(self, loss: float | None) -> None:
        pass

    def say(self, line: str) -> None:
        print(f"{self._name}: {line}", flush=True)


def run_one(plan: BarePlan, system: JobSystem, seed: int, out: Path, work: Path) -> dict[str, object]:
    """Train one network with one seed, ask it, and return how it went."""
    root, log = Path(plan["root"]), _Log(f"{system['name']}-{seed}")
    files = {suite["name"]: out / f"{suite['name']}-{seed}.jsonl.gz" for suite in system["ask"]}
    for file in files.values():
        file.unlink(missing_ok=True)  # if this fails, the answers of an earlier job must not pass for its own
    request = TrainRequest(
        system["network"],
        system["train"],
        system["dev"],
        system["represent"],
        system.get("premise", "full"),
        [seed],
        root,
        Through(**system["through"]) if "through" in system else None,
    )
    [trained] = train(request, work / system["name"], log)
    how: dict[str, object] = {"system": system["name"], "seed": seed, "dev": list(trained.dev)}
    if trained.result is not None:
        how.update({"training_seconds": trained.result.seconds, "training_pairs_cut": trained.result.cut})
    asked: list[dict[str, object]] = []
    for suite in system["ask"]:
        start = time.monotonic()
        model = Trained(trained.folder, TrainedParams(tokens=131_072))
        control = Control.parse(suite.get("premise", system.get("premise", "full")))
        reading = Request(suite["on"], probes=suite.get("probes", ["gold"]), root=root)
        inputs = list(distinct_inputs(reading, suite.get("represent", system["represent"]), control))
        _answer(model, inputs, files[suite["name"]])
        seconds = time.monotonic() - start
        asked.append({"name": suite["name"], "inputs": len(inputs), "notes": model.notes(), "seconds": seconds})
        log.say(f"{suite['name']}: {len(inputs)} inputs answered, {seconds:.0f} s")
    return {**how, "asked": asked}


def _trainings(plan: BarePlan) -> Iterator[tuple[JobSystem, int]]:
    for system in plan["systems"]:
        for seed in system["seeds"]:
            yield system, seed


def _answer(model: Trained, inputs: Sequence[Input], path: Path) -> None:
    """Write the scores of every input, rounded to what two machines agree on; a file with this name is complete."""
    with writing(path) as file, gzip.open(file, "wt", encoding="utf-8", compresslevel=6) as stream:
        for start in range(0, len(inputs), model.batch):
            batch = inputs[start : start + model.batch]
            for item, answer in zip(batch, model.predict(batch), strict=True):
                shares = _shares(answer.probabilities or (), model.partition)
                stream.write(json.dumps({"input_id": item.id, "probabilities": shares}) + "\n")


def _shares(given: Sequence[float | None], partition: Partition) -> list[float] | dict[str, float]:
    """Return probabilities as answers are read: in the order E, N, C, or by the labels of a two-way model."""
    known = {letter: round(share, 6) for letter, share in zip(LETTERS, given, strict=False) if share is not None}
    if len(known) == len(given):
        return list(known.values())
    rest = max(0.0, round(1 - sum(known.values()), 6))
    return {str(block): known.get(str(block), rest) for block in partition.blocks}


def _write(path: Path, content: object) -> None:
    write_atomic(path, json.dumps(content, indent=1).encode("utf-8"))


def _side_by_side(plan: BarePlan, file: Path, out: Path, work: Path) -> int:
    """Run one process per training, a few at a time, and return how many failed."""

    def start(number: int) -> int:
        again = [sys.executable, "-m", "nliprobe.api.remote_job", str(file), str(out), str(work), str(number)]
        return subprocess.run(again, check=False).returncode

    numbers = range(len(list(_trainings(plan))))
    for old in work.glob("result-*.json"):  # of an earlier job in this folder
        old.unlink()
    with ThreadPoolExecutor(plan.get("jobs", 1)) as pool:
        failed = sum(code != 0 for code in pool.map(start, numbers))
    results = [json.loads(one.read_text(encoding="utf-8")) for one in sorted(work.glob("result-*.json"))]
    _write(out / "results.json", {"plan": plan, "results": results, "failed": failed})
    return failed


def main(arguments: Sequence[str]) -> int:
    """Run ``plan.json OUT WORK [NUMBER]``: everything, or only the training with this number."""
    file, out, work = (Path(text) for text in arguments[:3])
    plan: BarePlan = json.loads(file.read_text(encoding="utf-8"))
    work.mkdir(parents=True, exist_ok=True)
    if len(arguments) == 3:
        return _side_by_side(plan, file, out, work)
    number = int(arguments[3])
    system, seed = list(_trainings(plan))[number]
    _write(work / f"result-{number:03}.json", run_one(plan, system, seed, out, work))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
