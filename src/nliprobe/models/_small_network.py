"""Decomposable attention in numpy: what ``models/zoo/_decatt.py`` computes with torch, without torch.

What depends on a word alone is computed once per distinct word, not once per occurrence: its projection, its layers of
*attend*, and its share of the first layer of *compare*. That layer is linear in the aligned words, so that its weights
can be applied to each word before the words are averaged, and per occurrence only the second layer is left.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from nliprobe.models.vocabulary import EMPTY

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Text: TypeAlias = Sequence[int]
# Texts of similar lengths are computed together, so many words at once including padding: more leave the caches. On two
# cores SNLI dev takes the same time from 2,048 to 8,192 words, and half as long again with 32,768.
WORDS_AT_ONCE = 4096
# The place of the token for nothing among the distinct words: it begins every text, and fills its end under the mask.
_NOTHING = 0
# Names of the tensors as the torch network has them; the second number is the place of a layer in its sequence.
_LAYERS = ("attend.1", "attend.4", "compare.1", "compare.4", "aggregate.1", "aggregate.4", "score")


class Tensors(NamedTuple):
    """The name and shape of every tensor of a network."""

    words: int
    width: int
    hidden: int
    classes: int = 3

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Return the shape of each tensor by its name."""
        inputs = (self.hidden, self.hidden, 2 * self.hidden, self.hidden, 2 * self.hidden, self.hidden, self.hidden)
        shapes: dict[str, tuple[int, ...]] = {
            "words.weight": (self.words, self.width),
            "project.weight": (self.hidden, self.width),
        }
        for name, width in zip(_LAYERS, inputs, strict=True):
            outputs = self.classes if name == "score" else self.hidden
            shapes |= {f"{name}.weight": (outputs, width), f"{name}.bias": (outputs,)}
        return shapes


class _Words(NamedTuple):
    """What is known of each distinct word: how it attends, and what it adds to the first layer of *compare*."""

    attend: NDArray[np.float32]
    own: NDArray[np.float32]
    aligned: NDArray[np.float32]


class SmallNetwork:
    """The forward pass over numbers of words, in float32.

    Args:
        tensors: the weights by their names in the torch network; word vectors may be integers, since each is read at
            length 1.
    """

    def __init__(self, tensors: Mapping[str, NDArray[np.generic]]) -> None:
        import numpy as np

        self._vectors = tensors["words.weight"]
        self._project = tensors["project.weight"].astype(np.float32).T
        self._weights = {name: tensors[f"{name}.weight"].astype(np.float32).T for name in _LAYERS}
        self._biases = {name: tensors[f"{name}.bias"].astype(np.float32) for name in _LAYERS}

    @property
    def width(self) -> int:
        """The number of values in the last layer before the scores."""
        return int(self._biases["aggregate.4"].shape[0])

    def probabilities(
        self, premises: Sequence[Sequence[int]], hypotheses: Sequence[Sequence[int]]
    ) -> list[list[float]]:
        """Return the probabilities of the classes for each pair of texts, in order."""
        import numpy as np

        if not premises:
            return []
        logits = self.states(premises, hypotheses) @ self._weights["score"] + self._biases["score"]
        shares = np.exp(logits - logits.max(1, keepdims=True)).astype(np.float64)
        rows: list[list[float]] = (shares / shares.sum(1, keepdims=True)).tolist()
        return rows

    def states(self, premises: Sequence[Sequence[int]], hypotheses: Sequence[Sequence[int]]) -> NDArray[np.float32]:
        """Return the last layer before the scores for each pair of texts, in order; there is at least one pair."""
        import numpy as np

        known, places = np.unique(
            np.fromiter((number for rows in (premises, hypotheses) for row in rows for number in row), np.int64),
            return_inverse=True,
        )
        words = self._read(np.concatenate([[EMPTY], known]))
        first, second = _ragged(premises, places + 1, 0), _ragged(hypotheses, places + 1, sum(map(len, premises)))
        order = np.lexsort((second.lengths, first.lengths))
        states = np.empty((len(premises), self.width), dtype=np.float32)
        for chosen in _batches(first.lengths[order], second.lengths[order]):
            at = order[chosen]
            states[at] = self._states(words, *first.padded(at), *second.padded(at))
        return states

    def _read(self, numbers: NDArray[np.int64]) -> _Words:
        import numpy as np

        vectors: NDArray[np.float32] = self._vectors[numbers].astype(np.float32)
        # As torch does: a vector of zeros, such as that of padding, stays as it is.
        vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
        words: NDArray[np.float32] = vectors @ self._project
        layer = self._weights["compare.1"]
        own, aligned = layer[: words.shape[1]], layer[words.shape[1] :]
        return _Words(self._layers("attend", words), words @ own + self._biases["compare.1"], words @ aligned)

    def _states(
        self,
        words: _Words,
        one: NDArray[np.int64],
        first: NDArray[np.bool_],
        two: NDArray[np.int64],
        second: NDArray[np.bool_],
    ) -> NDArray[np.float32]:
        """Return the last layer of a batch before its scores: places of words, and where they are no padding."""
        import numpy as np

        scores = words.attend[one] @ words.attend[two].transpose(0, 2, 1)
        of_one = _softmax(scores, second[:, None, :], 2) @ words.aligned[two]
        of_two = _softmax(scores, first[:, :, None], 1).transpose(0, 2, 1) @ words.aligned[one]
        sums = [self._compare(words.own[one], of_one, first), self._compare(words.own[two], of_two, second)]
        return self._layers("aggregate", np.concatenate(sums, axis=1))

    def _compare(
        self, own: NDArray[np.float32], aligned: NDArray[np.float32], mask: NDArray[np.bool_]
    ) -> NDArray[np.float32]:
        """Return the sum of the comparisons of each text's words, (texts, hidden)."""
        import numpy as np

        aligned += own
        np.maximum(aligned, 0, out=aligned)
        states = aligned.reshape(-1, aligned.shape[-1]) @ self._weights["compare.4"]
        states += self._biases["compare.4"]
        np.maximum(states, 0, out=states)
        return (mask.astype(np.float32)[:, None, :] @ states.reshape(aligned.shape))[:, 0]

    def _layers(self, name: str, states: NDArray[np.float32]) -> NDArray[np.float32]:
        import numpy as np

        for place in ("1", "4"):
            layer = f"{name}.{place}"
            states = states @ self._weights[layer] + self._biases[layer]
            np.maximum(states, 0, out=states)
        return states


