"""Write items of papers as one page that needs no network: tables with both values, figures as bars and graphs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import TypedDict

from nliprobe.papers.console import Shown, marks, show_cells
from nliprobe.papers.recipes import ItemDocument, Recipe
from nliprobe.report.bars import bar_chart
from nliprobe.report.contents import Contents
from nliprobe.report.pages import simple_page
from nliprobe.report.transition_graph import transition_graph
from nliprobe.report.transition_matrix import transition_matrix
from nliprobe.report.words import minus
from nliprobe.task.labels import NAMES

_BODY = Path(__file__).parent / "page.html"

# A row of a paper is a group of many lines.
_STYLE = """
tbody { border-top: 1px solid var(--line); }
th, td { padding: .25rem 1.2rem .25rem 0; border-bottom: 0; }
tbody th[scope=row] { font-weight: 400; }
.mark { color: var(--accent); font-weight: 600; }
"""


class _Line(TypedDict):
    col: str
    shown: Shown
    mark: str


class _Drawn(TypedDict):
    title: str
    bars: str
    graphs: list[tuple[str, str, str]]


class _Section(TypedDict):
    document: ItemDocument
    charts: list[_Drawn]
    labelled: bool
    ends: bool
    rows: list[tuple[str, list[_Line]]]
    marks: dict[str, str]


def reproduce_page(items: Sequence[tuple[Recipe, ItemDocument]]) -> str:
    """Write computed items as a page."""
    from jinja2 import Environment, StrictUndefined

    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    template = environment.from_string(_BODY.read_text(encoding="utf-8"))
    sections = [_section(recipe, document) for recipe, document in items]
    contents = Contents()
    body = template.render(sections=sections, labels=list(NAMES.items()), head=contents.head, minus=minus)
    what = items[0][1]["item"] if len(items) == 1 else f"{len(items)} items of papers"
    return simple_page(f"{what}, as printed and as computed", body, style=_STYLE, contents=contents)


def _section(recipe: Recipe, document: ItemDocument) -> _Section:
    from markupsafe import Markup

    letters = marks(document)
    charts = recipe.draw(document["cells"]) if recipe.draw is not None else []
    # What a chart shows need not be repeated as a table, except where the paper prints a number.
    lines = [
        (cell["row"], _Line(col=cell["col"], shown=shown, mark=letters.get(cell.get("by", ""), "")))
        for cell, shown in zip(document["cells"], show_cells(document), strict=True)
        if not charts or cell["paper"] is not None
    ]
    return {
        "document": document,
        "charts": [
            {
                "title": chart.title,
                "bars": Markup(bar_chart(chart.bars, chart.title)) if chart.bars else "",
                "graphs": [
                    (graph.title, Markup(transition_graph(graph)), Markup(transition_matrix(graph)))
                    for graph in chart.graphs
                ],
            }
            for chart in charts
        ],
        "labelled": any(
            chart.graphs or any(name in "enc" for bar in chart.bars for name, _ in bar.pieces) for chart in charts
        ),
        "ends": any(line["shown"].ends for _, line in lines),
        "rows": [(row, [line for _, line in group]) for row, group in groupby(lines, key=lambda entry: entry[0])],
        "marks": letters,
    }
