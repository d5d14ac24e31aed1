"""``hypothesis.case``: write the hypothesis in capitals. Nothing may change."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nliprobe.probes import PROBES, Probe
from nliprobe.task.case import Case, Certainty, Skip, identity_id
from nliprobe.task.edits import Edit
from nliprobe.task.pair import Pair
from nliprobe.task.relations import SAME
from nliprobe.task.source import Pool


@PROBES.register("hypothesis.case")
@dataclass(frozen=True)
class HypothesisCase(Probe):
    """The hypothesis in capitals; the answer must be the one to the hypothesis as it was."""

    def cases(self, pair: Pair, pool: Pool | None) -> Iterator[Case | Skip]:
        """One case a pair."""
        shouted = pair.hypothesis.upper()
        if shouted == pair.hypothesis:
            yield Skip(self.spec, "the hypothesis has no small letters")
            return
        bases = (identity_id(pair.id),)
        edits = (Edit("hypothesis.replace", before=pair.hypothesis, after=shouted),)
        yield Case(
            self.ids.of(bases, edits),
            self.spec,
            pair,
            pair.premise,
            shouted,
            bases=bases,
            relation=SAME,
            edits=edits,
            # "us" and "US" are two words.
            certainty=Certainty.LIKELY,
        )