class _Ragged(NamedTuple):
    """Texts of any length, one after the other, each with where it starts and how long it is."""

    words: NDArray[np.int64]
    starts: NDArray[np.int64]
    lengths: NDArray[np.int64]

    def padded(self, chosen: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Return some texts with the token for nothing before each, filled up to the longest, and where words are."""
        import numpy as np

        lengths = self.lengths[chosen]
        columns = np.arange(int(lengths.max()) + 1)
        mask = columns <= lengths[:, None]
        places = np.where(mask, np.maximum(self.starts[chosen][:, None] + columns - 1, 0), 0)
        words = np.where(mask, self.words[places], _NOTHING)
        words[:, 0] = _NOTHING
        return words, mask


def _ragged(texts: Sequence[Text], places: NDArray[np.int64], start: int) -> _Ragged:
    import numpy as np

    lengths = np.fromiter(map(len, texts), np.int64, count=len(texts))
    ends = np.cumsum(lengths)
    return _Ragged(places[start : start + int(ends[-1])], ends - lengths, lengths)


def _batches(first: NDArray[np.int64], second: NDArray[np.int64]) -> list[slice]:
    """Return stretches of sorted texts that are computed together."""
    import numpy as np

    sizes = first + second + 2
    stretches: list[slice] = []
    start = 0
    while start < len(sizes):
        longest = np.maximum.accumulate(sizes[start : start + WORDS_AT_ONCE])
        fitting = int(np.searchsorted(longest * np.arange(1, len(longest) + 1), WORDS_AT_ONCE, side="right"))
        stretches.append(slice(start, start + max(1, fitting)))
        start = stretches[-1].stop
    return stretches


def _softmax(scores: NDArray[np.float32], mask: NDArray[np.bool_], axis: int) -> NDArray[np.float32]:
    """Return shares along an axis; what is masked has none."""
    import numpy as np

    shares = np.where(mask, scores, -np.inf)
    shares -= shares.max(axis, keepdims=True)
    np.exp(shares, out=shares)
    shares /= shares.sum(axis, keepdims=True)
    return shares
