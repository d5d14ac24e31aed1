"""``adv``: a network that is trained to obey rules of logic, too (Minervini and Riedel 2018)."""

from __future__ import annotations

import dataclasses
import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from nliprobe.base.errors import UsageError
from nliprobe.models.batches import Prepared
from nliprobe.models.network import Network, TrainingPlan
from nliprobe.models.origin import Origin
from nliprobe.models.vocabulary import Vocabulary
from nliprobe.models.zoo import NETWORKS
from nliprobe.models.zoo._rules import Kind, Rule, choose_rules, kinds_of, label_columns
from nliprobe.models.zoo._word_network import WordNetwork, WordPair, WordPlan
from nliprobe.task.case import Input
from nliprobe.task.labels import LabelSet

if TYPE_CHECKING:
    import numpy as np
    import torch
    from numpy.typing import NDArray

    from nliprobe.models.zoo._adversarial_sets import AdversarialSets
    from nliprobe.models.zoo._fluency import Fluency


@dataclass(frozen=True, kw_only=True, init=False)
class AdvPlan(WordPlan):
    """The parameters of ``adv``; what is not given here is as its base has it.

    Attributes:
        base: the network that is trained: one that reads words alone, as ``decatt`` and ``esim`` do.
        weight: how much breaking the rules counts beside the cross-entropy; 0 trains the base.
        rules: the digits of the rules, as in ``125``; by default all whose labels the training pairs have.
        seeds: the training pairs per epoch near which the search looks for sets that break a rule.
        candidates: how many sets it tries per pair.
        sets: per step, of one, of two and of three sentences each.
    """

    base: str = "decatt"
    weight: float = 1.0
    rules: str = ""
    seeds: int = 2000
    candidates: int = 8
    sets: int = 16

    def __init__(self, **given: Any) -> None:
        own = {name: given.pop(name, getattr(AdvPlan, name)) for name in _OWN}
        base = _base_kind(str(own["base"])).plan_type(**given)
        shared = {field.name: getattr(base, field.name) for field in dataclasses.fields(WordPlan)}
        for name, value in {**shared, **own}.items():
            object.__setattr__(self, name, value)
        self.__post_init__()

    def __post_init__(self) -> None:
        """Refuse what cannot be searched or weighed."""
        super().__post_init__()
        for name in ("seeds", "candidates", "sets"):
            if getattr(self, name) < 1:
                raise UsageError(f"'{name}' should be at least 1, not {getattr(self, name)}.")
        if not (self.weight >= 0 and math.isfinite(self.weight)):
            raise UsageError(f"'weight' should be 0 or a positive number, not {self.weight}.")

    def of_base(self) -> TrainingPlan:
        """Return the plan of the base network."""
        return _base_kind(self.base).plan_type(
            **{field.name: getattr(self, field.name) for field in dataclasses.fields(WordPlan)}
        )


_OWN = ("base", "weight", "rules", "seeds", "candidates", "sets")


