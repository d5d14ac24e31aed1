"""In which numbers a network computes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nliprobe.models.batches import is_gpu

if TYPE_CHECKING:
    import torch

_SHORT = {"fp32": "float32", "bf16": "bfloat16", "fp16": "float16"}
DTYPES = ("auto", "float32", "bfloat16", "float16", *_SHORT)
# What auto is on a GPU: float16 as far as its range goes, bfloat16 where it does not.
HALF = "half"


def settle_dtype(dtype: str, device: str) -> str:
    """Return the type that is meant: by default half of the digits on a GPU, all on a CPU.

    It is part of what decides the answers.
    """
    if dtype != "auto":
        return _SHORT.get(dtype, dtype)
    return HALF if is_gpu(device) else "float32"


def torch_dtype(dtype: str) -> torch.dtype:
    """Return the type of that name."""
    import torch

    named: torch.dtype = getattr(torch, dtype)
    return named
