"""``infersent``: a BiLSTM with max pooling encodes each text alone (Conneau et al. 2017)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from nliprobe.models.network import TrainingPlan
from nliprobe.models.zoo import NETWORKS
from nliprobe.models.zoo._word_network import WordNetwork, WordPlan

if TYPE_CHECKING:
    import torch


@dataclass(frozen=True, kw_only=True)
class InferSentPlan(WordPlan):
    """The parameters of ``infersent``; its paper has 2,048 units per direction over 300 numbers per word.

    Attributes:
        hidden: units of the BiLSTM per direction.
        layer: units of the hidden layer of the classifier.
    """

    epochs: int = 5
    hidden: int = 512
    layer: int = 512


@NETWORKS.register("infersent")
class InferSent(WordNetwork):
    """Encodes premise and hypothesis with the same BiLSTM, takes the maximum over words, and compares both vectors."""

    plan_type: ClassVar[type[TrainingPlan]] = InferSentPlan
    encodes: ClassVar[bool] = True
    plan: InferSentPlan

    def module(self, words: torch.nn.Embedding, classes: int) -> torch.nn.Module:
        """Return the network with fresh weights."""
        from nliprobe.models.zoo._infersent import InferSentModule

        plan = self.plan
        return InferSentModule(words, classes, hidden=plan.hidden, layer=plan.layer, dropout=plan.dropout)
