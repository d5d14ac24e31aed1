"""The torch module that becomes a graph."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import nn

from nliprobe.models._onnx_session import MASK
from nliprobe.models.forward import body_of, reads_onward
from nliprobe.models.zoo._pair_classifier import PairClassifier


class GraphModule(nn.Module):  # type: ignore[misc,unused-ignore]
    """A network that takes its tensors in order and returns nothing but scores, and the vectors they are made from."""

    def __init__(self, network: nn.Module, names: Sequence[str]) -> None:
        super().__init__()
        self.network = network
        self.names = tuple(names)
        self.onward = not isinstance(network, PairClassifier) and reads_onward(network, torch.device("cpu"))

    def forward(self, *tensors: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the scores of the classes, and a vector per input."""
        batch = dict(zip(self.names, tensors, strict=True))
        if isinstance(self.network, PairClassifier):
            pooled = self.network.pooled(batch)
            return self.network.head(pooled), pooled
        seen: list[torch.Tensor] = []

        def see(body: nn.Module, given: Any, made: Any) -> None:
            seen.append(made.last_hidden_state)

        # What the body makes is not part of what every classifier returns, and asking it again would double the graph.
        hook = body_of(self.network).register_forward_hook(see)
        try:
            scores: torch.Tensor = self.network(**batch).logits
        finally:
            hook.remove()
        return scores, self._of_one_token(seen[0], batch[MASK])

    def _of_one_token(self, states: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Return the states of the tokens that have read the pair: shorter inputs are filled up on the right."""
        if not self.onward:
            return states[:, 0]
        last = (mask.sum(1) - 1).view(-1, 1, 1).expand(-1, 1, states.shape[-1])
        return states.gather(1, last).squeeze(1)
