"""Averages over corpora: how often each system breaks what each probe expects, whichever table shows it in detail."""

from __future__ import annotations

from typing import NamedTuple

from nliprobe.analysis.documents import ExpectationEntry, MeanRate, ShowDocument
from nliprobe.analysis.transitions import mean_rate


class ProbeAverage(NamedTuple):
    """Shares of one system and probe, averaged over corpora of the same weight.

    Attributes:
        system: the system.
        probe: the probe.
        broken: how often what is expected for certain is broken.
        changed: how often the label changed.
        likely: how often what is only likely is broken; it counts nowhere else.
    """

    system: str
    probe: str
    broken: MeanRate
    changed: MeanRate
    likely: MeanRate


def probe_averages(document: ShowDocument) -> list[ProbeAverage]:
    """Return the averages of every system and probe, once each: those of the transitions, then of the expectations."""
    averages = [
        ProbeAverage(
            item["system"], item["probe"], item["prohibited_overall"], item["changed"], item["prohibited_likely"]
        )
        for item in document["transition_averages"]
    ]
    together: dict[tuple[str, str], list[ExpectationEntry]] = {}
    for entry in document["expectations"]:
        together.setdefault((entry["system"], entry["probe"]), []).append(entry)
    return averages + [
        ProbeAverage(
            system,
            probe,
            mean_rate([entry["rate"] for entry in same]),
            mean_rate([entry["changed"] for entry in same]),
            mean_rate([]),
        )
        for (system, probe), same in together.items()
    ]
