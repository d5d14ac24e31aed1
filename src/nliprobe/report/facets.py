"""A run broken down by a facet, for people: console tables, and a section of the page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from nliprobe.analysis.facets import FEW, FacetEntry, FacetsDocument, entries_by
from nliprobe.report._tables import new_table, titled
from nliprobe.report.svg import Dot, dot_plot
from nliprobe.report.words import NOTHING, around, between, note_lines, percent, plural, sentences
from nliprobe.task.case import IDENTITY

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

# A picture of more values than this cannot be read; the table has them all.
_MOST_DOTS = 40
_MARK = "?"


def render_facets(document: FacetsDocument) -> RenderableType:
    """Turn a breakdown into something Rich can print: values down, systems across."""
    from rich.console import Group
    from rich.text import Text

    head = Text(f"Run {document['run']}", style="bold").append(f"  by {document['facet']}", style="not bold")
    for line in document["integrity"]["warnings"]:
        head.append(f"\n{line}", style="not bold yellow")
    parts: list[RenderableType] = [head]
    both = [*document["accuracy"], *document["prohibited"]]
    for probe, corpus in dict.fromkeys((entry["probe"], entry["corpus"]) for entry in both):
        entries = [entry for entry in both if (entry["probe"], entry["corpus"]) == (probe, corpus)]
        title = "Accuracy" if probe == IDENTITY else f"Prohibited after {probe}"
        parts += [
            "",
            Text(f"{title}, {corpus}", style="bold cyan").append("  percent, with 95 % interval", style="dim"),
        ]
        parts.append(_table(document, entries))
    parts += ["", *(Text(line, style="dim") for line in _remarks(document))]
    return Group(*parts, *titled("Notes", note_lines(document["notes"])))


def facet_section(document: FacetsDocument) -> dict[str, object]:
    """Prepare a breakdown for the page: a dot plot per system, corpus and probe, and the numbers."""
    from markupsafe import Markup

    both = [*document["accuracy"], *document["prohibited"]]
    plots = [
        {"title": title, "svg": Markup(dot_plot(dots, low=0.0, high=1.0, unit="percent"))}
        for title, dots in _plots(document)
        if dots
    ]
    return {
        "title": f"By {document['facet']}",
        "about": " ".join(sentences(_remarks(document, hollow=True))),
        "plots": plots,
        "rows": [
            {
                "what": "accuracy" if entry["probe"] == IDENTITY else f"prohibited after {entry['probe']}",
                "system": entry["system"],
                "corpus": entry["corpus"],
                "value": entry["value"],
                "rate": percent(entry["rate"]) + (_MARK if entry["few"] else ""),
                "ends": between(entry["ci95"]),
                "n": f"{entry['n']:,}",
                "groups": f"{entry['groups']:,}",
            }
            for entry in both
        ],
    }


def _plots(document: FacetsDocument) -> Iterator[tuple[str, list[Dot]]]:
    kinds = {"Accuracy": document["accuracy"]}
    for entry in document["prohibited"]:
        kinds.setdefault(f"Prohibited after {entry['probe']}", []).append(entry)
    for kind, entries in kinds.items():
        for system, corpus in dict.fromkeys((entry["system"], entry["corpus"]) for entry in entries):
            dots = []
            for entry in entries_by(entries, system=system, corpus=corpus)[:_MOST_DOTS]:
                if entry["rate"] is not None:
                    ends = entry["ci95"] or [entry["rate"], entry["rate"]]
                    name = f"{entry['value']} (n {entry['n']:,})"
                    dots.append(Dot(name, entry["rate"], ends[0], ends[1], control=entry["few"]))
            yield f"{kind}, {system} on {corpus}", dots


def _table(document: FacetsDocument, entries: Sequence[FacetEntry]) -> Table:
    from rich.text import Text

    table = new_table()
    table.add_column(Text(document["facet"]))
    systems = list(dict.fromkeys(entry["system"] for entry in entries))
    table.add_column("n", justify="right")
    for system in systems:
        table.add_column(Text(system), overflow="fold", min_width=10)
    cells = {(entry["value"], entry["system"]): entry for entry in entries}
    for value in document["values"]:
        in_row = [cells.get((value, system)) for system in systems]
        sizes = dict.fromkeys(f"{entry['n']:,}" for entry in in_row if entry is not None)
        if sizes:
            # Systems that left some cases unanswered, or have not been asked all, have an n of their own.
            table.add_row(Text(value), " / ".join(sizes), *(_cell(entry) for entry in in_row))
    return table


def _cell(entry: FacetEntry | None) -> str:
    if entry is None or entry["rate"] is None:
        return NOTHING
    return around(entry["rate"], entry["ci95"]) + (f" {_MARK}" if entry["few"] else "")


def _remarks(document: FacetsDocument, *, hollow: bool = False) -> list[str]:
    both = [*document["accuracy"], *document["prohibited"]]
    lines: list[str] = []
    if document["many"]:
        lines.append("a pair counts under each of its values")
    without = [item for item in document["corpora"] if item["without"] and item["pairs"]]
    lines += [f"{plural(item['without'], 'pair')} of {item['corpus']} without it left out" for item in without]
    if any(entry["few"] for entry in both):
        mark = "hollow dots" if hollow else _MARK
        lines.append(f"{mark}: fewer than {FEW} pairs, which say little")
    if any(entry["rate"] is not None and entry["ci95"] is None for entry in both):
        lines.append("no interval where cases come from fewer than 5 groups")
    if not both:
        lines.append("nothing to show: no pair with this facet has a gold label or was edited")
    return lines
