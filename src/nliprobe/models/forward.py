"""Ways through a network, tokens in and scores out: with padding for any checkpoint, without for those like BERT."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, Protocol

from nliprobe.models.token_rows import TokenRows

if TYPE_CHECKING:
    import torch
    from transformers import PreTrainedModel

    from nliprobe.models.packed.encoder import PackedEncoder

# How far the first tokens of a packed batch may be from those of a padded one, as a share of their length. Rounding
# alone gives 1e-6, and 1 to 3 % in half precision; a layer that is computed otherwise, far more.
_TOLERANCES = {"float32": 1e-3, "float16": 0.05, "bfloat16": 0.1}
# How long the inputs are on which both ways are compared.
_COMPARED = (2, 3, 9, 26, 61)


class Forward(Protocol):
    """A way through a network.

    Attributes:
        packs: whether a batch costs its tokens, and not the longest of its inputs times their number.
        token_bytes: about how much memory a token of a batch takes on the device.
    """

    packs: bool
    token_bytes: int

    def scores(self, rows: TokenRows) -> torch.Tensor:
        """Return the scores of inputs, on the device."""
        ...

    def pair_states(self, rows: TokenRows) -> torch.Tensor:
        """Return one vector per input, on the device: the last state of its first token, which has read the pair."""
        ...


class Padded:
    """Asks a checkpoint as ``transformers`` does, with shorter inputs padded to the longest of a batch."""

    packs = False

    def __init__(self, model: PreTrainedModel, padding: int, device: torch.device, *, left: bool = False) -> None:
        self._model = model
        self._padding = padding
        self._left = left
        self._device = device
        self._sides = getattr(model.config, "type_vocab_size", 2)
        # Measured on BERT-base and DeBERTa: 30 to 50 numbers per number of a state, with the weights of attention.
        self.token_bytes = 50 * _width(model) * _bytes(model)

    def scores(self, rows: TokenRows) -> torch.Tensor:
        """Return the scores of inputs."""
        logits: torch.Tensor = self._model(**self._batch(rows)).logits
        return logits

    def pair_states(self, rows: TokenRows) -> torch.Tensor:
        """Return the last states of first tokens, or of last ones where only they have read the pair."""
        import torch

        batch = self._batch(rows)
        states: torch.Tensor = body_of(self._model)(**batch).last_hidden_state
        place = batch["attention_mask"].argmax(1)  # padding may be on the left
        if self._onward:
            place = place + batch["attention_mask"].sum(1) - 1
        return states[torch.arange(len(place), device=place.device), place]

    @cached_property
    def _onward(self) -> bool:
        return reads_onward(self._model, self._device)

    def _batch(self, rows: TokenRows) -> dict[str, torch.Tensor]:
        import torch

        ids, mask, types = rows.padded(self._padding, left=self._left)
        arrays = {"input_ids": ids, "attention_mask": mask.astype("int64")}
        # Some tokenizers mark sides that their network does not tell apart.
        if types is not None and self._sides > 1:
            arrays["token_type_ids"] = types
        return {name: torch.from_numpy(array).to(self._device) for name, array in arrays.items()}


class MeanStates(Padded):
    """Gives the mean of an encoder's last states over the tokens of each input, where a classifier gives scores."""

    def scores(self, rows: TokenRows) -> torch.Tensor:
        """Return the means."""
        batch = self._batch(rows)
        mask = batch["attention_mask"].unsqueeze(-1)
        states: torch.Tensor = self._model(**batch).last_hidden_state
        return (states * mask).sum(1) / mask.sum(1).clamp(min=1)


def body_of(model: PreTrainedModel) -> PreTrainedModel:
    """Return a checkpoint without its head; of one that also decodes, the half that reads."""
    body: PreTrainedModel = model.base_model
    return body.get_encoder() if model.config.is_encoder_decoder else body


