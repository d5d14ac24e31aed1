"""Training and asking on a bare GPU machine: needs numpy, torch, transformers, safetensors and nothing else of ours.

``python -m nliprobe.api.bare plan.json OUT WORK`` trains classifiers and writes their answers to every distinct input
of a suite as JSON lines (input_id, probabilities), which ``nliprobe run --system predictions:FILE`` takes back.
"""

from __future__ import annotations

import gzip
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypedDict

from nliprobe.api.plan import distinct_inputs
from nliprobe.api.resolve import Request
from nliprobe.models.classifier import Classifier, ClassifierParams
from nliprobe.represent.build import build_representation
from nliprobe.represent.controls import Control
from nliprobe.represent.reader import Reader
from nliprobe.task.prediction import Input
from nliprobe.training.fit import read_examples
from nliprobe.training.trainer import TrainingPlan, train_classifier


class BareSystem(TypedDict):
    """One classifier to train with several seeds."""

    name: str
    represent: str
    premise: str
    training: dict[str, object]
    seeds: list[int]


class BarePlan(TypedDict):
    """What to do: where the corpora are, what to learn from and stop by, what to ask."""

    root: str
    train: list[str]
    dev: list[str]
    on: list[str]
    probes: list[str]
    systems: list[BareSystem]


def run_bare(plan: BarePlan, out: Path, work: Path) -> None:
    """Train every system with every seed and write its answers."""
    root = Path(plan["root"])
    request = Request(plan["on"], probes=plan["probes"], root=root)
    learning = Request(plan["train"], root=root).suite().sources
    stopping = Request(plan["dev"], root=root).suite().sources
    results: list[dict[str, object]] = []
    for system in plan["systems"]:
        control = Control.parse(system["premise"])
        reader = Reader(build_representation(system["represent"]), control, seed=0, keyed=False)
        train, dev = read_examples(reader, learning), read_examples(reader, stopping)
        inputs = list(distinct_inputs(request, system["represent"], control))
        print(f"{system['name']}: {len(train)} pairs to learn from, {len(inputs)} inputs to answer", flush=True)
        for seed in system["seeds"]:
            chosen = replace(TrainingPlan(**system["training"]), seed=seed)  # type: ignore[arg-type]
            folder = work / f"{system['name']}-{seed}"
            found = train_classifier(chosen, train, dev, folder, lambda line: print(f"  {line}", flush=True))
            start = time.monotonic()
            model = Classifier(folder, ClassifierParams(device=chosen.device, tokens=262_144))
            _answer(model, inputs, out / f"{system['name']}-{seed}.jsonl.gz")
            results.append(
                {
                    "system": system["name"],
                    "seed": seed,
                    "dev": list(found.dev),
                    "training_seconds": found.seconds,
                    "training_pairs_cut": found.cut,
                    "inputs": len(inputs),
                    "notes": model.notes(),
                    "answering_seconds": time.monotonic() - start,
                }
            )
            text = json.dumps({"plan": plan, "results": results}, indent=1)
            (out / "results.json").write_text(text, encoding="utf-8")


def _answer(model: Classifier, inputs: Sequence[Input], path: Path) -> None:
    """Write the scores of every input, rounded to what two machines agree on."""
    with gzip.open(path, "wt", encoding="utf-8", compresslevel=6) as stream:
        for item, answer in zip(inputs, model.predict(inputs), strict=True):
            shares = [round(share, 6) for share in answer.probabilities or ()]
            stream.write(json.dumps({"input_id": item.id, "probabilities": shares}) + "\n")


if __name__ == "__main__":
    run_bare(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")), Path(sys.argv[2]), Path(sys.argv[3]))
