"""Table 1: representative templates, and the label that most people give."""

from __future__ import annotations

from nliprobe.papers.recipes import Cell, Computed, Folders, Value, recipe

_NOTES = [
    "confidence: not measured, because it needs people (nliprobe annotate gives the sheets and reads them).",
    "label_agrees: 1 if our templates that realise the row (nliprobe ls templates, tag table1:T5) have the label "
    "that most people gave in the paper; for T15, either of the two tied labels. These templates were written to the "
    "rows of the table, label included, so agreement confirms nothing; the paper has no such number.",
]


@recipe("checklist:table1", "Representative templates, the label people give and how sure they are")
def table1(folders: Folders) -> Computed:
    """Compare the labels of the library with the printed ones."""
    from nliprobe.papers.checklist._printed import agrees, printed_column, realised

    values: dict[Cell, float | Value | None] = {}
    notes = list(_NOTES)
    for row, labels in printed_column("table1", "label").items():
        templates = list(realised(f"table1:{row}"))
        values[Cell(row, "confidence")] = None
        values[Cell(row, "label_agrees")] = agrees(templates, labels)
        if not templates:
            notes.append(f"{row}: no template of the library realises it.")
    return Computed(values, notes)
