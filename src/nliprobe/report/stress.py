"""Stress tests in the reports: accuracy before and after, the drop, and what needs no understanding beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from nliprobe.analysis.documents import SystemHead
from nliprobe.analysis.stress_documents import StressEntry
from nliprobe.report._tables import new_table
from nliprobe.report.svg import Dot, dot_plot
from nliprobe.report.words import (
    NOTHING,
    around,
    blind,
    constant_words,
    control_words,
    group_remarks,
    percent,
    plural,
    rival_words,
)

if TYPE_CHECKING:
    from markupsafe import Markup
    from rich.console import RenderableType
    from rich.table import Table

TITLE = "Stress tests"
ABOUT = "percent right on the pairs as they were and in the test, with 95 % interval; no answer counts as wrong"
NEW = "new pairs"
COLUMNS = (
    "system", "corpus", "test", "original", "stressed", "drop", "answers changed", "best constant", "best control",
    "by gold label", "n", "groups",
)  # fmt: skip


def stress_cells(entry: StressEntry) -> list[str]:
    """Write the cells of one row under ``COLUMNS``."""
    changed = entry["changed"]
    return [
        entry["system"],
        entry["corpus"],
        _test(entry),
        NEW if entry["original"] is None else around(entry["original"], entry["original_ci95"]),
        around(entry["stressed"], entry["stressed_ci95"]),
        around(entry["drop"], entry["drop_ci95"], sign=True),
        NOTHING if changed is None else around(changed["rate"], changed["ci95"]),
        constant_words(entry["constant"]),
        rival_words(entry["control"]),
        _by_label(entry),
        f"{entry['n']:,}",
        f"{entry['groups']:,}",
    ]


def stress_parts(entries: Sequence[StressEntry], systems: Sequence[SystemHead]) -> list[RenderableType]:
    """Show the tests of each system on the console, and what must be known to read them."""
    from rich.text import Text

    if not entries:
        return []
    title = Text(TITLE, style="bold cyan").append(f"  {ABOUT}", style="not bold dim")
    parts: list[RenderableType] = ["", title]
    words = {item["name"]: control_words(item) for item in systems}
    for name, corpus in dict.fromkeys((entry["system"], entry["corpus"]) for entry in entries):
        about = ", ".join(filter(None, [corpus, words.get(name, "")]))
        own = [entry for entry in entries if (entry["system"], entry["corpus"]) == (name, corpus)]
        parts += [Text(name).append(f"  {about}", style="dim"), _table(own), ""]
    return [*parts, *(Text(line, style="dim") for line in stress_remarks(entries, systems))]


def stress_section(entries: Sequence[StressEntry], systems: Sequence[SystemHead]) -> dict[str, object] | None:
    """Prepare the section of the page; None if the run has no stress test."""
    if not entries:
        return None
    controls, plots = blind(systems), []
    for corpus in dict.fromkeys(entry["corpus"] for entry in entries):
        own = [entry for entry in entries if entry["corpus"] == corpus]
        lost = [_dot(item, item["drop"], item["drop_ci95"], controls) for item in own if item["drop"] is not None]
        if lost:
            low, high = min(-0.05, *(dot.low for dot in lost)), max(0.05, *(dot.high for dot in lost))
            plots.append(_plot(f"{corpus}: points of accuracy lost", lost, low, high, "points"))
        new = [_dot(item, item["stressed"], item["stressed_ci95"], controls) for item in own if item["drop"] is None]
        if new:
            plots.append(_plot(f"{corpus}: percent right on new pairs", [*new, *_constants(own)], 0.0, 1.0, "percent"))
    return {
        "title": TITLE,
        "plots": plots,
        "columns": COLUMNS,
        "rows": [stress_cells(entry) for entry in entries],
        "remarks": stress_remarks(entries, systems),
    }


def stress_remarks(entries: Sequence[StressEntry], systems: Sequence[SystemHead]) -> list[str]:
    """Say what the numbers are, and which of them say less than they seem to."""
    lines: list[str] = []
    if any(entry["drop"] is not None for entry in entries):
        lines.append(
            "drop: original minus stressed on the same pairs, in points; no drop is shown if its interval holds 0"
        )
        lines.append("changed: how often the answer is another one; what is lost and won may cancel out in the drop")
    if any(entry["drop"] is None for entry in entries):
        lines.append(f"{NEW}: the test makes them from one sentence each, so there is no original to compare with")
    rivals = dict.fromkeys(entry["control"]["system"] for entry in entries if entry["control"])
    if rivals:
        lines.append(f"control: what the best system gets that cannot use the premise ({', '.join(rivals)})")
    lines += _one_label(entries)
    constant = [item for item in systems if item["constant"]]
    names = [item["name"] for item in constant]
    lines += [f"{item['name']} {control_words(item)}: it cannot lose accuracy, which is no merit" for item in constant]
    varied = [entry for entry in entries if entry["system"] not in names]
    lines += _named("not shown to be better than the best constant answer", varied, _no_better)
    lines += _named("reads all pairs of the test exactly like the originals", entries, _sees_nothing)
    lines += _named("some pairs unanswered, which counts as wrong", entries, lambda entry: entry["unanswered"] > 0)
    if any(entry["likely"] for entry in entries):
        lines.append("likely: the label holds for most of these pairs, but not for all")
    without: dict[str, int] = {}
    for entry in entries:
        without[entry["corpus"]] = max(entry["unlabelled"], without.get(entry["corpus"], 0))
    lines += [f"{plural(n, 'case')} of {corpus} without a gold label left out" for corpus, n in without.items() if n]
    return lines + group_remarks((entry["corpus"], entry["n"], entry["groups"]) for entry in entries)


def _table(entries: Sequence[StressEntry]) -> Table:
    """Show the tests of one system and corpus; some columns have two numbers, because consoles are narrow."""
    from rich.text import Text

    table = new_table()
    table.add_column("Test", overflow="fold", min_width=16)
    for name in ("Original", "Stressed", "Drop"):
        table.add_column(name, justify="right", overflow="fold")
    for name in ("Changed\nn", "Constant\ncontrol"):
        table.add_column(name, justify="right", no_wrap=True, min_width=8)
    for entry in entries:
        # An interval that is not symmetric comes below its estimate, so that all columns fit.
        _, _, test, *shares = (cell.replace(" [", "\n[") for cell in stress_cells(entry))
        original, stressed, lost = shares[:3]
        head = Text(test)
        if entry["original"] is None and len(entry["labels"]) > 1:
            head.append(f"\n{_by_label(entry)}", style="dim")
        control, changed = entry["control"], entry["changed"]
        table.add_row(
            head,
            original,
            Text(stressed, style="bold"),
            lost,
            f"{NOTHING if changed is None else percent(changed['rate'])}\n{entry['n']:,}",
            f"{constant_words(entry['constant'])}\n{NOTHING if control is None else percent(control['value'])}",
        )
    return table


def _by_label(entry: StressEntry) -> str:
    """Write the accuracy of each gold label: ``E 61.0 to 55.2, C 40.1 to 47.0``, or of new pairs ``E 55.2, C 47.0``."""
    return ", ".join(
        f"{label} {percent(item['stressed'])}"
        if item["original"] is None
        else f"{label} {percent(item['original'])} to {percent(item['stressed'])}"
        for label, item in entry["labels"].items()
    )


def _test(entry: StressEntry) -> str:
    return f"{entry['test']}, likely" if entry["likely"] else entry["test"]


def _one_label(entries: Iterable[StressEntry]) -> list[str]:
    alone = dict.fromkeys((entry["test"], *entry["labels"]) for entry in entries if len(entry["labels"]) == 1)
    return [
        f"{test}: every pair is {label}, so a system that always answers {label} gets 100 %; "
        "a high number there means something only beside the accuracy on the other labels"
        for test, label in alone
    ]


def _named(what: str, entries: Iterable[StressEntry], holds: Callable[[StressEntry], bool]) -> list[str]:
    """Say of which systems, tests and corpora something holds, the tests of one system and corpus together."""
    tests: dict[tuple[str, str], list[str]] = {}
    for entry in entries:
        if holds(entry):
            tests.setdefault((entry["system"], entry["corpus"]), []).append(entry["test"])
    places = [f"{system} on {corpus} ({', '.join(names)})" for (system, corpus), names in tests.items()]
    return [f"{what}: {', '.join(places)}"] if places else []


def _no_better(entry: StressEntry) -> bool:
    """Tell whether several labels occur and the interval reaches down to what a constant answer gets."""
    low = entry["stressed_ci95"][0] if entry["stressed_ci95"] else entry["stressed"]
    constant = entry["constant"]
    return len(entry["labels"]) > 1 and constant is not None and low <= constant["accuracy"]


def _sees_nothing(entry: StressEntry) -> bool:
    return entry["drop"] is not None and entry["unreached"] == entry["n"]


def _dot(entry: StressEntry, value: float | None, ends: Sequence[float] | None, controls: Sequence[str]) -> Dot:
    assert value is not None
    low, high = ends or [value, value]
    return Dot(f"{entry['system']}, {_test(entry)}", value, low, high, entry["system"] in controls)


def _constants(entries: Iterable[StressEntry]) -> list[Dot]:
    """Return what always the same answer gets in each test of new pairs."""
    best = {entry["test"]: entry["constant"] for entry in entries if entry["drop"] is None}
    return [
        Dot(f"always {item['label']}, {test}", item["accuracy"], item["accuracy"], item["accuracy"], control=True)
        for test, item in best.items()
        if item is not None
    ]


def _plot(title: str, dots: Sequence[Dot], low: float, high: float, unit: str) -> dict[str, str | Markup]:
    from markupsafe import Markup

    return {"corpus": title, "svg": Markup(dot_plot(dots, low=low, high=high, unit=unit))}
