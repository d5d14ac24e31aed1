"""Attention over sequences that lie one after the other, each within itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import torch


class Borders(NamedTuple):
    """Where sequences begin, and the end of the last one: on the device, and on the host; and the longest of them."""

    starts: torch.Tensor
    on_host: list[int]
    longest: int


# Query, key and value are tokens × heads × numbers; queries may have fewer tokens than the others.
Attention = Callable[["torch.Tensor", "torch.Tensor", "torch.Tensor", Borders, Borders], "torch.Tensor"]


def on_gpu(
    query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, asking: Borders, asked: Borders
) -> torch.Tensor:
    """Attend with one kernel for all sequences (half precision only)."""
    from torch.nn.attention.varlen import varlen_attn

    mixed: torch.Tensor = varlen_attn(query, key, value, asking.starts, asked.starts, asking.longest, asked.longest)  # type: ignore[assignment,unused-ignore]
    return mixed


def one_by_one(
    query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, asking: Borders, asked: Borders
) -> torch.Tensor:
    """Attend sequence by sequence: on a CPU a batch has few of them, and padding them would cost more."""
    import torch
    from torch.nn.functional import scaled_dot_product_attention

    mixed = torch.empty_like(query)
    for place in range(len(asking.on_host) - 1):
        rows = slice(asking.on_host[place], asking.on_host[place + 1])
        read = slice(asked.on_host[place], asked.on_host[place + 1])
        parts = (part.transpose(0, 1) for part in (query[rows], key[read], value[read]))
        mixed[rows] = scaled_dot_product_attention(*parts).transpose(0, 1)
    return mixed


def has_gpu_attention() -> bool:
    """Tell whether this version of torch attends over sequences of different lengths in one kernel."""
    try:
        from torch.nn.attention.varlen import varlen_attn  # noqa: F401
    except ImportError:
        return False
    return True
