"""The weights of an encoder, found in a checkpoint of ``transformers`` whose computation is known to be BERT's."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import torch
    from transformers import PreTrainedModel

# Encoders with the layers of BERT. Those after it count positions from the number of the padding token, as fairseq did.
_FROM_ZERO = frozenset({"bert", "electra"})
_FROM_PADDING = frozenset({"roberta", "xlm-roberta", "camembert"})
_ACTIVATIONS = frozenset({"gelu", "relu"})


class Dense(NamedTuple):
    """A linear layer."""

    weight: torch.Tensor
    bias: torch.Tensor


class Norm(NamedTuple):
    """A layer normalisation."""

    weight: torch.Tensor
    bias: torch.Tensor
    eps: float


class Layer(NamedTuple):
    """One layer; queries, keys and values are one product."""

    reading: Dense
    mixing: Dense
    after_attention: Norm
    widening: Dense
    narrowing: Dense
    after_feed_forward: Norm


class Parts(NamedTuple):
    """An encoder with its head.

    Attributes:
        words, positions, sides: the three embeddings, which are added.
        embedded: their normalisation.
        layers: the layers, in order.
        heads: heads of attention per layer.
        activation: the name of the function between the products of the feed-forward part.
        padding: the number from which positions are counted; none if they are counted from 0.
        head: gives the scores of inputs from the last states of their first tokens.
    """

    words: torch.Tensor
    positions: torch.Tensor
    sides: torch.Tensor
    embedded: Norm
    layers: tuple[Layer, ...]
    heads: int
    activation: str
    padding: int | None
    head: Callable[[torch.Tensor], torch.Tensor]

    @property
    def width(self) -> int:
        """How many numbers a token has."""
        return int(self.words.shape[1])

    @property
    def longest(self) -> int:
        """How many positions there are."""
        return int(self.positions.shape[0]) - (0 if self.padding is None else self.padding + 1)


def find_parts(model: PreTrainedModel) -> Parts | None:
    """Return the parts of a classifier, or none if its encoder is of another kind or was changed.

    What was changed (an adapter, another precision inside a layer, cross-attention) shows in the type of a module.
    """
    config = model.config
    kind = config.model_type
    body = getattr(model, model.base_model_prefix, None)
    if kind not in _FROM_ZERO | _FROM_PADDING or body is None or config.hidden_act not in _ACTIVATIONS:
        return None
    if getattr(config, "position_embedding_type", None) not in (None, "absolute"):
        return None
    if getattr(config, "is_decoder", False) or getattr(body, "embeddings_project", None) is not None:
        return None
    try:
        embeddings = body.embeddings
        tables = [embeddings.word_embeddings, embeddings.position_embeddings, embeddings.token_type_embeddings]
        words, positions, sides = map(_table, tables)
        return Parts(
            words,
            positions,
            sides,
            _norm(embeddings.LayerNorm),
            tuple(_layer(layer) for layer in body.encoder.layer),
            config.num_attention_heads,
            config.hidden_act,
            embeddings.padding_idx if kind in _FROM_PADDING else None,
            _head(model, body),
        )
    except (AttributeError, _OtherModule):
        return None


class _OtherModule(Exception):
    """A module is not what it is in BERT."""


def _layer(layer: torch.nn.Module) -> Layer:
    attention, mixed = layer.attention.self, layer.attention.output  # type: ignore[union-attr,unused-ignore]
    return Layer(
        _together([attention.query, attention.key, attention.value]),
        _dense(mixed.dense),
        _norm(mixed.LayerNorm),
        _dense(layer.intermediate.dense),  # type: ignore[union-attr,unused-ignore]
        _dense(layer.output.dense),  # type: ignore[union-attr,unused-ignore]
        _norm(layer.output.LayerNorm),  # type: ignore[union-attr,unused-ignore]
    )


def _together(modules: list[torch.nn.Module]) -> Dense:
    import torch

    parts = [_dense(module) for module in modules]
    return Dense(torch.cat([part.weight for part in parts]), torch.cat([part.bias for part in parts]))


def _dense(module: torch.nn.Module) -> Dense:
    from torch import nn

    if type(module) is not nn.Linear or module.bias is None:
        raise _OtherModule
    return Dense(module.weight.detach(), module.bias.detach())


def _norm(module: torch.nn.Module) -> Norm:
    from torch import nn

    if type(module) is not nn.LayerNorm or module.bias is None:
        raise _OtherModule
    return Norm(module.weight.detach(), module.bias.detach(), module.eps)


def _table(module: torch.nn.Module) -> torch.Tensor:
    from torch import nn

    if type(module) is not nn.Embedding:
        raise _OtherModule
    return module.weight.detach()


def _head(model: PreTrainedModel, body: torch.nn.Module) -> Callable[[torch.Tensor], torch.Tensor]:
    """Return what computes scores from first tokens; heads take them out of a whole sequence, here of one token."""
    pooler, classifier = getattr(body, "pooler", None), model.classifier
    if model.config.model_type == "bert":
        if pooler is None:
            raise _OtherModule
        return lambda first: classifier(pooler(first.unsqueeze(1)))  # type: ignore[no-any-return,operator,unused-ignore]
    return lambda first: classifier(first.unsqueeze(1))  # type: ignore[no-any-return,operator,unused-ignore]
