"""Do networks over words answer on a GPU as they do on a CPU?

``PYTHONPATH=src python3 benchmarks/gpu/agreement.py OUT.json`` needs only numpy and torch. It makes every registered
network over words with random word vectors and weights, asks it the same random pairs on both devices, and writes the
largest difference between two probabilities per network; it fails if one is above 0.001.
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from nliprobe.base.registry import Spec
from nliprobe.models.batches import network_scores
from nliprobe.models.trained import network_of
from nliprobe.models.zoo import NETWORKS
from nliprobe.models.zoo._word_network import WordNetwork
from nliprobe.task.case import Input
from nliprobe.task.labels import LabelSet

if TYPE_CHECKING:
    import torch

PAIRS = 256
WORDS = 500
# Words that WordNet relates, for networks that know it.
RELATED = [
    "dog",
    "animal",
    "wolf",
    "man",
    "woman",
    "person",
    "car",
    "automobile",
    "vehicle",
    "tall",
    "short",
    "walk",
    "run",
    "move",
    "sit",
    "stand",
]
LARGEST = 1e-3
SEED = 14
CLASSES = tuple(LabelSet.of(letter) for letter in "ENC")
# Tokens per batch: several batches of several lengths.
BUDGET = 2048


def names() -> list[str]:
    """Return the registered networks over words."""
    return [name for name, kind in NETWORKS if issubclass(kind, WordNetwork)]


def random_inputs(pairs: int = PAIRS) -> list[Input]:
    """Return pairs of random words, half of them related in WordNet, from an empty text to one that is cut."""
    draw = random.Random(SEED)
    words = ["".join(draw.choices("abcdefghijklmnop", k=draw.randint(1, 9))) for _ in range(WORDS)]
    words += RELATED * (WORDS // len(RELATED))

    def text(longest: int) -> str:
        return " ".join(draw.choices(words, k=draw.randint(0, longest)))

    return [Input(f"{number:024x}", (text(120),), text(30)) for number in range(pairs)]


def difference(name: str, first: str, second: str, options: str = "", pairs: int = PAIRS) -> float:
    """Return the largest difference between two probabilities that a network gives on two devices."""
    import torch

    network = network_of(Spec.parse(f"{name}?vectors=none{options}"), seed=SEED)
    inputs = random_inputs(pairs)
    network.study(inputs, CLASSES)
    torch.manual_seed(SEED)
    module = network.fresh(len(CLASSES)).eval()
    for weight in module.parameters():
        # Fresh weights answer nearly the same to everything; larger ones make differences visible.
        weight.data.mul_(2.0)
    prepared = network.prepare(module, inputs)

    def answers(device: torch.device) -> torch.Tensor:
        placed = module.to(device)
        scores = network_scores(
            lambda items: network.forward(placed, items, device),
            prepared,
            device,
            BUDGET,
            exact=True,
            cpu_budget=BUDGET,
        )
        return torch.tensor(scores, dtype=torch.float64).softmax(-1)

    one, two = answers(torch.device(first)), answers(torch.device(second))
    if not bool(torch.isfinite(one).all()) or float(one.std(0).max()) < 1e-3:
        raise SystemExit(f"{name} answers all pairs alike, so nothing is compared.")
    return float((one - two).abs().max())


def main(out: Path) -> int:
    import torch

    if not torch.cuda.is_available():
        raise SystemExit("There is no GPU here.")
    largest = {name: difference(name, "cpu", "cuda") for name in names()}
    content = {
        "pairs": PAIRS,
        "device": torch.cuda.get_device_name(),
        "torch": torch.__version__,
        "largest_difference": largest,
        "must": LARGEST,
    }
    out.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(content, indent=1))
    return int(max(largest.values()) > LARGEST)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
