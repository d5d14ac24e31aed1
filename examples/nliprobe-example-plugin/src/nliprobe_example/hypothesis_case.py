"""``hypothesis.case``: write the hypothesis in capitals. Nothing may change."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from nliprobe.probes import PROBES, Probe
from nliprobe.task.about import About
from nliprobe.task.case import Case, Certainty, Skip
from nliprobe.task.edits import Edit
from nliprobe.task.pair import Pair
from nliprobe.task.relations import SAME
from nliprobe.task.source import Pool


@PROBES.register("hypothesis.case")
@dataclass(frozen=True)
class HypothesisCase(Probe):
    """Write the hypothesis in capitals; the answer must be the one to the hypothesis as it was."""

    about: ClassVar[About] = About(
        "The hypothesis is written in capitals. Nothing is said by that, so no answer may change.",
        "The model answers by how a word is written.",
    )

    def cases(self, pair: Pair, pool: Pool | None) -> Iterator[Case | Skip]:
        """Yield one case per pair."""
        shouted = pair.hypothesis.upper()
        if shouted == pair.hypothesis:
            yield self.skip("the hypothesis has no small letters")
            return
        edit = Edit("hypothesis.replace", before=pair.hypothesis, after=shouted)
        # "us" and "US" are two words, so the expectation is not certain.
        yield self.case(pair, (edit,), expects=SAME, certainty=Certainty.LIKELY)
