"""An encoder of BERT's kind over packed tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nliprobe.base.errors import UsageError
from nliprobe.models.packed.arithmetic import Arithmetic
from nliprobe.models.packed.attention import Attention, Borders, on_gpu, one_by_one
from nliprobe.models.packed.parts import Dense, Layer, Parts

if TYPE_CHECKING:
    import numpy as np
    import torch
    from numpy.typing import NDArray

    from nliprobe.models.token_rows import TokenRows


class PackedEncoder:
    """Computes scores of inputs, and the last states of their first tokens, from packed tokens."""

    packs = True

    def __init__(self, parts: Parts, arithmetic: Arithmetic, device: torch.device) -> None:
        self._parts = parts
        self._arithmetic = arithmetic
        self._device = device
        self._attend: Attention = on_gpu if device.type == "cuda" else one_by_one
        self.longest = parts.longest
        weight, bias = parts.layers[-1].reading
        # In the last layer only first tokens ask, so queries are apart from keys and values.
        self._asking = Dense(weight[: parts.width], bias[: parts.width])
        self._asked = Dense(weight[parts.width :], bias[parts.width :])
        # At the widest point of a layer: the wide states before and after their activation, and five states beside.
        wide = parts.layers[-1].widening.weight.shape[0]
        self.token_bytes = parts.words.element_size() * (2 * wide + 5 * parts.width)

    def scores(self, rows: TokenRows) -> torch.Tensor:
        """Return the scores of inputs, on the device."""
        return self._parts.head(self.pair_states(rows))

    def pair_states(self, rows: TokenRows) -> torch.Tensor:
        """Return the last states of the inputs' first tokens, on the device.

        The last layer computes only these; all other tokens it merely attends to.
        """
        states, borders = self._begin(rows)
        for layer in self._parts.layers[:-1]:
            states = self._layer(layer, states, borders)
        return self._last_layer(states, borders)

    def _begin(self, rows: TokenRows) -> tuple[torch.Tensor, Borders]:
        from torch.nn.functional import embedding, layer_norm

        parts = self._parts
        self._check(rows)
        starts = self._put(rows.starts.astype("int32"))
        borders = Borders(starts, rows.starts.tolist(), int(rows.sizes.max()))
        states = embedding(self._put(rows.ids), parts.words)
        states += embedding(self._put(positions(rows, parts.padding)), parts.positions)
        states += (
            parts.sides[0] if rows.types is None else embedding(self._put(rows.types.astype("int32")), parts.sides)
        )
        norm = parts.embedded
        return layer_norm(states, (parts.width,), norm.weight, norm.bias, norm.eps), borders

    def _check(self, rows: TokenRows) -> None:
        """Refuse tokens that the embeddings do not have: on a GPU nothing could be computed any more afterwards."""
        parts = self._parts
        sides = 0 if rows.types is None else int(rows.types.max(initial=0))
        if int(rows.ids.max(initial=0)) >= len(parts.words) or sides >= len(parts.sides):
            raise UsageError(
                f"The tokenizer gives tokens up to number {int(rows.ids.max(initial=0))} and sides up to {sides}, but "
                f"the checkpoint has {len(parts.words)} tokens and {len(parts.sides)} sides: they do not go together."
            )

    def _put(self, array: NDArray[np.generic]) -> torch.Tensor:
        """Copy an array to the device without waiting for it."""
        import torch

        tensor = torch.from_numpy(array)
        return tensor.pin_memory().to(self._device, non_blocking=True) if self._device.type == "cuda" else tensor

    def _layer(self, layer: Layer, states: torch.Tensor, borders: Borders) -> torch.Tensor:
        read = self._arithmetic.product(states, layer.reading).view(len(states), 3, self._parts.heads, -1)
        mixed = self._attend(read[:, 0], read[:, 1], read[:, 2], borders, borders)
        return self._feed_forward(layer, states, mixed)

    def _last_layer(self, states: torch.Tensor, borders: Borders) -> torch.Tensor:
        import torch

        count, heads = len(borders.on_host) - 1, self._parts.heads
        first = states[borders.starts[:-1].long()]
        query = self._arithmetic.product(first, self._asking).view(count, heads, -1)
        read = self._arithmetic.product(states, self._asked).view(len(states), 2, heads, -1)
        every = torch.arange(count + 1, dtype=torch.int32, device=self._device)
        mixed = self._attend(query, read[:, 0], read[:, 1], Borders(every, list(range(count + 1)), 1), borders)
        return self._feed_forward(self._parts.layers[-1], first, mixed)

    def _feed_forward(self, layer: Layer, states: torch.Tensor, mixed: torch.Tensor) -> torch.Tensor:
        parts = self._arithmetic
        states = parts.add_norm(mixed.reshape(len(states), -1), layer.mixing, states, layer.after_attention)
        wide = parts.activate(states, layer.widening)
        return parts.add_norm(wide, layer.narrowing, states, layer.after_feed_forward)


def positions(rows: TokenRows, padding: int | None) -> NDArray[np.int32]:
    """Return the position of each token in its input, counted as the checkpoint was trained to."""
    import numpy as np

    if padding is None:
        return (np.arange(len(rows.ids)) - np.repeat(rows.starts[:-1], rows.sizes)).astype(np.int32)
    # Fairseq counts tokens that are not padding; a text may spell the padding token.
    real = rows.ids != padding
    counted = np.cumsum(real)
    before = np.concatenate([[0], counted])[rows.starts[:-1]]
    return np.where(real, counted - np.repeat(before, rows.sizes) + padding, padding).astype(np.int32)
