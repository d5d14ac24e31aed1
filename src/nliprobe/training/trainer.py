"""Train a network, with length buckets, bf16 on a GPU, early stopping on dev, and resuming after a kill."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from nliprobe.base.errors import DataError, ModelError, NliprobeError, StoreError, option
from nliprobe.base.files import refusing, sweep_partials, write_atomic
from nliprobe.base.hashing import digest
from nliprobe.base.interrupts import Interrupts
from nliprobe.models.base import Example
from nliprobe.models.batches import Prepared, choose_device, first_line, network_scores, require_torch
from nliprobe.models.learnable import learnable
from nliprobe.models.network import Network, TrainingPlan
from nliprobe.models.trained import WEIGHTS
from nliprobe.task.labels import LabelSet
from nliprobe.training.state import CHECKPOINT, TrainingState, load_state, save_state

if TYPE_CHECKING:
    import torch

# The most training that a kill may lose. Writing the state of MiniLM (0.27 GB with its optimizer) takes about a second.
SECONDS_BETWEEN_STATES = 60.0
# Reading a loss makes the GPU wait, so losses are read some at a time.
_LOSSES_AT_ONCE = 20
# Tokens per batch when dev is scored.
_BUDGET = 65_536


class Watcher(Protocol):
    """Is told how training proceeds."""

    def begin(self, steps: int, done: int) -> None:
        """Note that training begins, or resumes after some steps."""

    def advance(self, loss: float | None) -> None:
        """Note that a step was made."""

    def say(self, line: str) -> None:
        """Show a line."""


@dataclass(frozen=True)
class TrainingResult:
    """How training went.

    Attributes:
        dev: the accuracy on dev after each epoch; the weights of the best epoch are saved.
        seconds: how long it took, without pauses.
        cut: training pairs whose premise did not fit the window.
        unused: training pairs whose gold label cannot be learnt.
        classes: the labels that the network tells apart.
        losses: the mean training loss of each epoch.
        constant: the accuracy on dev of always giving the same answer, the best one.
        stopped: whether the user stopped it; the same command resumes.
    """

    dev: tuple[float, ...]
    seconds: float
    cut: int
    unused: int
    classes: tuple[LabelSet, ...]
    losses: tuple[float, ...] = ()
    constant: float = 0.0
    stopped: bool = False

    @property
    def best(self) -> float:
        """The accuracy of the saved weights on dev."""
        return max(self.dev, default=0.0)


def train_network(
    network: Network, train: Sequence[Example], dev: Sequence[Example], folder: Path, identity: str, watcher: Watcher
) -> TrainingResult:
    """Train, and save the best weights with what belongs to them in a folder; resumes after it was killed."""
    require_torch()
    import torch

    if not train or not dev:
        raise DataError("Training needs labelled pairs to learn from and others to stop by.")
    plan: TrainingPlan = network.plan
    classes, usable = learnable(train)
    if len(classes) < 2:
        raise DataError(f"There is nothing to tell apart: every training pair is {classes[0]}.")
    device = choose_device(plan.device)
    network.study([example.input for example in usable], classes)
    for line in network.remarks():
        watcher.say(line)
    torch.manual_seed(plan.seed)
    module = network.fresh(len(classes)).to(device)
    learnt = network.prepare(module, [example.input for example in usable])
    tried = network.prepare(module, [example.input for example in dev])
    # Training of the seed before may have taken hours.
    network.origin.require_unchanged(f"the {network.starts_from}")
    golds = [classes.index(example.gold) for example in usable]
    # An answer is right when it says no more than gold allows: a two-way gold accepts either of its labels.
    right = [[bool(gold <= example.gold) for gold in classes] for example in dev]
    constant = max(sum(column) for column in zip(*right, strict=True)) / len(right)
    loop = _Loop(network, module, device, len(usable))
    with refusing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    sweep_partials(folder)
    whole = digest(identity, network.origin.digest())
    state = load_state(folder, whole, network, module, loop.optimizer, device) or TrainingState(whole)
    loop.step = state.step
    watcher.begin(loop.total, state.step)

    def result(*, stopped: bool = False) -> TrainingResult:
        dev, losses, unused = tuple(state.dev), tuple(state.losses), len(train) - len(usable)
        return TrainingResult(dev, state.seconds, learnt.cut, unused, tuple(classes), losses, constant, stopped)

    with Interrupts("the current step") as interrupts:
        while state.epoch < plan.epochs and not _enough(state.dev, plan.patience):
            if not loop.epoch(learnt, golds, state, folder, watcher, interrupts):
                return result(stopped=True)
            started = time.monotonic()
            scores = loop.scores(tried)
            state.dev.append(sum(ok[row.index(max(row))] for row, ok in zip(scores, right, strict=True)) / len(right))
            if state.dev.index(max(state.dev)) == state.epoch:
                keep_weights(network, module, folder)
            loss = state.loss / max(1, state.batch)
            state.losses.append(loss)
            state.epoch, state.batch, state.loss = state.epoch + 1, 0, 0.0
            state.seconds += time.monotonic() - started
            save_state(folder, state, network, module, loop.optimizer, device)
            watcher.say(
                f"epoch {state.epoch}: loss {loss:.3f}, dev accuracy {100 * state.dev[-1]:.2f}, {state.seconds:.0f} s"
            )
    with refusing(folder / CHECKPOINT):
        (folder / CHECKPOINT).unlink(missing_ok=True)
    return result()


def keep_weights(network: Network, module: torch.nn.Module, folder: Path) -> None:
    """Write the weights, and next to them what belongs to the network."""
    from safetensors.torch import save

    try:
        network.keep(module, folder)
    except NliprobeError:
        raise
    except Exception as error:  # the tokenizer's library raises nothing more specific if a disk is full
        raise StoreError(f"Cannot write the network's files into {folder}: {first_line(error)}") from error
    weights = {name: tensor.detach().float().cpu().contiguous() for name, tensor in module.state_dict().items()}
    write_atomic(folder / WEIGHTS, save(weights))


def _enough(dev: Sequence[float], patience: int) -> bool:
    """Tell whether accuracy on dev has not risen for as many epochs as patience allows."""
    return bool(dev) and len(dev) - 1 - dev.index(max(dev)) >= patience


class _Loop:
    """The moving parts of training."""

    def __init__(self, network: Network, module: torch.nn.Module, device: torch.device, examples: int) -> None:
        self.network, self.module, self.device = network, module, device
        self.plan: TrainingPlan = network.plan
        self.total: int = self.plan.epochs * math.ceil(examples / self.plan.batch)
        self.step = 0
        self.optimizer = _optimizer(self.plan, module)
        self._learning = [weight for weight in module.parameters() if weight.requires_grad]

    def rate(self) -> float:
        """Return the share of the highest learning rate at this step."""
        if self.plan.optimizer == "adagrad":
            return 1.0
        rising = max(1, round(self.plan.warmup * self.total))
        if self.step < rising:
            return (self.step + 1) / rising
        return float(max(0.0, (self.total - self.step) / max(1, self.total - rising)))

    def epoch(
        self,
        prepared: Prepared[Any],
        golds: Sequence[int],
        state: TrainingState,
        folder: Path,
        watcher: Watcher,
        interrupts: Interrupts,
    ) -> bool:
        """Learn from every pair once, starting at the batch of the state; return False if the user wants to stop."""
        started = saved = time.monotonic()
        before = state.seconds
        if state.batch == 0:
            self.network.begin_epoch(self.module, state.epoch, prepared.items, golds, self.device)
        self.module.train()
        order = buckets(prepared.sizes, self.plan.batch, random.Random(f"{self.plan.seed}/{state.epoch}"))
        losses: list[torch.Tensor] = []  # with the norms of their gradients
        for chosen in order[state.batch :]:
            losses.append(self._learn([prepared.items[index] for index in chosen], [golds[index] for index in chosen]))
            state.batch += 1
            state.step = self.step
            now = time.monotonic()
            due = interrupts.wanted or now - saved > SECONDS_BETWEEN_STATES
            if due or len(losses) == _LOSSES_AT_ONCE or state.batch == len(order):
                state.loss += self._sum(losses, state)
                losses.clear()
            watcher.advance(state.loss / (state.batch - len(losses)) if state.batch > len(losses) else None)
            if due:
                state.seconds = before + now - started
                save_state(folder, state, self.network, self.module, self.optimizer, self.device)
                saved = now
                if interrupts.wanted:
                    return False
        state.seconds = before + time.monotonic() - started
        return True

    def scores(self, prepared: Prepared[Any]) -> list[list[float]]:
        """Return the scores of every input, in order."""
        self.module.eval()
        return network_scores(
            lambda items: self.network.forward(self.module, items, self.device),
            prepared,
            self.device,
            _BUDGET,
            exact=self.network.exact,
            cpu_budget=self.network.cpu_budget,
        )

    def _sum(self, losses: Sequence[torch.Tensor], state: TrainingState) -> float:
        """Return the sum of some losses; training with one that is no number stops before its state is saved.

        The same holds for gradients: with one that is no number the weights are none either from then on.
        """
        import torch

        values: list[list[float]] = torch.stack(list(losses)).tolist() if losses else []
        wrong = next((n for n, row in enumerate(values, 1) if not all(map(math.isfinite, row))), None)
        if wrong is not None:
            what = "The gradient of the loss" if math.isfinite(values[wrong - 1][0]) else "The loss"
            half = self.plan.precision == "bfloat16" and self.device.type == "cuda"
            raise ModelError(
                f"{what} is no longer a number at step {state.step - len(values) + wrong:,} (epoch {state.epoch + 1}), "
                f"so training stopped; {_kept(state)} Try a smaller learning rate (lr={self.plan.lr / 3:.1g}), a "
                f"smaller norm of gradients (clip={self.plan.clip / 2:g}){' or precision=float32' if half else ''}, "
                f"in another folder ({option('out')})."
            )
        return sum(loss for loss, _ in values)

    def _learn(self, items: Sequence[Any], golds: Sequence[int]) -> torch.Tensor:
        import torch

        for group in self.optimizer.param_groups:
            group["lr"] = self.plan.lr * self.rate()
        gold = torch.tensor(golds, device=self.device)
        half = self.device.type == "cuda" and self.plan.precision == "bfloat16"
        with torch.autocast(self.device.type, torch.bfloat16, enabled=half):
            loss = self.network.loss(self.module, items, gold, self.device)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call,unused-ignore]
        norm = torch.nn.utils.clip_grad_norm_(self._learning, self.plan.clip)
        self.optimizer.step()
        self.step += 1
        return torch.stack([loss.detach().float(), norm.detach().float()])


def _kept(state: TrainingState) -> str:
    """Say what a training that stops leaves behind."""
    if not state.dev:
        return "no epoch was complete, so there are no weights to keep."
    best = max(state.dev)
    return (
        f"the weights of epoch {state.dev.index(best) + 1}, the best before (dev accuracy {100 * best:.2f}), and the "
        "last sound state are kept."
    )


def _optimizer(plan: TrainingPlan, module: torch.nn.Module) -> torch.optim.Optimizer:
    import torch

    learning = [weight for weight in module.parameters() if weight.requires_grad]
    if plan.optimizer == "adagrad":
        return torch.optim.Adagrad(learning, lr=plan.lr)
    groups = [
        {"params": [weight for weight in learning if weight.ndim > 1], "weight_decay": plan.decay},
        {"params": [weight for weight in learning if weight.ndim <= 1], "weight_decay": 0.0},
    ]
    try:
        # One pass over the weights instead of ten: over 40,000 word vectors a step takes 10 ms on a core, not 90.
        return torch.optim.AdamW(groups, lr=plan.lr, fused=True)
    except RuntimeError:  # an older torch, or a device that has none
        return torch.optim.AdamW(groups, lr=plan.lr)


def buckets(sizes: Sequence[int], size: int, order: random.Random) -> list[list[int]]:
    """Return batches of similar lengths in random order: shuffled, sorted within 50 batches, shuffled again."""
    shuffled = list(range(len(sizes)))
    order.shuffle(shuffled)
    stretch = size * 50
    batches: list[list[int]] = []
    for start in range(0, len(shuffled), stretch):
        near = sorted(shuffled[start : start + stretch], key=lambda index: sizes[index])
        batches.extend(near[place : place + size] for place in range(0, len(near), size))
    order.shuffle(batches)
    return batches
