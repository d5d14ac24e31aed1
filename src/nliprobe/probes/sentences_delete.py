"""``sentences.delete``: take sentences out of the passage.

What ``rows.delete`` asks about tables: a sentence less can mean less support, never support for the opposite. Where
people marked the sentences that are needed, the answer must become N without them, and stay without any other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from nliprobe.probes import PROBES
from nliprobe.probes._sentences import SentenceProbe
from nliprobe.probes._units import DeleteUnits
from nliprobe.task.about import About


@PROBES.register("sentences.delete")
@dataclass(frozen=True)
class SentencesDelete(SentenceProbe, DeleteUnits):
    """Delete every single sentence in turn (or ``n`` seeded draws per pair), or those that the evidence names."""

    about: ClassVar[About] = About(
        "One sentence is taken out of the passage. Less evidence can make an answer neutral, never the opposite.",
        "The answer follows something other than what the sentences say: one less cannot support the opposite.",
    )
