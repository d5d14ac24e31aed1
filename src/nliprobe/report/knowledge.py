"""Knowledge bias in the reports: the accuracy on real pairs and on their fictional twins, and the difference."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from nliprobe.analysis.knowledge_documents import KnowledgeEntry
from nliprobe.analysis.rates import Rate
from nliprobe.report._tables import new_table
from nliprobe.report.dumbbell import Dumbbell, Estimate, dumbbell_plot
from nliprobe.report.words import NOTHING, around, between, constant_words, group_remarks, percent, plural, probability

if TYPE_CHECKING:
    from rich.table import Table

TITLE = "Knowledge bias"
ABOUT = "percent right on real tables and on their twins with invented names, with 95 % interval"
COLUMNS = (
    "system", "corpus", "real", "fictional", "bias", "p", "both right", "real only", "fictional only", "neither",
    "best constant", "chance", "control, real", "control, fictional", "control, bias", "n", "groups", "unanswered",
)  # fmt: skip


def knowledge_cells(entry: KnowledgeEntry) -> list[str]:
    """Write the cells of one row under ``COLUMNS``."""
    control, outcomes = entry["control"], entry["outcomes"]
    counts = (outcomes["both"], outcomes["real"], outcomes["fictional"], outcomes["neither"])
    return [
        entry["system"],
        entry["corpus"],
        _rate(entry["real"]),
        _rate(entry["fictional"]),
        around(entry["bias"], entry["bias_ci95"], sign=True),
        probability(entry["p"]),
        *(percent(count / entry["n"]) for count in counts),
        constant_words(entry["constant"]),
        percent(entry["chance"]),
        NOTHING if control is None else f"{percent(control['real'])} ({control['system']})",
        NOTHING if control is None else percent(control["fictional"]),
        _control_bias(entry),
        f"{entry['n']:,}",
        f"{entry['groups']:,}",
        f"{entry['unanswered']:,}",
    ]


def knowledge_table(entries: Sequence[KnowledgeEntry]) -> Table:
    """Show all systems on the twins of one corpus."""
    from rich.text import Text

    table = new_table()
    table.add_column("System", overflow="fold", min_width=12)
    for name in ("Real", "Fictional", "Bias", "Control"):
        table.add_column(name, justify="right")
    for entry in entries:
        table.add_row(
            Text(entry["system"]),
            _rate(entry["real"]),
            _rate(entry["fictional"]),
            Text(around(entry["bias"], entry["bias_ci95"], sign=True), style="bold"),
            _control_bias(entry),
        )
    if entries[0]["constant"] is not None:
        best = constant_words(entries[0]["constant"])
        table.add_row(
            Text("best constant", style="dim"), *(Text(cell, style="dim") for cell in (best, best, "0.0", ""))
        )
    return table


def knowledge_readings(entries: Sequence[KnowledgeEntry], controls: Collection[str] = ()) -> list[str]:
    """Say in words what each bias shows; only an interval without zero shows one.

    Args:
        entries: the systems on the corpora with twins.
        controls: the names of the systems that cannot use their premise; of them nothing is said.
    """
    return [_reading(entry) for entry in entries if entry["system"] not in controls]


def knowledge_remarks(entries: Sequence[KnowledgeEntry]) -> list[str]:
    """Say what the numbers are, what comes for free, and what was not counted."""
    lines = [
        "bias: points right on the real pairs minus points right on their twins, which have the same label and values",
        "a constant answer has no bias; intervals and p (sign-flip test) take real tables as the units of the sample",
    ]
    names = ", ".join(dict.fromkeys(entry["control"]["system"] for entry in entries if entry["control"] is not None))
    if names:
        lines.append(f"control: the bias of the best system that cannot use the premise ({names})")
    sizes = {entry["corpus"]: entry for entry in entries}
    for corpus, entry in sizes.items():
        lines.append(
            f"{corpus}: {plural(entry['n'], 'twin')} from {plural(entry['groups'], 'table')}; "
            f"guessing gets {percent(entry['chance'])} of either"
        )
        if entry["left_out"]:
            lines.append(f"{corpus}: {plural(entry['left_out'], 'pair')} without a twin of the same label left out")
    return [*lines, *group_remarks((entry["corpus"], entry["n"], entry["groups"]) for entry in entries)]


def knowledge_section(entries: Sequence[KnowledgeEntry], controls: Collection[str] = ()) -> dict[str, object] | None:
    """Prepare the section of the page; None if no corpus has twins.

    Args:
        entries: the systems on the corpora with twins.
        controls: the names of the systems that cannot use their premise.
    """
    from markupsafe import Markup

    if not entries:
        return None
    plots = []
    for corpus in dict.fromkeys(entry["corpus"] for entry in entries):
        lines = [_line(entry, controls) for entry in entries if entry["corpus"] == corpus]
        plots.append({"corpus": corpus, "svg": Markup(dumbbell_plot(lines, ("real", "fictional")))})
    return {
        "title": TITLE,
        "readings": knowledge_readings(entries, controls),
        "plots": plots,
        "columns": COLUMNS,
        "rows": [knowledge_cells(entry) for entry in entries],
        "remarks": knowledge_remarks(entries),
    }


def _reading(entry: KnowledgeEntry) -> str:
    who, interval = f"{entry['system']} on {entry['corpus']}", entry["bias_ci95"]
    if interval is None:
        return f"{who}: too few tables to tell whether knowledge of the names helps or misleads"
    if interval[0] <= 0 <= interval[1]:
        return f"{who}: no knowledge bias is shown ({between(interval, sign=True)} points)"
    direction = "better" if entry["bias"] > 0 else "worse"
    text = f"{who}: {direction} on what is real than on its twins ({between(interval, sign=True)} points)"
    control = entry["control"]
    if control is not None and _excludes_zero(control["bias_ci95"]):
        text += f"; {control['system']}, which cannot use the premise, has a bias of {100 * control['bias']:+.1f}"
    return text


def _excludes_zero(interval: Sequence[float] | None) -> bool:
    return interval is not None and not interval[0] <= 0 <= interval[1]


def _control_bias(entry: KnowledgeEntry) -> str:
    control = entry["control"]
    return NOTHING if control is None else around(control["bias"], control["bias_ci95"], sign=True)


def _rate(rate: Rate) -> str:
    return around(rate["rate"], rate["ci95"])


def _line(entry: KnowledgeEntry, controls: Collection[str]) -> Dumbbell:
    real, fictional = _estimate(entry["real"]), _estimate(entry["fictional"])
    return Dumbbell(entry["system"], real, fictional, f"{100 * entry['bias']:+.1f}", entry["system"] in controls)


def _estimate(rate: Rate) -> Estimate:
    value = rate["rate"] or 0.0
    return Estimate(value, *(rate["ci95"] or [value, value]))
