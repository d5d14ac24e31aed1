"""Export edited tables: as one file with bases, or as the folder that ``infotabs-counterfactual`` reads."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from nliprobe.base.cells import guarded_lines
from nliprobe.base.errors import DataError, UsageError, did_you_mean
from nliprobe.base.files import member, write_atomic
from nliprobe.people.counted import counted, ids_of
from nliprobe.people.export.files import Exported, file_spec, remarked, write_json_lines
from nliprobe.people.records import Item, Judgement
from nliprobe.people.tasks.premises import premise_of
from nliprobe.task.table import Table
from nliprobe.task.table_diff import table_diff

# The names that the release of the evidence probes has for these.
_SPLITS = {"alpha1": "alpha1", "train": "training"}
_ORIGINALS, _MODIFIED = "tables_json", "tables_mod_json"
_COLUMNS = (
    "worker_id", "original_tableid", "original_hypothesis", "original_label", "modified_tableid", "modified_hypothesis",
    "modified_label",
)  # fmt: skip
_BREAKS = "\t\r\n"
# What is said about a table that nobody has edited.
_ORIGINAL = {"version": "original", "rater": "", "remark": ""}


class _Edit(NamedTuple):
    """One edit of one person."""

    item: Item
    rater: str
    before: Table
    after: Table
    remark: str


def write_counterfactuals(path: Path, items: Sequence[Item], judgements: Iterable[Judgement]) -> Exported:
    """Write originals and what people made of them as JSON lines that ``file:`` reads, each edit after its original.

    The rows that were changed are the evidence of both (grade *edit*), as in ``infotabs-counterfactual``.
    """
    edits = _edits(items, judgements)
    ids = ids_of(items)
    changed: dict[str, set[int]] = {}
    for edit in edits:
        changed.setdefault(edit.item.name, set()).update(table_diff(edit.before, edit.after).rows_before)
    rows: list[dict[str, object]] = []
    written: set[str] = set()
    for edit in edits:
        item, id_ = edit.item, ids[edit.item.name]
        shared = {"hypothesis": item.content["hypothesis"], "group": str(item.hidden.get("group", id_))}
        if item.name not in written:
            written.add(item.name)
            own = {"id": id_, "base": "", "premise": item.content["premise"], "label": str(item.hidden.get("gold", ""))}
            rows.append({**own, **shared, **_evidence(changed[item.name]), **_ORIGINAL})
        made: dict[str, object] = {
            "id": f"{id_}_mod_{edit.rater}",
            "base": id_,
            "premise": json.loads(edit.after.to_json()),
            "label": item.content["wanted"],
        }
        after = table_diff(edit.before, edit.after).rows_after
        by = {"version": "flipped", "rater": edit.rater, "remark": edit.remark}
        rows.append({**made, **shared, **_evidence(after), **by})
    write_json_lines(path, remarked(rows))
    spec = file_spec(
        path,
        id="id",
        base="base",
        group="group",
        label="label",
        evidence="evidence",
        units="from0",
        grade="edit",
        facets="version;rater",
    )
    return Exported(path, len(rows), _waiting(items, edits), spec)


def write_counterfactual_folder(
    folder: Path, items: Sequence[Item], judgements: Iterable[Judgement], *, split: str = "alpha1"
) -> Exported:
    """Write the same in the form of the released counterfactuals, below a folder that ``--from`` names.

    ``infotabs-counterfactual/SPLIT`` reads it, with the split ``alpha1`` or ``train``. It holds infoboxes only.
    """
    edits = _edits(items, judgements)
    if not edits:
        raise DataError(f"Nothing to write to {folder}: no judgement counts yet.")
    if split not in _SPLITS:
        raise UsageError(f"There is no split '{split}' of these counterfactuals. {did_you_mean(split, _SPLITS)}")
    home = folder / "counterfactuals" / _SPLITS[split]
    originals: dict[str, Table] = {}
    numbers: dict[str, int] = {}
    rows: list[dict[str, str]] = []
    files: dict[Path, Table] = {}
    for edit in edits:
        table = str(edit.item.hidden.get("table") or edit.item.name)
        if originals.setdefault(table, edit.before) != edit.before:
            raise DataError(f"Two tables have the id '{table:.80}': give each its own, or write one file with bases.")
        numbers[table] = number = numbers.get(table, 0) + 1
        modified = f"{table}_mod_{number}"
        files[_table_file(home / _ORIGINALS, table)] = edit.before
        files[_table_file(home / _MODIFIED, modified)] = edit.after
        text = str(edit.item.content["hypothesis"])
        gold, wanted = str(edit.item.hidden.get("gold", "")), str(edit.item.content["wanted"])
        cells = [edit.rater, table, text, gold, modified, text, wanted]
        rows.append(dict(zip(_COLUMNS, (_cell(cell, edit.item.name) for cell in cells), strict=True)))
    contents = {path: _infobox(table) for path, table in files.items()}
    for path, content in contents.items():
        write_atomic(path, content)
    lines = "".join("\t".join(cells) + "\n" for cells in guarded_lines(_COLUMNS, rows))
    write_atomic(home / f"cf_{split}.tsv", lines.encode("utf-8"))
    return Exported(folder, len(edits), _waiting(items, edits), f"infotabs-counterfactual/{split}")


def _edits(items: Sequence[Item], judgements: Iterable[Judgement]) -> list[_Edit]:
    edits = []
    for item, judgement in counted(items, judgements):
        before, after = (premise_of(value) for value in (item.content["premise"], judgement.answer["table"]))
        assert isinstance(before, Table)
        assert isinstance(after, Table)
        edits.append(_Edit(item, judgement.rater, before, after, judgement.remark))
    return edits


def _evidence(rows: Iterable[int]) -> dict[str, object]:
    places = sorted(rows)
    return {"evidence": places or None}


def _waiting(items: Sequence[Item], edits: Sequence[_Edit]) -> dict[str, int]:
    waiting = sum(item.expected is None for item in items) - len({edit.item.name for edit in edits})
    return {"nobody has edited it": waiting} if waiting else {}


def _table_file(folder: Path, name: str) -> Path:
    path = member(folder, f"{name}.json")
    if path is None:
        raise DataError(f"The table '{name:.80}' cannot be the name of a file: write one file with bases instead.")
    return path


def _infobox(table: Table) -> bytes:
    keys = [row.key.strip() for row in table.rows]
    if table.columns or len(set(keys)) < len(keys) or not all(keys) or "title" in keys or not table.title.strip():
        raise DataError(
            f"The table '{table.title:.80}' is no infobox with a title and a key of its own per row: write one file "
            "with bases instead."
        )
    content = {"title": [table.title], **{row.key: list(row.values) for row in table.rows}}
    return json.dumps(content, ensure_ascii=False).encode("utf-8")


def _cell(text: str, item: str) -> str:
    if any(mark in text for mark in _BREAKS):
        raise DataError(
            f"A text of the item '{item:.60}' has a tab or a line break, which this form cannot hold: write one file "
            "with bases instead."
        )
    # The loader takes quotes around a whole text for those of CSV.
    return '"' + text.replace('"', '""') + '"' if text.startswith('"') else text
