"""The torch module of ``cbow``."""

from __future__ import annotations

import torch
from torch import nn

from nliprobe.models.zoo._layers import PairModule
from nliprobe.models.zoo._texts import Texts, compared, masked_mean


class CbowModule(PairModule):
    """u, v = the means of the word vectors; [u; v; |u - v|; u * v] goes through three layers.

    Shapes: a text is (texts, words) and becomes (texts, width); the layers take 4 * width.
    """

    def __init__(self, words: nn.Embedding, classes: int, *, hidden: int, dropout: float) -> None:
        super().__init__()
        self.words = words
        layers: list[nn.Module] = []
        for width in (4 * words.embedding_dim, hidden, hidden):
            layers += [nn.Dropout(dropout), nn.Linear(width, hidden), nn.ReLU()]
        self.score = nn.Sequential(*layers, nn.Dropout(dropout), nn.Linear(hidden, classes))

    def encode(self, texts: Texts) -> torch.Tensor:
        """Return the mean word vector of each text."""
        return masked_mean(self.words(texts.numbers), texts.mask)

    def pooled(self, premises: Texts, hypotheses: Texts) -> torch.Tensor:
        """Return how the vectors of both texts compare."""
        return compared(self.encode(premises), self.encode(hypotheses))
