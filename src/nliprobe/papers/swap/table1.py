"""Table 1: accuracy per label on pairs as they are and with premise and hypothesis exchanged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nliprobe.papers.recipes import Cell, Computed, Folders, Value, recipe

if TYPE_CHECKING:
    from nliprobe.analysis.swap.documents import SwapLabel
    from nliprobe.papers.probe_answers import Answers

# What the paper calls the splits of SNLI. MultiNLI is not in its table.
COLUMNS = {
    "snli/dev": "Dev",
    "snli/test": "Test",
    "multinli/dev-matched": "MultiNLI matched",
    "multinli/dev-mismatched": "MultiNLI mismatched",
}
_NOTES = [
    "For E, the swapped columns are agreement with E, not accuracy: a swapped entailment may have any label. 'Diff' is "
    "the drop: accuracy as it is minus accuracy swapped.",
    "The paper's models were trained on all of SNLI and are not available. Ours are the same networks, written from "
    "their papers and trained here on 99,890 pairs of SNLI over word vectors of 100 numbers. 'ADV' is over "
    "decomposable attention; the paper does not say over what. Rows of other models have no counterpart in the paper.",
    "'hypothesis only' models never see the text that comes first: swapped, they read the premise of the pair.",
]


@recipe("swap:table1", "Accuracy per label on original and swapped pairs")
def table1(folders: Folders) -> Computed:
    """Score the answers to the pairs of SNLI and MultiNLI, as they are and swapped."""
    from nliprobe.papers.swap.answers_file import BENCHED, SWAP, ZOO, ZOO_ON, find_answers

    values: dict[Cell, float | Value | None] = dict.fromkeys(table1.printed())
    notes = list(_NOTES)
    for name in (*BENCHED, *ZOO):
        answers = find_answers(name, folders.answers)
        if answers is None:
            notes.append(f"There are no answers '{name}': not measured.")
            continue
        model = answers.name + (" hypothesis only" if answers.premise == "none" else "")
        for corpus, column in COLUMNS.items():
            if answers.has(corpus, SWAP):
                values |= _cells(answers, model, corpus, column, folders)
            elif name not in ZOO or corpus in ZOO_ON:
                notes.append(f"{model}: not measured on {corpus}.")
    return Computed(values, notes)


def _cells(
    answers: Answers, model: str, corpus: str, column: str, folders: Folders
) -> dict[Cell, float | Value | None]:
    """Return the cells of one model on one corpus, over its seeds."""
    from nliprobe.papers.seeds import over_seeds

    cells: dict[Cell, float | Value | None] = {}
    for label, rows in swap_rows(answers, corpus, folders).items():
        place = f"{model} {label}"
        by = answers.by
        cells[Cell(place, column)] = over_seeds(
            [row["original"] for row in rows], [row["original_ci95"] for row in rows], by
        )
        cells[Cell(place, f"Swap-{column}")] = over_seeds(
            [row["swapped"] for row in rows], [row["swapped_ci95"] for row in rows], by
        )
        cells[Cell(place, f"Diff-{column}")] = over_seeds(
            [row["drop"] for row in rows], [row["drop_ci95"] for row in rows], by
        )
    return cells


def swap_rows(answers: Answers, corpus: str, folders: Folders) -> dict[str, list[SwapLabel]]:
    """Return the rows of the swap table of one model on one corpus: per gold label, a row per seed."""
    from nliprobe.analysis.swap.compared import compared
    from nliprobe.analysis.swap.table import label_row
    from nliprobe.papers.asked import asked_run, make_cases
    from nliprobe.papers.swap.answers_file import SWAP
    from nliprobe.task.labels import C, E, N

    control = answers.premise == "none"
    rows: dict[str, list[SwapLabel]] = {}
    for pairs in compared(asked_run(answers, [make_cases(corpus, [SWAP], folders.root)])):
        for label in (E, C, N):
            row = label_row(pairs, label, constant=None, rival=None, control=control)
            if row is not None:
                rows.setdefault(str(label), []).append(row)
    return rows
