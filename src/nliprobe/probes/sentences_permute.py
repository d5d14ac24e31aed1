"""``sentences.permute``: bring the sentences of a passage into another order. Nothing may change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from nliprobe.probes import PROBES
from nliprobe.probes._sentences import SentenceProbe
from nliprobe.probes._units import PermuteUnits
from nliprobe.task.about import About


@PROBES.register("sentences.permute")
@dataclass(frozen=True)
class SentencesPermute(SentenceProbe, PermuteUnits):
    """Bring the sentences into ``n`` seeded orders per pair, all different from one another and from the original."""

    about: ClassVar[About] = About(
        "The sentences are brought into another order. Where each stands by itself, no answer may change.",
        "The answer depends on the place of a sentence, where only its content counts.",
    )
