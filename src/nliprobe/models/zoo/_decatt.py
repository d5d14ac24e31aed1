"""The torch module of ``decatt``."""

from __future__ import annotations

import torch
from torch import nn

from nliprobe.models.vocabulary import EMPTY
from nliprobe.models.zoo._layers import PairModule, relu_layers
from nliprobe.models.zoo._texts import Texts, soft_align


class DecAttModule(PairModule):
    """Attend, compare, aggregate (Parikh et al. 2016, section 3).

    Word vectors of length 1 are projected to ``hidden`` numbers (section 4), and a token that stands for nothing begins
    each text, so that a word may be aligned with nothing.

    - attend: e_ij = F(a_i) · F(b_j) (equation 1), beta_i = Σ_j softmax(e_ij) b_j, alpha_j likewise (equation 2);
    - compare: v1_i = G([a_i; beta_i]), v2_j = G([b_j; alpha_j]) (equation 3);
    - aggregate: v1 = Σ_i v1_i, v2 = Σ_j v2_j (equation 4), scores = H([v1; v2]) (equation 5).

    Shapes: a text is (texts, words + 1, hidden) until its comparisons are added up to (texts, hidden).
    """

    def __init__(self, words: nn.Embedding, classes: int, *, hidden: int, dropout: float) -> None:
        super().__init__()
        self.words = words
        self.project = nn.Linear(words.embedding_dim, hidden, bias=False)
        self.attend = relu_layers(hidden, hidden, dropout)
        self.compare = relu_layers(2 * hidden, hidden, dropout)
        self.aggregate = relu_layers(2 * hidden, hidden, dropout)
        self.score = nn.Linear(hidden, classes)

    def pooled(self, premises: Texts, hypotheses: Texts) -> torch.Tensor:
        """Return what the comparisons add up to."""
        first, second = _with_nothing(premises), _with_nothing(hypotheses)
        one, two = self._read(first), self._read(second)
        aligned = soft_align(self.attend(one) @ self.attend(two).transpose(1, 2), one, two, first, second)
        left = self.compare(torch.cat([one, aligned.one], -1)) * first.mask.unsqueeze(-1)
        right = self.compare(torch.cat([two, aligned.two], -1)) * second.mask.unsqueeze(-1)
        pooled: torch.Tensor = self.aggregate(torch.cat([left.sum(1), right.sum(1)], -1))
        return pooled

    def _read(self, texts: Texts) -> torch.Tensor:
        projected: torch.Tensor = self.project(nn.functional.normalize(self.words(texts.numbers), dim=-1))
        return projected


def _with_nothing(texts: Texts) -> Texts:
    """Return texts with the token for nothing before their first word."""
    numbers = nn.functional.pad(texts.numbers, (1, 0), value=EMPTY)
    return Texts(numbers, nn.functional.pad(texts.mask, (1, 0), value=True), texts.lengths + 1)
