"""Batches of texts with the characters of their words, and the layer that reads characters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import torch
from torch import nn

from nliprobe.models.zoo._spellings import CHARACTERS, Spellings
from nliprobe.models.zoo._texts import Texts, texts_batch, together

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class SpelledTexts(NamedTuple):
    """A batch of texts over the distinct words that occur in it, so that each of them is read once.

    Attributes:
        texts: the words as places among the distinct ones, the first of which is padding.
        words: the numbers of the distinct words in the vocabulary, (words,).
        characters: those of the distinct words, (words, longest), padded with 0.
    """

    texts: Texts
    words: torch.Tensor
    characters: torch.Tensor


def spelled_batch(rows: Sequence[NDArray[np.int32]], spellings: Spellings, device: torch.device) -> SpelledTexts:
    """Return texts, given as rows of the spellings, as a batch."""
    import numpy as np

    ends = np.cumsum([len(row) for row in rows])
    distinct, places = np.unique(np.concatenate([np.zeros(1, dtype=np.int32), *rows]), return_inverse=True)
    words, characters = spellings.take(distinct)
    return SpelledTexts(
        texts_batch(np.split(places[1:].astype(np.int32), ends[:-1]), device),
        torch.from_numpy(words.astype(np.int64)).to(device, non_blocking=True),
        torch.from_numpy(characters.astype(np.int64)).to(device, non_blocking=True),
    )


def spelled_together(one: SpelledTexts, two: SpelledTexts) -> SpelledTexts:
    """Return two batches as one, so that a layer reads both at once."""
    shifted = two.texts._replace(numbers=(two.texts.numbers + len(one.words)) * two.texts.mask)
    longest = max(one.characters.shape[1], two.characters.shape[1])
    wide = [nn.functional.pad(side.characters, (0, longest - side.characters.shape[1])) for side in (one, two)]
    return SpelledTexts(together(one.texts, shifted), torch.cat([one.words, two.words]), torch.cat(wide))


class CharacterCnn(nn.Module):  # type: ignore[misc,unused-ignore]
    """Filters of several widths over the characters of a word, each followed by its maximum over all positions.

    A filter is centred on each character in turn and sees zeros before and after the word. Shapes: (words, characters)
    becomes (words, widths * maps).
    """

    def __init__(self, width: int, maps: int, widths: Sequence[int]) -> None:
        super().__init__()
        self.embed = nn.Embedding(CHARACTERS, width, padding_idx=0)
        self.filters = nn.ModuleList(nn.Conv1d(width, maps, size, padding=size // 2) for size in widths)

    def forward(self, characters: torch.Tensor) -> torch.Tensor:
        """Return one vector per word; a word without a character has zeros."""
        vectors = self.embed(characters).transpose(1, 2)
        padding = (characters == 0).unsqueeze(1)
        highest = [layer(vectors).masked_fill(padding, float("-inf")).amax(2) for layer in self.filters]
        return torch.cat(highest, -1).relu()
