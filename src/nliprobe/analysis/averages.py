"""Averages over corpora: how often each system breaks what each probe expects, whichever table shows it in detail."""

from __future__ import annotations

from typing import NamedTuple

from nliprobe.analysis.documents import ExpectationEntry, MeanRate, ShowDocument
from nliprobe.analysis.transitions import mean_rate


class ProbeAverage(NamedTuple):
    """The broken and the changed share of one system and probe, averaged over corpora of the same weight."""

    system: str
    probe: str
    broken: MeanRate
    changed: MeanRate


def probe_averages(document: ShowDocument) -> list[ProbeAverage]:
    """Return the averages of every system and probe, once each: those of the transitions, then of the expectations."""
    averages = [
        ProbeAverage(item["system"], item["probe"], item["prohibited_overall"], item["changed"])
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
        )
        for (system, probe), same in together.items()
    ]
