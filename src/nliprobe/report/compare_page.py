"""The page of ``compare``: what tells systems apart, a matrix per corpus and probe, and cases that flip."""

from __future__ import annotations

from collections.abc import Sequence

from nliprobe.analysis.compare.correction import shown
from nliprobe.analysis.compare.documents import CompareDocument, ComparedSystem, Difference
from nliprobe.report.cells import TableCell, cell
from nliprobe.report.comparison import (
    CONSTANT_WORDS,
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
from nliprobe.report.comparison_answer import answer_heading, answer_lines, largest_sentence
from nliprobe.report.comparison_many import (
    Place,
    constant_of,
    matrix_order,
    pair_cells,
    places,
    rate_in,
    seen_words,
    signed_difference,
)
from nliprobe.report.names import middle_cut
from nliprobe.report.pages import render_page
from nliprobe.report.svg import Dot, dot_plot
from nliprobe.report.words import NOTHING, cut, percent, plural, probability, sentences, signed

# Wider matrices cannot be read; the list of pairs below each has all differences.
_LARGEST_MATRIX = 12
# Names of what is compared have four parts, each of which counts; names of systems in a narrow block have less room.
_LONGEST, _SHORT = 64, 30


def comparison_page(document: CompareDocument) -> str:
    """Write a comparison as a page of its own, which loads nothing."""
    sure = decided(document)
    names = [system["name"] for system in document["systems"]]
    words = [TEST_WORDS, CONSTANT_WORDS, DETECTABLE_WORDS, *([] if document["margin"] is None else [MARGIN_WORDS])]
    heading = answer_heading(document)
    two = len(document["pairs"]) == 1
    shown_places = [] if two else [_place(document, place, names, sure=sure) for place in places(document)]
    what = " and ".join(names) if len(names) == 2 else plural(len(names), "system")
    return render_page(
        "compare.html",
        title=f"Comparison of {what}: {heading}",
        heading=heading,
        first="The answer",
        facts="Which is better? · " + (plural(len(names), "system") if len(names) > 2 else "right minus left"),
        systems=[_system_words(place, side, names) for place, side in enumerate(ordered_systems(document))],
        warnings=side_warnings(document),
        answer=[line for line in [*answer_lines(document), *largest_sentence(document)] if line != heading],
        picture=_picture(document),
        ranking=[
            (
                f"{item['corpus']}, {item['probe']}, {KINDS[item['kind']]}",
                f"{item['told_apart']} of {item['compared']}",
                probability(item["smallest_p"]),
            )
            for item in document["separations"]
            if len(names) > 2
        ],
        matrices=any(place["rows"] for place in shown_places),
        places=shown_places,
        heads=["corpus, probe", "cases", "groups", "constant", *_heads(document)],
        rows=_of_two(document, sure=sure) if two else [],
        flips=_flips(document),
        words=sentences(words),
        notes=[*document["differences"], *document["notes"]],
    )


def _system_words(place: int, side: ComparedSystem, names: Sequence[str]) -> str:
    """Name a system; of two, the list says which is left and which is right."""
    return f"{side_words(side)} ({('left', 'right')[place]})" if len(names) == 2 else side_words(side)


def _picture(document: CompareDocument) -> dict[str, object] | None:
    """Draw all differences of two systems on one axis; matrices show those of more."""
    from markupsafe import Markup

    if len(document["pairs"]) != 1:
        return None
    pair = document["pairs"][0]
    dots = []
    for place in places(document):
        for entry in place.entries.values():
            if (difference := entry["difference"]) is not None:
                low, high = entry["ci95"] or (difference, difference)
                dots.append(Dot(place.title, difference, low, high, control=not shown(entry)))
    if not dots:
        return None
    low, high = min(-0.05, *(dot.low for dot in dots)), max(0.05, *(dot.high for dot in dots))
    about = (
        f"Points that {pair['right']} (right) has more than {pair['left']} (left), with 95 % intervals. "
        "Full dots are told apart after correction, hollow ones may be chance."
    )
    return {"about": about, "svg": Markup(dot_plot(dots, low=low, high=high, unit="points", longest=_LONGEST))}


def _place(document: CompareDocument, place: Place, names: list[str], *, sure: bool) -> dict[str, object]:
    margin = document["margin"] is not None
    order = matrix_order(place, names)
    matrix = 2 < len(order) <= _LARGEST_MATRIX and document["reference"] is None
    letters = (place.separation["letters"] if place.separation and sure else None) or {}
    head = ["system", "rate", *(["letters"] if letters else [])]
    return {
        "title": place.title,
        "seen": seen_words(place),
        "columns": [*head, *(_minus_column(names.index(name) + 1, name) for name in order)] if matrix else [],
        "rows": [
            [
                f"{names.index(row) + 1} {row}",
                percent(rate_in(place, row)),
                *([letters.get(row, "")] if letters else []),
                *(_cell(place, row, column, sure=sure) for column in order),
            ]
            for row in order
        ]
        if matrix
        else [],
        "heads": ["left, right", *_heads(document)],
        "pairs": [
            [f"{left}, {right}", *pair_cells(entry, sure=sure, margin=margin)]
            for (left, right), entry in place.entries.items()
        ],
    }


def _minus_column(number: int, name: str) -> dict[str, str]:
    """Name a column of a matrix: by a number above it, in words where a row is a block."""
    return {"name": f"− {number}", "label": f"minus {number} {middle_cut(name, _SHORT)}"}


def _heads(document: CompareDocument) -> list[str]:
    margin = ["at worst"] if document["margin"] is not None else []
    return ["left", "right", "difference", "adj. p", "seen from", *margin, "reading"]


def _rests_on(entry: Difference) -> list[str]:
    """Write how many cases and groups a difference rests on, and what a constant answer gets."""
    return [f"{entry['n']:,}", f"{entry['groups']:,}", percent(constant_of(entry))]


def _of_two(document: CompareDocument, *, sure: bool) -> list[list[str]]:
    """Return the differences of two systems, a row per corpus and probe."""
    margin = document["margin"] is not None
    return [
        [place.title, *_rests_on(entry), *pair_cells(entry, sure=sure, margin=margin)]
        for place in places(document)
        for entry in place.entries.values()
    ]


def _cell(place: Place, row: str, column: str, *, sure: bool) -> TableCell:
    found = None if row == column else signed_difference(place, row, column)
    if found is None:
        return cell("" if row == column else NOTHING)
    difference, apart = found
    told = apart and sure
    tone = ("better" if difference > 0 else "worse") if told else "soft"
    return cell(f"{signed(difference)}{'*' if told else ''}", tone=tone)


def _flips(document: CompareDocument) -> list[dict[str, object]]:
    """Return the examples of each pair of systems, with the comparison that they come from."""
    return [
        {
            "title": f"{word} on {entry['corpus']}, {entry['probe']}, {KINDS[entry['kind']]}",
            "pair": f"{pair['left']} (left) and {pair['right']} (right): " if len(document["pairs"]) > 1 else "",
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