@NETWORKS.register("adv")
class Adv(Network):
    """Trains a base network against sets of sentences, found anew in every epoch, on which its answers break a rule.

    What it answers, it answers as its base does.
    """

    plan_type: ClassVar[type[TrainingPlan]] = AdvPlan
    plan: AdvPlan
    exact: ClassVar[bool] = WordNetwork.exact
    cpu_budget: ClassVar[int] = WordNetwork.cpu_budget

    def __init__(self, plan: AdvPlan) -> None:
        super().__init__(plan)
        self.base = _base_kind(plan.base)(plan.of_base())
        self._rules: tuple[Rule, ...] = ()
        self._columns: dict[str, int] = {}
        self._fluency: Fluency | None = None
        self._sets: AdversarialSets | None = None

    @cached_property
    def origin(self) -> Origin:
        """The files of the word vectors from which training starts."""
        return self.base.origin

    @property
    def vocabulary(self) -> Vocabulary:
        """The words that the base knows."""
        return self.base.vocabulary

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The rules it learns, by how many sentences they are about."""
        return kinds_of(self._rules)

    def study(self, inputs: Sequence[Input], classes: Sequence[LabelSet]) -> None:
        """Learn the words of the training pairs, and which rules can be learnt from their labels."""
        self._rules, self._columns = choose_rules(self.plan.rules, classes), label_columns(classes)
        self._fluency = self._sets = None
        self.base.study(inputs, classes)

    def fresh(self, classes: int) -> torch.nn.Module:
        """Return the base with fresh weights."""
        return self.base.fresh(classes)

    def shape(self, folder: Path, classes: int) -> torch.nn.Module:
        """Return the base without its weights."""
        return self.base.shape(folder, classes)

    def prepare(self, module: torch.nn.Module, inputs: Sequence[Input]) -> Prepared[WordPair]:
        """Return inputs as the base reads them."""
        return self.base.prepare(module, inputs)

    def forward(self, module: torch.nn.Module, items: Sequence[WordPair], device: torch.device) -> torch.Tensor:
        """Return the scores of the base."""
        return self.base.forward(module, items, device)

    def embed(self, module: torch.nn.Module, texts: Sequence[str], device: torch.device) -> NDArray[np.float32]:
        """Return the vectors of the base, if it encodes each text alone."""
        return self.base.embed(module, texts, device)

    def keep(self, module: torch.nn.Module, folder: Path) -> None:
        """Write what the base needs."""
        self.base.keep(module, folder)

    def begin_epoch(
        self, module: torch.nn.Module, epoch: int, items: Sequence[Any], golds: Sequence[int], device: torch.device
    ) -> None:
        """Look for sets near some training pairs that break the rules most, as the network is now."""
        self.base.begin_epoch(module, epoch, items, golds, device)
        if not self.plan.weight:
            return
        from nliprobe.models.zoo._adversarial_sets import search_sets
        from nliprobe.models.zoo._fluency import Fluency
        from nliprobe.models.zoo._sentence_search import neighbours

        order = random.Random(f"adv/{self.plan.seed}/{epoch}")
        chosen = [items[place] for place in order.sample(range(len(items)), min(self.plan.seeds, len(items)))]
        # Equal texts are one array, see WordNetwork.prepare.
        pool = list({id(row): row for item in items for row in (item.premise, item.hypothesis)}.values())
        if self._fluency is None:
            self._fluency = Fluency(pool, len(self.vocabulary))
        near = neighbours(
            [(item.premise.tolist(), item.hypothesis.tolist()) for item in chosen],
            pool,
            self._fluency,
            self.plan.candidates,
            self.plan.longest,
            order,
        )
        module.eval()
        self._sets = search_sets(
            lambda pairs: self.base.forward(module, pairs, device),
            near,
            self.kinds,
            self._columns,
            device,
            self.plan.sets,
            order,
        )

    def loss(
        self, module: torch.nn.Module, items: Sequence[Any], golds: torch.Tensor, device: torch.device
    ) -> torch.Tensor:
        """Return the loss of the base, and how far the next sets break the rules."""
        entropy = self.base.loss(module, items, golds, device)
        if self._sets is None:
            return entropy
        broken = self._sets.next_loss(
            lambda pairs: self.base.forward(module, pairs, device), self.kinds, self._columns, self.plan.sets
        )
        return entropy + self.plan.weight * broken

    def memory(self) -> dict[str, torch.Tensor]:
        """Return the sets of this epoch, and which of them come next."""
        return {**self.base.memory(), **({} if self._sets is None else self._sets.memory())}

    def recall(self, memory: Mapping[str, torch.Tensor]) -> None:
        """Take the sets of an epoch back."""
        from nliprobe.models.zoo._adversarial_sets import AdversarialSets

        self._sets = AdversarialSets.recalled(memory)
        self.base.recall(memory)


def _base_kind(name: str) -> type[WordNetwork]:
    """Return the class of a base network, which has to read words alone: the search makes nothing else."""
    kind = NETWORKS.get(name)
    if (
        not issubclass(kind, WordNetwork)
        or kind.prepare is not WordNetwork.prepare
        or kind.read is not WordNetwork.read
        or kind.extra is not WordNetwork.extra
    ):
        raise UsageError(f"'{name}' cannot be the base of adv, which has to read words alone, as decatt and esim do.")
    return kind
