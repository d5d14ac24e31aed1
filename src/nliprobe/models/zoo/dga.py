"""``dga``: deep gated attention over stacked BiLSTMs (Chen et al. 2017, "Recurrent Neural Network-Based Sentence
Encoder with Gated Attention for Natural Language Inference", RepEval).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from nliprobe.base.errors import UsageError
from nliprobe.models.network import TrainingPlan
from nliprobe.models.zoo import NETWORKS
from nliprobe.models.zoo._spellings import Spellings
from nliprobe.models.zoo._word_network import WordNetwork, WordPlan
from nliprobe.task.case import Input
from nliprobe.task.labels import LabelSet

if TYPE_CHECKING:
    import numpy as np
    import torch
    from numpy.typing import NDArray

GATES = ("input", "forget", "output")


@dataclass(frozen=True, kw_only=True)
class DgaPlan(WordPlan):
    """The parameters of ``dga``; its authors' code has 600 units over 300 numbers per word, and a dropout of 0.5.

    Attributes:
        hidden: units of each BiLSTM per direction.
        layer: units of each hidden layer of the classifier.
        gate: the gate whose norm is the attention to a word: ``input``, ``forget`` (1 - f) or ``output``.
        letters: the characters of a word that are read; the rest of a longer word is cut.
    """

    epochs: int = 8
    batch: int = 256
    layer: int = 300
    gate: str = "input"
    letters: int = 24

    def __post_init__(self) -> None:
        """Refuse what cannot be built."""
        super().__post_init__()
        for name in ("layer", "letters"):
            if getattr(self, name) < 1:
                raise UsageError(f"'{name}' should be at least 1, not {getattr(self, name)}.")
        if self.gate not in GATES:
            raise UsageError(f"The gate should be {', '.join(GATES[:-1])} or {GATES[-1]}, not '{self.gate}'.")


@NETWORKS.register("dga")
class Dga(WordNetwork):
    """Encodes each text with three BiLSTMs over words and their characters, and attends to words by a gate.

    It sees the letters of words it does not know, but not their case.
    """

    plan_type: ClassVar[type[TrainingPlan]] = DgaPlan
    encodes: ClassVar[bool] = True
    plan: DgaPlan

    def study(self, inputs: Sequence[Input], classes: Sequence[LabelSet]) -> None:
        """Learn the words of the training pairs."""
        super().study(inputs, classes)
        self.spellings = Spellings(self.vocabulary, self.plan.letters)

    def shape(self, folder: Path, classes: int) -> torch.nn.Module:
        """Return the same network without its weights; it must know as many words as they do."""
        module = super().shape(folder, classes)
        self.spellings = Spellings(self.vocabulary, self.plan.letters)
        return module

    def module(self, words: torch.nn.Embedding, classes: int) -> torch.nn.Module:
        """Return the network with fresh weights."""
        from nliprobe.models.zoo._dga import DgaModule

        plan = self.plan
        return DgaModule(
            words, classes, hidden=plan.hidden, layer=plan.layer, gate=plan.gate, dropout=plan.dropout
        )  # fmt: skip

    def read(self, text: str) -> tuple[NDArray[np.int32], bool]:
        """Return the rows of a text's words among the spellings, and whether its end was cut."""
        return self.spellings.read_text(text, self.plan.longest)

    def batch(self, rows: Sequence[NDArray[np.int32]], device: torch.device) -> tuple[Any, ...]:
        """Return some texts with the characters of their words."""
        from nliprobe.models.zoo._characters import spelled_batch

        return spelled_batch(rows, self.spellings, device)
