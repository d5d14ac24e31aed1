"""The torch module of ``kim``."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import nn

from nliprobe.language.relations import FEATURES, feature_table
from nliprobe.models.zoo._esim import EsimModule, enhanced, pools
from nliprobe.models.zoo._texts import Texts, alignment, masked_softmax

_UP, _DOWN = FEATURES.index("hypernymy"), FEATURES.index("hyponymy")


class Related(NamedTuple):
    """The related words of a batch.

    Attributes:
        places: of each, in the batch, in its premise and in its hypothesis, (3, related words).
        codes: how they are related, (related words,); see :func:`nliprobe.language.relations.feature_table`.
    """

    places: torch.Tensor
    codes: torch.Tensor


class KimModule(EsimModule):
    """ESIM with what WordNet knows about each pair of words, r_ij and r_ji (Chen et al. 2018, section 3).

    - co-attention: e_ij = a_i · b_j + λ 1[r_ij has a feature], shares α and β by softmax (section 3.2);
    - local inference: m_a = G([a; ã; a - ã; a * ã; Σ_j α_ij r_ij]), m_b with β and r_ji; G has ReLU (section 3.3);
    - composition: besides mean and maximum a weighted mean of each text, with the weights
      softmax(H(Σ_j α_ij r_ij)), where H has one layer with ReLU (section 3.4).

    Shapes: r is (texts, words of the premise, words of the hypothesis, 5), v is (texts, 12 * hidden).

    Args:
        words: the first layer.
        classes: to tell apart.
        hidden: the width of each direction of a BiLSTM, and of the other layers.
        dropout: the share of values that are set to zero in training.
        knowledge: λ.
    """

    def __init__(self, words: nn.Embedding, classes: int, *, hidden: int, dropout: float, knowledge: float) -> None:
        super().__init__(words, classes, hidden=hidden, dropout=dropout, added=len(FEATURES), pools=3)
        self.knowledge = knowledge
        self.weigh = nn.Sequential(nn.Linear(len(FEATURES), 1), nn.ReLU())
        self.features: torch.Tensor
        # It is part of the code, not of what is learnt.
        self.register_buffer("features", torch.tensor(feature_table()), persistent=False)

    def pooled(self, premises: Texts, hypotheses: Texts, related: Related) -> torch.Tensor:  # type: ignore[override]
        """Return v, the pools of both texts."""
        one, two = self.encoded(premises, hypotheses)
        codes = torch.zeros(one.shape[:2] + two.shape[1:2], dtype=torch.long, device=one.device)
        codes[tuple(related.places)] = related.codes
        shares = alignment(one @ two.transpose(1, 2) + self.knowledge * (codes > 0), premises, hypotheses)
        relations = self.features[codes]
        of_one = _known(shares.one, relations)
        of_two = _known(shares.two, turned(relations))
        composed = self.composed(
            torch.cat([enhanced(one, shares.one @ two), of_one], -1),
            torch.cat([enhanced(two, shares.two @ one), of_two], -1),
            premises,
            hypotheses,
        )
        pooled = [
            *pools(composed.one, premises),
            self._weighted(composed.one, of_one, premises),
            *pools(composed.two, hypotheses),
            self._weighted(composed.two, of_two, hypotheses),
        ]
        return torch.cat(pooled, -1)

    def _weighted(self, states: torch.Tensor, known: torch.Tensor, texts: Texts) -> torch.Tensor:
        weights = masked_softmax(self.weigh(known).squeeze(-1), texts.mask, 1)
        return (weights.unsqueeze(1) @ states).squeeze(1)


def turned(relations: torch.Tensor) -> torch.Tensor:
    """Return r_ji for r_ij: what lies above a word has it below; the other relations hold both ways."""
    order = list(range(len(FEATURES)))
    order[_UP], order[_DOWN] = _DOWN, _UP
    return relations.transpose(1, 2)[..., order]


def _known(shares: torch.Tensor, relations: torch.Tensor) -> torch.Tensor:
    """Return Σ_j α_ij r_ij, (texts, words, 5)."""
    return (shares.unsqueeze(-1) * relations).sum(2)
