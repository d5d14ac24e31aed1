"""An encoder of BERT's kind over packed tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from nliprobe.base.errors import UsageError
from nliprobe.models.packed.arithmetic import Arithmetic
from nliprobe.models.packed.attention import Attention, Borders, on_gpu, one_by_one
from nliprobe.models.packed.parts import Dense, Layer, Norm, Parts

if TYPE_CHECKING:
    import numpy as np
    import torch
    from numpy.typing import NDArray

    from nliprobe.models.token_rows import TokenRows


class _Layer(NamedTuple):
    """A layer whose products are in the form that an arithmetic takes."""

    reading: Any
    mixing: Any
    after_attention: Norm
    widening: Any
    narrowing: Any
    after_feed_forward: Norm

    @classmethod
    def of(cls, layer: Layer, arithmetic: Arithmetic[Any, Any]) -> _Layer:
        return cls(*(arithmetic.dense(part) if isinstance(part, Dense) else part for part in layer))


class _Last(NamedTuple):
    """The last layer's queries, which only first tokens have, apart from its keys and values."""

    asking: Any
    asked: Any

    @classmethod
    def of(cls, layer: Layer, width: int, arithmetic: Arithmetic[Any, Any]) -> _Last:
        weight, bias = layer.reading
        parts = (Dense(weight[:width], bias[:width]), Dense(weight[width:], bias[width:]))
        return cls(*map(arithmetic.dense, parts))


class PackedEncoder:
    """Computes scores of inputs, and the last states of their first tokens, from packed tokens."""

    packs = True

    def __init__(self, parts: Parts, arithmetic: Arithmetic[Any, Any], device: torch.device) -> None:
        self._parts = parts
        self._arithmetic = arithmetic
        self._device = device
        self._attend: Attention = on_gpu if device.type == "cuda" else one_by_one
        self._layers = [_Layer.of(layer, arithmetic) for layer in parts.layers]
        self._last = _Last.of(parts.layers[-1], parts.width, arithmetic)
        # At the widest point of a layer: the wide states before and after their activation, and five states beside.
        wide = parts.layers[-1].widening.weight.shape[0]
        self.token_bytes = parts.words.element_size() * (2 * wide + 5 * parts.width)

    def scores(self, rows: TokenRows) -> torch.Tensor:
        """Return the scores of inputs, on the device."""
        return self._parts.head(self.first_states(rows))

    def first_states(self, rows: TokenRows) -> torch.Tensor:
        """Return the last states of the inputs' first tokens, on the device.

        The last layer computes only these; all other tokens it merely attends to.
        """
        states, borders = self._begin(rows)
        operand = self._arithmetic.operand(states)
        for layer in self._layers[:-1]:
            states, operand = self._layer(layer, states, operand, borders)
        return self._last_layer(states, operand, borders)

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

    def _layer(self, layer: _Layer, states: torch.Tensor, operand: Any, borders: Borders) -> tuple[torch.Tensor, Any]:
        parts, count = self._arithmetic, len(states)
        read = parts.product(operand, layer.reading).view(count, 3, self._parts.heads, -1)
        mixed = self._attend(read[:, 0], read[:, 1], read[:, 2], borders, borders)
        return self._feed_forward(layer, states, mixed.reshape(count, -1))

    def _last_layer(self, states: torch.Tensor, operand: Any, borders: Borders) -> torch.Tensor:
        import torch

        count, heads, last = len(borders.on_host) - 1, self._parts.heads, self._last
        chosen = states[borders.starts[:-1].long()]
        query = self._arithmetic.product(self._arithmetic.operand(chosen), last.asking).view(count, heads, -1)
        read = self._arithmetic.product(operand, last.asked).view(len(states), 2, heads, -1)
        every = torch.arange(count + 1, dtype=torch.int32, device=self._device)
        single = Borders(every, list(range(count + 1)), 1)
        mixed = self._attend(query, read[:, 0], read[:, 1], single, borders)
        return self._feed_forward(self._layers[-1], chosen, mixed.reshape(count, -1))[0]

    def _feed_forward(self, layer: _Layer, states: torch.Tensor, mixed: torch.Tensor) -> tuple[torch.Tensor, Any]:
        parts = self._arithmetic
        states, operand = parts.add_norm(parts.operand(mixed), layer.mixing, states, layer.after_attention)
        wide = parts.activate(operand, layer.widening)
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
