"""Batches of texts as numbers of words, and the masked layers that networks over words share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import torch
from torch import nn

from nliprobe.models.vocabulary import PADDING
from nliprobe.models.zoo._packing import Packing

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Texts(NamedTuple):
    """A batch of texts.

    Attributes:
        numbers: of the words, (texts, longest), padded with 0.
        mask: where there is a word, (texts, longest).
        lengths: (texts,), on the CPU, where recurrent layers want them.
    """

    numbers: torch.Tensor
    mask: torch.Tensor
    lengths: torch.Tensor


def padded_rows(
    rows: Sequence[NDArray[np.int32]], filling: int, least: int = 0
) -> tuple[NDArray[np.int64], NDArray[np.bool_], NDArray[np.int64]]:
    """Return rows of numbers as one array, filled up to the longest or to ``least``, with its mask and lengths."""
    import numpy as np

    lengths = np.fromiter((len(row) for row in rows), dtype=np.int64, count=len(rows))
    mask = np.arange(max(least, int(lengths.max()))) < lengths[:, None]
    numbers = np.full(mask.shape, filling, dtype=np.int64)
    numbers[mask] = np.concatenate(rows)
    return numbers, mask, lengths


def texts_batch(rows: Sequence[NDArray[np.int32]], device: torch.device, least: int = 0) -> Texts:
    """Return texts as a batch, padded to the longest of them, or to ``least``."""
    numbers, mask, lengths = padded_rows(rows, PADDING, least)
    return Texts(
        torch.from_numpy(numbers).to(device, non_blocking=True),
        torch.from_numpy(mask).to(device, non_blocking=True),
        torch.from_numpy(lengths),
    )


def together(one: Texts, two: Texts) -> Texts:
    """Return two batches as one, so that a layer reads both at once; :func:`apart` undoes it."""
    longest = max(one.numbers.shape[1], two.numbers.shape[1])
    return Texts(
        torch.cat([_widened(one.numbers, longest), _widened(two.numbers, longest)]),
        torch.cat([_widened(one.mask, longest), _widened(two.mask, longest)]),
        torch.cat([one.lengths, two.lengths]),
    )


def states_together(one: torch.Tensor, two: torch.Tensor) -> torch.Tensor:
    """Return the states of two batches, (texts, words, width), as one batch."""
    longest = max(one.shape[1], two.shape[1])
    wide = [nn.functional.pad(states, (0, 0, 0, longest - states.shape[1])) for states in (one, two)]
    return torch.cat(wide)


def apart(states: torch.Tensor, one: Texts, two: Texts) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the states of two batches that were read together, each as long as its own longest text."""
    first, second = states[: len(one.lengths)], states[len(one.lengths) :]
    return (first, second) if states.ndim == 2 else (first[:, : one.mask.shape[1]], second[:, : two.mask.shape[1]])


def run_lstm(lstm: nn.LSTM, states: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
    """Return the outputs of a recurrent layer, (texts, longest, width); it stops at the end of each text."""
    packing = Packing.of(lengths, states.shape[1], states.device)
    return packing.pad(packing.run(lstm, packing.pack(states)))


def masked_mean(states: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """Return the mean over the words of each text, (texts, width)."""
    kept = mask.unsqueeze(-1).to(states.dtype)
    return (states * kept).sum(1) / kept.sum(1)


def masked_max(states: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """Return the maximum over the words of each text, (texts, width)."""
    return states.masked_fill(~mask.unsqueeze(-1), float("-inf")).amax(1)


def masked_softmax(scores: torch.Tensor, mask: torch.Tensor, dim: int) -> torch.Tensor:
    """Return shares along a dimension, in at least float32; what is masked has none."""
    precise = scores.to(torch.promote_types(scores.dtype, torch.float32))
    return precise.masked_fill(~mask, float("-inf")).softmax(dim).to(scores.dtype)


def soft_align(scores: torch.Tensor, one: torch.Tensor, two: torch.Tensor, first: Texts, second: Texts) -> Aligned:
    """Return for each word of either text the mean of the other text's words, weighted by their scores.

    Args:
        scores: of each pair of words, (texts, words of one, words of two).
        one: the states of the first texts, (texts, words, width); ``two`` those of the second.
        first: the first batch, for its mask; ``second`` likewise.
    """
    shares = alignment(scores, first, second)
    return Aligned(shares.one @ two, shares.two @ one)


def alignment(scores: torch.Tensor, first: Texts, second: Texts) -> Aligned:
    """Return how much each word of either text is aligned with each of the other's: (texts, words, other's words)."""
    of_one = masked_softmax(scores, second.mask.unsqueeze(1), 2)
    of_two = masked_softmax(scores, first.mask.unsqueeze(2), 1).transpose(1, 2)
    return Aligned(of_one, of_two)


class Aligned(NamedTuple):
    """What belongs to the words of the first and of the second texts, (texts, words, width) each."""

    one: torch.Tensor
    two: torch.Tensor


def compared(one: torch.Tensor, two: torch.Tensor) -> torch.Tensor:
    """Return two vectors, their absolute difference and their product side by side (Conneau et al. 2017, 3.1)."""
    return torch.cat([one, two, (one - two).abs(), one * two], -1)


def _widened(tensor: torch.Tensor, longest: int) -> torch.Tensor:
    return nn.functional.pad(tensor, (0, longest - tensor.shape[1]))
