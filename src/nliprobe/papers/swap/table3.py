"""Table 3: transfer of InferSent's vectors after training with some neutral and contradiction pairs swapped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from nliprobe.papers.recipes import Cell, Computed, Folders, Value, recipe
from nliprobe.papers.seeds import over_seeds

if TYPE_CHECKING:
    from nliprobe.api.marks import MeasureDocument
    from nliprobe.api.transfer_documents import ChanceDocument, ConstantAnswerDocument, TransferResultDocument
    from nliprobe.papers.swap.transfer_file import Measured


class _Column(NamedTuple):
    """A column of the table: its task, its measure, and what the table's unit is of it."""

    name: str
    task: str
    measure: str
    unit: float = 100.0


COLUMNS = (
    _Column("MR", "mr", "accuracy"),
    _Column("CR", "cr", "accuracy"),
    _Column("MPQA", "mpqa", "accuracy"),
    _Column("SUBJ", "subj", "accuracy"),
    _Column("TREC", "trec", "accuracy"),
    _Column("SICK-E", "sick-e", "accuracy"),
    _Column("SICK-R", "sick-r", "pearson", 1.0),
    _Column("MRPC accuracy", "mrpc", "accuracy"),
    _Column("MRPC F1", "mrpc", "f1"),
    _Column("SST-2", "sst2", "accuracy"),
)
GLOVE, CONSTANT, CHANCE = "mean GloVe", "constant answer", "chance"
_NOTES = [
    "The text says that SICK-E is measured by Pearson's correlation, but the table prints accuracies, and so do we.",
    "The text names SST among the tasks, but the table has no column for it; ours is SST-2.",
    "The paper gives no intervals, and says neither how many models a row stands for nor how penalties were chosen. "
    "A single number is known to about 0.8 points on MR, 0.6 on MPQA and SUBJ, 1.3 on CR, 3 on TREC, 1 on SICK-E and 2 "
    "on MRPC. Only on MR, CR and TREC do the rows spread wider, and there they neither rise nor fall with the "
    "percentage.",
]


@recipe("swap:table3", "Transfer of sentence vectors after training on swapped pairs")
def table3(folders: Folders) -> Computed:
    """Show the shipped results of models trained here beside the printed ones."""
    from nliprobe.papers.swap.transfer_file import shipped

    values: dict[Cell, float | Value | None] = dict.fromkeys(table3.printed())
    notes = list(_NOTES)
    files = shipped()
    if not files:
        notes.append("There are no results of models trained here: only the paper's numbers are shown.")
    for measured in files:
        values |= dict(_cells(measured))
        notes.append(f"Our rows are of {measured.by}. Mean over seeds; intervals are those of a single seed.")
    return Computed(values, notes)


def _cells(measured: Measured) -> Iterator[tuple[Cell, Value]]:
    for column in COLUMNS:
        task = measured.tasks.get(column.task)
        if task is None:
            continue
        for row, systems in measured.rows.items():
            yield Cell(row, column.name), _value(column, [system[column.task] for system in systems], measured.by)
        if column.task in measured.glove:
            yield Cell(GLOVE, column.name), _value(column, [measured.glove[column.task]], "mean of word vectors")
        for name, without in ((CONSTANT, task["constant"]), (CHANCE, task["chance"])):
            yield Cell(name, column.name), Value(_scaled(column, without), name)


def _value(column: _Column, results: Sequence[TransferResultDocument], by: str) -> Value:
    measures = [_measure(column, result) for result in results]
    shares = [None if one is None or one["value"] is None else column.unit * one["value"] for one in measures]
    ends = [
        None if one is None or one["ci95"] is None else [column.unit * end for end in one["ci95"]] for one in measures
    ]
    return over_seeds(shares, ends, by)


def _measure(column: _Column, result: TransferResultDocument) -> MeasureDocument | None:
    return {"accuracy": result["accuracy"], "f1": result["f1"], "pearson": result["pearson"]}[column.measure]


def _scaled(column: _Column, without: ConstantAnswerDocument | ChanceDocument) -> float | None:
    number = {"accuracy": without["accuracy"], "f1": without["f1"], "pearson": without["pearson"]}[column.measure]
    return None if number is None else column.unit * number
