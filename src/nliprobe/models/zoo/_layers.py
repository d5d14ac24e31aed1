"""Stacks of layers that several networks have; the places of their weights are part of what trained folders hold."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn


class PairModule(nn.Module):  # type: ignore[misc,unused-ignore]
    """A network that makes one vector of a pair, from which its attribute ``score`` makes the scores of the classes."""

    score: nn.Module

    def pooled(self, *given: Any) -> torch.Tensor:
        """Return the vector of each pair that ``score`` reads."""
        raise NotImplementedError

    def forward(self, *given: Any) -> torch.Tensor:
        """Return the scores of the classes."""
        scores: torch.Tensor = self.score(self.pooled(*given))
        return scores

    def states(self, *given: Any) -> torch.Tensor:
        """Return the last layer before the scores: of a ``score`` with hidden layers, its last one."""
        pooled = self.pooled(*given)
        return self.score[:-1](pooled) if isinstance(self.score, nn.Sequential) else pooled


def relu_layers(width: int, hidden: int, dropout: float) -> nn.Sequential:
    """Return two layers with ReLU, each after dropout (the feed-forward networks of Parikh et al. 2016)."""
    return nn.Sequential(
        nn.Dropout(dropout), nn.Linear(width, hidden), nn.ReLU(),
        nn.Dropout(dropout), nn.Linear(hidden, hidden), nn.ReLU(),
    )  # fmt: skip


def tanh_head(width: int, hidden: int, classes: int, dropout: float) -> nn.Sequential:
    """Return a hidden layer with tanh and the scores of the classes, each after dropout."""
    return nn.Sequential(
        nn.Dropout(dropout), nn.Linear(width, hidden), nn.Tanh(),
        nn.Dropout(dropout), nn.Linear(hidden, classes),
    )  # fmt: skip
