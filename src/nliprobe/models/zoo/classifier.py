"""``classifier``: any encoder of ``transformers`` with a two-layer head (infotabs §6.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from nliprobe.base.errors import UsageError
from nliprobe.models.batches import Prepared, Tokens, encode, load_encoder, load_tokenizer, pad
from nliprobe.models.network import Network, TrainingPlan
from nliprobe.models.zoo import NETWORKS
from nliprobe.task.case import Input

if TYPE_CHECKING:
    import torch
    from transformers import PreTrainedTokenizerBase

POOLS = ("cls", "mean")


@dataclass(frozen=True, kw_only=True)
class ClassifierPlan(TrainingPlan):
    """The parameters of ``classifier``.

    The seed trained with ``optimizer=adagrad&lr=1e-4&pool=cls`` and a dropout of 0.2.

    Attributes:
        encoder: a checkpoint folder (or name) of ``transformers``.
        dropout: the dropout of the head.
        pool: ``cls`` as in the seed, or ``mean`` over tokens, which suits encoders of sentence vectors.
        max_length: the window in tokens.
        allow_bin: whether the encoder may be read from ``.bin`` files, which are pickles and can run code.
    """

    encoder: str = ""
    dropout: float = 0.2
    pool: str = "cls"
    max_length: int = 512
    allow_bin: bool = False

    def __post_init__(self) -> None:
        """Refuse what cannot be built."""
        super().__post_init__()
        if not self.encoder:
            raise UsageError("'classifier' needs a checkpoint to start from, as in classifier?encoder=path/to/folder.")
        if self.pool not in POOLS:
            raise UsageError(f"The pooling should be cls or mean, not '{self.pool}'.")
        if not 0 <= self.dropout < 1:
            raise UsageError(f"'dropout' should be a share from 0 to 1, not {self.dropout}.")


@NETWORKS.register("classifier")
class Classifier(Network):
    """An encoder that reads premise and hypothesis in one sequence, and a head whose hidden layer is half as wide."""

    plan_type: ClassVar[type[TrainingPlan]] = ClassifierPlan
    plan: ClassifierPlan

    def fresh(self, classes: int) -> torch.nn.Module:
        """Return a network with the checkpoint's weights and a fresh head."""
        from nliprobe.models.zoo._pair_classifier import PairClassifier

        encoder = load_encoder(self.plan.encoder, allow_bin=self.plan.allow_bin)
        return PairClassifier(encoder, classes, dropout=self.plan.dropout, pool=self.plan.pool)

    def shape(self, folder: Path, classes: int) -> torch.nn.Module:
        """Return the same network without weights."""
        from nliprobe.models.zoo._pair_classifier import PairClassifier

        self._place = str(folder)
        encoder = load_encoder(str(folder), empty=True)
        return PairClassifier(encoder, classes, dropout=self.plan.dropout, pool=self.plan.pool)

    def prepare(self, module: torch.nn.Module, inputs: Sequence[Input]) -> Prepared[Tokens]:
        """Return token ids; the end of a premise that does not fit the window is cut."""
        window = min(self.plan.max_length, self._tokenizer.model_max_length)
        return encode(self._tokenizer, inputs, window)

    def forward(self, module: torch.nn.Module, items: Sequence[Tokens], device: torch.device) -> torch.Tensor:
        """Return the scores of the classes."""
        scores: torch.Tensor = module(self._batch(items, device))
        return scores

    def states(self, module: torch.nn.Module, items: Sequence[Tokens], device: torch.device) -> torch.Tensor:
        """Return the encoder's vector of each pair, which the head reads."""
        states: torch.Tensor = module.pooled(self._batch(items, device))  # type: ignore[operator,unused-ignore]
        return states

    def keep(self, module: torch.nn.Module, folder: Path) -> None:
        """Write the encoder's configuration and its tokenizer."""
        module.encoder.config.save_pretrained(folder)  # type: ignore[union-attr,operator,unused-ignore]
        self._tokenizer.save_pretrained(folder)

    _place = ""

    def _batch(self, items: Sequence[Tokens], device: torch.device) -> dict[str, torch.Tensor]:
        return pad(items, self._tokenizer.pad_token_id or 0, device)

    @cached_property
    def _tokenizer(self) -> PreTrainedTokenizerBase:
        return load_tokenizer(self._place or self.plan.encoder)
