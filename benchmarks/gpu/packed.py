"""Measure the adapter ``transformers:`` on a GPU, texts in and probabilities out, over row deletions of InfoTabS.

``python3 benchmarks/gpu/packed.py OUT [--small]`` unpacks ``carry/corpora.tar.xz`` (``prepare.py`` with a plan that
trains from an encoder), and writes ``OUT/packed.json``:

- *speed*: RoBERTa-large's shape with random weights, against ``pipeline`` with its defaults and the rate of a large
  product of matrices, all in the same run;
- *agreement*: MiniLM trained here on InfoTabS, in each type of numbers, against float32 with padding.

The trained checkpoint comes back in half precision, in pieces ``OUT/trained.*`` (``cat trained.* | tar x``); if it is
in ``carry/trained``, it is not trained again. With ``--small`` everything is tiny, to try the script on a CPU. It
imports only numpy, torch, transformers and safetensors.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import statistics
import sys
import tarfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

sys.path.insert(0, "src")

import numpy as np
import torch
from transformers import AutoTokenizer, BertForSequenceClassification, RobertaConfig, RobertaForSequenceClassification

from nliprobe.api.plan import distinct_inputs
from nliprobe.api.resolve import Request
from nliprobe.base.registry import Spec
from nliprobe.models._tokens import read_inputs
from nliprobe.models.checkpoint import Checkpoint
from nliprobe.models.forward import Padded
from nliprobe.represent.controls import Control
from nliprobe.represent.reader import Reader, build_representation
from nliprobe.task.case import Input, Prediction, identity_case
from nliprobe.task.labels import LabelMap
from nliprobe.task.sources import open_source

WORK = Path("runs/packed")
ENCODER, TRAINED = Path("carry/minilm"), Path("carry/trained")
LABELS = LabelMap.parse("entailment,neutral,contradiction")
PIECE = 15 << 20


def say(*what: object) -> None:
    print(*what, flush=True)


def seconds(work: Callable[[], object]) -> float:
    if torch.cuda.is_available():
        torch.cuda.synchronize()
    start = time.perf_counter()
    work()
    if torch.cuda.is_available():
        torch.cuda.synchronize()
    return time.perf_counter() - start


def product_rate(size: int, *, eights: bool = False) -> float:
    """Return the operations per second of a product of two square matrices."""
    device = "cuda" if torch.cuda.is_available() else "cpu"
    dtype = torch.bfloat16 if device == "cuda" else torch.float32
    one, two = (torch.randn(size, size, device=device, dtype=dtype) for _ in range(2))
    if eights:
        small = [part.to(torch.float8_e4m3fn) for part in (one, two)]
        ones = torch.ones(size, 1, device=device)

        def multiply() -> None:
            for _ in range(10):
                torch._scaled_mm(
                    small[0],
                    small[1].t(),
                    scale_a=ones,
                    scale_b=ones.t(),
                    out_dtype=torch.bfloat16,
                    use_fast_accum=True,
                )
    else:

        def multiply() -> None:
            for _ in range(10):
                one @ two

    multiply()
    return 10 * 2 * size**3 / statistics.median(seconds(multiply) for _ in range(7))


def deletions(count: int) -> list[Input]:
    request = Request(on=["infotabs/alpha1", "infotabs/alpha2"], probes=["gold", "rows.delete"], root=Path("carry"))
    return list(islice(distinct_inputs(request, "para", Control.FULL), count))


def operations(model: RobertaForSequenceClassification, sizes: np.ndarray) -> float:
    """Return 2·parameters·tokens + 4·layers·tokens²·width, without embeddings."""
    config = model.config
    inside: int = sum(part.numel() for part in model.roberta.encoder.parameters())
    attention = 4 * config.num_hidden_layers * config.hidden_size * float((sizes.astype(float) ** 2).sum())
    return float(2 * inside * float(sizes.sum()) + attention)


def shaped(folder: Path, *, small: bool) -> RobertaForSequenceClassification:
    """Write a checkpoint of RoBERTa-large's shape with random weights, and MiniLM's tokenizer."""
    shape: dict[str, int] = {
        "hidden_size": 1024,
        "num_hidden_layers": 24,
        "num_attention_heads": 16,
        "intermediate_size": 4096,
    }
    if small:
        shape = {"hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 128}
    config = RobertaConfig(vocab_size=50265, max_position_embeddings=514, type_vocab_size=2, num_labels=3, **shape)
    torch.manual_seed(0)
    with torch.device("cuda" if torch.cuda.is_available() else "cpu"):
        model = RobertaForSequenceClassification(config)
    model.save_pretrained(folder)
    AutoTokenizer.from_pretrained(TRAINED if TRAINED.exists() else ENCODER).save_pretrained(folder)
    return model


def asked(spec: str) -> Checkpoint:
    return Checkpoint.from_spec(Spec.parse(spec), LABELS)


def pipeline_rate(folder: Path, inputs: Sequence[Input]) -> float:
    from transformers import pipeline

    ask = pipeline("text-classification", model=str(folder), device=0 if torch.cuda.is_available() else -1)
    texts = [{"text": item.premise, "text_pair": item.hypothesis} for item in inputs]

    def run() -> None:
        for text in texts:
            ask(text, truncation=True, max_length=512)

    run()
    return len(texts) / seconds(run)


def speed(*, small: bool) -> dict[str, Any]:
    inputs = deletions(64 if small else 24_576)
    folder = WORK / "shape"
    model = shaped(folder, small=small)
    rows = read_inputs(AutoTokenizer.from_pretrained(folder), inputs, 512).rows
    work = operations(model, rows.sizes)
    del model
    size = 512 if small else 8192
    ceilings = [product_rate(size)]
    found: dict[str, Any] = {"inputs": len(inputs), "mean_tokens": float(rows.sizes.mean()), "operations": work}
    found["pipeline_defaults"] = pipeline_rate(folder, random.Random(0).sample(inputs, 16 if small else 192))
    say("pipeline", found["pipeline_defaults"])
    ways = {"default": "dtype=auto", "bfloat16": "dtype=bfloat16", "budget of 16,384": "dtype=bfloat16&tokens=16384"}
    for name, params in ways.items():
        checkpoint = asked(f"transformers:{folder}?{params}")
        taken = []
        checkpoint.predict(inputs[:64])
        for _ in range(1 if small else 3):
            ceilings.append(product_rate(size))
            taken.append(seconds(partial(checkpoint.predict, inputs)))
            say(name, len(inputs) / taken[-1], "pairs/s", work / taken[-1] / ceilings[-1], checkpoint.notes())
        found[name] = {
            "pairs_per_second": [len(inputs) / each for each in taken],
            "times_pipeline": len(inputs) / statistics.median(taken) / found["pipeline_defaults"],
            "share_of_product_rate": work / statistics.median(taken) / statistics.median(ceilings),
            "budget": checkpoint._loaded.budget.tokens,
            "way": way_of(checkpoint),
            "notes": checkpoint.notes(),
        }
    found["product_tflops"] = [each / 1e12 for each in ceilings]
    if torch.cuda.is_available():
        found["product_tflops_fp8"] = product_rate(size, eights=True) / 1e12
    found["host"] = {"tokenised_per_second": _tokenised_rate(folder, inputs)}
    return found


def _tokenised_rate(folder: Path, inputs: Sequence[Input]) -> float:
    tokenizer = AutoTokenizer.from_pretrained(folder)
    return len(inputs) / statistics.median(seconds(lambda: read_inputs(tokenizer, inputs, 512)) for _ in range(3))


def train(folder: Path, *, small: bool, epochs: int = 5) -> float:
    """Train MiniLM with a classification head on InfoTabS, plainly, and return its accuracy on dev."""
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    tokenizer = AutoTokenizer.from_pretrained(ENCODER)
    torch.manual_seed(1)
    names = {0: "entailment", 1: "neutral", 2: "contradiction"}
    model = BertForSequenceClassification.from_pretrained(
        ENCODER, num_labels=3, id2label=names, dtype=torch.float32
    ).to(device)
    examples = labelled("infotabs/train")[: 16 if small else None]
    rows = read_inputs(tokenizer, [item for item, _ in examples], 512).rows
    golds = torch.tensor([gold for _, gold in examples], device=device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, weight_decay=0.01)
    draw = random.Random(0)
    places = sorted(range(len(examples)), key=lambda place: int(rows.sizes[place]))
    groups = [places[start : start + 32] for start in range(0, len(places), 32)]
    total = epochs * len(groups)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min((step + 1) / (0.1 * total), max(0.0, (total - step) / (0.9 * total)))
    )
    model.train()
    for epoch in range(epochs):
        draw.shuffle(groups)
        for group in groups:
            ids, mask, types = rows.take(group).padded(0)
            batch = {"input_ids": ids, "attention_mask": mask.astype("int64"), "token_type_ids": types}
            tensors = {name: torch.from_numpy(array).to(device) for name, array in batch.items()}
            with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
                loss = model(**tensors, labels=golds[group]).loss
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            optimizer.zero_grad(set_to_none=True)
        say("epoch", epoch + 1, float(loss.detach()))
    model.eval().half().save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return accuracy(folder, small=small)


def accuracy(folder: Path, *, small: bool) -> float:
    tests = labelled("infotabs/dev")[: 16 if small else None]
    answers = asked(f"transformers:{folder}").predict([item for item, _ in tests])
    return sum(_number(answer) == gold for answer, (_, gold) in zip(answers, tests, strict=True)) / len(tests)


def labelled(corpus: str) -> list[tuple[Input, int]]:
    reader = Reader(build_representation("para"), Control.FULL, seed=0, keyed=False)
    pairs = list(open_source(corpus, Path("carry")).pairs())
    return [(reader.read(identity_case(pair)), "ENC".index(str(pair.gold))) for pair in pairs]


def _number(answer: Prediction) -> int:
    return "ENC".index(str(answer.label))


def agreement(folder: Path, *, small: bool) -> dict[str, Any]:
    """Compare the answers of a trained checkpoint with padded ones, in float32 and in the same type."""
    inputs = deletions(32 if small else 24_576)
    on_gpu = torch.cuda.is_available()
    names = ["float32", "bfloat16", "float16", "auto"] if on_gpu else ["float32"]
    padded = {name: padded_answers(folder, name, inputs) for name in names if name != "auto"}
    found: dict[str, Any] = {"inputs": len(inputs)}
    for name in names:
        checkpoint = asked(f"transformers:{folder}?dtype={name}")
        checkpoint.predict(inputs[:64])
        taken = seconds(partial(checkpoint.predict, inputs))
        answers = checkpoint.predict(inputs)
        found[name] = {
            "pairs_per_second": len(inputs) / taken,
            "way": way_of(checkpoint),
            "to_float32_padded": compared(answers, padded["float32"]),
            "to_same_type_padded": compared(answers, padded["float16" if name == "auto" else name]),
            "notes": checkpoint.notes(),
        }
        if name != "auto":
            found[name]["padded_to_float32_padded"] = compared(padded[name], padded["float32"])
        say(name, found[name])
    return found


def padded_answers(folder: Path, dtype: str, inputs: Sequence[Input]) -> list[Prediction]:
    """Ask a checkpoint with padding only."""
    checkpoint = asked(f"transformers:{folder}?dtype={dtype}&tokens=16384")
    loaded = checkpoint._loaded
    model = BertForSequenceClassification.from_pretrained(folder, dtype=getattr(torch, dtype)).to(loaded.device).eval()
    checkpoint.__dict__["_loaded"] = loaded._replace(forward=Padded(model, 0, loaded.device))
    return checkpoint.predict(inputs)


def way_of(checkpoint: Checkpoint) -> str:
    forward = checkpoint._loaded.forward
    return type(getattr(forward, "_arithmetic", forward)).__name__


def compared(answers: Sequence[Prediction], expected: Sequence[Prediction]) -> dict[str, float]:
    pairs = list(zip(answers, expected, strict=True))
    apart = sorted(float(np.abs(np.subtract(shares(one), shares(other))).max()) for one, other in pairs)
    return {
        "same_label": sum(one.label == other.label for one, other in pairs) / len(pairs),
        "largest_difference": apart[-1],
        "p999_difference": apart[math.ceil(0.999 * len(apart)) - 1],
        "mean_difference": statistics.mean(apart),
    }


def shares(answer: Prediction) -> list[float]:
    return [float(share) for share in answer.probabilities or () if share is not None]


def short_of_memory(folder: Path, *, small: bool) -> dict[str, Any]:
    """Ask with batches that are too large for the memory that may be used, and return what was noted."""
    inputs = deletions(4096)
    expected = asked(f"transformers:{folder}").predict(inputs)
    torch.cuda.empty_cache()
    held = torch.cuda.memory_allocated() / torch.cuda.get_device_properties(0).total_memory
    torch.cuda.set_per_process_memory_fraction(held + 0.012)
    checkpoint = asked(f"transformers:{folder}?tokens=500000")
    found = {**compared(checkpoint.predict(inputs), expected), "notes": checkpoint.notes()}
    torch.cuda.set_per_process_memory_fraction(1.0)
    say("memory", found)
    return found


def pack(folder: Path, out: Path) -> None:
    """Write a checkpoint in pieces that may come back."""
    whole = out.parent / "trained.tar"
    with tarfile.open(whole, "w") as archive:
        archive.add(folder, "trained")
    content = whole.read_bytes()
    whole.unlink()
    for number, start in enumerate(range(0, len(content), PIECE)):
        (out / f"trained.{number}").write_bytes(content[start : start + PIECE])


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path)
    parser.add_argument("--small", action="store_true")
    options = parser.parse_args()
    if Path("carry/corpora.tar.xz").exists():
        with tarfile.open("carry/corpora.tar.xz") as archive:
            archive.extractall("carry", filter="data")
    found: dict[str, Any] = {"device": torch.cuda.get_device_name() if torch.cuda.is_available() else "cpu"}
    found["torch"] = torch.__version__
    for name, work in (("speed", speed), ("trained", lambda small: _trained(options.out, small=small))):
        found[name] = work(small=options.small)
        (options.out / "packed.json").write_text(json.dumps(found, indent=1), encoding="utf-8")


def _trained(out: Path, *, small: bool) -> dict[str, Any]:
    folder = TRAINED if TRAINED.exists() else WORK / "trained"
    right = accuracy(folder, small=small) if TRAINED.exists() else train(folder, small=small)
    say("accuracy", right)
    if not small and not TRAINED.exists():
        pack(folder, out)
    found = {"dev_accuracy": right, **agreement(folder, small=small)}
    if torch.cuda.is_available():
        found["short_of_memory"] = short_of_memory(folder, small=small)
    return found


if __name__ == "__main__":
    main()
