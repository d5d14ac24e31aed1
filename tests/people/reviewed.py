"""Cases for people to settle, made up for tests."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from nliprobe.people.review.files import write_queue
from nliprobe.people.review.records import ReviewItem
from nliprobe.task.table import Row, Table

TABLE = Table("Blue Harbour", (Row("Length", ("46:06",)), Row("Genre", ("pop", "rock"))), "Album")
ITEM = ReviewItem(
    case_id="c1",
    pair_id="made/1",
    corpus="made",
    group="t1",
    probe="hypothesis.number",
    kind="number",
    rule="over-raised",
    effect="flip",
    certainty="likely",
    gold="E",
    expected="C",
    original="Blue Harbour is over 40 minutes long.",
    perturbed="Blue Harbour is over 60 minutes long.",
    span=(21, 23),
    premise=TABLE,
)
# Two cases of a rule about one table, one of another rule, and one about a text without a single expected label.
ITEMS = (
    ITEM,
    replace(ITEM, case_id="c2", pair_id="made/2", perturbed="Blue Harbour is over 80 minutes long."),
    replace(ITEM, case_id="c3", pair_id="made/3", group="t2", rule="replaced", kind="named entity", expected="E"),
    replace(
        ITEM, case_id="c4", pair_id="made/4", group="t3", gold="", expected="EN", premise="A plain text.", span=None
    ),
)


def new_queue(folder: Path, items: tuple[ReviewItem, ...] = ITEMS, name: str = "queue.jsonl") -> Path:
    """Write a queue."""
    path = folder / name
    assert write_queue(path, items) == len(items)
    return path
