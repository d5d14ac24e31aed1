# mypy: disable-error-code="untyped-decorator,no-untyped-def"
"""What lies between two products, on a GPU, in one kernel each: every number is read and written once.

Written with Triton, which comes with torch for CUDA. What ``torch.compile`` makes of the same steps for any number of
tokens took twice to four times as long on an H200, and was slower than not compiling at all.
"""

from __future__ import annotations

import torch
import triton
import triton.language as tl

_WARPS = 4


@triton.jit
def _activated(states, gelu: tl.constexpr):
    if gelu:
        return states * 0.5 * (1.0 + tl.erf(states * 0.7071067811865476))
    return tl.maximum(states, 0.0)


@triton.jit
def _add_norm(states, bias, before, weight, shift, out, width, eps, block: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    columns = tl.arange(0, block)
    inside = columns < width
    places = row * width + columns
    total = tl.load(states + places, mask=inside, other=0.0).to(tl.float32)
    total += tl.load(bias + columns, mask=inside, other=0.0).to(tl.float32)
    total += tl.load(before + places, mask=inside, other=0.0).to(tl.float32)
    centred = tl.where(inside, total - tl.sum(total, axis=0) / width, 0.0)
    normal = centred * tl.rsqrt(tl.sum(centred * centred, axis=0) / width + eps)
    normal *= tl.load(weight + columns, mask=inside, other=0.0).to(tl.float32)
    normal += tl.load(shift + columns, mask=inside, other=0.0).to(tl.float32)
    tl.store(out + places, normal.to(out.dtype.element_ty), mask=inside)


@triton.jit
def _activate(states, bias, out, count, width, gelu: tl.constexpr, block: tl.constexpr):
    places = tl.program_id(0).to(tl.int64) * block + tl.arange(0, block)
    inside = places < count
    read = tl.load(states + places, mask=inside, other=0.0).to(tl.float32)
    read += tl.load(bias + places % width, mask=inside, other=0.0).to(tl.float32)
    tl.store(out + places, _activated(read, gelu).to(out.dtype.element_ty), mask=inside)


def add_norm(
    states: torch.Tensor,
    bias: torch.Tensor,
    before: torch.Tensor,
    weight: torch.Tensor,
    shift: torch.Tensor,
    eps: float,
) -> torch.Tensor:
    """Add the bias of a product and the states before it, and normalise the sum."""
    rows, width = states.shape
    out = torch.empty_like(states)
    block = triton.next_power_of_2(width)
    _add_norm[(rows,)](states, bias, before, weight, shift, out, width, eps, block=block, num_warps=_WARPS)
    return out


def activate(states: torch.Tensor, bias: torch.Tensor, *, gelu: bool) -> torch.Tensor:
    """Add the bias of a product and apply the activation, in place."""
    count, block = states.numel(), 2048
    _activate[(triton.cdiv(count, block),)](
        states, bias, states, count, states.shape[1], gelu=gelu, block=block, num_warps=_WARPS
    )
    return states
