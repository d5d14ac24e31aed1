"""Consistency in the reports: how often answers to pairs made from one another do not fit together."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from nliprobe.analysis.consistency_documents import ConsistencyEntry
from nliprobe.analysis.rates import Rate
from nliprobe.report._tables import new_table
from nliprobe.report.plots import Estimate, corpus_dots, share_plots
from nliprobe.report.words import around, percent, plural

if TYPE_CHECKING:
    from rich.table import Table

TITLE = "Consistency"
ABOUT = "pairs made from other pairs: percent of the rules broken, with 95 % interval"
COLUMNS = (
    "system", "corpus", "pairs before", "broken", "broken, right before", "wrong, right before", "right before",
    "right after", "constant answers break", "n", "groups",
)  # fmt: skip


def consistency_cells(entry: ConsistencyEntry) -> list[str]:
    """Write the cells of one row under ``COLUMNS``."""
    return [
        entry["system"],
        entry["corpus"],
        str(entry["bases"]),
        _rate(entry["broken"]),
        _rate(entry["broken_of_right"]),
        _rate(entry["wrong_of_right"]),
        _rate(entry["before"]),
        _rate(entry["after"]),
        _constants(entry),
        f"{entry['n']:,}",
        f"{entry['groups']:,}",
    ]


def consistency_table(entries: Sequence[ConsistencyEntry]) -> Table:
    """Show the answers of one system to pairs made from others, corpus by corpus."""
    from rich.text import Text

    table = new_table()
    table.add_column("Corpus", overflow="fold", min_width=12)
    for name in ("n", "Broken", "Wrong of right", "Before", "After"):
        table.add_column(name, justify="right", no_wrap=True)
    for entry in entries:
        table.add_row(
            Text(entry["corpus"]),
            f"{entry['n']:,}",
            Text(_rate(entry["broken"]), style="bold"),
            _rate(entry["wrong_of_right"]),
            *(percent(rate["rate"]) for rate in (entry["before"], entry["after"])),
        )
    return table


def consistency_remarks(entries: Sequence[ConsistencyEntry]) -> list[str]:
    """Say what the columns mean, what a constant answer gets, and what was not counted."""
    lines = [
        "broken: the answers before and after cannot all be right, whatever the gold labels",
        "wrong of right: the new pair is answered wrong, by its gold label, where those before are answered right",
        "before, after: accuracy on the pairs before (both right, if there are two) and on the new ones",
    ]
    free = [entry for entry in entries if not any(entry["constants"].values())]
    if free:
        corpora = ", ".join(dict.fromkeys(entry["corpus"] for entry in free))
        lines.append(f"a constant answer breaks no rule of {corpora}: read the rate together with the accuracies")
    others = dict.fromkeys((entry["corpus"], _constants(entry)) for entry in entries if entry not in free)
    lines.extend(f"always the same label breaks, in percent of {corpus}: {words}" for corpus, words in others)
    for entry in entries:
        left = [(entry["unanswered"], "lacks an answer"), (entry["not_applicable"], "has a rule that does not apply")]
        who = f"{entry['system']} on {entry['corpus']}"
        lines.extend(f"{who}: left out what {why}, {plural(n, 'pair')}" for n, why in left if n)
    return lines


def consistency_section(
    entries: Sequence[ConsistencyEntry], controls: Collection[str] = ()
) -> dict[str, object] | None:
    """Prepare the section of the page; None if no corpus has pairs made from others under a rule.

    Args:
        entries: the systems on the corpora.
        controls: the names of the systems that cannot use their premise.
    """
    if not entries:
        return None
    return {
        "title": TITLE,
        "plots": share_plots(corpus_dots(entries, _estimates, controls)),
        "columns": COLUMNS,
        "rows": [consistency_cells(entry) for entry in entries],
        "remarks": consistency_remarks(entries),
    }


def _estimates(entry: ConsistencyEntry) -> Iterable[Estimate]:
    for name, rate in (("broken", entry["broken"]), ("wrong of right", entry["wrong_of_right"])):
        yield name, rate["rate"], rate["ci95"]


def _rate(rate: Rate) -> str:
    return around(rate["rate"], rate["ci95"])


def _constants(entry: ConsistencyEntry) -> str:
    return ", ".join(f"{label} {percent(share)}" for label, share in entry["constants"].items())
