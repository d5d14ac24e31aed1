"""Export predictions and bids as the file of responses that studies are scored from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from nliprobe.base.errors import DataError
from nliprobe.people.counted import counted, ids_of, right_about
from nliprobe.people.export.files import Exported, file_spec, write_csv
from nliprobe.people.records import Item, Judgement
from nliprobe.people.tasks import Task
from nliprobe.people.tasks.bid import Bid


def write_responses(
    path: Path,
    task: Task,
    items: Sequence[Item],
    judgements: Iterable[Judgement],
    *,
    stage: str = "",
    externals: Mapping[str, str] | None = None,
) -> Exported:
    """Write what participants predicted, with what the system did, as CSV.

    Bids have the columns stage, participant, template, b1 to b5 and true_bin; predicted labels and picked bins have
    stage, participant, item, answer and truth.

    Args:
        path: the file.
        task: *predict*, *pick* or *bid*.
        items: the items; what the system did is hidden in them as ``truth``, and the stage as ``stage``.
        judgements: the judgements.
        stage: the stage of items that do not name one.
        externals: the platform's id of each participant, if it is to be written.
    """
    ids = ids_of(items)
    rows: list[dict[str, object]] = []
    for item, judgement in counted(items, judgements):
        truth, own = right_about(task, item), str(item.hidden.get("stage") or stage)
        for name, value in (("truth", truth), ("stage", own)):
            if not value:
                raise DataError(f"The item '{item.name:.60}' has no {name}, so that its answers cannot be scored.")
        row: dict[str, object] = {"stage": own, "participant": judgement.rater}
        if isinstance(task, Bid):
            points = judgement.answer["points"]
            assert isinstance(points, list)
            row |= {"template": str(item.hidden.get("template") or ids[item.name])}
            row |= {name: str(number) for name, number in zip(task.cells, points, strict=True)}
            row["true_bin"] = truth
        else:
            row |= {"item": ids[item.name], "answer": task.vote(judgement.answer) or "", "truth": truth}
        if externals is not None:
            row["external"] = externals.get(judgement.rater, "")
        rows.append(row)
    write_csv(path, rows)
    return Exported(path, len(rows), {}, file_spec(path))
