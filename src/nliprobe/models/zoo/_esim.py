"""The torch module of ``esim``."""

from __future__ import annotations

import torch
from torch import nn

from nliprobe.models.zoo._texts import Texts, apart, masked_max, masked_mean, run_lstm, soft_align, together


class EsimModule(nn.Module):  # type: ignore[misc,unused-ignore]
    """Input encoding, local inference, inference composition (Chen et al. 2017, section 3).

    - input encoding: a_i, b_j = BiLSTM of the word vectors (equations 1 and 2);
    - local inference: e_ij = a_i · b_j (equation 11), ã and b̃ by soft alignment (equations 12 and 13),
      m_a = [a; ã; a - ã; a * ã], m_b likewise (equations 14 and 15);
    - composition: a projection to ``hidden`` numbers with ReLU, then a BiLSTM (equations 16 and 17);
    - pooling: v = [mean of a; max of a; mean of b; max of b] (equations 18 to 20), then a layer with tanh.

    Shapes: a text is (texts, words, 2 * hidden) after either BiLSTM; v is (texts, 8 * hidden).
    """

    def __init__(self, words: nn.Embedding, classes: int, *, hidden: int, dropout: float) -> None:
        super().__init__()
        self.words = words
        self.dropout = nn.Dropout(dropout)
        self.read = nn.LSTM(words.embedding_dim, hidden, batch_first=True, bidirectional=True)
        self.project = nn.Sequential(nn.Linear(8 * hidden, hidden), nn.ReLU())
        self.compose = nn.LSTM(hidden, hidden, batch_first=True, bidirectional=True)
        self.score = nn.Sequential(
            nn.Dropout(dropout),
            nn.Linear(8 * hidden, hidden),
            nn.Tanh(),
            nn.Dropout(dropout),
            nn.Linear(hidden, classes),
        )

    def forward(self, premises: Texts, hypotheses: Texts) -> torch.Tensor:
        """Return the scores of the classes."""
        both = together(premises, hypotheses)
        encoded = run_lstm(self.read, self.dropout(self.words(both.numbers)), both.lengths)
        one, two = apart(encoded, premises, hypotheses)
        aligned = soft_align(one @ two.transpose(1, 2), one, two, premises, hypotheses)
        composed = (
            self._composed(enhanced(one, aligned.one), premises),
            self._composed(enhanced(two, aligned.two), hypotheses),
        )
        pooled = [
            part
            for states, texts in zip(composed, (premises, hypotheses), strict=True)
            for part in (masked_mean(states, texts.mask), masked_max(states, texts.mask))
        ]
        scores: torch.Tensor = self.score(torch.cat(pooled, -1))
        return scores

    def _composed(self, states: torch.Tensor, texts: Texts) -> torch.Tensor:
        return run_lstm(self.compose, self.dropout(self.project(states)), texts.lengths)


def enhanced(states: torch.Tensor, aligned: torch.Tensor) -> torch.Tensor:
    """Return [a; ã; a - ã; a * ã] (equations 14 and 15)."""
    return torch.cat([states, aligned, states - aligned, states * aligned], -1)
