"""``kim``: ESIM with relations from WordNet (Chen et al. 2018, "Neural Natural Language Inference Models Enhanced with
External Knowledge")."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from nliprobe.base.errors import DataError, UsageError
from nliprobe.language import wordnet
from nliprobe.language.relations import WordRelations
from nliprobe.models.network import TrainingPlan
from nliprobe.models.vocabulary import PADDING
from nliprobe.models.zoo import NETWORKS
from nliprobe.models.zoo._word_network import WordNetwork, WordPair
from nliprobe.models.zoo.esim import EsimPlan
from nliprobe.task.case import Input
from nliprobe.task.labels import LabelSet

if TYPE_CHECKING:
    import numpy as np
    import torch
    from numpy.typing import NDArray

RELATIONS = "relations.safetensors"


@dataclass(frozen=True, kw_only=True)
class KimPlan(EsimPlan):
    """The parameters of ``kim``: those of ``esim``, as in its paper.

    Attributes:
        knowledge: λ, what a relation adds to the alignment of two words; the paper tries 0.1 to 50 on dev.
    """

    knowledge: float = 1.0

    def __post_init__(self) -> None:
        """Refuse what cannot be built."""
        super().__post_init__()
        if not 0 <= self.knowledge < float("inf"):
            raise UsageError(f"'knowledge' should be 0 or a positive number, not {self.knowledge}.")


@NETWORKS.register("kim")
class Kim(WordNetwork):
    """Aligns, compares and pools words like ``esim``, and knows how WordNet relates each to those of the other text.

    The relations of the words it knows are learnt from WordNet before training and kept beside its weights. A word that
    it does not know shares a vector with others, so it relates to nothing, not even to itself.
    """

    plan_type: ClassVar[type[TrainingPlan]] = KimPlan
    plan: KimPlan

    def made_with(self) -> Mapping[str, str]:
        """Return the version of WordNet."""
        return {"WordNet": wordnet.source().version}

    def study(self, inputs: Sequence[Input], classes: Sequence[LabelSet]) -> None:
        """Learn the words of the training pairs, and how they are related."""
        super().study(inputs, classes)
        self.relations = WordRelations.learn(self.vocabulary.words)

    def shape(self, folder: Path, classes: int) -> torch.nn.Module:
        """Return the same network without its weights; it must relate the words that it knows."""
        module = super().shape(folder, classes)
        self.relations = WordRelations.read(folder / RELATIONS)
        if len(self.relations) != len(self.vocabulary.words):
            raise DataError(
                f"{folder / RELATIONS} was made for another vocabulary: it relates {len(self.relations):,} words, the "
                f"network knows {len(self.vocabulary.words):,}. Take both from one training."
            )
        return module

    def keep(self, module: torch.nn.Module, folder: Path) -> None:
        """Write the vocabulary and its relations."""
        super().keep(module, folder)
        self.relations.keep(folder / RELATIONS)

    def module(self, words: torch.nn.Embedding, classes: int) -> torch.nn.Module:
        """Return the network with fresh weights."""
        from nliprobe.models.zoo._kim import KimModule

        plan = self.plan
        return KimModule(words, classes, hidden=plan.hidden, dropout=plan.dropout, knowledge=plan.knowledge)

    def extra(self, items: Sequence[WordPair], device: torch.device) -> tuple[Any, ...]:
        """Return the related words of the batch; they are few, so that little is sent to a GPU."""
        import numpy as np
        import torch

        from nliprobe.models.zoo._kim import Related

        premises = self._places([item.premise for item in items])
        hypotheses = self._places([item.hypothesis for item in items])
        codes = self.relations.codes(premises[:, :, None], hypotheses[:, None, :])
        places = np.nonzero(codes)
        whole = torch.from_numpy(np.stack([*places, codes[places]])).to(device, non_blocking=True)
        return (Related(whole[:3], whole[3]),)

    def _places(self, rows: Sequence[NDArray[np.int32]]) -> NDArray[np.int64]:
        """Return the places of words in the vocabulary's list, (texts, longest); -1 for padding and buckets."""
        import numpy as np

        from nliprobe.models.zoo._texts import padded_rows

        first = len(self.vocabulary) - len(self.vocabulary.words)
        return np.maximum(padded_rows(rows, PADDING)[0] - first, -1)
