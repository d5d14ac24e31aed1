"""Export marks of rows or sentences, for ``nliprobe data agreement`` and as evidence of a corpus."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from nliprobe.base.errors import DataError
from nliprobe.people.clean_marks import CleaningRule, clean_marks
from nliprobe.people.counted import bits_of, counted, ids_of, marked_pairs
from nliprobe.people.export.files import Exported, counts, file_spec, named, write_csv, write_json_lines
from nliprobe.people.records import Adjudication, Item, Judgement
from nliprobe.people.tasks.evidence import sentences_of
from nliprobe.task.marks import Mark, majority_of


def write_marks(
    path: Path,
    items: Sequence[Item],
    judgements: Iterable[Judgement],
    *,
    externals: Mapping[str, str] | None = None,
    adjudications: Sequence[Adjudication] = (),
) -> Exported:
    """Write one line per rater and pair, as CSV.

    ``nliprobe data agreement`` reads it, cleans it and writes the evidence that the raters decide on;
    ``CORPUS?evidence=file:PATH`` attaches it to the corpus that the pairs come from, if that gives its sentences or is
    about tables. What the owner decided is a column of its own and the mark of no rater.
    """
    judgements = list(judgements)
    ids, asked = ids_of(items), {item.name: item for item in items}
    remarks = {(ids[one.item.name], one.judgement.rater): one.judgement.remark for one in counted(items, judgements)}
    decided = {ids[one.item]: bits_of(asked[one.item].content, one.answer) for one in adjudications}
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
            "remark": remarks[pair.id, mark.rater],
            "adjudicated": decided.get(pair.id, ""),
        }
        for pair in pairs
        for mark in pair.marks
    ]
    write_csv(path, rows)
    waiting = sum(item.expected is None for item in items) - len(pairs)
    left_out = {"nobody has marked it": waiting} if waiting else {}
    return Exported(path, len(rows), left_out, file_spec(path), len(decided))


def write_marked(
    path: Path,
    items: Sequence[Item],
    judgements: Iterable[Judgement],
    rule: CleaningRule | None = None,
    *,
    adjudications: Sequence[Adjudication] = (),
) -> Exported:
    """Write the pairs whose raters decide about every unit as a corpus that ``file:`` reads, with gold evidence.

    Texts are written as the lists of sentences that the raters saw; ``file:`` joins them by spaces. Tables and texts
    need a file each. Where the owner has decided, that counts instead of the majority, and the facet ``adjudicated``
    says so.
    """
    every = list(judgements)
    cleaned = clean_marks(marked_pairs(items, every), rule)
    ids = ids_of(items)
    asked = {ids[item.name]: item for item in items}
    decided = {ids[one.item]: bits_of(asked[ids[one.item]].content, one.answer) for one in adjudications}
    settled = {pair.id: (pair.label, evidence.units, evidence.outside) for pair, evidence in cleaned.settled}
    for id_, bits in decided.items():
        own = majority_of((Mark("", bits),))
        settled[id_] = (str(asked[id_].hidden.get("gold", "")), own.units, own.outside)
    rows: list[dict[str, object]] = []
    for id_, item in asked.items():
        if id_ not in settled:
            continue
        label, units, outside = settled[id_]
        row: dict[str, object] = {
            "id": id_,
            "premise": _premise(item),
            "hypothesis": item.content["hypothesis"],
            "label": label,
            "group": str(item.hidden.get("group", id_)),
            "evidence": list(units),
            "outside": int(outside),
        }
        rows.append(row | ({"adjudicated": "yes" if id_ in decided else "no"} if decided else {}))
    kinds = {type(row["premise"]) for row in rows}
    if len(kinds) > 1:
        raise DataError(f"{path} cannot hold tables and texts: write the items of each kind into a file of its own.")
    marked = {pair.id for pair in cleaned.pairs} | {one.pair.id for one in cleaned.wanting}
    reasons = [one.reason.partition(" on ")[0] for one in cleaned.wanting if one.pair.id not in decided]
    here = {*marked, *decided}
    reasons += ["nobody has marked it" for item in items if item.expected is None and ids[item.name] not in here]
    left_out = counts(reasons)
    if every and not rows:
        told = "; ".join(f"{count:,} items left out: {reason}" for reason, count in left_out.items())
        raise DataError(f"Nothing to write to {path}: {told}. The form 'marks' has what each rater said.")
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
        facets="adjudicated" if decided else "",
    )
    return Exported(path, len(rows), left_out, spec, len(decided))


def _premise(item: Item) -> object:
    premise = item.content["premise"]
    if not isinstance(premise, str):
        return premise
    return [premise[start:stop] for start, stop in sentences_of(item.content)]
