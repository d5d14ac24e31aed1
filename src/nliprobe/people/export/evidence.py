"""Export marks of rows or sentences, for ``nliprobe data agreement`` and as evidence of a corpus."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from nliprobe.base.errors import DataError
from nliprobe.people.clean_marks import CleaningRule, clean_marks
from nliprobe.people.counted import ids_of, marked_pairs
from nliprobe.people.export.files import Exported, counts, file_spec, named, write_csv, write_json_lines
from nliprobe.people.records import Item, Judgement
from nliprobe.people.tasks.evidence import sentences_of


def write_marks(
    path: Path, items: Sequence[Item], judgements: Iterable[Judgement], *, externals: Mapping[str, str] | None = None
) -> Exported:
    """Write one line per rater and pair, as CSV.

    ``nliprobe data agreement`` reads it, cleans it and writes the evidence that the raters decide on;
    ``CORPUS?evidence=file:PATH`` attaches it to the corpus that the pairs come from, if that gives its sentences or is
    about tables.
    """
    pairs = marked_pairs(items, judgements)
    rows = [
        {
            "pair_id": pair.id,
            "table_id": pair.table,
            "hypothesis": pair.hypothesis,
            **named(mark.rater, externals),
            "marks": mark.bits,
            "rows": json.dumps(pair.keys, ensure_ascii=False) if pair.keys else "",
            "label": pair.label,
        }
        for pair in pairs
        for mark in pair.marks
    ]
    write_csv(path, rows)
    waiting = sum(item.expected is None for item in items) - len(pairs)
    return Exported(path, len(rows), {"nobody has marked it": waiting} if waiting else {}, file_spec(path))


def write_marked(
    path: Path, items: Sequence[Item], judgements: Iterable[Judgement], rule: CleaningRule | None = None
) -> Exported:
    """Write the pairs whose raters decide about every unit as a corpus that ``file:`` reads, with gold evidence.

    Texts are written as the lists of sentences that the raters saw; ``file:`` joins them by spaces. Tables and texts
    need a file each.
    """
    every = list(judgements)
    cleaned = clean_marks(marked_pairs(items, every), rule)
    ids = ids_of(items)
    asked = {ids[item.name]: item for item in items}
    rows: list[dict[str, object]] = []
    for pair, evidence in cleaned.settled:
        item = asked[pair.id]
        rows.append(
            {
                "id": pair.id,
                "premise": _premise(item),
                "hypothesis": pair.hypothesis,
                "label": pair.label,
                "group": str(item.hidden.get("group", pair.id)),
                "evidence": list(evidence.units),
                "outside": int(evidence.outside),
            }
        )
    kinds = {type(row["premise"]) for row in rows}
    if len(kinds) > 1:
        raise DataError(f"{path} cannot hold tables and texts: write the items of each kind into a file of its own.")
    write_json_lines(path, rows)
    spec = file_spec(
        path,
        id="id",
        group="group",
        label="label" if any(row["label"] for row in rows) else "none",
        sentences="premise" if kinds == {list} else "",
        evidence="evidence",
        units="from0",
        grade="gold",
        outside="outside",
    )
    marked = {pair.id for pair in cleaned.pairs} | {one.pair.id for one in cleaned.wanting}
    reasons = [one.reason.partition(" on ")[0] for one in cleaned.wanting]
    reasons += ["nobody has marked it" for item in items if item.expected is None and ids[item.name] not in marked]
    return Exported(path, len(rows), counts(reasons), spec)


def _premise(item: Item) -> object:
    premise = item.content["premise"]
    if not isinstance(premise, str):
        return premise
    return [premise[start:stop] for start, stop in sentences_of(item.content)]
