"""Table 9: the label that raising or lowering a number leads to, by the word that governs it."""

from __future__ import annotations

from nliprobe.papers.evidence._printed import ALBUM, FILM, LABELS, made_of, rule_of, share_entailed
from nliprobe.papers.recipes import Cell, Computed, Folders, Value, recipe
from nliprobe.task.case import Case, Certainty
from nliprobe.task.table import Table

_TIME, _RELEASE = "Bridesmaids has a running time of {} minutes.", "Breakfast in America was released {}."
# Words that govern a running time; each is tried with a number below the one in the table and with one above it.
_ABOVE, _BELOW = ("over", "more than", "at least"), ("under", "less than", "at most")
_DIRECTIONS = {"upward": "raised", "downward": "lowered"}
_NOTES = [
    LABELS,
    "The text calls 'over' upward monotone and says that raising the number keeps the label. That holds for H5, which "
    "is contradicted, but not for a hypothesis that is entailed. As the cells are printed, each is the label that the "
    "direction leads to, and so our rules read them: under 'over', raising can turn ENTAIL into CONTRADICT, never the "
    "reverse.",
    "Our value is over the cases that hypothesis.temporal makes of the printed tables with certainty and whose label "
    "flips. 'at least' and 'at most' are not in the paper.",
]


@recipe("evidence:table9", "The label that each direction leads to, by governing word")
def table9(folders: Folders) -> Computed:
    """Raise and lower numbers under each word, for hypotheses that are entailed and that are contradicted."""
    values: dict[Cell, float | Value | None] = {}
    for word, cases in _cases().items():
        for direction, move in _DIRECTIONS.items():
            flipped = [case for case in cases if rule_of(case).endswith(f"-{move}") and _flips(case)]
            values[Cell(word, direction)] = share_entailed(flipped)
            values[Cell(word, f"{direction}, cases")] = len(flipped)
    return Computed(values, _NOTES)


def _cases() -> dict[str, list[Case]]:
    cases: dict[str, list[Case]] = {}
    for words, low, high in ((_ABOVE, "E", "C"), (_BELOW, "C", "E")):
        for word in words:
            cases[word] = [
                *_certain(FILM, _TIME.format(f"{word} 100"), low),
                *_certain(FILM, _TIME.format(f"{word} 150"), high),
            ]
    for word, low, high in (("before", "C", "E"), ("after", "E", "C")):
        cases[word] = [
            *_certain(ALBUM, _RELEASE.format(f"{word} 1975"), low),
            *_certain(ALBUM, _RELEASE.format(f"{word} 1985"), high),
        ]
    return cases


def _certain(table: Table, hypothesis: str, label: str) -> list[Case]:
    cases = made_of(table, hypothesis, label, "hypothesis.temporal")
    return [case for case in cases if case.certainty is Certainty.CERTAIN]


def _flips(case: Case) -> bool:
    return case.gold != case.source.gold
