"""The summary of a checklist on the console."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from nliprobe.analysis.checklist.bins import BINS
from nliprobe.analysis.checklist.documents import CapabilityEntry, ChecklistDocument
from nliprobe.report._checklist_words import (
    FEW_WORDS,
    common_placeholders,
    effect_line,
    effect_place,
    facts,
    fit_line,
    full_cell,
    gold_labels,
    reading_lines,
    sentences,
    shares,
    significant_effects,
    skew_line,
    some_few,
    worst_templates,
    written,
)
from nliprobe.report._tables import evenly, new_table, print_to
from nliprobe.report.words import LEGEND, NOTHING, around, constant_words, percent

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.table import Table

# The console shows the beginning of long lists; JSON and the page show all of them.
_MOST = 10
_COEFFICIENTS = 5
# The width of names, counts and accuracies, with the space between columns.
_NAME_ROOM, _COUNT_ROOM, _CELL_ROOM = 22, 10, 20


def print_checklist(document: ChecklistDocument) -> None:
    """Print the summary to standard output."""
    print_to(None, render_checklist(document))


def render_checklist(document: ChecklistDocument) -> RenderableType:
    """Turn the summary into something Rich can print."""
    from rich.console import Group
    from rich.text import Text

    head = Text(f"Checklist {document['source']}", style="bold").append(f"  {facts(document)}", style="not bold")
    for line in document["integrity"]["warnings"]:
        head.append(f"\n{line}", style="not bold yellow")
    parts: list[RenderableType] = [head, Text(LEGEND, style="dim"), ""]
    parts += [Text(line) for line in sentences(document)]
    parts += _section("Capabilities", _rate_words(document), _Capabilities(document))
    if some_few(document):
        parts.append(Text(FEW_WORDS, style="dim"))
    parts += _section("Templates by accuracy", "passed above 80 %, failed below 20 %, unsure between", _bins(document))
    parts += _section("Gold labels", skew_line(document), _labels(document))
    if document["readings"]:
        parts += ["", Text("Readings", style="bold cyan"), *(Text(line) for line in reading_lines(document))]
    if document["contrasts"]:
        parts += _section("Benchmarks", "accuracy there minus accuracy here, with 95 % interval", _contrasts(document))
    for system in document["systems"]:
        parts += _of_system(document, system)
    if document["notes"]:
        parts += ["", *(Text(line, style="dim") for line in document["notes"])]
    return Group(*parts)


def _of_system(document: ChecklistDocument, system: str) -> list[RenderableType]:
    parts: list[RenderableType] = []
    if any(item["system"] == system for item in document["template_table"]):
        parts += _section(f"{system}: worst templates", "", _worst(document, system))
    if any(item["system"] == system for item in document["readings"]):
        parts += _section(f"{system}: readings", "percent, ± 95 % interval", _readings(document, system))
    if any(item["system"] == system for item in document["variations"]):
        parts += _section(f"{system}: variations", "the largest differences", _variations(document, system))
    if any(item["system"] == system for item in document["effects"]):
        parts += _section(f"{system}: values", effect_line(document, system), _effects(document, system))
    for fitted in document["surrogates"]:
        if fitted["system"] == system:
            parts += _section(f"{system}: surrogate", fit_line(fitted), _coefficients(common_placeholders(fitted)))
    return parts


def _section(title: str, about: str, table: RenderableType | None) -> list[RenderableType]:
    from rich.text import Text

    head = Text(title, style="bold cyan").append(f"  {about}" if about else "", style="not bold dim")
    return ["", head, *([] if table is None else [table])]


def _rate_words(document: ChecklistDocument) -> str:
    if document["n"] is None:
        return "mean accuracy over templates, with 95 % interval over templates / labels weighted alike"
    return "percent right, with 95 % interval over templates / labels weighted alike; no answer counts as wrong"


class _Capabilities:
    """Shows capabilities down and systems across, in as many tables as the width requires."""

    def __init__(self, document: ChecklistDocument) -> None:
        self._document = document
        self._cells = {(entry["capability"], entry["system"]): entry for entry in document["capabilities"]}
        self._counted = document["n"] is not None
        entries = [*document["capabilities"], *document["overall"]]
        self._sizes = ["Templates"]
        if self._counted:
            repeated = any(entry["n"] != entry["distinct"] for entry in entries)
            self._sizes += ["n", "Distinct"] if repeated else ["n"]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        """Spread the systems evenly over as few tables as fit."""
        systems = self._document["systems"]
        left = _NAME_ROOM + (len(self._sizes) + 1) * _COUNT_ROOM
        fitting = max(1, (options.max_width - left) // _CELL_ROOM)
        for place, shown in enumerate(evenly(systems, fitting)):
            if place:
                yield ""
            yield self._table(shown)

    def _table(self, systems: Sequence[str]) -> Table:
        from rich.text import Text

        table = new_table()
        table.add_column("Capability")
        for size in (*self._sizes, "Constant"):
            table.add_column(size, justify="right")
        for system in systems:
            table.add_column(Text(system), overflow="fold", min_width=10)
        group = None
        for capability in dict.fromkeys(entry["capability"] for entry in self._document["capabilities"]):
            entries = [self._cells.get((capability, system)) for system in systems]
            first = next((entry for entry in entries if entry is not None), None)
            if first is None:
                continue
            if first["group"] != group:
                group = first["group"]
                table.add_row(Text(str(group), style="dim"))
            table.add_row(Text(f" {capability}"), *self._row(first), *(_cell(entry) for entry in entries))
        whole = [entry for entry in self._document["overall"] if entry["system"] in systems]
        if whole:
            table.add_section()
            blank = [""] * (len(self._sizes) + 1)
            table.add_row("all", *self._row(whole[0]), *(_cell(entry) for entry in whole), style="bold")
            if self._counted:
                means = [around(entry["template_mean"], entry["template_mean_ci95"]) for entry in whole]
                table.add_row("mean over templates", *blank, *means)
            balanced = [around(entry["balanced"], entry["balanced_ci95"]) for entry in whole]
            table.add_row("labels weighted alike", *blank, *balanced)
        return table

    def _row(self, entry: CapabilityEntry) -> list[str]:
        counts = [entry["templates"], entry["n"], entry["distinct"]][: len(self._sizes)]
        return [*(f"{count:,}" for count in counts if count is not None), constant_words(entry["constant"])]


def _cell(entry: CapabilityEntry | None) -> str:
    return NOTHING if entry is None else full_cell(entry)


def _bins(document: ChecklistDocument) -> Table:
    from rich.text import Text

    table = new_table()
    table.add_column("System", overflow="fold")
    for name in (*BINS, "Failed", "Unsure", "Passed"):
        table.add_column(name, justify="right")
    for entry in document["bins"]:
        counts = [*entry["bins"].values(), entry["failed"], entry["unsure"], entry["passed"]]
        table.add_row(Text(entry["system"]), *(str(count) for count in counts))
    return table


def _labels(document: ChecklistDocument) -> Table:
    from rich.text import Text

    table = new_table()
    table.add_column("System", overflow="fold")
    for label in document["labels"]:
        table.add_column(f"gold {label}", justify="right")
    for entry in document["overall"]:
        rates = [entry["labels"].get(label) for label in document["labels"]]
        cells = [NOTHING if rate is None else percent(rate["accuracy"]) for rate in rates]
        table.add_row(Text(entry["system"]), *cells)
    return table


def _contrasts(document: ChecklistDocument) -> Table:
    from rich.text import Text

    table = new_table()
    for name in ("System", "Benchmark"):
        table.add_column(name, overflow="fold")
    for name in ("There", "Here", "Difference"):
        table.add_column(name, justify="right")
    for item in document["contrasts"]:
        table.add_row(
            Text(item["system"]),
            Text(item["corpus"]),
            percent(item["accuracy"]),
            percent(item["checklist_accuracy"]),
            around(item["difference"], item["ci95"], sign=True),
        )
    return table


def _worst(document: ChecklistDocument, system: str) -> Table:
    from rich.text import Text

    table = new_table()
    table.add_column("Template", overflow="fold")
    table.add_column("Right", justify="right")
    table.add_column("Gold")
    known = document["n"] is not None
    if known:
        table.add_column("Said instead")
    table.add_column("Example answered wrongly" if known else "Written", overflow="fold", ratio=1)
    for entry in worst_templates(document, system, _MOST):
        wrong = entry["wrong"]
        example = written(entry) if wrong is None else f"{wrong['premise']} → {wrong['hypothesis']}"
        instead = [shares(entry["instead"])] if known else []
        table.add_row(
            Text(entry["template"]),
            around(entry["accuracy"], entry["ci95"]),
            Text(gold_labels(entry)),
            *instead,
            Text(example),
        )
    return table


def _readings(document: ChecklistDocument, system: str) -> Table:
    from rich.text import Text

    table = new_table()
    table.add_column("Template", overflow="fold")
    for name in ("n", "First", "Second", "Neither"):
        table.add_column(name, justify="right")
    table.add_column("Example, with the label of each reading", overflow="fold", ratio=1)
    mine = [item for item in document["readings"] if item["system"] == system and item["template"] is not None]
    for item in sorted(mine, key=lambda one: -(one["neither"]["rate"] or 0.0))[:_MOST]:
        example = item["example"]
        rates = [around(item[kind]["rate"], item[kind]["ci95"]) for kind in ("first", "second", "neither")]
        told = "" if example is None else f"{example['premise']} → {example['hypothesis']}"
        labels = "" if example is None else f" ({example['first']}, {example['second']})"
        table.add_row(Text(item["template"] or ""), f"{item['n']:,}", *rates, Text(told + labels))
    return table


def _variations(document: ChecklistDocument, system: str) -> Table:
    from rich.text import Text

    table = new_table()
    for name in ("Template", "varies", "Change"):
        table.add_column(name, overflow="fold")
    for name in ("Right", "Other", "Difference"):
        table.add_column(name, justify="right")
    table.add_column("Answers, and of the other", overflow="fold")
    for item in [one for one in document["variations"] if one["system"] == system][:_MOST]:
        table.add_row(
            Text(item["template"]),
            Text(item["of"]),
            Text(item["change"] or ""),
            percent(item["accuracy"]),
            percent(item["of_accuracy"]),
            around(item["difference"], item["ci95"], sign=True),
            f"{shares(item['answers'])} / {shares(item['of_answers'])}",
        )
    return table


def _effects(document: ChecklistDocument, system: str) -> Table | None:
    from rich.text import Text

    effects = significant_effects(document, system)[:_MOST]
    if not effects:
        return None
    table = new_table()
    for name in ("Template", "Placeholder"):
        table.add_column(name, overflow="fold")
    table.add_column("Worst to best", overflow="fold")
    table.add_column("q", justify="right")
    for item in effects:
        worst, best = item["values"][0], item["values"][-1]
        spread = f"{worst['value']} {percent(worst['accuracy'])} … {best['value']} {percent(best['accuracy'])}"
        table.add_row(Text(effect_place(item)), Text(item["placeholder"]), Text(spread), f"{item['q']:.3f}")
    return table


def _coefficients(ranked: list[tuple[str, float]]) -> Table | None:
    from rich.text import Text

    if not ranked:
        return None
    table = new_table()
    table.add_column("Placeholder")
    table.add_column("Points", justify="right")
    shown = ranked if len(ranked) <= 2 * _COEFFICIENTS else [*ranked[:_COEFFICIENTS], *ranked[-_COEFFICIENTS:]]
    for name, value in shown:
        table.add_row(Text(name), f"{100 * value:+.1f}")
    return table
