"""Write settled cases as a corpus that ``file:`` reads, each after the pair it was made from."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from nliprobe.base.errors import DataError, UsageError
from nliprobe.base.files import write_atomic
from nliprobe.base.halves import whole_json
from nliprobe.people.review.records import Queue, ReviewItem, Verdict, premise_json

FACETS = ("probe", "rule", "kind", "effect", "certainty", "verdict", "original")
# What stands in the place of the effect for the pairs that cases were made from.
ORIGINAL = "original"


class SettledCorpus(NamedTuple):
    """What was written: how many settled cases, how many originals, and how a run names the corpus."""

    cases: int
    originals: int
    spec: str


def write_settled(queue: Queue, out: Path) -> SettledCorpus:
    """Write the cases that have a label now, and before them the pairs that they were made from.

    Rejected cases are left out. An original without a label of its own is left out, too, and so has no base.
    """
    if out.suffix != ".jsonl":
        raise UsageError(f"'{out}' should end in .jsonl: settled cases are written as JSON lines.")
    settled = [item for item in queue.items.values() if queue.outcome(item.case_id) not in (None, Verdict.REJECT.value)]
    if not settled:
        raise DataError("No case has been settled with a label yet, so there is nothing to write.")
    rows = list(_rows(queue, settled))
    lines = [whole_json(json.dumps(row, ensure_ascii=False)) + "\n" for row in rows]
    write_atomic(out, "".join(lines).encode("utf-8"))
    originals = len(rows) - len(settled)
    base = "&base=base" if originals else ""
    return SettledCorpus(len(settled), originals, f"file:{out}?id=id{base}&group=group&facets={';'.join(FACETS)}")


def _rows(queue: Queue, settled: list[ReviewItem]) -> Iterator[dict[str, object]]:
    # Only a file in which some row has a base may have the column.
    based = any(item.gold for item in settled)
    written: set[str] = set()
    for item in settled:
        if item.gold and item.pair_id not in written:
            written.add(item.pair_id)
            premise = item.premise if item.before is None else item.before
            own = {"effect": ORIGINAL, "original": item.pair_id}
            yield {
                "id": item.pair_id,
                "base": "",
                "premise": json.loads(premise_json(premise)),
                "hypothesis": item.original,
                "label": item.gold,
                "group": item.group,
                **{name: own.get(name, "") for name in FACETS},
            }
        decision = queue.decision(item.case_id)
        assert decision is not None
        facets = [item.probe, item.rule, item.kind, item.effect, item.certainty, decision.verdict.value, item.pair_id]
        base = {"base": item.pair_id if item.gold else ""} if based else {}
        yield {
            "id": item.case_id,
            **base,
            "premise": json.loads(premise_json(item.premise)),
            "hypothesis": item.perturbed,
            "label": decision.label,
            "group": item.group,
            **dict(zip(FACETS, facets, strict=True)),
        }
