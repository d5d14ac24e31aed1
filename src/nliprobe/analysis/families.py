"""Families: systems that differ by their seed only, summarised as a mean and its spread."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import mean, stdev

from nliprobe.analysis.documents import FamilyScore, Gain, ScoreEntry, SystemHead
from nliprobe.task.case import IDENTITY


def family_scores(
    systems: Sequence[SystemHead], scores: Sequence[ScoreEntry], gains: Sequence[Gain]
) -> list[FamilyScore]:
    """Compute the mean accuracy of each family on each corpus, its standard deviation, and the mean gain.

    The standard deviation is over seeds (divided by n - 1). It says nothing about the sample of pairs; for that, see
    the intervals of single systems. The gain is over the best system that does not see the premise.
    """
    members: dict[str, list[str]] = {}
    for system in systems:
        if system["family"]:
            members.setdefault(system["family"], []).append(system["name"])
    families: list[FamilyScore] = []
    for family, names in members.items():
        for probe, corpus in dict.fromkeys((entry["probe"], entry["corpus"]) for entry in scores):
            entries = [
                entry
                for entry in scores
                if entry["system"] in names and (entry["probe"], entry["corpus"]) == (probe, corpus)
            ]
            values = [entry["accuracy"] for entry in entries if entry["accuracy"] is not None]
            if not values:
                continue
            above = [gain["gain"] for gain in gains if gain["system"] in names and gain["corpus"] == corpus]
            families.append(
                FamilyScore(
                    family=family,
                    systems=[entry["system"] for entry in entries],
                    corpus=corpus,
                    probe=probe,
                    accuracy=mean(values),
                    sd=stdev(values) if len(values) > 1 else None,
                    gain=mean(above) if above and probe == IDENTITY else None,
                )
            )
    return families
