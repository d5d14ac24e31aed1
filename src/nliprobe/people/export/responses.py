"""Export predictions and bids as the file of responses that studies are scored from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from nliprobe.base.errors import DataError
from nliprobe.people.counted import counted, ids_of, right_about
from nliprobe.people.export.files import Exported, file_spec, write_csv
from nliprobe.people.records import Item, Judgement
from nliprobe.people.study.responses import BIDS, Answer, Bid, response_row
from nliprobe.people.tasks import Task
from nliprobe.people.tasks.bid import Bid as Bidding


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
    rows: list[dict[str, str]] = []
    for item, judgement in counted(items, judgements):
        truth, own = right_about(task, item), str(item.hidden.get("stage") or stage)
        for name, value in (("truth", truth), ("stage", own)):
            if not value:
                raise DataError(f"The item '{item.name:.60}' has no {name}, so that its answers cannot be scored.")
        response: Bid | Answer
        if isinstance(task, Bidding):
            response = _bid(item, judgement, own, truth, str(item.hidden.get("template") or ids[item.name]))
        else:
            response = Answer(own, judgement.rater, ids[item.name], task.vote(judgement.answer) or "", truth)
        row = response_row(response)
        if externals is not None:
            row["external"] = externals.get(judgement.rater, "")
        rows.append(row)
    write_csv(path, rows)
    return Exported(path, len(rows), {}, file_spec(path))


def _bid(item: Item, judgement: Judgement, stage: str, truth: str, template: str) -> Bid:
    if truth not in map(str, range(1, len(BIDS) + 1)):
        raise DataError(f"The truth of the item '{item.name:.60}' should be the number of a bin, not '{truth:.60}'.")
    points = judgement.answer["points"]
    assert isinstance(points, list)
    placed = tuple(float(point) for point in points if isinstance(point, int))
    return Bid(stage, judgement.rater, template, placed, int(truth) - 1)
