"""What every probe declares and does."""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import ClassVar

from nliprobe.base.seeds import draws
from nliprobe.task.case import Case, CaseIds, Skip
from nliprobe.task.pair import Pair
from nliprobe.task.source import Pool


@dataclass(frozen=True)
class Probe(ABC):
    """Turns one pair into cases, or says why it does not apply.

    A probe is a frozen dataclass: its fields are the parameters of its spec string. ``name`` and ``seed`` are
    set by whoever builds it.
    """

    name: str = field(kw_only=True, metadata={"internal": True})
    seed: int = field(default=0, kw_only=True, metadata={"internal": True})

    version: ClassVar[int] = 1
    needs_pool: ClassVar[bool] = False

    @abstractmethod
    def cases(self, pair: Pair, pool: Pool | None) -> Iterator[Case | Skip]:
        """The cases of one pair; they depend on nothing but the pair, the parameters, the seed and the pool."""

    @cached_property
    def spec(self) -> str:
        """The canonical spec string: parameters that have their default value are left out."""
        given = [
            f"{item.name}={getattr(self, item.name)}"
            for item in dataclasses.fields(self)
            if not item.metadata.get("internal") and getattr(self, item.name) != item.default
        ]
        return self.name + ("?" + "&".join(sorted(given)) if given else "")

    @property
    def reads(self) -> str:
        """A hash of what else decides the cases, such as a lexicon; empty for most probes."""
        return ""

    @cached_property
    def ids(self) -> CaseIds:
        """Makes the ids of this probe's cases; the seed counts where the probe draws."""
        params = self.spec.partition("?")[2]
        return CaseIds(self.name, self.version, params)

    def draws(self, pair: Pair) -> Random:
        """The random draws for one pair."""
        return draws(self.seed, self.name, pair.id)
