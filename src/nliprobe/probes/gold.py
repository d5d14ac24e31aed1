"""``gold``: ask each pair as it is and compare the answer with its label. All other cases derive from these."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from nliprobe.probes import PROBES, Probe
from nliprobe.task.about import About
from nliprobe.task.case import IDENTITY_VERSION, Case, Skip, identity_case
from nliprobe.task.pair import Pair
from nliprobe.task.source import Pool


@PROBES.register("gold")
@dataclass(frozen=True)
class Gold(Probe):
    """Ask the pair as it is."""

    about: ClassVar[About] = About(
        "Each pair is asked as it is.",
        "The answer is not the gold label, or breaks what its corpus expects compared with another pair.",
    )
    version: ClassVar[int] = IDENTITY_VERSION

    def cases(self, pair: Pair, pool: Pool | None) -> Iterator[Case | Skip]:
        """Yield the pair itself."""
        yield identity_case(pair)
