"""What whoever runs a study should know about its templates: empty bins, few capabilities, doubtful bins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from nliprobe.analysis.checklist.bins import BINS, bin_of
from nliprobe.api.study_pool import AskedPool
from nliprobe.people.study.key import KeyTemplate, TemplateRate

# A study with fewer says little about kinds of reasoning.
FEW_CAPABILITIES = 10


def study_notes(templates: Sequence[KeyTemplate], asked: Sequence[AskedPool], wanted: int) -> list[str]:
    """Return the notes of a study, for its key and for the console."""
    notes: list[str] = []
    if len(templates) < wanted:
        notes.append(f"Only {len(templates)} templates could be asked about, where {wanted} were wanted.")
    for place, one in enumerate(asked):
        chosen = Counter(template.rates[place].bin for template in templates)
        there = Counter(rate.bin for rate in one.rates.values())
        counts = ", ".join(f"{name} %: {chosen[name]} of {there[name]}" for name in BINS)
        notes.append(f"{one.system.name}: templates that are asked about, by accuracy: {counts}.")
        empty = [f"{name} %" for name in BINS if not there[name]]
        if empty:
            notes.append(
                f"{one.system.name} has no template with an accuracy of {' or '.join(empty)}, so that nobody is asked "
                "about one."
            )
        unsure = sum(is_unsure(template.rates[place]) for template in templates)
        if unsure:
            notes.append(
                f"{one.system.name}: the bin of {unsure} of {len(templates)} templates is not sure, because the 95 % "
                "interval of the accuracy reaches into another bin. More examples per template make it surer."
            )
    capabilities = len({template.capability for template in templates})
    if capabilities < FEW_CAPABILITIES:
        what = "a single capability" if capabilities == 1 else f"only {capabilities} capabilities"
        notes.append(f"The templates test {what}.")
    return notes


def is_unsure(rate: TemplateRate) -> bool:
    """Tell whether the interval of a template's accuracy reaches into another bin."""
    return rate.ci95 is not None and len({bin_of(rate.ci95[0]), bin_of(rate.ci95[1])}) > 1
