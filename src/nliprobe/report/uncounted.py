"""Leave out tables that would count nothing: a note says once that a probe's expectations do not hold there."""

from __future__ import annotations

from nliprobe.analysis.documents import ExpectationEntry, ShowDocument, Transitions
from nliprobe.report.words import plural


def without_uncounted(document: ShowDocument) -> ShowDocument:
    """Return the document without transitions and expectations of no case, and with one note per probe and corpus.

    What must follow may be uncertain in all cases of a corpus, so that they count in no rate at all.
    """
    cases: dict[tuple[str, str], int] = {}
    uncounted: list[Transitions | ExpectationEntry] = [item for item in document["transitions"] if not _moves(item)]
    uncounted += [item for item in document["expectations"] if not _counts(item)]
    for entry in uncounted:
        place = entry["corpus"], entry["probe"]
        cases[place] = max(cases.get(place, 0), entry["uncertain"])
    notes = {name: list(lines) for name, lines in document["notes"].items()}
    for (corpus, probe), uncertain in cases.items():
        why = f"what must follow is not certain in any of its {plural(uncertain, 'case')}" if uncertain else "no case"
        notes.setdefault(corpus, []).append(f"{probe} counts nothing here: {why}.")
    shown = document.copy()
    shown["transitions"] = [item for item in document["transitions"] if _moves(item)]
    shown["expectations"] = [item for item in document["expectations"] if _counts(item)]
    shown["transition_averages"] = [
        item
        for item in document["transition_averages"]
        if any((entry["system"], entry["probe"]) == (item["system"], item["probe"]) for entry in shown["transitions"])
    ]
    shown["notes"] = notes
    return shown


def _counts(entry: Transitions | ExpectationEntry) -> bool:
    """Tell whether an entry has anything to show: certain cases, or some that do not reach the system."""
    return bool(entry["n"] or entry["unanswered"] or entry["unchanged"])


def _moves(entry: Transitions) -> bool:
    """Tell whether transitions have anything to show, certain or likely."""
    return _counts(entry) or bool(entry["likely"]["n"] or entry["likely"]["unchanged"])
