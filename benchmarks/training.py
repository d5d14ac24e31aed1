"""Training on a CPU: the trainer against a plain loop that pads every batch to the longest text of the corpus.

Both train the same network from the same weights on the same pairs, with batches of the same size and the same
optimizer. The plain loop is what a first version looks like: batches in random order, padded to the maximum, the
recurrent layers run over the padding. Reading the texts and the word vectors, and scoring dev, which only the trainer
does, count for neither.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

from measure import corpora, report
from nliprobe.api.sources import open_source
from nliprobe.base.registry import Spec
from nliprobe.models.base import Example
from nliprobe.models.learnable import learnable
from nliprobe.models.trained import network_of
from nliprobe.models.zoo._word_network import WordNetwork, WordPair
from nliprobe.represent.controls import Control
from nliprobe.represent.reader import Reader, build_representation
from nliprobe.training.fit import read_examples
from nliprobe.training.trainer import train_network

if TYPE_CHECKING:
    import numpy as np
    import torch
    from numpy.typing import NDArray

NETWORKS = ("infersent", "esim")
PAIRS = 2000
REPEATS = 3
MUST = 2.0


class Silent:
    """A watcher that only takes the time between the first step and the last."""

    def begin(self, steps: int, done: int) -> None:
        self.start = self.end = time.perf_counter()

    def advance(self, loss: float | None) -> None:
        self.end = time.perf_counter()

    def say(self, line: str) -> None:
        pass


class Measured(NamedTuple):
    """Seconds of one epoch, and its mean loss."""

    seconds: float
    loss: float


def examples() -> tuple[str, list[Example]]:
    """Return pairs of SNLI's training set if it is there, else those that come with the package, some times over."""
    reader = Reader(build_representation("para"), Control.FULL, seed=0, keyed=False)
    root = corpora()
    if root is not None and (root / "snli").is_dir():
        source = open_source(f"snli/train-100k?limit={PAIRS}", root)
        return source.name, read_examples(reader, [source])
    source = open_source("builtin/sentences-train")
    read = read_examples(reader, [source])
    return source.name, (read * (PAIRS // len(read) + 1))[:PAIRS]


def network(name: str, vectors: str) -> WordNetwork:
    made = network_of(Spec.parse(f"{name}?epochs=1&device=cpu&vectors={vectors}"), seed=0)
    assert isinstance(made, WordNetwork)
    return made


def ours(name: str, vectors: str, train: Sequence[Example]) -> Measured:
    watcher = Silent()
    with TemporaryDirectory() as folder:
        result = train_network(network(name, vectors), train, train[:8], Path(folder), "benchmark", watcher)
    return Measured(watcher.end - watcher.start, result.losses[0])


def plain(name: str, vectors: str, train: Sequence[Example]) -> Measured:
    import torch

    from nliprobe.models.zoo._texts import Texts

    made = network(name, vectors)
    classes, usable = learnable(train)
    made.study([example.input for example in usable], classes)
    torch.manual_seed(0)
    module = made.fresh(len(classes))
    items: Sequence[WordPair] = made.prepare(module, [example.input for example in usable]).items
    golds = torch.tensor([classes.index(example.gold) for example in usable])
    premises, hypotheses = padded([item.premise for item in items]), padded([item.hypothesis for item in items])

    def batch(whole: torch.Tensor, chosen: Sequence[int]) -> Texts:
        numbers = whole[list(chosen)]
        return Texts(numbers, numbers != 0, torch.full((len(chosen),), whole.shape[1]))

    order = list(range(len(items)))
    random.Random(0).shuffle(order)
    optimizer = torch.optim.AdamW([w for w in module.parameters() if w.requires_grad], lr=made.plan.lr, weight_decay=0)
    module.train()
    losses = []
    start = time.perf_counter()
    for first in range(0, len(order), made.plan.batch):
        chosen = order[first : first + made.plan.batch]
        scores = module(batch(premises, chosen), batch(hypotheses, chosen))
        loss = torch.nn.functional.cross_entropy(scores, golds[chosen])
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(module.parameters(), made.plan.clip)
        optimizer.step()
        losses.append(loss.item())
    return Measured(time.perf_counter() - start, statistics.mean(losses))


def padded(rows: Sequence[NDArray[np.int32]]) -> torch.Tensor:
    import torch

    longs = [torch.from_numpy(row).long() for row in rows]
    return torch.nn.utils.rnn.pad_sequence(longs, batch_first=True)


def main() -> None:
    try:
        import torch
    except ImportError:
        print("training: torch is not installed; skipped")
        return
    source, train = examples()
    root = corpora()
    vectors = str(root / "glove") if root is not None and (root / "glove").is_dir() else "none"
    result: dict[str, object] = {"pairs": len(train), "of": source, "torch": torch.__version__, "must": {"ratio": MUST}}
    for name in NETWORKS:
        fast, slow = [], []
        for _ in range(REPEATS):  # in turns, so that both see the same load of the machine
            slow.append(plain(name, vectors, train))
            fast.append(ours(name, vectors, train))
        ratios = [one.seconds / other.seconds for one, other in zip(slow, fast, strict=True)]
        result[name] = {
            "pairs_per_second": len(train) / statistics.median(one.seconds for one in fast),
            "plain_pairs_per_second": len(train) / statistics.median(one.seconds for one in slow),
            "loss": fast[0].loss,
            "plain_loss": slow[0].loss,
            "ratio": statistics.median(ratios),
        }
    report("training", result)


if __name__ == "__main__":
    main()
