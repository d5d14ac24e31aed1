"""An encoder with a two-layer head on its classification token (infotabs §6.2)."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import nn
from transformers import AutoConfig, AutoModel


class PairClassifier(nn.Module):  # type: ignore[misc,unused-ignore]
    """Any ``transformers`` encoder; the head's hidden layer has half the encoder's width."""

    def __init__(self, encoder: nn.Module, width: int, classes: int, *, dropout: float, pool: str) -> None:
        super().__init__()
        self.encoder = encoder
        self.pool = pool
        self.head = nn.Sequential(
            nn.Dropout(dropout),
            nn.Linear(width, width // 2),
            nn.Tanh(),
            nn.Dropout(dropout),
            nn.Linear(width // 2, classes),
        )

    @classmethod
    def pretrained(cls, folder: str, classes: int, *, dropout: float, pool: str) -> PairClassifier:
        """Start from the weights of a checkpoint folder."""
        encoder = AutoModel.from_pretrained(folder, dtype=torch.float32)
        return cls(encoder, int(encoder.config.hidden_size), classes, dropout=dropout, pool=pool)

    @classmethod
    def empty(cls, folder: Path, classes: int, *, dropout: float, pool: str) -> PairClassifier:
        """The same shape without weights, to be loaded from a checkpoint of ours."""
        config = AutoConfig.from_pretrained(folder)
        encoder = AutoModel.from_config(config)  # type: ignore[no-untyped-call,unused-ignore]
        return cls(encoder, int(config.hidden_size), classes, dropout=dropout, pool=pool)

    def forward(self, batch: dict[str, torch.Tensor]) -> torch.Tensor:
        """Scores of the classes."""
        states = self.encoder(**batch).last_hidden_state
        if self.pool == "mean":
            mask = batch["attention_mask"].unsqueeze(-1).to(states.dtype)
            pooled = (states * mask).sum(1) / mask.sum(1)
        else:
            pooled = states[:, 0]
        scores: torch.Tensor = self.head(pooled)
        return scores
