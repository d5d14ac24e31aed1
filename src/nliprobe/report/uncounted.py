"""Leave out tables that would count nothing: a note says once that a probe's expectations do not hold there."""

from __future__ import annotations

from nliprobe.analysis.documents import ShowDocument
from nliprobe.report.words import plural


def without_uncounted(document: ShowDocument) -> ShowDocument:
    """Return the document without transitions and expectations of no case, and with one note per probe and corpus.

    Rows of a many-column table, for example, can be in another order without harm only if the claim does not speak of
    the order: what must follow is likely there, but never certain.
    """
    cases: dict[tuple[str, str], int] = {}
    for entry in (*document["transitions"], *document["expectations"]):
        if not entry["n"] and not entry["unanswered"]:
            place = entry["corpus"], entry["probe"]
            cases[place] = max(cases.get(place, 0), entry["uncertain"])
    notes = {name: list(lines) for name, lines in document["notes"].items()}
    for (corpus, probe), uncertain in cases.items():
        why = f"what must follow is not certain in any of its {plural(uncertain, 'case')}" if uncertain else "no case"
        notes.setdefault(corpus, []).append(f"{probe} counts nothing here: {why}.")
    shown = document.copy()
    shown["transitions"] = [item for item in document["transitions"] if item["n"] or item["unanswered"]]
    shown["expectations"] = [item for item in document["expectations"] if item["n"] or item["unanswered"]]
    shown["transition_averages"] = [
        item
        for item in document["transition_averages"]
        if any((entry["system"], entry["probe"]) == (item["system"], item["probe"]) for entry in shown["transitions"])
    ]
    shown["notes"] = notes
    return shown
