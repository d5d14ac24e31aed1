"""The torch module of ``tabattn``: decomposable attention (attend, compare, aggregate)."""

from __future__ import annotations

import torch
from torch import nn

from nliprobe.models.zoo._layers import PairModule, relu_layers
from nliprobe.models.zoo._texts import masked_softmax

_KINDS = 3


class TableAttention(PairModule):
    """Aligns each side softly with the other, compares it with what it is aligned to, and sums up."""

    def __init__(self, encoder: nn.Module, hidden: int, classes: int, dropout: float) -> None:
        super().__init__()
        width = int(encoder.config.hidden_size)  # type: ignore[union-attr,arg-type,unused-ignore]
        self.encoder = encoder.requires_grad_(requires_grad=False)
        self.norm = nn.LayerNorm(width)
        self.project = nn.Linear(width, hidden, bias=False)
        self.kind = nn.Embedding(_KINDS, hidden)
        self.attend = relu_layers(hidden, hidden, dropout)
        self.compare = relu_layers(2 * hidden, hidden, dropout)
        self.aggregate = relu_layers(2 * hidden, hidden, dropout)
        self.score = nn.Linear(hidden, classes)

    def train(self, mode: bool = True) -> TableAttention:  # noqa: FBT001 (the signature of torch)
        """Switch between learning and answering; the encoder only ever answers."""
        super().train(mode)
        self.encoder.eval()
        return self

    def pooled(
        self,
        premise: torch.Tensor,
        premise_kinds: torch.Tensor,
        premise_mask: torch.Tensor,
        hypothesis: torch.Tensor,
        hypothesis_kinds: torch.Tensor,
        hypothesis_mask: torch.Tensor,
    ) -> torch.Tensor:
        """Return what the comparisons add up to."""
        one = self.project(self.norm(premise)) + self.kind(premise_kinds)
        two = self.project(self.norm(hypothesis)) + self.kind(hypothesis_kinds)
        affinity = self.attend(one) @ self.attend(two).transpose(1, 2)
        to_two = masked_softmax(affinity, hypothesis_mask.unsqueeze(1), 2) @ two
        to_one = masked_softmax(affinity, premise_mask.unsqueeze(2), 1).transpose(1, 2) @ one
        left = self.compare(torch.cat([one, to_two], -1)) * premise_mask.unsqueeze(-1)
        right = self.compare(torch.cat([two, to_one], -1)) * hypothesis_mask.unsqueeze(-1)
        # Sums grow with the table; means keep a table of thirty rows on the scale of one of three.
        left = left.sum(1) / premise_mask.sum(1, keepdim=True)
        right = right.sum(1) / hypothesis_mask.sum(1, keepdim=True)
        pooled: torch.Tensor = self.aggregate(torch.cat([left, right], -1))
        return pooled
