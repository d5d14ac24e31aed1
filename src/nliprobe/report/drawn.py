"""The rows or sentences that people need and a system uses, drawn on the premise itself."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from nliprobe.analysis.evidence.drawn import DrawnPair, DrawnUse
from nliprobe.report.words import NOTHING, shortened

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

# Signs that differ without colour, too: both, needed only, used only, neither; used where nobody said what is needed.
BOTH, NEEDED, USED, NEITHER, UNJUDGED = "both", "needed", "used", "", "unjudged"
SIGNS = {BOTH: "●", NEEDED: "○", USED: "×", NEITHER: " ", UNJUDGED: "•"}
JUDGED = {BOTH: "needed and used", NEEDED: "needed, not used", USED: "used, not needed"}
MEANINGS = {**JUDGED, UNJUDGED: "used"}
_COLOURS = {BOTH: "green", NEEDED: "yellow", USED: "red", NEITHER: "", UNJUDGED: "cyan"}
# A cell of a hostile corpus may hold a megabyte, and a passage thousands of sentences.
LONGEST = 1200
MOST_UNITS = 60


def mark_of(*, needed: bool | None, used: bool | None) -> str:
    """Return what a unit is: needed and used, only one of both, or neither; where needs are not known, only used."""
    if used:
        return UNJUDGED if needed is None else BOTH if needed else USED
    return NEEDED if needed else NEITHER


class UnitMarks(NamedTuple):
    """The units of one pair, and what each of them is for one system."""

    texts: tuple[str, ...]
    marks: tuple[str, ...]

    def mark(self, place: int) -> str:
        """Return what the unit at a place is."""
        return self.marks[place] if place < len(self.marks) else NEITHER


# By system and pair.
MarksByPair: TypeAlias = Mapping[tuple[str, str], UnitMarks]


def marks_by_pair(pairs: Iterable[DrawnPair]) -> MarksByPair:
    """Return the marks of some pairs, of each system; pairs about which nothing is known are left out."""
    return {
        (use["system"], pair["pair"]): UnitMarks(
            tuple(unit["text"] for unit in pair["units"]), tuple(unit_marks(pair, use))
        )
        for pair in pairs
        for use in pair["systems"]
        if pair["grade"] is not None or use["used"] is not None
    }


def unit_marks(pair: DrawnPair, use: DrawnUse) -> list[str]:
    """Return what each unit of a pair is for one system; without known uses, only what people need is marked."""
    used = set(use["used"] or ())
    return [mark_of(needed=unit["needed"], used=place in used) for place, unit in enumerate(pair["units"])]


def places_to_show(size: int, told: Collection[int]) -> list[int]:
    """Choose the units that a page shows: all, or of a long premise the first ones and those with something to tell."""
    if size <= MOST_UNITS:
        return list(range(size))
    later = sorted(place for place in told if MOST_UNITS // 2 <= place < size)
    return [*range(MOST_UNITS // 2), *later[: MOST_UNITS // 2]]


def pair_facts(pair: DrawnPair) -> str:
    """Write what is known about a pair: its gold label, and where its marks come from."""
    gold = f"gold {pair['gold'] or NOTHING}"
    if pair["grade"] is None:
        return f"{gold}; nobody marked what is needed"
    more = [", each suffices alone" if pair["alone"] else "", ", outside knowledge as well" if pair["outside"] else ""]
    return f"{gold}; {pair['grade']} evidence{''.join(more)}"


def use_words(pair: DrawnPair, use: DrawnUse) -> str:
    """Write what a system answered, and what is known about its use of the units."""
    answer = f"answers {use['answer'] or 'nothing'}"
    if use["used"] is None:
        return f"{answer}; not every {pair['unit']} was {_VERBS[use['method']]} and answered, so its use is not known"
    shown = f"{answer}; {len(use['used'])} of {len(pair['units'])} {pair['unit']}s used"
    unread = len(use["unread"])
    return f"{shown}, {unread} never reach it" if unread else shown


_VERBS = {"delete": "taken out", "keep": "kept alone"}


def render_pair(pair: DrawnPair, warnings: Sequence[str] = ()) -> RenderableType:
    """Turn a pair into something Rich can print: a line per unit, a column of signs per system."""
    from rich.console import Group
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    parts: list[RenderableType] = [Text(line, style="yellow") for line in warnings]
    parts += [
        Text(f"{pair['corpus']} · {pair['pair']}", style="dim"),
        Text(pair["hypothesis"], style="bold"),
        Text(pair_facts(pair)),
        "",
    ]
    if pair["title"]:
        parts.append(Text(pair["title"], style="underline"))
    marks = [unit_marks(pair, use) for use in pair["systems"]]
    grid = Table.grid(padding=(0, 1))
    for _ in marks:
        grid.add_column(width=1)
    grid.add_column()
    grid.add_row(*(Text(str(place + 1), style="dim") for place in range(len(marks))), "")
    for place, unit in enumerate(pair["units"]):
        key = f"{unit['key']}: " if unit["key"] else f"{place + 1} "
        style = "bold" if unit["needed"] else ""
        grid.add_row(
            *(_sign(column[place]) for column in marks), Text(shortened(f"{key}{unit['text']}", LONGEST), style=style)
        )
    parts += [Padding(grid, (0, 0, 1, 1))]
    for place, use in enumerate(pair["systems"]):
        parts.append(Text(f"{place + 1} {use['system']}, {use_words(pair, use)}"))
    meanings = {UNJUDGED: MEANINGS[UNJUDGED]} if pair["grade"] is None else JUDGED
    legend = "  ".join(f"{SIGNS[mark]} {words}" for mark, words in meanings.items())
    return Group(*parts, Text(legend, style="dim"))


def drawn_section(pair: DrawnPair) -> dict[str, object]:
    """Prepare a pair for the page: its units, and per system a mark and its meaning."""
    marks = [unit_marks(pair, use) for use in pair["systems"]]
    size = len(pair["units"])
    places = places_to_show(size, {place for column in marks for place, mark in enumerate(column) if mark})
    return {
        "pair": pair["pair"],
        "corpus": pair["corpus"],
        "title": shortened(pair["title"], LONGEST),
        "hypothesis": shortened(pair["hypothesis"], LONGEST),
        "facts": pair_facts(pair),
        "unit": pair["unit"],
        "systems": [{"name": use["system"], "words": use_words(pair, use)} for use in pair["systems"]],
        "rows": [
            {
                "key": shortened(unit["key"] or str(place + 1), LONGEST),
                "text": shortened(unit["text"], LONGEST),
                # The colour of the line is that of the first system, which is the one that pairs were chosen for.
                "mark": marks[0][place] if marks else NEITHER,
                "cells": [
                    {"mark": column[place], "sign": SIGNS[column[place]], "words": MEANINGS.get(column[place], "")}
                    for column in marks
                ],
            }
            for place, unit in ((place, pair["units"][place]) for place in places)
        ],
        "hidden": size - len(places),
    }


def _sign(mark: str) -> Text:
    from rich.text import Text

    return Text(SIGNS[mark], style=_COLOURS[mark])
