"""The torch module of ``classifier``."""

from __future__ import annotations

import torch
from torch import nn

from nliprobe.models.zoo._layers import tanh_head


class PairClassifier(nn.Module):  # type: ignore[misc,unused-ignore]
    """Any ``transformers`` encoder with a head whose hidden layer has half the encoder's width."""

    def __init__(self, encoder: nn.Module, classes: int, *, dropout: float, pool: str) -> None:
        super().__init__()
        width = int(encoder.config.hidden_size)  # type: ignore[union-attr,arg-type,unused-ignore]
        self.encoder = encoder
        self.pool = pool
        self.head = tanh_head(width, width // 2, classes, dropout)

    def forward(self, batch: dict[str, torch.Tensor]) -> torch.Tensor:
        """Return the scores of the classes."""
        scores: torch.Tensor = self.head(self.pooled(batch))
        return scores

    def pooled(self, batch: dict[str, torch.Tensor]) -> torch.Tensor:
        """Return the encoder's vector of each pair, which the head reads."""
        states = self.encoder(**batch).last_hidden_state
        if self.pool == "mean":
            mask = batch["attention_mask"].unsqueeze(-1).to(states.dtype)
            pooled: torch.Tensor = (states * mask).sum(1) / mask.sum(1)
        else:
            pooled = states[:, 0]
        return pooled
