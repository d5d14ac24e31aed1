"""Sheets for the items of a project: one way to hand them out without a server, and to take the answers in again."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from nliprobe.base.errors import DataError, StoreError, UsageError
from nliprobe.base.files import member
from nliprobe.base.seeds import draws
from nliprobe.people.records import Item, Json, Judgement
from nliprobe.people.sheet_files import ITEM, REMARK, numbered_cell, premise_cell, read_sheet, write_sheet
from nliprobe.people.tasks import Task
from nliprobe.people.tasks.evidence import Marking, sentences_of
from nliprobe.people.tasks.premises import premise_of
from nliprobe.people.texts import require_remark

_PREFIX = "sheet-"


def write_item_sheets(
    task: Task,
    items: Sequence[Item],
    folder: Path,
    raters: Sequence[str],
    *,
    assigned: Mapping[str, Sequence[str]] | None = None,
    seed: int = 0,
) -> list[Path]:
    """Write a sheet per rater with what the task shows, in an order of the rater's own, and columns to fill in.

    Args:
        task: the task of the project.
        items: its items; attention items look like all others.
        folder: where the sheets go; one that is there already is never replaced.
        raters: the pseudonyms.
        assigned: the names of the items of each rater; by default, everybody gets all.
        seed: of the orders.
    """
    if not task.cells:
        raise UsageError("Answers to this task do not fit into the cells of a sheet.")
    by_name = {item.name: item for item in items}
    shown = {item.name: _cells(task, item) for item in items}
    names = list(dict.fromkeys(name for cells in shown.values() for name in cells))
    columns = [ITEM, *names, *task.cells, REMARK]
    paths = sheet_paths(folder, raters)
    for rater, path in zip(raters, paths, strict=True):
        order = list(by_name if assigned is None else assigned.get(rater, ()))
        unknown = next((name for name in order if name not in by_name), None)
        if unknown is not None:
            raise DataError(f"'{rater:.80}' is to judge '{unknown:.80}', which is no item here.")
        draws(seed, "sheet", rater).shuffle(order)
        rows = [[name, *(shown[name].get(one, "") for one in names), *("" for _ in task.cells), ""] for name in order]
        write_sheet(path, columns, rows)
    return paths


def sheet_paths(folder: Path, raters: Sequence[str]) -> list[Path]:
    """Return where the sheets of some raters go.

    Raises:
        StoreError: one of them is there already.
        UsageError: a pseudonym cannot be the name of a sheet.
    """
    paths = [_path(folder, rater) for rater in raters]
    there = next((path for path in paths if path.exists()), None)
    if there is not None:
        raise StoreError(f"{there} is there already, and it may be filled in: choose another folder.")
    return paths


def read_item_sheets(task: Task, items: Iterable[Item], sheets: Iterable[Path], *, given: float) -> list[Judgement]:
    """Return the judgements in filled sheets; lines without an answer are items not judged.

    Args:
        task: the task of the project.
        items: its items.
        sheets: the sheets, each named after its rater as :func:`write_item_sheets` does.
        given: when the sheets came back, in seconds since 1970; how long an answer took is not known.
    """
    by_name = {item.name: item for item in items}
    judgements: list[Judgement] = []
    for path in sheets:
        rater = path.stem.removeprefix(_PREFIX)
        for line in read_sheet(path, by_name, task.cells, (REMARK,)):
            remark = line.cells.pop(REMARK)
            try:
                answer = task.checked(by_name[line.item], task.read_cells(line.cells))
                judgements.append(Judgement(line.item, rater, answer, given, remark=require_remark(remark)))
            except DataError as error:
                raise DataError(f"{line.place}: {error}") from error
    return judgements


def _cells(task: Task, item: Item) -> dict[str, str]:
    shown = task.shown(item)
    fields = {name: value for name, value in shown.items() if name in item.content}
    if isinstance(task, Marking):
        fields.pop("sentences", None)
        premise = numbered_cell(premise_of(fields["premise"]), sentences_of(item.content))
        return {**{name: _cell(value) for name, value in fields.items()}, "premise": premise}
    return {name: _cell(value) for name, value in fields.items()}


def _cell(value: Json) -> str:
    if isinstance(value, dict) and isinstance(value.get("rows"), list):
        return premise_cell(premise_of(value))
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _path(folder: Path, rater: str) -> Path:
    path = member(folder, f"{_PREFIX}{rater}.csv")
    if path is None or path.parent != folder:
        raise UsageError(f"'{rater:.80}' cannot be the name of a sheet: choose a pseudonym without slashes.")
    return path
