"""The torch module of ``esim``, made of parts that ``kim`` uses, too."""

from __future__ import annotations

import torch
from torch import nn

from nliprobe.models.zoo._layers import PairModule, tanh_head
from nliprobe.models.zoo._texts import (
    Aligned,
    Texts,
    apart,
    masked_max,
    masked_mean,
    run_lstm,
    soft_align,
    states_together,
    together,
)


class EsimModule(PairModule):
    """Input encoding, local inference, inference composition (Chen et al. 2017, section 3).

    - input encoding: a_i, b_j = BiLSTM of the word vectors (equations 1 and 2);
    - local inference: e_ij = a_i · b_j (equation 11), ã and b̃ by soft alignment (equations 12 and 13),
      m_a = [a; ã; a - ã; a * ã], m_b likewise (equations 14 and 15);
    - composition: a projection to ``hidden`` numbers with ReLU, then a BiLSTM (equations 16 and 17);
    - pooling: v = [mean of a; max of a; mean of b; max of b] (equations 18 to 20), then a layer with tanh.

    Shapes: a text is (texts, words, 2 * hidden) after either BiLSTM; v is (texts, 8 * hidden).

    Args:
        words: the first layer.
        classes: to tell apart.
        hidden: the width of each direction of a BiLSTM, and of the other layers.
        dropout: the share of values that are set to zero in training.
        added: how many numbers a network that builds on this one adds to each m.
        pools: how many vectors it makes of each text.
    """

    def __init__(
        self, words: nn.Embedding, classes: int, *, hidden: int, dropout: float, added: int = 0, pools: int = 2
    ) -> None:
        super().__init__()
        self.words = words
        self.dropout = nn.Dropout(dropout)
        self.read = nn.LSTM(words.embedding_dim, hidden, batch_first=True, bidirectional=True)
        self.project = nn.Sequential(nn.Linear(8 * hidden + added, hidden), nn.ReLU())
        self.compose = nn.LSTM(hidden, hidden, batch_first=True, bidirectional=True)
        self.score = tanh_head(2 * pools * 2 * hidden, hidden, classes, dropout)

    def pooled(self, premises: Texts, hypotheses: Texts) -> torch.Tensor:
        """Return v, the pools of both texts."""
        one, two = self.encoded(premises, hypotheses)
        aligned = soft_align(one @ two.transpose(1, 2), one, two, premises, hypotheses)
        composed = self.composed(enhanced(one, aligned.one), enhanced(two, aligned.two), premises, hypotheses)
        return torch.cat([*pools(composed.one, premises), *pools(composed.two, hypotheses)], -1)

    def encoded(self, premises: Texts, hypotheses: Texts) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the words of both texts in their contexts."""
        both = together(premises, hypotheses)
        states = run_lstm(self.read, self.dropout(self.words(both.numbers)), both.lengths)
        return apart(states, premises, hypotheses)

    def composed(self, one: torch.Tensor, two: torch.Tensor, premises: Texts, hypotheses: Texts) -> Aligned:
        """Return the words of both texts with what they are aligned with, in their contexts."""
        both = states_together(self.dropout(self.project(one)), self.dropout(self.project(two)))
        states = run_lstm(self.compose, both, torch.cat([premises.lengths, hypotheses.lengths]))
        return Aligned(*apart(states, premises, hypotheses))


def enhanced(states: torch.Tensor, aligned: torch.Tensor) -> torch.Tensor:
    """Return [a; ã; a - ã; a * ã] (equations 14 and 15)."""
    return torch.cat([states, aligned, states - aligned, states * aligned], -1)


def pools(states: torch.Tensor, texts: Texts) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the mean and the maximum over the words of each text (equations 18 and 19)."""
    return masked_mean(states, texts.mask), masked_max(states, texts.mask)
