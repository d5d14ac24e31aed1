"""The base class of networks that can be trained, and the parameters they share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from nliprobe.base.errors import UsageError
from nliprobe.models.base import no_pair_vectors
from nliprobe.models.batches import CPU_BUDGET, Prepared
from nliprobe.models.checkpoint_files import checkpoint_origin
from nliprobe.models.origin import Origin
from nliprobe.task.case import Input
from nliprobe.task.labels import LabelSet

if TYPE_CHECKING:
    import numpy as np
    import torch
    from numpy.typing import NDArray

OPTIMIZERS = ("adamw", "adagrad")
PRECISIONS = ("bfloat16", "float32")


@dataclass(frozen=True, kw_only=True)
class TrainingPlan:
    """The training parameters of any network; each network adds its own, and its own defaults.

    Attributes:
        epochs: the most passes over the training pairs.
        lr: the highest learning rate.
        optimizer: ``adamw`` with warm-up and linear decay, or ``adagrad`` at a constant rate as in the seed.
        batch: pairs per step.
        warmup: the share of steps in which the learning rate rises.
        patience: epochs without a better dev accuracy before training stops.
        decay: the weight decay of ``adamw``; vectors and biases have none.
        clip: gradients are scaled down to this norm.
        precision: in which training computes on a GPU: ``bfloat16``, or ``float32``, which a CPU always uses.
        seed: the seed of the fresh weights and of the order of pairs.
        device: ``auto``, ``cpu``, ``cuda``.
    """

    epochs: int = 6
    lr: float = 1e-4
    optimizer: str = "adamw"
    batch: int = 32
    warmup: float = 0.1
    patience: int = 2
    decay: float = 0.01
    clip: float = 1.0
    precision: str = "bfloat16"
    seed: int = 0
    device: str = "auto"

    def __post_init__(self) -> None:
        """Refuse values with which nothing can be learnt."""
        if self.optimizer not in OPTIMIZERS:
            raise UsageError(f"The optimizer should be adamw or adagrad, not '{self.optimizer}'.")
        for name in ("epochs", "batch", "patience"):
            if getattr(self, name) < 1:
                raise UsageError(f"'{name}' should be at least 1, not {getattr(self, name)}.")
        if not 0 < self.lr < float("inf"):
            raise UsageError(f"'lr' should be a positive number, not {self.lr}.")
        if not 0 <= self.warmup <= 1:
            raise UsageError(f"'warmup' should be a share from 0 to 1, not {self.warmup}.")
        if not 0 <= self.decay < float("inf"):
            raise UsageError(f"'decay' should be 0 or a positive number, not {self.decay}.")
        if not self.clip > 0:
            raise UsageError(f"'clip' should be a positive number, not {self.clip}.")
        if self.precision not in PRECISIONS:
            raise UsageError(f"The precision should be {' or '.join(PRECISIONS)}, not '{self.precision}'.")


class Network(ABC):
    """A network that can be trained.

    Class attributes:
        plan_type: the dataclass of its parameters.
        represent: the representation it reads unless another is asked for.
        version: increased when the same plan gives a different network.
        starts_from: what the files are called from which its training starts.
        exact: whether it answers in float32 on a GPU, too; half of the digits make a large network faster.
        cpu_budget: how many tokens it reads at once on a CPU, where larger batches leave the caches.
    """

    plan_type: ClassVar[type[TrainingPlan]]
    represent: ClassVar[str] = "para"
    version: ClassVar[int] = 1
    starts_from: ClassVar[str] = "encoder"
    exact: ClassVar[bool] = False
    cpu_budget: ClassVar[int] = CPU_BUDGET

    def __init__(self, plan: Any) -> None:
        self.plan = plan

    @cached_property
    def origin(self) -> Origin:
        """The files of the checkpoint from which training starts; another one at the same path is another network.

        The checkpoint is what a plan calls its ``encoder``; a name on a hub has no files.
        """
        return checkpoint_origin(str(getattr(self.plan, "encoder", "")))

    def require_start(self) -> None:  # noqa: B027 (an encoder is looked for when it is loaded)
        """Raise an error if what training starts from is not there, before corpora are read."""

    def study(self, inputs: Sequence[Input], classes: Sequence[LabelSet]) -> None:  # noqa: B027 (most need nothing)
        """Take note of the training inputs and of the labels to tell apart, before :meth:`fresh` makes the network."""

    def remarks(self) -> list[str]:
        """Return what a user should know about the training inputs, once :meth:`study` has seen them."""
        return []

    @abstractmethod
    def fresh(self, classes: int) -> torch.nn.Module:
        """Return a network to be trained, from the checkpoint its plan names; the seed is already set."""

    @abstractmethod
    def shape(self, folder: Path, classes: int) -> torch.nn.Module:
        """Return the same network without its weights, which are then loaded from the folder of a trained one."""

    @abstractmethod
    def prepare(self, module: torch.nn.Module, inputs: Sequence[Input]) -> Prepared[Any]:
        """Return inputs as this network reads them."""

    @abstractmethod
    def forward(self, module: torch.nn.Module, items: Sequence[Any], device: torch.device) -> torch.Tensor:
        """Return the scores of the classes for prepared inputs."""

    def states(self, module: torch.nn.Module, items: Sequence[Any], device: torch.device) -> torch.Tensor:
        """Return one vector per prepared input: the last layer's, of the pair as the network reads it.

        Raises:
            UsageError: it does not give its last layer away.
        """
        raise no_pair_vectors(type(self).__name__.lower())

    def loss(
        self, module: torch.nn.Module, items: Sequence[Any], golds: torch.Tensor, device: torch.device
    ) -> torch.Tensor:
        """Return what training makes smaller: the cross-entropy of the classes, unless a network adds to it."""
        import torch

        return torch.nn.functional.cross_entropy(self.forward(module, items, device).float(), golds)

    def begin_epoch(  # noqa: B027 (most networks need nothing)
        self, module: torch.nn.Module, epoch: int, items: Sequence[Any], golds: Sequence[int], device: torch.device
    ) -> None:
        """Prepare an epoch, from the prepared inputs and the numbers of their classes."""

    def memory(self) -> dict[str, torch.Tensor]:
        """Return what :meth:`begin_epoch` made, so that training that was killed goes on with the same."""
        return {}

    def recall(self, memory: Mapping[str, torch.Tensor]) -> None:  # noqa: B027 (most networks have no memory)
        """Take back what :meth:`memory` returned."""

    def embed(self, module: torch.nn.Module, texts: Sequence[str], device: torch.device) -> NDArray[np.float32]:
        """Return one vector per text, if the network encodes each of its two texts alone.

        Raises:
            UsageError: it reads both together, so that one text alone has no vector.
        """
        raise UsageError(f"'{type(self).__name__.lower()}' reads premise and hypothesis together: it embeds no text.")

    @abstractmethod
    def keep(self, module: torch.nn.Module, folder: Path) -> None:
        """Write what the network needs besides its weights: configuration and vocabulary."""
