"""Write items of papers as one page that needs no network: tables with both values, figures as bars and graphs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
from nliprobe.report.words import NOTHING, minus
from nliprobe.task.labels import NAMES

_COLUMNS, _ENDS, _BY = ("paper", "ours", "ours − paper"), "95 % interval of ours", "by"
_BODY = Path(__file__).parent / "page.html"

# A row of a paper is a group of many lines.
_STYLE = """
tbody { border-top: 1px solid var(--line); }
.grouped th, .grouped td { padding: .25rem 1.2rem .25rem 0; border-bottom: 0; }
.grouped tbody th[scope=row] { font-weight: 400; }
.mark { color: var(--accent); font-weight: 600; }
@media (max-width: 48rem), print {
  .grouped tr { border: 0; padding: .15rem 0; }
  .grouped .whole { padding: .5rem 0 .2rem; }
  .grouped tbody th[scope=row] { font-weight: 500; padding: 0; }
}
"""


class _Line(TypedDict):
    col: str
    cells: list[str]


class _Drawn(TypedDict):
    title: str
    bars: str
    graphs: list[tuple[str, str, str]]


class _Section(TypedDict):
    document: ItemDocument
    charts: list[_Drawn]
    labelled: bool
    columns: list[str]
    rows: list[tuple[str, list[_Line]]]
    marks: dict[str, str]


def reproduce_page(items: Sequence[tuple[Recipe, ItemDocument]]) -> str:
    """Write computed items as a page."""
    from jinja2 import Environment, StrictUndefined

    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    template = environment.from_string(_BODY.read_text(encoding="utf-8"))
    sections = [_section(recipe, document) for recipe, document in items]
    contents = Contents()
    body = template.render(sections=sections, labels=list(NAMES.items()), head=contents.head)
    what = items[0][1]["item"] if len(items) == 1 else f"{len(items)} items of papers"
    return simple_page(f"{what}, as printed and as computed", body, style=_STYLE, contents=contents)


def _section(recipe: Recipe, document: ItemDocument) -> _Section:
    from markupsafe import Markup

    letters = marks(document)
    charts = recipe.draw(document["cells"]) if recipe.draw is not None else []
    # What a chart shows need not be repeated as a table, except where the paper prints a number.
    kept = [
        (cell, shown)
        for cell, shown in zip(document["cells"], show_cells(document), strict=True)
        if not charts or cell["paper"] is not None
    ]
    ends = any(shown.ends for _, shown in kept)
    lines = [
        (cell["row"], _Line(col=cell["col"], cells=_cells(shown, letters.get(cell.get("by", "")), letters, ends=ends)))
        for cell, shown in kept
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
        "columns": [*_COLUMNS, *([_ENDS] if ends else []), *([_BY] if letters else [])],
        "rows": [(row, [line for _, line in group]) for row, group in groupby(lines, key=lambda entry: entry[0])],
        "marks": letters,
    }


def _cells(shown: Shown, mark: str | None, marked: Mapping[str, str], *, ends: bool) -> list[str]:
    """Return the values of a line in the order of the columns."""
    cells = [shown.paper, shown.ours, minus(shown.off)]
    return [*cells, *([shown.ends or NOTHING] if ends else []), *([mark or NOTHING] if marked else [])]
