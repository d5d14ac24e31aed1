"""The base class of networks that can be trained, and the parameters they share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from nliprobe.base.errors import UsageError
from nliprobe.models.batches import Prepared
from nliprobe.models.checkpoint_files import checkpoint_origin
from nliprobe.models.origin import Origin
from nliprobe.task.case import Input

if TYPE_CHECKING:
    import torch

OPTIMIZERS = ("adamw", "adagrad")


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
        seed: the seed of the fresh weights and of the order of pairs.
        device: ``auto``, ``cpu``, ``cuda``.
    """

    epochs: int = 6
    lr: float = 1e-4
    optimizer: str = "adamw"
    batch: int = 32
    warmup: float = 0.1
    patience: int = 2
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


class Network(ABC):
    """A network that can be trained.

    Class attributes:
        plan_type: the dataclass of its parameters.
        represent: the representation it reads unless another is asked for.
        version: increased when the same plan gives a different network.
    """

    plan_type: ClassVar[type[TrainingPlan]]
    represent: ClassVar[str] = "para"
    version: ClassVar[int] = 1

    def __init__(self, plan: Any) -> None:
        self.plan = plan

    @cached_property
    def origin(self) -> Origin:
        """The files of the checkpoint from which training starts; another one at the same path is another network.

        The checkpoint is what a plan calls its ``encoder``; a name on a hub has no files.
        """
        return checkpoint_origin(str(getattr(self.plan, "encoder", "")))

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

    @abstractmethod
    def keep(self, module: torch.nn.Module, folder: Path) -> None:
        """Write what the network needs besides its weights: configuration and vocabulary."""
