"""``esim``: enhanced sequential inference (Chen et al. 2017, "Enhanced LSTM for Natural Language Inference")."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from nliprobe.models.network import TrainingPlan
from nliprobe.models.zoo import NETWORKS
from nliprobe.models.zoo._word_network import WordNetwork, WordPlan

if TYPE_CHECKING:
    import torch


@dataclass(frozen=True, kw_only=True)
class EsimPlan(WordPlan):
    """The parameters of ``esim``; its paper has 300 units everywhere, and a dropout of 0.5."""

    epochs: int = 8
    batch: int = 256
    dropout: float = 0.3


@NETWORKS.register("esim")
class Esim(WordNetwork):
    """Reads each text with a BiLSTM, aligns their words, and reads the aligned words with a second BiLSTM."""

    plan_type: ClassVar[type[TrainingPlan]] = EsimPlan
    plan: EsimPlan

    def module(self, words: torch.nn.Embedding, classes: int) -> torch.nn.Module:
        """Return the network with fresh weights."""
        from nliprobe.models.zoo._esim import EsimModule

        return EsimModule(words, classes, hidden=self.plan.hidden, dropout=self.plan.dropout)
