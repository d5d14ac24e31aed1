"""Certain and likely cases side by side, and cases that do not reach a system, the same in every report."""

from __future__ import annotations

from collections.abc import Sequence

from nliprobe.analysis.documents import ScoreEntry, Transitions
from nliprobe.report.words import not_reached

# Half of what swap expects is likely only, so its tables always show both.
_ALWAYS = ("swap",)


def by_certainty(entries: Sequence[ScoreEntry]) -> list[ScoreEntry]:
    """Return the scores with two entries per corpus, certain and likely, for each probe that has likely cases."""
    halved = {entry["probe"] for entry in entries if entry["likely"]["n"] or _always(entry["probe"])}
    return [
        part
        for entry in entries
        for part in ((_certain(entry), _likely(entry)) if entry["probe"] in halved else (entry,))
    ]


def shows_likely(entries: Sequence[Transitions]) -> bool:
    """Tell whether likely cases have a column of their own: if there are some, and always after a swap."""
    return any(entry["likely"]["n"] or _always(entry["probe"]) for entry in entries)


def reached(entry: Transitions) -> int:
    """Count the certain cases whose edit reaches the system."""
    return entry["n"] + entry["unanswered"]


def unreached_words(entry: Transitions, controls: Sequence[str]) -> str:
    """Say how many cases do not reach the system of an entry; empty if all do."""
    return not_reached(entry["unchanged"], reached(entry), control=entry["system"] in controls)


def nothing_reached(entries: Sequence[Transitions]) -> bool:
    """Tell whether no case reaches a system, so that it has no rates at all."""
    return not any(reached(entry) or entry["likely"]["n"] for entry in entries)


def _always(probe: str) -> bool:
    return probe.partition("?")[0] in _ALWAYS


def _certain(entry: ScoreEntry) -> ScoreEntry:
    return {**entry, "corpus": f"{entry['corpus']}\ncertain"}


def _likely(entry: ScoreEntry) -> ScoreEntry:
    likely = entry["likely"]
    return {
        **entry,
        "corpus": f"{entry['corpus']}\nlikely",
        "n": likely["n"],
        "unanswered": likely["unanswered"],
        "correct": likely["correct"],
        "accuracy": likely["accuracy"],
        "ci95": likely["ci95"],
        "ci95_clustered": None,
        "groups": likely["groups"],
        "constant": likely["constant"],
        "balanced": None,
        "balanced_ci95": None,
        "labels": {},
        "macro_f1": None,
        "macro_f1_ci95": None,
        "uncertain": 0,
    }
