"""``swap``: exchange premise and hypothesis (swap §3). Contradiction is kept, neutral mostly, entailment is not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from nliprobe.base.hashing import digest
from nliprobe.language import specific, wordnet
from nliprobe.probes import PROBES, Probe
from nliprobe.task.about import About
from nliprobe.task.case import Case, Certainty, Skip
from nliprobe.task.edits import swap_texts
from nliprobe.task.labels import C, E, N
from nliprobe.task.pair import DOUBTFUL_SWAP, Pair
from nliprobe.task.relations import SWAPPED, Relation
from nliprobe.task.source import Pool
from nliprobe.task.table import Table

# What the seed expects besides what logic demands: neutral stays neutral. That is likely, because a neutral hypothesis
# that says more than its premise entails it: 12 of 100 neutral pairs of SNLI become entailments.
SWAP = Relation.of({"E": "EN", "N": "N", "C": "C"})


@PROBES.register("swap")
@dataclass(frozen=True)
class Swap(Probe):
    """Ask the pair the other way round. Gold C stays C for certain; gold N likely stays N; gold E is open."""

    about: ClassVar[About] = About(
        "Premise and hypothesis are exchanged. Contradiction stays, neutral likely, entailment may become neutral.",
        "The answer depends on which text comes first, although both readings have the same label.",
    )

    # 2: a pair of equal texts is left out, because nothing changes in it.
    version: ClassVar[int] = 2

    @property
    def reads(self) -> str:  # type: ignore[override]  # read-only like every attribute of a frozen dataclass
        """A hash of what is expected of neutral pairs and of the rule that marks doubtful ones; ids leave it out."""
        return digest("neutral is likely, no contradiction comes", str(specific.VERSION), wordnet.source().version)

    def cases(self, pair: Pair, pool: Pool | None) -> Iterator[Case | Skip]:
        """Yield one case per pair of texts; a neutral one that swapping most likely makes an entailment is marked."""
        if isinstance(pair.premise, Table):
            yield self.skip("a table cannot be exchanged with a sentence")
            return
        if pair.premise == pair.hypothesis:
            yield self.skip("premise and hypothesis are the same")
            return
        certain = pair.gold in (E, C)
        doubtful = pair.gold == N and specific.more_specific(pair.premise, pair.hypothesis)
        yield self.case(
            pair,
            (swap_texts(),),
            expects=SWAPPED if certain else SWAP,
            gold=pair.gold if pair.gold in (N, C) else None,
            certainty=Certainty.CERTAIN if certain else Certainty.LIKELY,
            facets=(DOUBTFUL_SWAP,) if doubtful else (),
        )
