"""Print how far vectors serve other tasks, and show progress on the way."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from nliprobe.cli._bars import LiveBars
from nliprobe.cli._marks import percent, shown_measure

if TYPE_CHECKING:
    from rich.progress import TaskID

    from nliprobe.api.marks import MeasureDocument
    from nliprobe.api.transfer_documents import TaskDocument, TransferDocument, TransferResultDocument

# The widest name that a column of systems makes room for.
_WIDEST = 40


class TransferBar(LiveBars):
    """Shows how many embeddings and regressions are done, and in a log file a line per result."""

    _task: TaskID | None = None

    def update(self, what: str, done: int, total: int) -> None:
        """Show what is being done, and how many of how many steps are done."""
        if self._bars is None:
            return
        if self._task is None:
            self._task = self._bars.add_task(what, total=total)
        self._bars.update(self._task, description=what[:_WIDEST], completed=done)


def transfer_lines(document: TransferDocument) -> Iterator[str]:
    """Yield the lines of the text: per task, what needs no vectors and what each system gets."""
    room = min(_WIDEST, max(len(system["system"]) for system in document["systems"]))
    for place, task in enumerate(document["tasks"]):
        yield _task_line(task)
        for system in document["systems"]:
            name = system["system"] if len(system["system"]) <= room else f"{system['system'][: room - 1]}…"
            yield f"  {name:<{room}}  {_result(task, system['results'][place])}"
        yield from (f"  note: {note}" for note in task["notes"])
    for system in document["systems"]:
        for result in system["results"]:
            yield from (f"note: {system['system']} on {result['task']}: {note}" for note in result["notes"])
    yield from (f"note: {note}" for note in document["notes"])


def _task_line(task: TaskDocument) -> str:
    how = "its own splits" if task["folds"] is None else f"{task['folds']} folds"
    constant, chance = task["constant"], task["chance"]
    if constant["accuracy"] is None or chance["accuracy"] is None:
        without = "a constant answer and chance correlate with nothing"
    else:
        f1 = "" if constant["f1"] is None else f" (F1 {percent(constant['f1'])})"
        without = (
            f"always {constant['answer']} {percent(constant['accuracy'])}{f1}, chance {percent(chance['accuracy'])}"
        )
    return f"{task['task']}: {task['title']}; {task['tested']:,} tested, {how}; {without}"


def _result(task: TaskDocument, result: TransferResultDocument) -> str:
    if result["pearson"] is not None:
        return f"Pearson {_plain(result['pearson'], '.3f')}{_over(result, '+.3f', 1)}"
    parts = [] if result["accuracy"] is None else [shown_measure(result["accuracy"])]
    if result["f1"] is not None:
        parts.append(f"F1 {shown_measure(result['f1'])}")
    if result["fold_sd"] is not None:
        parts.append(f"folds ± {100 * result['fold_sd']:.1f}")
    return f"{', '.join(parts)}{_over(result, '+.1f', 100)}"


def _over(result: TransferResultDocument, form: str, factor: int) -> str:
    measure = result["over_glove"]
    return "" if measure is None else f"; over mean GloVe {_plain(measure, form, factor)}"


def _plain(measure: MeasureDocument, form: str, factor: int = 1) -> str:
    if measure["value"] is None:
        return "–"
    ends = (
        ""
        if measure["ci95"] is None
        else " ({} to {})".format(*(format(factor * end, form) for end in measure["ci95"]))
    )
    return f"{format(factor * measure['value'], form)}{ends}"
