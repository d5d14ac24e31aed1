"""The torch module of ``dga``."""

from __future__ import annotations

import torch
from torch import nn

from nliprobe.models.zoo._characters import CharacterCnn, SpelledTexts, spelled_together
from nliprobe.models.zoo._layers import PairModule
from nliprobe.models.zoo._packing import Packing
from nliprobe.models.zoo._texts import compared, masked_max, masked_mean, masked_softmax

LAYERS = 3
# Where torch keeps the weights of each gate, in fourths of a layer's rows; the third is that of the new values.
_FOURTHS = {"input": 0, "forget": 1, "output": 3}
# As in the paper: characters have 15 numbers; the filters over them are 1, 3 and 5 wide, with 100 maps each.
_CHARACTER_WIDTH, _MAPS, _FILTERS = 15, 100, (1, 3, 5)


class DgaModule(PairModule):
    """Word embedding, stacked BiLSTMs, gated attention, classifier (Chen et al. 2017, RepEval).

    - a word is e_t = [its word vector; a CNN over its characters];
    - layer 1 reads e_t, each further layer [h_t of the layer before; e_t] (shortcut connections);
    - u = [mean of h_t; max of h_t; sum over t of g_t / (sum over j of g_j) * h_t] over the last layer, where g_t is the
      norm of its input gate i_t, of 1 - f_t of its forget gate, or of its output gate o_t, over both directions;
    - two hidden layers with ReLU over m = [u; v; |u - v|; u * v], the second of which reads m again.

    Shapes: a text is (texts, words, 2 * hidden) after each BiLSTM, u is (texts, 6 * hidden), m (texts, 24 * hidden).
    """

    def __init__(
        self, words: nn.Embedding, classes: int, *, hidden: int, layer: int, gate: str, dropout: float
    ) -> None:
        super().__init__()
        self.words = words
        self.gate = gate
        self.dropout = nn.Dropout(dropout)
        self.characters = CharacterCnn(_CHARACTER_WIDTH, _MAPS, _FILTERS)
        width = words.embedding_dim + _MAPS * len(_FILTERS)
        self.layers = nn.ModuleList(
            nn.LSTM(width + (2 * hidden if number else 0), hidden, batch_first=True, bidirectional=True)
            for number in range(LAYERS)
        )
        self.first = nn.Linear(24 * hidden, layer)
        self.second = nn.Linear(24 * hidden + layer, layer)
        self.score = nn.Linear(layer, classes)

    def encode(self, spelled: SpelledTexts) -> torch.Tensor:
        """Return the vector of each text: mean, maximum and gated attention of the last layer."""
        texts = spelled.texts
        vectors = torch.cat([self.words(spelled.words), self.characters(spelled.characters)], -1)
        # Its backward pass adds up the gradients of a repeated word faster than that of indexing.
        packing = Packing.of(texts.lengths, texts.mask.shape[1], texts.mask.device)
        words = self.dropout(nn.functional.embedding(packing.pack(texts.numbers), vectors))
        inputs, packed = words, packing.run(self.layers[0], words)
        for lstm in self.layers[1:]:
            inputs = torch.cat([packed, words], -1)
            packed = packing.run(lstm, inputs)
        states = packing.pad(packed)
        shares = gate_shares(gate_logarithms(self.layers[-1], self.gate, packing.pad(inputs), states), texts.mask)
        gated = (shares.unsqueeze(1) @ states).squeeze(1)
        return torch.cat([masked_mean(states, texts.mask), masked_max(states, texts.mask), gated], -1)

    def pooled(self, premises: SpelledTexts, hypotheses: SpelledTexts) -> torch.Tensor:
        """Return the second hidden layer."""
        encoded = self.encode(spelled_together(premises, hypotheses))
        pair = compared(encoded[: len(premises.texts.lengths)], encoded[len(premises.texts.lengths) :])
        first = self.dropout(self.first(pair).relu())
        second: torch.Tensor = self.dropout(self.second(torch.cat([pair, first], -1)).relu())
        return second


def gate_logarithms(lstm: nn.LSTM, gate: str, inputs: torch.Tensor, outputs: torch.Tensor) -> torch.Tensor:
    """Return log g_t of a BiLSTM at every word, (texts, words, 2 * hidden), where g_t is a gate, or 1 - f_t.

    The fast recurrent layers return no gates, but a gate depends only on what the layer read and on its output one
    word before (one word after, in the backward direction), so that all words can be computed at once.

    Args:
        lstm: one bidirectional layer.
        gate: ``input``, ``forget`` or ``output``.
        inputs: what it read, (texts, words, width).
        outputs: what it gave, (texts, words, 2 * hidden), with zeros after the end of each text, where the backward
            direction begins.
    """
    hidden = lstm.hidden_size
    rows = slice(_FOURTHS[gate] * hidden, (_FOURTHS[gate] + 1) * hidden)
    forward, backward = outputs.split(hidden, -1)
    before = nn.functional.pad(forward[:, :-1], (0, 0, 1, 0))
    after = nn.functional.pad(backward[:, 1:], (0, 0, 0, 1))
    sums = torch.cat(
        [
            nn.functional.linear(inputs, of_input[rows], of_input_bias[rows])
            + nn.functional.linear(state, of_state[rows], of_state_bias[rows])
            for state, (of_input, of_state, of_input_bias, of_state_bias) in zip(
                (before, after), lstm.all_weights, strict=True
            )
        ],
        -1,
    )
    # 1 - sigmoid(x) is sigmoid(-x).
    return nn.functional.logsigmoid(-sums if gate == "forget" else sums)


def gate_shares(logarithms: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """Return the norm of each word's gate as a share of the text's, (texts, words).

    From logarithms, because the squares of a gate that is closed everywhere may be too small to be told from 0.
    """
    return masked_softmax(torch.logsumexp(2 * logarithms, -1) / 2, mask, 1)
