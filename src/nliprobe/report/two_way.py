"""Corpora with two labels in the reports: balanced accuracy, the area under the ROC curve, and the threshold."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from nliprobe.analysis.two_way_documents import AtThreshold, ControlValue, TwoWay, TwoWayEntry
from nliprobe.report._tables import new_table
from nliprobe.report.plots import Estimate, corpus_dots, share_plots
from nliprobe.report.svg import Dot
from nliprobe.report.words import NOTHING, around, percent, rival_words

if TYPE_CHECKING:
    from rich.table import Table

TITLE = "Two labels"
ABOUT = "balanced accuracy and ROC-AUC in percent, with 95 % interval; a constant answer and chance get 50"
COLUMNS = (
    "system", "corpus", "balanced accuracy", "ROC-AUC", "balanced at threshold", "threshold", "best control",
    "control's AUC", "n", "groups",
)  # fmt: skip


def two_way_cells(entry: TwoWayEntry) -> list[str]:
    """Write the cells of one row under ``COLUMNS``."""
    threshold = entry["threshold"]
    return [
        entry["system"],
        entry["corpus"],
        around(entry["balanced"], entry["balanced_ci95"]),
        around(entry["auc"], entry["auc_ci95"]),
        around(threshold["balanced"], threshold["balanced_ci95"]),
        threshold_words(threshold),
        rival_words(entry["control_balanced"]),
        rival_words(entry["control_auc"]),
        f"{entry['n']:,}",
        f"{entry['groups']:,}",
    ]


def two_way_table(entries: Sequence[TwoWayEntry]) -> Table:
    """Show the systems on the corpora with two labels; both are in one column, because consoles are narrow."""
    from rich.text import Text

    table = new_table()
    table.add_column("System", overflow="fold", min_width=8)
    for name in ("Balanced", "ROC-AUC", "At threshold", "Control"):
        table.add_column(name, justify="right", no_wrap=True)
    for entry in entries:
        _, _, balanced, area, cut, value, *_ = two_way_cells(entry)
        control, control_area = (percent(best["value"]) if best else "" for best in _controls(entry))
        beside = f"{control or NOTHING}\nAUC {control_area}" if control_area else control or NOTHING
        head = Text(entry["system"]).append(f"\n{entry['corpus']}", style="dim")
        shown = cut if entry["threshold"]["balanced"] is None else f"{cut}\nat {value.partition(',')[0]}"
        table.add_row(head, Text(balanced, style="bold"), area, shown, beside)
    return table


def two_way_remarks(entries: Sequence[TwoWayEntry]) -> list[str]:
    """Say what the numbers are, which threshold was used, and why some are missing."""
    lines: list[str] = []
    for text in dict.fromkeys(entry["partition"] for entry in entries):
        first, second = text.split("|")
        lines.append(f"balanced accuracy: the mean of the shares of {first} and of {second} that are answered right")
        lines.append(f"ROC-AUC: how often a pair that is {first} has a higher P({first}) than one that is {second}")
    rivals = dict.fromkeys(best["system"] for entry in entries for best in _controls(entry) if best)
    if rivals:
        lines.append(f"control: what the best system gets that cannot use the premise ({', '.join(rivals)})")
    for labels in dict.fromkeys(entry["answers"] for entry in entries):
        who = dict.fromkeys(entry["system"] for entry in entries if entry["answers"] == labels)
        lines.append(f"balanced: by the system's own answer, one of {labels.replace('|', ', ')} ({', '.join(who)})")
    cuts = dict.fromkeys((entry["score"], _origin(entry["threshold"])) for entry in entries)
    lines.extend(f"at threshold: answered by whether {score} is at least {value}" for score, value in cuts)
    reasons: dict[str, list[str]] = {}
    for entry in entries:
        for reason in _missing(entry):
            reasons.setdefault(reason, []).append(f"{entry['system']} on {entry['corpus']}")
    return lines + [f"{reason} ({', '.join(places)})" for reason, places in reasons.items()]


def two_way_lines(numbers: TwoWay) -> list[tuple[str, str, str]]:
    """Write the numbers of one scored file: what it is, its value, and what that means."""
    threshold = numbers["threshold"]
    score, scored = numbers["score"], f"{numbers['scored']:,}"
    lines = [("Balanced", around(numbers["balanced"], numbers["balanced_ci95"]), "constant and chance get 50.0")]
    if numbers["auc"] is None:
        return [*lines, ("ROC-AUC", NOTHING, numbers["auc_missing"] or "")]
    lines.append(("ROC-AUC", around(numbers["auc"], numbers["auc_ci95"]), f"{scored} pairs ranked by {score}"))
    cut = around(threshold["balanced"], threshold["balanced_ci95"])
    return [*lines, ("At threshold", cut, f"balanced, by whether {score} is at least {_origin(threshold)}")]


def two_way_section(entries: Sequence[TwoWayEntry], controls: Collection[str] = ()) -> dict[str, object] | None:
    """Prepare the section of the page; None if no corpus has two labels.

    Args:
        entries: the systems on the corpora with two labels.
        controls: the names of the systems that cannot use their premise.
    """
    if not entries:
        return None
    constant = Dot("constant, chance", 0.5, 0.5, 0.5, True)
    return {
        "title": TITLE,
        "plots": share_plots(corpus_dots(entries, _estimates, controls, constant)),
        "columns": COLUMNS,
        "rows": [two_way_cells(entry) for entry in entries],
        "remarks": two_way_remarks(entries),
    }


def _estimates(entry: TwoWayEntry) -> Iterable[Estimate]:
    yield "balanced", entry["balanced"], entry["balanced_ci95"]
    yield "AUC", entry["auc"], entry["auc_ci95"]


def threshold_words(threshold: AtThreshold) -> str:
    """Write a threshold and, if it was chosen, on which corpus."""
    if threshold["value"] is None:
        return NOTHING
    shown = f"{threshold['value']:.3g}"
    return f"{shown}, best on {threshold['tuned_on']}" if threshold["origin"] == "tuned" else shown


def _origin(threshold: AtThreshold) -> str:
    shown = "a value" if threshold["value"] is None else f"{threshold['value']:.3g}"
    if threshold["origin"] == "default":
        return f"{shown} (the default)"
    if threshold["origin"] == "given":
        return f"{shown} (as asked for)"
    return f"{shown} (the best one on {threshold['tuned_on']})"


def _missing(entry: TwoWayEntry) -> list[str]:
    """Say what is missing or doubtful about one system on one corpus."""
    threshold = entry["threshold"]
    lines = [f"no ROC-AUC: {entry['auc_missing']}"] if entry["auc_missing"] else []
    if threshold["missing"] and threshold["missing"] != entry["auc_missing"]:
        lines.append(f"nothing at threshold: {threshold['missing']}")
    if entry["auc"] is not None and entry["scored"] < entry["n"]:
        lines.append(f"ROC-AUC over the {entry['scored']:,} of {entry['n']:,} pairs with probabilities")
    if threshold["origin"] == "tuned" and threshold["shared_groups"] and threshold["balanced"] is not None:
        lines.append(
            f"{threshold['shared_groups']:,} of the {entry['groups']:,} groups are also in {threshold['tuned_on']}, "
            "on which the threshold was chosen: it is not new to these pairs"
        )
    return lines


def _controls(entry: TwoWayEntry) -> tuple[ControlValue | None, ControlValue | None]:
    return entry["control_balanced"], entry["control_auc"]
