"""How an encoder computes: products of matrices, and what lies between them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from nliprobe.models.packed.parts import Dense, Norm

if TYPE_CHECKING:
    import torch


class Arithmetic(Protocol):
    """Computes the steps of a layer."""

    def product(self, states: torch.Tensor, dense: Dense) -> torch.Tensor:
        """Apply a linear layer."""
        ...

    def add_norm(self, states: torch.Tensor, dense: Dense, before: torch.Tensor, norm: Norm) -> torch.Tensor:
        """Apply a linear layer, add the states before it and normalise."""
        ...

    def activate(self, states: torch.Tensor, dense: Dense) -> torch.Tensor:
        """Apply a linear layer and the activation."""
        ...


class Plain:
    """Computes with the functions of torch, on any device."""

    def __init__(self, activation: str) -> None:
        from torch.nn import functional

        self._activation = getattr(functional, activation)

    def product(self, states: torch.Tensor, dense: Dense) -> torch.Tensor:
        """Multiply, and add the bias."""
        from torch.nn.functional import linear

        return linear(states, dense.weight, dense.bias)

    def add_norm(self, states: torch.Tensor, dense: Dense, before: torch.Tensor, norm: Norm) -> torch.Tensor:
        """Multiply, add and normalise, one after the other."""
        from torch.nn.functional import layer_norm

        total = self.product(states, dense).add_(before)
        return layer_norm(total, (total.shape[-1],), norm.weight, norm.bias, norm.eps)

    def activate(self, states: torch.Tensor, dense: Dense) -> torch.Tensor:
        """Multiply and apply the activation, one after the other."""
        active: torch.Tensor = self._activation(self.product(states, dense))
        return active


class Fused(Plain):
    """Computes what lies between products in one kernel each, on a GPU with Triton."""

    def __init__(self, activation: str) -> None:
        super().__init__(activation)
        self._gelu = activation == "gelu"

    def add_norm(self, states: torch.Tensor, dense: Dense, before: torch.Tensor, norm: Norm) -> torch.Tensor:
        """Multiply; add bias and states, and normalise, in one kernel."""
        from nliprobe.models.packed.kernels import add_norm

        return add_norm(states @ dense.weight.t(), dense.bias, before, norm.weight, norm.bias, norm.eps)

    def activate(self, states: torch.Tensor, dense: Dense) -> torch.Tensor:
        """Multiply; add the bias and apply the activation in one kernel."""
        from nliprobe.models.packed.kernels import activate

        return activate(states @ dense.weight.t(), dense.bias, gelu=self._gelu)
