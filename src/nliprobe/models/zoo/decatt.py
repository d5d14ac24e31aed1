"""``decatt``: decomposable attention (Parikh et al. 2016)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from nliprobe.models.network import TrainingPlan
from nliprobe.models.zoo import NETWORKS
from nliprobe.models.zoo._word_network import WordNetwork, WordPlan

if TYPE_CHECKING:
    import torch


@dataclass(frozen=True, kw_only=True)
class DecAttPlan(WordPlan):
    """The parameters of ``decatt``; its paper has 200 units, and word vectors that are not learnt."""

    epochs: int = 12
    lr: float = 2e-3
    batch: int = 256
    hidden: int = 200
    dropout: float = 0.1
    train_words: bool = False


@NETWORKS.register("decatt")
class DecAtt(WordNetwork):
    """Aligns the words of both texts, compares each word with what it is aligned with, and adds the comparisons up.

    It knows no order of words.
    """

    plan_type: ClassVar[type[TrainingPlan]] = DecAttPlan
    plan: DecAttPlan

    def module(self, words: torch.nn.Embedding, classes: int) -> torch.nn.Module:
        """Return the network with fresh weights."""
        from nliprobe.models.zoo._decatt import DecAttModule

        return DecAttModule(words, classes, hidden=self.plan.hidden, dropout=self.plan.dropout)
