"""``swap``: exchange premise and hypothesis (swap §3). Contradiction and neutral are kept, entailment is not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from nliprobe.probes import PROBES, Probe
from nliprobe.task.about import About
from nliprobe.task.case import Case, Skip
from nliprobe.task.edits import swap_texts
from nliprobe.task.labels import C, N
from nliprobe.task.pair import Pair
from nliprobe.task.relations import Relation
from nliprobe.task.source import Pool
from nliprobe.task.table import Table

SWAP = Relation.of({"N": "N", "C": "C"})


@PROBES.register("swap")
@dataclass(frozen=True)
class Swap(Probe):
    """Ask the pair the other way round. Following the seed, gold C stays C and gold N stays N; gold E is open."""

    about: ClassVar[About] = About(
        "Premise and hypothesis are exchanged. Contradiction and neutral stay, entailment may become anything.",
        "The answer depends on which text comes first, although both readings have the same label.",
    )

    # 2: a pair of equal texts is left out, because nothing changes in it.
    version: ClassVar[int] = 2

    def cases(self, pair: Pair, pool: Pool | None) -> Iterator[Case | Skip]:
        """Yield one case per pair of texts."""
        if isinstance(pair.premise, Table):
            yield self.skip("a table cannot be exchanged with a sentence")
            return
        if pair.premise == pair.hypothesis:
            yield self.skip("premise and hypothesis are the same")
            return
        yield self.case(pair, (swap_texts(),), expects=SWAP, gold=pair.gold if pair.gold in (N, C) else None)
