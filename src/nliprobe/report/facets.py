"""A run broken down by a facet, for people: console tables, and a section of the page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from nliprobe.analysis.facet_documents import FEW, Breakdown, FacetEntry, FacetsDocument
from nliprobe.analysis.facets import entries_by
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
# The console shows a breakdown that nobody asked for only if it is no longer than this.
_MOST_ROWS = 12
SECTION_COLUMNS = (
    "what", "system", "corpus", "value", "percent", "95 % interval", "always the same label", "n", "groups",
)  # fmt: skip
BREAKDOWN_COLUMNS = ("system", "corpus", "value", "accuracy", "always the same label", "n", "groups")


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
        title = Text(f"{_what(entries[0])}, {corpus}", style="bold cyan")
        parts += ["", title.append("  percent, with 95 % interval", style="dim")]
        parts.append(_table(document["facet"], document["values"], entries))
    parts += ["", *(Text(line, style="dim") for line in _remarks(document))]
    return Group(*parts, *titled("Notes", note_lines(document["notes"])))


def breakdown_parts(breakdowns: Sequence[Breakdown], command: str) -> list[RenderableType]:
    """Show breakdowns; of a long one that nobody asked for, only how to see it.

    Args:
        breakdowns: the breakdowns.
        command: what shows one of them if ``--by FACET`` follows.
    """
    from rich.text import Text

    parts: list[RenderableType] = []
    for item in breakdowns:
        name = item["facet"].replace(",", " × ")
        head = Text(f"{item['corpus']} by {name}", style="bold cyan")
        if len(item["values"]) > _MOST_ROWS and not item["asked"]:
            many = f"  {len(item['values'])} values: {command} --by {item['facet']}"
            parts += ["", head.append(many, style="not bold dim")]
            continue
        parts += ["", head.append("  percent right, with 95 % interval", style="not bold dim")]
        parts.append(_table(item["facet"], item["values"], item["accuracy"]))
        parts.append(Text("constant: what always the same label gets", style="dim"))
    return parts


def breakdown_cells(item: Breakdown) -> list[list[str]]:
    """Write the cells of the rows of a breakdown under ``BREAKDOWN_COLUMNS``."""
    return [
        [
            entry["system"],
            entry["corpus"],
            entry["value"],
            around(entry["rate"], entry["ci95"]) + (_MARK if entry["few"] else ""),
            constants_words(entry),
            f"{entry['n']:,}",
            f"{entry['groups']:,}",
        ]
        for entry in item["accuracy"]
    ]


def breakdown_section(item: Breakdown) -> dict[str, object]:
    """Prepare a breakdown that a corpus names itself for the page."""
    section = _section(item["facet"], {"Accuracy": item["accuracy"]}, item["accuracy"])
    about = "The numbers have, beside each accuracy, what always the same label gets."
    return section | {"title": f"{item['corpus']} by {item['facet'].replace(',', ' × ')}", "about": about}


def facet_section(document: FacetsDocument) -> dict[str, object]:
    """Prepare a breakdown for the page: a dot plot per system, corpus and probe, and the numbers."""
    both = [*document["accuracy"], *document["prohibited"]]
    kinds: dict[str, list[FacetEntry]] = {}
    for entry in both:
        kinds.setdefault(_what(entry), []).append(entry)
    section = _section(document["facet"], kinds, both)
    return section | {"about": " ".join(sentences(_remarks(document, hollow=True)))}


def constants_words(entry: FacetEntry) -> str:
    """Write what every constant answer gets: ``E 100 NC 0``."""
    return " ".join(f"{label} {100 * share:.0f}" for label, share in entry["constants"].items()) or NOTHING


def _section(facet: str, kinds: Mapping[str, Sequence[FacetEntry]], entries: Sequence[FacetEntry]) -> dict[str, object]:
    from markupsafe import Markup

    return {
        "title": f"By {facet}",
        "plots": [
            {"title": title, "svg": Markup(dot_plot(dots, low=0.0, high=1.0, unit="percent"))}
            for title, dots in _plots(kinds)
            if dots
        ],
        "columns": SECTION_COLUMNS,
        "rows": [
            (_what(entry).lower(), entry["system"], entry["corpus"], entry["value"],
             percent(entry["rate"]) + (_MARK if entry["few"] else ""), between(entry["ci95"]), constants_words(entry),
             f"{entry['n']:,}", f"{entry['groups']:,}")
            for entry in entries
        ],
    }  # fmt: skip


def _what(entry: FacetEntry) -> str:
    """Say what a rate is: what constant answers get is known of accuracies only."""
    if entry["probe"] == IDENTITY:
        return "Accuracy"
    return f"Accuracy on {entry['probe']}" if entry["constants"] else f"Prohibited after {entry['probe']}"


def _plots(kinds: Mapping[str, Sequence[FacetEntry]]) -> Iterator[tuple[str, list[Dot]]]:
    for kind, entries in kinds.items():
        for system, corpus in dict.fromkeys((entry["system"], entry["corpus"]) for entry in entries):
            dots = []
            for entry in entries_by(entries, system=system, corpus=corpus)[:_MOST_DOTS]:
                if entry["rate"] is not None:
                    ends = entry["ci95"] or [entry["rate"], entry["rate"]]
                    name = f"{entry['value']} (n {entry['n']:,})"
                    dots.append(Dot(name, entry["rate"], ends[0], ends[1], control=entry["few"]))
            yield f"{kind}, {system} on {corpus}", dots


def _table(facet: str, values: Sequence[str], entries: Sequence[FacetEntry]) -> Table:
    from rich.text import Text

    table = new_table()
    table.add_column(Text(facet))
    systems = list(dict.fromkeys(entry["system"] for entry in entries))
    table.add_column("n", justify="right")
    constant = any(entry["constants"] for entry in entries)
    if constant:
        table.add_column("Constant", justify="right")
    for system in systems:
        table.add_column(Text(system), overflow="fold", min_width=10)
    cells = {(entry["value"], entry["system"]): entry for entry in entries}
    for value in values:
        in_row = [cells.get((value, system)) for system in systems]
        sizes = dict.fromkeys(f"{entry['n']:,}" for entry in in_row if entry is not None)
        if sizes:
            # Systems that left some cases unanswered, or have not been asked all, have an n of their own.
            words = dict.fromkeys(constants_words(entry) for entry in in_row if entry is not None)
            beside = [" / ".join(words)] if constant else []
            table.add_row(Text(value), " / ".join(sizes), *beside, *(_cell(entry) for entry in in_row))
    return table


def _cell(entry: FacetEntry | None) -> str:
    if entry is None or entry["rate"] is None:
        return NOTHING
    return around(entry["rate"], entry["ci95"]) + (f" {_MARK}" if entry["few"] else "")


def _remarks(document: FacetsDocument, *, hollow: bool = False) -> list[str]:
    both = [*document["accuracy"], *document["prohibited"]]
    lines: list[str] = []
    if any(entry["constants"] for entry in both):
        lines.append("constant: what always the same label gets")
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
