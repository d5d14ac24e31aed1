"""The base class of probes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from random import Random
from typing import ClassVar

from nliprobe.base.registry import spec_text
from nliprobe.base.seeds import draws
from nliprobe.task.about import About
from nliprobe.task.case import Case, CaseIds, Certainty, Skip, identity_id
from nliprobe.task.edits import Edits, apply_edits
from nliprobe.task.labels import LabelSet
from nliprobe.task.pair import Facet, Pair, Premise
from nliprobe.task.rules import Rule
from nliprobe.task.source import Pool


@dataclass(frozen=True)
class Probe(ABC):
    """Turns one pair into cases, or says why it does not apply.

    A probe is a frozen dataclass: its fields are the parameters of its spec string. ``name`` and ``seed`` are
    set by the code that builds it.

    Class attributes:
        about: what reports say about the probe.
        version: raised when the same parameters would give other cases.
        reads: a hash of everything else that the cases depend on, such as a lexicon; a property where it is computed.
        spec: the canonical spec string.
        needs_pool: the probe draws from the other premises of the split.
        reads_evidence: the probe works on marked evidence; pairs without it are skipped before they reach it.
        expensive: the probe makes so many cases per pair that users should ask ``plan`` first.
    """

    name: str = field(kw_only=True, metadata={"internal": True})
    seed: int = field(default=0, kw_only=True, metadata={"internal": True})

    about: ClassVar[About] = About("", "")
    version: ClassVar[int] = 1
    reads: ClassVar[str] = ""
    spec = cached_property(spec_text)
    needs_pool: ClassVar[bool] = False
    reads_evidence: ClassVar[bool] = False
    expensive: ClassVar[bool] = False

    @abstractmethod
    def cases(self, pair: Pair, pool: Pool | None) -> Iterator[Case | Skip]:
        """Yield the cases of one pair; they depend on nothing but the pair, the parameters, the seed and the pool."""

    def case(
        self,
        pair: Pair,
        edits: Edits,
        *,
        expects: Rule | None = None,
        gold: LabelSet | None = None,
        certainty: Certainty = Certainty.CERTAIN,
        facets: tuple[Facet, ...] = (),
        edited: Premise | None = None,
        reworded: str | None = None,
        alone: bool = False,
    ) -> Case:
        """Make the case that asks a pair as edits change it; its base is the pair as it is.

        Args:
            pair: the source pair.
            edits: what is done to it; id and texts follow from them.
            expects: what must hold of the answer, compared with the answer to the pair.
            gold: the labels that are right after the edits, where they are known.
            certainty: how sure the expectation is.
            facets: what else is known about the case.
            edited: the premise after the edits, where the probe has made it already.
            reworded: with ``edited``, the hypothesis after the edits; none where it stays.
            alone: the case is a new pair, so its answer is not compared with the answer to the source pair.
        """
        bases = _bases_of(pair.id)
        hypothesis = pair.hypothesis if reworded is None else reworded
        if edited is None:
            edited, hypothesis = apply_edits(pair.premise, hypothesis, edits)
        name = self.ids.of(bases, edits)
        kept = () if alone else bases
        return Case(name, self.spec, pair, edited, hypothesis, kept, gold, expects, edits, certainty, facets)

    def skip(self, reason: str) -> Skip:
        """Say in a few words why a pair gives no case."""
        return _skip(self.spec, reason)

    @cached_property
    def ids(self) -> CaseIds:
        """Makes the ids of this probe's cases; the seed counts where the probe draws."""
        params = self.spec.partition("?")[2]
        return CaseIds(self.name, self.version, params)

    def draws(self, pair: Pair) -> Random:
        """Return the random draws for one pair."""
        return draws(self.seed, self.name, pair.id)


# Most probes skip most pairs for one of a few reasons.
_skip = lru_cache(maxsize=1024)(Skip)


@lru_cache(maxsize=16)  # the cases of a pair come one after the other
def _bases_of(pair_id: str) -> tuple[str]:
    return (identity_id(pair_id),)
