"""``stress.negation``: add *and false is not true* to the hypothesis, a negation that negates nothing in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from nliprobe.probes import PROBES
from nliprobe.probes._tautology import FALSE, TautologyProbe
from nliprobe.task.about import About


@PROBES.register("stress.negation")
@dataclass(frozen=True)
class StressNegation(TautologyProbe):
    """Add "and false is not true" to the hypothesis. The label stays: the word *not* negates nothing it said before."""

    added: ClassVar[str] = FALSE
    about: ClassVar[About] = About(
        "“And false is not true” is added to the hypothesis, a negation that changes nothing. "
        "The label stays, and no answer may change.",
        "The answer depends on the word “not”, whatever it negates.",
    )
