"""``adv``: a network that is trained to obey rules of logic, too (Minervini and Riedel 2018)."""

from __future__ import annotations

import dataclasses
import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from nliprobe.base.errors import UsageError
from nliprobe.models.network import TrainingPlan
from nliprobe.models.zoo import NETWORKS
from nliprobe.models.zoo._rules import Kind, choose_rules, kinds_of, label_columns
from nliprobe.models.zoo._word_network import WordNetwork, WordPair, WordPlan
from nliprobe.task.case import Input
from nliprobe.task.labels import LabelSet

if TYPE_CHECKING:
    import torch

    from nliprobe.models.zoo._adversarial_sets import AdversarialSets
    from nliprobe.models.zoo._fluency import Fluency


# Networks that read words alone, which is what the search makes, and that its paper has regularised, too.
BASES = ("decatt", "esim")
_OWN = ("base", "weight", "after", "rules", "seeds", "candidates", "sets")


@dataclass(frozen=True, kw_only=True, init=False)
class AdvPlan(WordPlan):
    """The parameters of ``adv``; what is not given here is as its base has it.

    Attributes:
        base: the network that is trained, ``decatt`` or ``esim``.
        weight: how much breaking the rules counts beside the cross-entropy; 0 trains the base.
        after: the epochs before the rules count. A network that has learnt nothing obeys them soonest by calling
            everything entailment, so a large weight needs some.
        rules: the digits of the rules, as in ``125``; by default all whose labels the training pairs have.
        seeds: the training pairs per epoch near which the search looks for sets that break a rule.
        candidates: how many sets it tries per pair.
        sets: per step, of one, of two and of three sentences each.
    """

    base: str = "decatt"
    weight: float = 0.2
    after: int = 0
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
        if self.after < 0:
            raise UsageError(f"'after' should be at least 0, not {self.after}.")
        if not (self.weight >= 0 and math.isfinite(self.weight)):
            raise UsageError(f"'weight' should be 0 or a positive number, not {self.weight}.")

    def of_base(self) -> TrainingPlan:
        """Return the plan of the base network."""
        return _base_kind(self.base).plan_type(
            **{field.name: getattr(self, field.name) for field in dataclasses.fields(WordPlan)}
        )


@NETWORKS.register("adv")
class Adv(WordNetwork):
    """Trains a base network against sets of sentences, found anew in every epoch, on which its answers break a rule.

    What it answers, it answers as its base does.
    """

    plan_type: ClassVar[type[TrainingPlan]] = AdvPlan
    plan: AdvPlan

    def __init__(self, plan: AdvPlan) -> None:
        super().__init__(plan)
        self._kinds: tuple[Kind, ...] = ()
        self._columns: dict[str, int] = {}
        self._fluency: Fluency | None = None
        self._sets: AdversarialSets | None = None

    def study(self, inputs: Sequence[Input], classes: Sequence[LabelSet]) -> None:
        """Learn the words of the training pairs, and which rules their labels speak of."""
        self._kinds, self._columns = kinds_of(choose_rules(self.plan.rules, classes)), label_columns(classes)
        self._fluency = self._sets = None
        super().study(inputs, classes)

    def module(self, words: torch.nn.Embedding, classes: int) -> torch.nn.Module:
        """Return the base with fresh weights."""
        return _base_kind(self.plan.base)(self.plan.of_base()).module(words, classes)

    def begin_epoch(
        self, module: torch.nn.Module, epoch: int, items: Sequence[Any], golds: Sequence[int], device: torch.device
    ) -> None:
        """Look for sets near some training pairs that break the rules most, as the network is now."""
        if not self.plan.weight or epoch < self.plan.after:
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
        forward = partial(self._ask, module, device)
        self._sets = search_sets(forward, near, self._kinds, self._columns, device, self.plan.sets, order)

    def loss(
        self, module: torch.nn.Module, items: Sequence[Any], golds: torch.Tensor, device: torch.device
    ) -> torch.Tensor:
        """Return the cross-entropy, and with its weight how far the next sets break the rules."""
        entropy = super().loss(module, items, golds, device)
        if self._sets is None:
            return entropy
        forward = partial(self._ask, module, device)
        return entropy + self.plan.weight * self._sets.next_loss(forward, self._kinds, self._columns, self.plan.sets)

    def memory(self) -> dict[str, torch.Tensor]:
        """Return the sets of this epoch, and which of them come next."""
        return {} if self._sets is None else self._sets.memory()

    def recall(self, memory: Mapping[str, torch.Tensor]) -> None:
        """Take the sets of an epoch back."""
        from nliprobe.models.zoo._adversarial_sets import AdversarialSets

        self._sets = AdversarialSets.recalled(memory)

    def _ask(self, module: torch.nn.Module, device: torch.device, pairs: Sequence[WordPair]) -> torch.Tensor:
        return self.forward(module, pairs, device)


def _base_kind(name: str) -> type[WordNetwork]:
    kind = NETWORKS.get(name) if name in BASES else None
    if kind is None or not issubclass(kind, WordNetwork):
        raise UsageError(f"The base of adv should be {' or '.join(BASES)}, not '{name}'.")
    return kind