def reads_onward(model: PreTrainedModel, device: torch.device) -> bool:
    """Tell whether a network reads from left to right, so that its first token knows nothing of what follows it."""
    import torch

    some = model.config.vocab_size // 2
    ids = torch.tensor([[some, some, some], [some, some - 1, some - 1]], device=device)
    with torch.inference_mode():
        first, other = body_of(model)(input_ids=ids, attention_mask=torch.ones_like(ids)).last_hidden_state[:, 0]
    return bool(torch.allclose(first, other, rtol=1e-4))


class Picked(NamedTuple):
    """The way that was picked, and what the user should know about it."""

    forward: Forward
    notes: list[str]


def pick_forward(
    model: PreTrainedModel, padding: int, device: torch.device, dtype: str, *, left: bool = False
) -> Picked:
    """Pick the fastest way that gives the same states as the padded one on a few inputs.

    Args:
        model: the checkpoint, on the device, with weights of the type.
        padding: the number of the padding token.
        device: where it is.
        dtype: float32, bfloat16 or float16.
        left: whether its tokenizer pads on the left.
    """
    padded = Padded(model, padding, device, left=left)
    if device.type == "cuda" and dtype == "float32":  # the kernel of packed attention computes in half precision only
        return Picked(padded, [])
    notes: list[str] = []
    for packed in _packed_ways(model, device):
        try:
            if _distance(packed, padded, model.config, packed.longest) < _TOLERANCES[dtype]:
                return Picked(packed, notes)
            notes = ["Batches are padded: without padding this checkpoint computes something else."]
        except Exception as error:  # no compiler for kernels, a GPU they do not know: the padded way remains
            notes = [f"A faster way to compute cannot be used here ({(str(error).splitlines() or ['?'])[0]})."]
    return Picked(padded, notes)


def is_packable(model: PreTrainedModel) -> bool:
    """Tell whether an encoder is of BERT's kind, and can be asked without padding on a GPU."""
    from nliprobe.models.packed.attention import has_gpu_attention
    from nliprobe.models.packed.parts import find_parts

    return has_gpu_attention() and find_parts(model) is not None


def _packed_ways(model: PreTrainedModel, device: torch.device) -> list[PackedEncoder]:
    from nliprobe.models.packed import arithmetic
    from nliprobe.models.packed.attention import has_gpu_attention
    from nliprobe.models.packed.encoder import PackedEncoder
    from nliprobe.models.packed.parts import find_parts

    parts = find_parts(model)
    if parts is None or (device.type == "cuda" and not has_gpu_attention()):
        return []
    plain = [PackedEncoder(parts, arithmetic.Plain(parts.activation), device)]
    if device.type == "cuda":
        return [PackedEncoder(parts, arithmetic.Fused(parts.activation), device), *plain]
    return plain


def _distance(one: Forward, other: Forward, config: object, longest: int) -> float:
    """Return how far apart the states of two ways are on inputs of random tokens, as a share of their length."""
    import numpy as np
    import torch

    draw = np.random.default_rng(0)
    sizes = [min(size, longest) for size in _COMPARED]
    ids = [draw.integers(0, config.vocab_size, size).tolist() for size in sizes]  # type: ignore[attr-defined]
    sides = getattr(config, "type_vocab_size", 1) > 1
    types = [[int(2 * place >= size) for place in range(size)] for size in sizes] if sides else None
    rows = TokenRows.from_lists(ids, types)
    with torch.inference_mode():
        states, expected = one.pair_states(rows).float(), other.pair_states(rows).float()
        distance = (states - expected).norm(dim=1) / expected.norm(dim=1).clamp(min=1e-6)
    return float(distance.max())


def _width(model: PreTrainedModel) -> int:
    return int(getattr(model.config, "hidden_size", 0) or getattr(model.config, "d_model", 1024))


def _bytes(model: PreTrainedModel) -> int:
    sizes: set[int] = {parameter.element_size() for parameter in model.parameters()}
    return max(sizes)
