"""``stress.overlap``: add *and true is true* to the hypothesis, which then shares a smaller part of its words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from nliprobe.probes import PROBES
from nliprobe.probes._tautology import TRUE, TautologyProbe
from nliprobe.task.about import About


@PROBES.register("stress.overlap")
@dataclass(frozen=True)
class StressOverlap(TautologyProbe):
    """Add "and true is true" to the hypothesis. The label stays, although fewer of its words are in the premise."""

    added: ClassVar[str] = TRUE
    about: ClassVar[About] = About(
        "“And true is true” is added to the hypothesis, so that fewer of its words are in the premise. "
        "The label stays, and no answer may change.",
        "The answer depends on how many words the two texts share.",
    )
