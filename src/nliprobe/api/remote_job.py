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

from nliprobe.api.plan import distinct_inputs, read_inputs
from nliprobe.api.resolve import Request
from nliprobe.api.through import Through
from nliprobe.api.train import LOG, TrainRequest, train
from nliprobe.base.files import write_atomic, writing
from nliprobe.base.hashing import digest
from nliprobe.models.trained import WEIGHTS, Trained, TrainedParams
from nliprobe.models.violations import rule_violations
from nliprobe.represent.controls import Control
from nliprobe.task.case import Input
from nliprobe.task.labels import LETTERS, Partition

# Tokens per batch: many networks share the memory of one GPU.
_TOKENS = 32_768


class JobAsking(TypedDict):
    """A suite to ask a trained network, and how its pairs are shown; by default as in training.

    ``inputs`` names a file that ``nliprobe plan`` wrote for the suite (it may be compressed with gzip), so that many
    networks are asked without making its cases each time. With ``labels`` the answers are labels alone, as one text in
    the order of the inputs: a hundredth of the size of probabilities with ids.
    """

    name: str
    on: list[str]
    probes: NotRequired[list[str]]
    represent: NotRequired[str]
    premise: NotRequired[str]
    inputs: NotRequired[str]
    labels: NotRequired[bool]


class JobThrough(TypedDict):
    """A probe that some training pairs pass through, the share of them, and their gold labels."""

    probe: str
    share: float
    labels: str


class JobSystem(TypedDict):
    """One network to train with several seeds, and what to ask it; ``keep`` also brings its weights back.

    They come in half precision, and without word vectors that were not learnt. With ``violations`` the result also says
    how often the network breaks the rules of inference, on the pairs of dev and on sentences near them.
    """

    name: str
    network: str
    train: list[str]
    dev: list[str]
    represent: str
    premise: NotRequired[str]
    through: NotRequired[JobThrough]
    seeds: list[int]
    ask: list[JobAsking]
    keep: NotRequired[bool]
    violations: NotRequired[bool]


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
    files = {suite["name"]: out / f"{suite['name']}-{seed}{_ending(suite)}" for suite in system["ask"]}
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
        model = Trained(trained.folder, TrainedParams(tokens=_TOKENS))
        inputs = _inputs(system, suite, root)
        if suite.get("labels"):
            _answer_labels(model, inputs, files[suite["name"]])
        else:
            _answer(model, inputs, files[suite["name"]])
        seconds = time.monotonic() - start
        asked.append({"name": suite["name"], "inputs": len(inputs), "notes": model.notes(), "seconds": seconds})
        log.say(f"{suite['name']}: {len(inputs)} inputs answered, {seconds:.0f} s")
    if system.get("violations"):
        pairs = asking_inputs(system, {"name": "violations", "on": system["dev"]}, root)
        how["violations"] = rule_violations(Trained(trained.folder, TrainedParams(tokens=_TOKENS)), list(pairs))
    if system.get("keep"):
        _keep(trained.folder, out / f"{system['name']}-{seed}.safetensors")
    return {**how, "asked": asked}


def asking_inputs(system: JobSystem, suite: JobAsking, root: Path) -> Iterator[Input]:
    """Yield the distinct inputs of a suite as the system reads them; a file of inputs is not looked at."""
    control = Control.parse(suite.get("premise", system.get("premise", "full")))
    reading = Request(suite["on"], probes=suite.get("probes", ["gold"]), root=root)
    return distinct_inputs(reading, suite.get("represent", system["represent"]), control)


def inputs_digest(inputs: Sequence[Input]) -> str:
    """Return a hash of the ids of some inputs in their order, by which labels and inputs are matched."""
    return digest(*(item.id for item in inputs))


def _inputs(system: JobSystem, suite: JobAsking, root: Path) -> list[Input]:
    return read_inputs(Path(suite["inputs"])) if "inputs" in suite else list(asking_inputs(system, suite, root))


def _ending(suite: JobAsking) -> str:
    return ".labels.json" if suite.get("labels") else ".jsonl.gz"


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


def _answer_labels(model: Trained, inputs: Sequence[Input], path: Path) -> None:
    """Write the label of every input as one text in their order, with the digest of the inputs."""
    letters: list[str] = []
    for start in range(0, len(inputs), model.batch):
        answers = model.predict(inputs[start : start + model.batch])
        letters.extend("?" if answer.label is None else str(answer.label) for answer in answers)
    _write(
        path, {"inputs": inputs_digest(inputs), "labels": letters if max(map(len, letters)) > 1 else "".join(letters)}
    )


def _keep(folder: Path, path: Path) -> None:
    """Write the weights of a trained network in half precision, without word vectors that were not learnt."""
    import torch
    from safetensors.torch import load_file, save

    weights = load_file(folder / WEIGHTS)
    if not json.loads((folder / LOG).read_text(encoding="utf-8"))["plan"].get("train_words", True):
        weights.pop("words.weight", None)
    write_atomic(path, save({name: weight.to(torch.float16) for name, weight in weights.items()}))


def _shares(given: Sequence[float | None], partition: Partition) -> list[float] | dict[str, float]:
    """Return probabilities as answers are read: in the order E, N, C, or by the labels of a two-way model."""
    known = {letter: round(share, 6) for letter, share in zip(LETTERS, given, strict=False) if share is not None}
    if len(known) == len(given):
        return list(known.values())
    rest = max(0.0, round(1 - sum(known.values()), 6))
    return {str(block): known.get(str(block), rest) for block in partition.blocks}


def _write(path: Path, content: object) -> None:
    write_atomic(path, json.dumps(content, indent=1).encode("utf-8"))


def _result(out: Path, system: JobSystem, seed: int) -> Path:
    """Return the file that says how one training went: it is there even if the job is stopped before its end."""
    return out / f"{system['name']}-{seed}.result.json"


def _side_by_side(plan: BarePlan, file: Path, out: Path, work: Path) -> int:
    """Run one process per training, a few at a time, and return how many failed."""

    def start(number: int) -> int:
        again = [sys.executable, "-m", "nliprobe.api.remote_job", str(file), str(out), str(work), str(number)]
        return subprocess.run(again, check=False).returncode

    numbers = range(len(list(_trainings(plan))))
    files = [_result(out, system, seed) for system, seed in _trainings(plan)]
    for old in files:  # of an earlier job in this folder
        old.unlink(missing_ok=True)
    with ThreadPoolExecutor(plan.get("jobs", 1)) as pool:
        failed = sum(code != 0 for code in pool.map(start, numbers))
    results = [json.loads(one.read_text(encoding="utf-8")) for one in files if one.is_file()]
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
    _write(_result(out, system, seed), run_one(plan, system, seed, out, work))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
