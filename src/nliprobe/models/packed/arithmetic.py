"""How an encoder computes: products of matrices, and what lies between them.

An *operand* is what a product takes: the numbers themselves, or their eight-bit form. What lies between two products
gives the operand of the next one, so that it can be made in the same kernel.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

from nliprobe.models.packed.parts import Dense, Norm

if TYPE_CHECKING:
    import torch

Operand = TypeVar("Operand")
Product = TypeVar("Product")


class Arithmetic(Protocol[Product, Operand]):
    """Computes the steps of a layer."""

    def dense(self, dense: Dense) -> Product:
        """Return a linear layer in the form that products take."""
        ...

    def operand(self, states: torch.Tensor) -> Operand:
        """Return states in the form that products take."""
        ...

    def product(self, operand: Operand, dense: Product) -> torch.Tensor:
        """Apply a linear layer."""
        ...

    def add_norm(
        self, operand: Operand, dense: Product, before: torch.Tensor, norm: Norm
    ) -> tuple[torch.Tensor, Operand]:
        """Apply a linear layer, add the states before it and normalise; return the states and their operand."""
        ...

    def activate(self, operand: Operand, dense: Product) -> Operand:
        """Apply a linear layer and the activation."""
        ...


class Plain:
    """Computes with the functions of torch, on any device."""

    def __init__(self, activation: str) -> None:
        from torch.nn import functional

        self._activation = getattr(functional, activation)

    def dense(self, dense: Dense) -> Dense:
        """Return the layer as it is."""
        return dense

    def operand(self, states: torch.Tensor) -> torch.Tensor:
        """Return the states as they are."""
        return states

    def product(self, operand: torch.Tensor, dense: Dense) -> torch.Tensor:
        """Multiply, and add the bias."""
        from torch.nn.functional import linear

        return linear(operand, dense.weight, dense.bias)

    def add_norm(
        self, operand: torch.Tensor, dense: Dense, before: torch.Tensor, norm: Norm
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Multiply, add and normalise, one after the other."""
        from torch.nn.functional import layer_norm

        total = self.product(operand, dense).add_(before)
        states = layer_norm(total, (total.shape[-1],), norm.weight, norm.bias, norm.eps)
        return states, states

    def activate(self, operand: torch.Tensor, dense: Dense) -> torch.Tensor:
        """Multiply and apply the activation, one after the other."""
        active: torch.Tensor = self._activation(self.product(operand, dense))
        return active


class Fused:
    """Computes what lies between products in one kernel each."""

    def __init__(self, activation: str) -> None:
        self._gelu = activation == "gelu"

    def dense(self, dense: Dense) -> Dense:
        """Return the layer as it is."""
        return dense

    def operand(self, states: torch.Tensor) -> torch.Tensor:
        """Return the states as they are."""
        return states

    def product(self, operand: torch.Tensor, dense: Dense) -> torch.Tensor:
        """Multiply, and add the bias."""
        from torch.nn.functional import linear

        return linear(operand, dense.weight, dense.bias)

    def add_norm(
        self, operand: torch.Tensor, dense: Dense, before: torch.Tensor, norm: Norm
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Multiply; add bias and states, and normalise, in one kernel."""
        from nliprobe.models.packed.kernels import add_norm

        states = add_norm(operand @ dense.weight.t(), dense.bias, before, norm.weight, norm.bias, norm.eps)
        return states, states

    def activate(self, operand: torch.Tensor, dense: Dense) -> torch.Tensor:
        """Multiply; add the bias and apply the activation in one kernel."""
        from nliprobe.models.packed.kernels import activate

        return activate(operand @ dense.weight.t(), dense.bias, gelu=self._gelu)


class Rounded(NamedTuple):
    """Rows of eight-bit numbers, each scaled so that its largest number is the largest there is, and their scales."""

    numbers: torch.Tensor
    scales: torch.Tensor


class EightDense(NamedTuple):
    """A linear layer with rounded weights, laid out as the product takes them."""

    weight: Rounded
    bias: torch.Tensor


class Eights:
    """Computes products of eight-bit numbers; sums are kept in full, and all else is bfloat16."""

    def __init__(self, activation: str) -> None:
        self._gelu = activation == "gelu"

    def dense(self, dense: Dense) -> EightDense:
        """Round the weights."""
        from nliprobe.models.packed.kernels import round_rows

        numbers, scales = round_rows(dense.weight.contiguous())
        return EightDense(Rounded(numbers.t(), scales.t()), dense.bias)

    def operand(self, states: torch.Tensor) -> Rounded:
        """Round the states."""
        from nliprobe.models.packed.kernels import round_rows

        return Rounded(*round_rows(states))

    def product(self, operand: Rounded, dense: EightDense) -> torch.Tensor:
        """Multiply, and add the bias."""
        return self._multiply(operand, dense).add_(dense.bias)

    def add_norm(
        self, operand: Rounded, dense: EightDense, before: torch.Tensor, norm: Norm
    ) -> tuple[torch.Tensor, Rounded]:
        """Multiply; add, normalise and round in one kernel."""
        from nliprobe.models.packed.kernels import add_norm_rounded

        product = self._multiply(operand, dense)
        states, *rounded = add_norm_rounded(product, dense.bias, before, norm.weight, norm.bias, norm.eps)
        return states, Rounded(*rounded)

    def activate(self, operand: Rounded, dense: EightDense) -> Rounded:
        """Multiply; apply the activation and round in one kernel."""
        from nliprobe.models.packed.kernels import activate_rounded

        return Rounded(*activate_rounded(self._multiply(operand, dense), dense.bias, gelu=self._gelu))

    def _multiply(self, operand: Rounded, dense: EightDense) -> torch.Tensor:
        import torch

        product: torch.Tensor = torch._scaled_mm(
            operand.numbers,
            dense.weight.numbers,
            scale_a=operand.scales,
            scale_b=dense.weight.scales,
            out_dtype=torch.bfloat16,
            use_fast_accum=True,
        )
        return product


def can_round(width: int) -> bool:
    """Tell whether the GPU multiplies eight-bit numbers with scaled rows (compute capability 8.9 and later)."""
    import torch

    return width % 16 == 0 and torch.cuda.is_available() and torch.cuda.get_device_capability() >= (8, 9)
