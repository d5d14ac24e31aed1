"""Draw a figure of transitions as graphs: the paper's edges, and beside them those of the model that was asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from nliprobe.papers.evidence._transitions import edge_row
from nliprobe.papers.recipes import Cell, CellDocument, Chart
from nliprobe.report.transition_graph import Edge, Graph
from nliprobe.task.labels import LETTERS
from nliprobe.task.relations import Relation


def draw_transitions(relation: Relation) -> Callable[[Sequence[CellDocument]], list[Chart]]:
    """Return a function that draws the cells of a figure, with the edges in red that a relation prohibits."""

    def draw(cells: Sequence[CellDocument]) -> list[Chart]:
        places = {Cell(cell["row"], cell["col"]): cell for cell in cells}
        # The rows of a figure are edges, after the name of a model if they are not the paper's.
        ending = edge_row("E", "E")
        models = [row.removesuffix(ending).rstrip() for row in dict.fromkeys(row for row, _ in places)]
        models = [
            model for model in dict.fromkeys(models) if f"{model} {ending}".lstrip() in {row for row, _ in places}
        ]
        charts = []
        for column in dict.fromkeys(col for _, col in places):
            graphs = [_graph(places, model, column, relation) for model in models]
            drawn = [graph for graph in graphs if any(edge.percent is not None for edge in graph.edges)]
            if drawn:
                charts.append(Chart(column, graphs=drawn))
        return charts

    return draw


def _graph(places: dict[Cell, CellDocument], model: str, column: str, relation: Relation) -> Graph:
    edges = []
    for old in LETTERS:
        for new in LETTERS:
            cell = places.get(Cell(f"{model} {edge_row(old, new)}".lstrip(), column))
            percent = None if cell is None else cell["ours"] if model else cell["paper"]
            ends = cell.get("ci95") if cell is not None and model else None
            prohibited = new not in relation(old)
            edges.append(Edge(old, new, percent, None if ends is None else (ends[0], ends[1]), prohibited))
    return Graph(f"{model or 'the paper, RoBERTa_L'}, {column}", tuple(LETTERS), tuple(edges))
