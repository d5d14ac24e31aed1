"""``cbow``: each text is the mean of its word vectors (Williams et al. 2018, section 3; the seed's CBOW)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from nliprobe.models.network import TrainingPlan
from nliprobe.models.zoo import NETWORKS
from nliprobe.models.zoo._word_network import WordNetwork, WordPlan

if TYPE_CHECKING:
    import torch


@dataclass(frozen=True, kw_only=True)
class CbowPlan(WordPlan):
    """The parameters of ``cbow``; three hidden layers of 300 units as in its paper."""


@NETWORKS.register("cbow")
class Cbow(WordNetwork):
    """Compares the mean word vectors of both texts: no order of words, no alignment.

    What it cannot know (who did what to whom) it has to guess, so every stronger network should beat it on a probe
    that needs order.
    """

    plan_type: ClassVar[type[TrainingPlan]] = CbowPlan
    encodes: ClassVar[bool] = True
    plan: CbowPlan

    def module(self, words: torch.nn.Embedding, classes: int) -> torch.nn.Module:
        """Return the network with fresh weights."""
        from nliprobe.models.zoo._cbow import CbowModule

        return CbowModule(words, classes, hidden=self.plan.hidden, dropout=self.plan.dropout)
