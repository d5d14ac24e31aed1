"""Stacks of layers that several networks have; the places of their weights are part of what trained folders hold."""

from __future__ import annotations

from torch import nn


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
