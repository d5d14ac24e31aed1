"""In which numbers a network computes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nliprobe.base.errors import UsageError
from nliprobe.models.batches import choose_device

if TYPE_CHECKING:
    import torch

_SHORT = {"fp32": "float32", "bf16": "bfloat16", "fp16": "float16"}
DTYPES = ("auto", "float32", "bfloat16", "float16", "fp8", *_SHORT)


def settle_dtype(dtype: str, device: str) -> str:
    """Return the type that is meant: by default half of the digits on a GPU, all on a CPU.

    It is part of what decides the answers. Without torch nothing is asked at all.
    """
    if dtype != "auto":
        return _SHORT.get(dtype, dtype)
    try:
        return "float32" if device == "cpu" or choose_device(device).type == "cpu" else "bfloat16"
    except (ImportError, UsageError):  # said when the network is loaded
        return "float32"


def torch_dtype(dtype: str) -> torch.dtype:
    """Return the type of the weights outside of products; in eight bits only products are computed."""
    import torch

    found: torch.dtype = getattr(torch, "bfloat16" if dtype == "fp8" else dtype)
    return found
