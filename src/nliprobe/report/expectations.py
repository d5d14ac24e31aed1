"""Expectations in the reports: what had to hold of answers besides moves between labels, and how often it did not."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from nliprobe.analysis.documents import ExpectationCounts, ExpectationEntry, ProbeAbout, Transitions
from nliprobe.report._tables import new_table
from nliprobe.report.svg import Dot, dot_plot
from nliprobe.report.words import around, between, not_reached, percent, plural
from nliprobe.task.case import IDENTITY
from nliprobe.task.rule_forms import read_rule, rule_words

if TYPE_CHECKING:
    from rich.table import Table

# Nobody reads a longer list; the JSON document has them all.
SHOWN = 20
COLUMNS = ("system", "corpus", "probe", "n", "holds", "broken", "not applicable", "not reached", "unanswered")
_COUNTS = ("n", "holds", "broken", "not_applicable", "unchanged", "unanswered")
_UNKNOWN = ProbeAbout(line="", broken="", picture="broken")
_RARE = {"not_applicable": "Not appl.", "unchanged": "Not reached", "unanswered": "No answer"}


def expectation_cells(entry: ExpectationEntry) -> list[str]:
    """Write the cells of one row under ``COLUMNS``."""
    return [entry["system"], entry["corpus"], entry["probe"], *(f"{_count(entry, key):,}" for key in _COUNTS)]


def expectation_table(entries: Sequence[ExpectationEntry], controls: Collection[str] = ()) -> Table:
    """Show for each system and corpus how many expectations of one probe hold and how many are broken.

    Args:
        entries: what the cases of the probe expect.
        controls: the names of the systems that do not see their premise.
    """
    from rich.text import Text

    table = new_table()
    table.add_column("System", overflow="fold", min_width=8)
    table.add_column("Corpus", overflow="fold", min_width=8)
    # What never happened takes no column: a console is narrow.
    shown = [key for key in _COUNTS if key not in _RARE or any(_count(entry, key) for entry in entries)]
    for key in shown:
        table.add_column(_RARE.get(key, key.capitalize()), justify="right")
    table.add_column("Broken %", justify="right", min_width=11)
    for entry in entries:
        rate = Text(broken_cell(entry, controls), style="bold")
        counts = [f"{_count(entry, key):,}" for key in shown]
        table.add_row(Text(entry["system"]), Text(entry["corpus"]), *counts, rate)
    return table


def broken_cell(entry: ExpectationEntry, controls: Collection[str]) -> str:
    """Write the broken share of an entry, or why there is none."""
    if not entry["n"] and entry["unchanged"]:
        return not_reached(entry["unchanged"], 0, control=entry["system"] in controls)
    return around(entry["rate"]["rate"], entry["rate"]["ci95"])


def uncertain_line(entries: Sequence[ExpectationEntry] | Sequence[Transitions]) -> str:
    """Say how many cases are not counted because their expectation is not certain; empty if all are counted."""
    uncertain = max((entry["uncertain"] for entry in entries), default=0)
    return f"{plural(uncertain, 'case')} with an uncertain expectation left out" if uncertain else ""


def expectation_section(
    entries: Sequence[ExpectationEntry], about: Mapping[str, ProbeAbout], controls: Collection[str] = ()
) -> dict[str, object] | None:
    """Prepare the section of the page; None if the transitions show everything.

    Args:
        entries: what the cases expect, besides moves between labels.
        about: what the probes say about themselves; where they say nothing, the broken share is drawn.
        controls: the names of the systems that do not see their premise.
    """
    from markupsafe import Markup

    if not entries:
        return None
    dots: dict[str, list[Dot]] = {}
    for entry in entries:
        rate, ends = entry["rate"]["rate"], entry["rate"]["ci95"]
        # The probe that asks pairs as they are draws nothing; pairs made from others are compared here.
        drawn = entry["probe"] == IDENTITY or about.get(entry["probe"], _UNKNOWN)["picture"] == "broken"
        if rate is not None and drawn:
            low, high = ends or [rate, rate]
            dots.setdefault(entry["probe"], []).append(Dot(f"{entry['system']}, {entry['corpus']}", rate, low, high))
    # One axis for all plots, so that they can be compared; it is never so short that small shares look large.
    right = max([0.1, *(dot.high for plotted in dots.values() for dot in plotted)])
    rules = dict.fromkeys(text for entry in entries for text in entry["rules"])
    return {
        "plots": [
            {"probe": probe, "svg": Markup(dot_plot(plotted, low=0.0, high=right, unit="percent broken"))}
            for probe, plotted in dots.items()
        ],
        "columns": (*COLUMNS, "broken %", "95 % interval"),
        "rows": [
            (
                *expectation_cells(entry),
                percent(entry["rate"]["rate"]) if entry["n"] else broken_cell(entry, controls),
                between(entry["rate"]["ci95"]),
            )
            for entry in entries
        ],
        "rules": [{"text": text, "words": rule_words(read_rule(text))} for text in list(rules)[:SHOWN]],
        "more": max(0, len(rules) - SHOWN),
        "uncertain": uncertain_line(entries),
    }


def _count(counts: ExpectationCounts, key: str) -> int:
    value = dict(counts)[key]
    return value if isinstance(value, int) else 0
