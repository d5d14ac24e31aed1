"""Training a classifier on a checkpoint: length buckets, bf16 on a GPU, early stopping, resume after a kill."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from nliprobe.base.errors import DataError, UsageError
from nliprobe.base.files import write_json
from nliprobe.models._base import Example
from nliprobe.models._torch import Tokens, choose_device, encode, network_scores, pad, require_torch
from nliprobe.models.classifier import CLASSES, CONFIG, WEIGHTS

if TYPE_CHECKING:
    import torch

    from nliprobe.models.zoo.pair_classifier import PairClassifier


@dataclass(frozen=True)
class TrainingPlan:
    """What can be chosen.

    Attributes:
        encoder: a checkpoint folder (or name) of ``transformers``.
        epochs: how often the training pairs are seen at most.
        lr: the highest learning rate.
        optimizer: ``adamw`` with warm-up and linear decay, or ``adagrad`` as in the seed.
        dropout: of the head (0.2 in the seed).
        batch: pairs a step.
        warmup: the share of steps in which the learning rate rises.
        patience: epochs without a better dev accuracy before training stops.
        pool: ``cls`` as in the seed, or ``mean`` over tokens.
        max_length: the window in tokens.
        seed: of the head's weights and the order of pairs.
        device: ``auto``, ``cpu``, ``cuda``.
    """

    encoder: str
    epochs: int = 6
    lr: float = 1e-4
    optimizer: str = "adamw"
    dropout: float = 0.2
    batch: int = 32
    warmup: float = 0.1
    patience: int = 2
    pool: str = "cls"
    max_length: int = 512
    seed: int = 0
    device: str = "auto"

    def __post_init__(self) -> None:
        if self.optimizer not in ("adamw", "adagrad"):
            raise UsageError(f"The optimizer should be adamw or adagrad, not '{self.optimizer}'.")
        if self.pool not in ("cls", "mean"):
            raise UsageError(f"The pooling should be cls or mean, not '{self.pool}'.")


@dataclass(frozen=True)
class TrainingResult:
    """How training went: the accuracy on dev after each epoch, and the best of them, whose weights are kept."""

    dev: tuple[float, ...]
    best: float
    seconds: float
    cut: int


def train_classifier(
    plan: TrainingPlan,
    train: Sequence[Example],
    dev: Sequence[Example],
    folder: Path,
    say: Callable[[str], None] = lambda line: None,
) -> TrainingResult:
    """Train and keep the best weights in a folder that ``classifier:FOLDER`` reads."""
    require_torch()
    import torch
    from transformers import AutoTokenizer

    from nliprobe.models.zoo.pair_classifier import PairClassifier

    usable = [example for example in train if example.gold in CLASSES]
    if not usable or not dev:
        raise DataError("Training needs labelled pairs to learn from and others to stop by.")
    device = choose_device(plan.device)
    torch.manual_seed(plan.seed)
    tokenizer = AutoTokenizer.from_pretrained(plan.encoder)
    window = min(plan.max_length, tokenizer.model_max_length)
    learnt = encode(tokenizer, [example.input for example in usable], window)
    tried = encode(tokenizer, [example.input for example in dev], window)
    golds = [CLASSES.index(example.gold) for example in usable]
    expected = [CLASSES.index(example.gold) if example.gold in CLASSES else -1 for example in dev]
    model = PairClassifier.pretrained(plan.encoder, len(CLASSES), dropout=plan.dropout, pool=plan.pool).to(device)
    loop = _Loop(plan, model, device, tokenizer.pad_token_id or 0, len(usable))
    start = time.monotonic()
    scores: list[float] = []
    folder.mkdir(parents=True, exist_ok=True)
    for epoch in range(plan.epochs):
        loss = loop.epoch(learnt.tokens, golds, random.Random(f"{plan.seed}/{epoch}"))
        predicted = loop.scores(tried.tokens)
        right = sum(row.index(max(row)) == gold for row, gold in zip(predicted, expected, strict=True))
        scores.append(right / len(expected))
        seconds = time.monotonic() - start
        say(f"epoch {epoch + 1}: loss {loss:.3f}, dev accuracy {100 * scores[-1]:.2f}, {seconds:.0f} s")
        if scores[-1] == max(scores) and scores.index(scores[-1]) == epoch:
            _keep(model, tokenizer, plan, folder, window)
        if epoch - scores.index(max(scores)) >= plan.patience:
            break
    return TrainingResult(tuple(scores), max(scores), time.monotonic() - start, learnt.cut)


class _Loop:
    """The moving parts of training."""

    def __init__(
        self, plan: TrainingPlan, model: PairClassifier, device: torch.device, padding: int, examples: int
    ) -> None:
        import torch

        self.plan, self.model, self.device, self.padding = plan, model, device, padding
        self.total = plan.epochs * math.ceil(examples / plan.batch)
        self.step = 0
        decayed = [weight for weight in model.parameters() if weight.ndim > 1]
        plain = [weight for weight in model.parameters() if weight.ndim <= 1]
        groups = [{"params": decayed, "weight_decay": 0.01}, {"params": plain, "weight_decay": 0.0}]
        self.optimizer: torch.optim.Optimizer = (
            torch.optim.AdamW(groups, lr=plan.lr)
            if plan.optimizer == "adamw"
            else torch.optim.Adagrad(model.parameters(), lr=plan.lr)
        )

    def rate(self) -> float:
        """The share of the highest learning rate at this step."""
        if self.plan.optimizer == "adagrad":
            return 1.0
        rising = max(1, round(self.plan.warmup * self.total))
        if self.step < rising:
            return (self.step + 1) / rising
        return max(0.0, (self.total - self.step) / max(1, self.total - rising))

    def epoch(self, tokens: Sequence[Tokens], golds: Sequence[int], order: random.Random) -> float:
        """See every pair once; gives the mean loss."""
        import torch

        self.model.train()
        losses = []
        for chosen in _buckets(tokens, self.plan.batch, order):
            for group in self.optimizer.param_groups:
                group["lr"] = self.plan.lr * self.rate()
            batch = pad([tokens[index] for index in chosen], self.padding, self.device)
            gold = torch.tensor([golds[index] for index in chosen], device=self.device)
            with torch.autocast(self.device.type, torch.bfloat16, enabled=self.device.type == "cuda"):
                loss = torch.nn.functional.cross_entropy(self.model(batch).float(), gold)
            self.optimizer.zero_grad(set_to_none=True)
            loss.backward()  # type: ignore[no-untyped-call,unused-ignore]
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.optimizer.step()
            self.step += 1
            losses.append(loss.detach())
        return float(torch.stack(losses).mean())

    def scores(self, tokens: Sequence[Tokens], budget: int = 65_536) -> list[list[float]]:
        """The scores of every input, in order."""
        self.model.eval()
        return network_scores(self.model, tokens, self.padding, self.device, budget)


def _buckets(tokens: Sequence[Tokens], size: int, order: random.Random) -> list[list[int]]:
    """Batches of like lengths in random order: shuffled, sorted inside stretches of 50 batches, shuffled again."""
    shuffled = list(range(len(tokens)))
    order.shuffle(shuffled)
    stretch = size * 50
    found: list[list[int]] = []
    for start in range(0, len(shuffled), stretch):
        near = sorted(shuffled[start : start + stretch], key=lambda index: len(tokens[index].ids))
        found.extend(near[place : place + size] for place in range(0, len(near), size))
    order.shuffle(found)
    return found


def _keep(model: PairClassifier, tokenizer: object, plan: TrainingPlan, folder: Path, window: int) -> None:
    from safetensors.torch import save_file

    weights = {name: tensor.detach().float().cpu().contiguous() for name, tensor in model.state_dict().items()}
    partial = folder / f".{WEIGHTS}.partial"
    save_file(weights, partial)
    model.encoder.config.save_pretrained(folder)  # type: ignore[union-attr,operator,unused-ignore]
    tokenizer.save_pretrained(folder)  # type: ignore[attr-defined]
    partial.replace(folder / WEIGHTS)
    write_json(folder / CONFIG, {"plan": asdict(plan), "classes": [str(item) for item in CLASSES], "window": window})
