"""Table 9: templates of interest."""

from __future__ import annotations

from nliprobe.papers.recipes import Cell, Computed, Folders, Value, recipe

_NOTES = [
    "A row of the paper is one template or several of the public list, and our value is their mean: where the paper "
    "draws nearer/farther, NAME1/2 or he/she, the list has a template for each (boolean-20 and boolean-21 for T13). "
    "T45 and T46: all orders of he and she, as in the printed examples; the list has 'are friends' only. T88, T89, "
    "T92 and T93: the later year first, as in every printed example. T98 and T99: the list has classes only for "
    "events.",
    "MiniLM: not in the paper; its accuracy on our templates that realise the row (tag table9:T13).",
]


@recipe("checklist:table9", "Accuracy on 29 templates of interest")
def table9(folders: Folders) -> Computed:
    """Look up the templates in the public list, and score the shipped answers to ours."""
    from nliprobe.papers.checklist._gold import measured, not_measured
    from nliprobe.papers.checklist._printed import printed_column, realised
    from nliprobe.papers.checklist._public import THREE, public_mean, read_public
    from nliprobe.papers.checklist.answers_file import WITH_PREMISE

    table, asked = read_public(folders), measured(WITH_PREMISE)
    labels = printed_column("table9", "label")
    values: dict[Cell, float | Value | None] = {}
    for row, public in printed_column("table9", "public").items():
        ids = frozenset(public.split("+"))
        values.update({Cell(row, model): public_mean(table, model, ids) for model in THREE})
        ours = [template.id for template in realised(f"table9:{row}") if template.label == labels[row]]
        values[Cell(row, "MiniLM")] = asked.mean(ours) if asked and ours else None
    return Computed(values, list(_NOTES) if asked else [*_NOTES, not_measured("MiniLM")])
