"""The torch module that becomes a graph."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import nn

from nliprobe.models.zoo._pair_classifier import PairClassifier


class GraphModule(nn.Module):  # type: ignore[misc,unused-ignore]
    """A network that takes its tensors in order and returns nothing but scores."""

    def __init__(self, network: nn.Module, names: Sequence[str]) -> None:
        super().__init__()
        self.network = network
        self.names = tuple(names)

    def forward(self, *tensors: torch.Tensor) -> torch.Tensor:
        """Return the scores of the classes."""
        batch = dict(zip(self.names, tensors, strict=True))
        if isinstance(self.network, PairClassifier):
            scores: torch.Tensor = self.network(batch)
        else:
            scores = self.network(**batch).logits
        return scores
