"""``stress.length``: add *and true is true* five times to the premise, so that the hypothesis is short beside it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from nliprobe.probes import PROBES
from nliprobe.probes._new_pairs import Side
from nliprobe.probes._tautology import TRUE, TautologyProbe
from nliprobe.task.about import About

_TIMES = 5


@PROBES.register("stress.length")
@dataclass(frozen=True)
class StressLength(TautologyProbe):
    """Add "and true is true" five times to the premise. The label stays, although the premise is longer."""

    added: ClassVar[str] = " ".join([TRUE] * _TIMES)
    side: ClassVar[Side] = Side.PREMISE
    about: ClassVar[About] = About(
        "“And true is true” is added five times to the premise. The label stays, and no answer may change.",
        "The answer depends on how long the premise is, or on words in it that say nothing.",
    )
