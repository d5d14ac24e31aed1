"""Tiny networks over words for tests: every registered one, on a few words and pairs that can be learnt."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import TYPE_CHECKING

from nliprobe.api.train import TrainRequest
from nliprobe.base.registry import Spec
from nliprobe.models.trained import network_of
from nliprobe.models.zoo import NETWORKS
from nliprobe.models.zoo._word_network import WordNetwork
from nliprobe.task.case import Input
from nliprobe.task.labels import LabelSet

if TYPE_CHECKING:
    import torch

# Discovered, so that the next network over words is held to the same.
NAMES = [name for name, kind in NETWORKS if issubclass(kind, WordNetwork)]
CLASSES = tuple(LabelSet.of(letter) for letter in "ENC")
TINY: dict[str, object] = {"hidden": 8, "longest": 40, "device": "cpu"}
THINGS = ["dog", "cat", "man", "woman", "boy", "girl", "horse", "bird", "child", "player"]
PLACES = ["park", "street", "house", "kitchen", "garden", "beach", "field", "river", "shop", "school"]
DOINGS = ["runs", "sits", "sleeps", "eats", "jumps", "reads", "sings", "walks", "plays", "waits"]
_OTHERS = [
    "a",
    "the",
    "is",
    "are",
    "was",
    "in",
    "at",
    "on",
    "not",
    "no",
    "nobody",
    "two",
    "three",
    "red",
    "old",
    "small",
    "very",
    "happily",
    ".",
    ",",
]
WORDS = [*_OTHERS, *THINGS, *PLACES, *DOINGS]
WIDTH = 8


def write_vectors(folder: Path, width: int = WIDTH) -> Path:
    """Write a GloVe text file with a vector of random numbers per word."""
    random_numbers = random.Random(7)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "tiny.txt"
    lines = [f"{word} " + " ".join(f"{random_numbers.gauss(0, 0.5):.4f}" for _ in range(width)) for word in WORDS]
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def pairs(count: int, seed: int = 0) -> list[tuple[str, str, str]]:
    """Return premises, hypotheses and labels that follow from the words; no pair occurs twice."""
    draw = random.Random(seed)
    kept: dict[tuple[str, str], str] = {}
    while len(kept) < count:
        thing, place, doing = draw.choice(THINGS), draw.choice(PLACES), draw.choice(DOINGS)
        other = draw.choice([word for word in DOINGS if word != doing])
        premise = f"a {thing} {doing} in the {place} {draw.choice(['', ', very happily', 'on two old horses'])}."
        label = "ENC"[len(kept) % 3]
        hypothesis = {
            "E": f"the {thing} {doing}.",
            "N": f"the {thing} {other} at the shop.",
            "C": f"no {thing} {doing}.",
        }
        kept.setdefault((premise, hypothesis[label]), label)
    return [(premise, hypothesis, label) for (premise, hypothesis), label in kept.items()]


def inputs(count: int, seed: int = 0) -> list[Input]:
    """Return pairs as a network reads them."""
    return [Input(f"{number:024x}", (one,), two) for number, (one, two, _) in enumerate(pairs(count, seed))]


def built(name: str, vectors: Path, **more: object) -> tuple[WordNetwork, torch.nn.Module]:
    """Return a tiny network that knows the words of some pairs, with fresh weights, ready to answer."""
    import torch

    network = network_of(Spec.parse(_spec(name, TINY | {"vectors": vectors} | more)), seed=3)
    assert isinstance(network, WordNetwork)
    network.study(inputs(24), CLASSES)
    torch.manual_seed(3)
    return network, network.fresh(len(CLASSES)).eval()


def corpus(folder: Path, count: int = 32, *, two_way: bool = False) -> str:
    """Write pairs as a file of one's own, and return its spec."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "pairs.jsonl"
    names = {"E": "entailment", "N": "neutral", "C": "contradiction"}
    if two_way:
        names |= {"N": "not_entailment", "C": "not_entailment"}
    rows = [{"premise": one, "hypothesis": two, "label": names[label]} for one, two, label in pairs(count)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return f"file:{path}"


def request(name: str, vectors: Path | str, pairs: str, premise: str = "full", **more: object) -> TrainRequest:
    """Return a request to train a tiny network on pairs, and to stop by them."""
    plan = TINY | {"vectors": vectors, "batch": 8, "lr": 0.005, "epochs": 2} | more
    return TrainRequest(_spec(name, plan), [pairs], [pairs], premise=premise)


def _spec(name: str, plan: dict[str, object]) -> str:
    return f"{name}?" + "&".join(f"{key}={value}" for key, value in plan.items())
