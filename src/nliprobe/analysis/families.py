"""Families: systems that are the same thing with other seeds, as a mean and its spread."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import mean, stdev

from nliprobe.analysis.documents import FamilyScore, Gain, ScoreEntry, SystemHead
from nliprobe.task.case import IDENTITY


def family_scores(
    systems: Sequence[SystemHead], scores: Sequence[ScoreEntry], gains: Sequence[Gain]
) -> list[FamilyScore]:
    """The mean accuracy of each family on each corpus, its standard deviation, and the mean gain over the control.

    The standard deviation is over seeds (divided by n - 1) and says nothing of the sample of pairs; the intervals
    of single systems do.
    """
    members: dict[str, list[str]] = {}
    for system in systems:
        if system["family"]:
            members.setdefault(system["family"], []).append(system["name"])
    found: list[FamilyScore] = []
    for family, names in members.items():
        for probe, corpus in dict.fromkeys((entry["probe"], entry["corpus"]) for entry in scores):
            own = [one for one in scores if one["system"] in names and (one["probe"], one["corpus"]) == (probe, corpus)]
            values = [entry["accuracy"] for entry in own if entry["accuracy"] is not None]
            if not values:
                continue
            above = [gain["gain"] for gain in gains if gain["system"] in names and gain["corpus"] == corpus]
            found.append(
                FamilyScore(
                    family=family,
                    systems=[entry["system"] for entry in own],
                    corpus=corpus,
                    probe=probe,
                    accuracy=mean(values),
                    sd=stdev(values) if len(values) > 1 else None,
                    gain=mean(above) if above and probe == IDENTITY else None,
                )
            )
    return found
