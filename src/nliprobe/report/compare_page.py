"""The page of ``compare``: what tells systems apart, a matrix per corpus and probe, and cases that flip."""

from __future__ import annotations

from nliprobe.analysis.compare.documents import CompareDocument
from nliprobe.report.comparison import (
    DETECTABLE_WORDS,
    KINDS,
    MARGIN_WORDS,
    TEST_WORDS,
    answer_words,
    decided,
    ordered_systems,
    side_warnings,
    side_words,
)
from nliprobe.report.comparison_many import (
    Place,
    group_sentences,
    matrix_order,
    pair_cells,
    places,
    rate_in,
    seen_words,
    signed_difference,
    signed_points,
)
from nliprobe.report.pages import render_page
from nliprobe.report.words import NOTHING, cut, minus, percent, probability, sentences

# Wider matrices cannot be read; the list of pairs below each has all differences.
_LARGEST_MATRIX = 12


def comparison_page(document: CompareDocument) -> str:
    """Write a comparison as a page of its own, which loads nothing."""
    sure = decided(document)
    names = [system["name"] for system in document["systems"]]
    words = [TEST_WORDS, DETECTABLE_WORDS, *([] if document["margin"] is None else [MARGIN_WORDS])]
    return render_page(
        "compare.html",
        title="Comparison of " + (" and ".join(names) if len(names) == 2 else f"{len(names)} systems"),
        facts="",
        systems=[
            {"number": number, "words": side_words(side)} for number, side in enumerate(ordered_systems(document), 1)
        ],
        warnings=side_warnings(document),
        answer=group_sentences(document) if sure else ["No verdict: a run is not complete."],
        ranking=[
            {
                "place": f"{item['corpus']}, {item['probe']}, {KINDS[item['kind']]}",
                "apart": f"{item['told_apart']} of {item['compared']}",
                "p": probability(item["smallest_p"]),
            }
            for item in document["separations"]
        ],
        places=[_place(document, place, names, sure=sure) for place in places(document)],
        flips=_flips(document),
        words=sentences(words),
        notes=[*document["differences"], *document["notes"]],
    )


def _place(document: CompareDocument, place: Place, names: list[str], *, sure: bool) -> dict[str, object]:
    margin = document["margin"] is not None
    order = matrix_order(place, names)
    letters = (place.separation["letters"] if place.separation else None) or {}
    matrix = 2 < len(order) <= _LARGEST_MATRIX and document["reference"] is None
    return {
        "title": place.title,
        "seen": seen_words(place),
        "columns": [names.index(name) + 1 for name in order] if matrix else [],
        "rows": [
            {
                "number": names.index(row) + 1,
                "name": row,
                "rate": percent(rate_in(place, row)),
                "letters": letters.get(row, "") if sure else "",
                "cells": [_cell(place, row, column, sure=sure) for column in order],
            }
            for row in order
        ]
        if matrix
        else [],
        "heads": ["left", "right", "difference", "adj. p", "seen from", *(["at worst"] if margin else []), ""],
        "pairs": [
            {
                "left": left,
                "right": right,
                "cells": [minus(cell) for cell in pair_cells(entry, sure=sure, margin=margin)],
            }
            for (left, right), entry in place.entries.items()
        ],
    }


def _cell(place: Place, row: str, column: str, *, sure: bool) -> dict[str, str]:
    found = None if row == column else signed_difference(place, row, column)
    if found is None:
        return {"text": "" if row == column else NOTHING, "style": ""}
    difference, apart = found
    told = apart and sure
    style = ("better" if difference > 0 else "worse") if told else "soft"
    return {"text": minus(f"{signed_points(difference)}{'*' if told else ''}"), "style": style}


def _flips(document: CompareDocument) -> list[dict[str, object]]:
    """Return the examples of each pair of systems, with the comparison that they come from."""
    return [
        {
            "title": f"{word.capitalize()} on {entry['corpus']}, {entry['probe']}, {KINDS[entry['kind']]}",
            "pair": f"{pair['left']} (left) and {pair['right']} (right)",
            "total": f"{len(examples)} of {total:,}",
            "cases": [
                {
                    "id": flip["case_id"],
                    "pair": flip["pair_id"],
                    "hypothesis": cut(flip["hypothesis"]),
                    "edits": cut(flip["edits"] or ""),
                    "left": answer_words(flip["left"]),
                    "right": answer_words(flip["right"]),
                }
                for flip in examples
            ],
        }
        for pair in document["pairs"]
        for entry in pair["comparisons"]
        for word, total, examples in (
            ("fixed", entry["fixed"], entry["fixed_examples"]),
            ("broken", entry["broken"], entry["broken_examples"]),
        )
        if examples
    ]
