"""The torch module of ``infersent``."""

from __future__ import annotations

import torch
from torch import nn

from nliprobe.models.zoo._layers import PairModule, tanh_head
from nliprobe.models.zoo._texts import Texts, apart, compared, masked_max, run_lstm, together


class InferSentModule(PairModule):
    """h_t = [LSTM forward; LSTM backward] over the words, u = max over t of h_t (Conneau et al. 2017, section 3.2.3).

    The classifier is theirs: a hidden layer over [u; v; |u - v|; u * v] (section 3.1). Shapes: a text is
    (texts, words) and becomes (texts, 2 * hidden).
    """

    def __init__(self, words: nn.Embedding, classes: int, *, hidden: int, layer: int, dropout: float) -> None:
        super().__init__()
        self.words = words
        self.lstm = nn.LSTM(words.embedding_dim, hidden, batch_first=True, bidirectional=True)
        self.score = tanh_head(8 * hidden, layer, classes, dropout)

    def encode(self, texts: Texts) -> torch.Tensor:
        """Return the vector of each text."""
        return masked_max(run_lstm(self.lstm, self.words(texts.numbers), texts.lengths), texts.mask)

    def pooled(self, premises: Texts, hypotheses: Texts) -> torch.Tensor:
        """Return how the vectors of both texts compare."""
        one, two = apart(self.encode(together(premises, hypotheses)), premises, hypotheses)
        return compared(one, two)
