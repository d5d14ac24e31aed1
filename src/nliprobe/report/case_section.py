"""Failing cases on the page: all of them, packed for the browser, and the first few as plain HTML."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from nliprobe.analysis.case_columns import CaseColumns
from nliprobe.analysis.case_facets import MOST_VALUES
from nliprobe.analysis.expected import expected_words
from nliprobe.analysis.failures import failure_at
from nliprobe.report.case_items import EditItems, Premises, pair_items
from nliprobe.report.drawn import MarksByPair
from nliprobe.report.failing import DOUBT, Shown, shown_failure
from nliprobe.report.packed import pack
from nliprobe.report.words import cut, plural
from nliprobe.task.case import IDENTITY, Certainty
from nliprobe.task.labels import LabelSet
from nliprobe.task.rule_forms import read_rule

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CASES_SCHEMA: Final = "nliprobe/cases/1"
# Characters of packed cases: with these a page stays below 20 MB, whatever else it says.
LARGEST = 16_000_000
# Cases that are also there as plain HTML, for browsers that run no script.
SAMPLED = 10


class CaseSection(NamedTuple):
    """The section of failing cases.

    Attributes:
        about: how many there are, and which of them are here.
        total: how many there are.
        unoffered: which facets have too many values to choose from; empty if none has.
        data: what the browser unpacks; empty if no case is here.
        sample: the first ones, to be shown without a script.
    """

    about: str
    total: int
    unoffered: str
    data: str
    sample: list[Shown]


def case_section(columns: CaseColumns, marks: MarksByPair | None = None) -> CaseSection:
    """Prepare the section of failing cases.

    Args:
        columns: the failing cases.
        marks: the units that people need and systems use, by system and pair.
    """
    total, known = sum(int(item["n"]) for item in columns.totals), marks or {}
    first = [failure_at(columns, number) for number in range(min(SAMPLED, len(columns.case)))]
    return CaseSection(
        about=_about(columns, total),
        total=total,
        unoffered=_unoffered(columns.facets.left_out),
        data=packed_cases(columns, known, total) if len(columns.case) else "",
        sample=[shown_failure(item, known.get((item["system"], item["pair_id"]))) for item in first],
    )


def _about(columns: CaseColumns, total: int) -> str:
    shown = len(columns.case)
    which = "All of them are here."
    if not shown:
        which = "None of them is here: they are too large for a page."
    elif shown != total:
        each = plural(columns.most or 0, "case")
        which = f"A random sample of {shown:,} of these {total:,} is here: at most {each} of each corpus and probe."
    return f"{plural(total, 'case')} in which a system was wrong or changed its answer where it must not. {which}"


def _unoffered(facets: Sequence[str]) -> str:
    if not facets:
        return ""
    return f"Facets with more than {MOST_VALUES} values are not offered here: {', '.join(map(cut, facets))}."


def packed_cases(columns: CaseColumns, marks: MarksByPair, total: int) -> str:
    """Pack failing cases: numbers to filter and sort by at once, texts in blocks."""
    premises = Premises(columns)
    edits = EditItems(columns, premises)
    head = {
        "schema": CASES_SCHEMA,
        "total": total,
        "systems": columns.systems,
        "corpora": columns.corpora,
        "probes": columns.probes,
        "identity": columns.probes.index(IDENTITY) if IDENTITY in columns.probes else -1,
        "rules": [expected_words(read_rule(text)) for text in columns.rules],
        "doubt": DOUBT,
        "facets": {"values": columns.facets.values, "sets": columns.facets.sets},
        "failures": {
            "system": columns.system.tolist(),
            "case": columns.case.tolist(),
            "marks": columns.marks.tolist(),
            "allowed": columns.allowed.tolist(),
            "confidence": _thousandths(columns.confidence).tolist(),
        },
        "cases": {
            **{name: columns.cases[name].to_list() for name in ("corpus", "probe", "pair", "rule", "base")},
            "edit": edits.numbers,
            "doubt": (columns.cases["certainty"] != Certainty.CERTAIN).cast(int).to_list(),
            "facets": columns.facets.cases,
            "answers": columns.answers.tolist(),
            "before": columns.before.tolist(),
        },
        "pairs": {
            "premise": premises.numbers,
            "gold": [LabelSet.of(letters or "").mask for letters in columns.pairs["gold"].to_list()],
            "facets": columns.facets.pairs,
            **_groups(columns),
        },
    }
    lists = {
        "ids": columns.cases["case_id"].to_list(),
        "premises": premises.items(),
        "pairs": pair_items(columns, marks),
        "edits": edits.items(),
        "shares": _shares(columns),
    }
    return pack(head, lists)


def _groups(columns: CaseColumns) -> dict[str, object]:
    names: dict[str, int] = {}
    numbers = [names.setdefault(name, len(names)) for name in columns.pairs["group"].to_list()]
    return {"group": numbers, "groups": list(names)}


def _shares(columns: CaseColumns) -> Iterator[list[object]]:
    """Yield the probabilities of each case: per system E, N, C before and after, or only after, or 0."""
    for case in _thousandths(columns.shares).transpose(1, 0, 2).tolist():
        yield [0 if row[3] < 0 else row[3:] if row[0] < 0 else row for row in case]


def _thousandths(shares: NDArray[np.float32]) -> NDArray[np.int16]:
    """Return probabilities as a page shows them; -1 for none."""
    import numpy as np

    return np.where(np.isnan(shares), -1, np.rint(1000 * np.nan_to_num(shares))).astype(np.int16)
