"""The judgements of a project that count, in an order that does not depend on the store, as ratings and as marks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from nliprobe.base.errors import DataError, did_you_mean
from nliprobe.people.records import Content, Item, Judgement, JudgementState
from nliprobe.people.tasks import Task
from nliprobe.people.tasks.evidence import units_of
from nliprobe.people.tasks.labels import LabelTask
from nliprobe.task.labels import LabelMap
from nliprobe.task.marks import Mark, MarkedPair
from nliprobe.task.ratings import Rating, Ratings


class Counted(NamedTuple):
    """A judgement that counts, with the item that it is about."""

    item: Item
    judgement: Judgement


def counted(items: Sequence[Item], judgements: Iterable[Judgement], *, attention: bool = False) -> list[Counted]:
    """Return the judgements that count, item by item, the earliest first.

    Args:
        items: the items of the project.
        judgements: all judgements; revised and void ones are left out.
        attention: whether to return those of attention items instead of the others.
    """
    places = {item.name: place for place, item in enumerate(items)}
    if len(places) < len(items):
        twice = next(name for name, times in Counter(item.name for item in items).items() if times > 1)
        raise DataError(f"Two items are named '{twice:.80}'.")
    found: list[Counted] = []
    for judgement in judgements:
        if judgement.state is not JudgementState.COUNTS:
            continue
        if judgement.item not in places:
            hint = did_you_mean(judgement.item, places)
            known = hint if hint.startswith("Did") else "It may be one of another project."
            raise DataError(f"'{judgement.rater:.80}' judged '{judgement.item:.80}', which is no item here. {known}")
        found.append(Counted(items[places[judgement.item]], judgement))
    found.sort(key=lambda one: (places[one.item.name], one.judgement.given, one.judgement.rater))
    both = Counter((one.item.name, one.judgement.rater) for one in found)
    twice_by = next((key for key, times in both.items() if times > 1), None)
    if twice_by is not None:
        raise DataError(
            f"'{twice_by[1]:.80}' has two judgements of '{twice_by[0]:.80}' that count: mark the earlier as revised."
        )
    return [one for one in found if (one.item.expected is not None) == attention]


def ids_of(items: Iterable[Item]) -> dict[str, str]:
    """Return the ids under which items are exported: those of their cases or pairs, where these are distinct."""
    named = {item.name: str(item.hidden.get("case_id") or item.hidden.get("pair_id") or item.name) for item in items}
    times = Counter(named.values())
    return {name: id_ if times[id_] == 1 else f"{id_}#{name}" for name, id_ in named.items()}


def right_about(task: Task, item: Item) -> str:
    """Return the vote that is right about an item, if its owner knows: the gold label, or what the system did."""
    known = str(item.hidden.get(task.right, ""))
    if not isinstance(task, LabelTask):
        return known
    label = LabelMap().read(known)
    block = None if label is None else task.partition.coarsen(label)
    return str(block) if block in task.partition.blocks else ""


def ratings_of(task: LabelTask, items: Sequence[Item], judgements: Iterable[Judgement], name: str) -> Ratings:
    """Return the labels that people gave, as ``nliprobe data agreement`` reads them from the file that is exported."""
    ids = ids_of(items)
    blocks = {str(block): block for block in task.partition.blocks}
    golds = {ids[item.name]: blocks.get(right_about(task, item)) for item in items if item.expected is None}
    ratings = tuple(
        Rating(id_, one.judgement.rater, blocks[str(task.vote(one.judgement.answer))], golds[id_])
        for one in counted(items, judgements)
        for id_ in [ids[one.item.name]]
    )
    rated = {rating.item for rating in ratings}
    return Ratings(name, ratings, {id_: gold for id_, gold in golds.items() if id_ in rated}, task.partition)


def marked_pairs(items: Sequence[Item], judgements: Iterable[Judgement]) -> list[MarkedPair]:
    """Return the marks of the task *evidence*, pair by pair, as ``nliprobe data agreement`` reads them."""
    ids = ids_of(items)
    marks: dict[str, list[Mark]] = {}
    asked: dict[str, Item] = {}
    for one in counted(items, judgements):
        asked[one.item.name] = one.item
        bits = bits_of(one.item.content, one.judgement.answer)
        marks.setdefault(one.item.name, []).append(Mark(one.judgement.rater, bits))
    tables = _tables(asked.values())
    return [
        MarkedPair(
            ids[name],
            tables.get(name, ""),
            str(item.content["hypothesis"]),
            tuple(marks[name]),
            keys_of(item),
            str(item.hidden.get("gold", "")),
        )
        for name, item in asked.items()
    ]


def bits_of(content: Content, answer: Content) -> str:
    """Return an answer of the task *evidence* as marks: a bit per unit, and a last one for outside knowledge."""
    units = answer["units"]
    assert isinstance(units, list)
    bits = ["1" if place in units else "0" for place in range(units_of(content)[0])]
    return "".join([*bits, "1" if answer["outside"] else "0"])


def keys_of(item: Item) -> tuple[str, ...]:
    """Return the keys of the rows of an infobox; other premises have none."""
    premise = item.content["premise"]
    if not isinstance(premise, dict) or premise.get("columns"):
        return ()
    rows = premise["rows"]
    assert isinstance(rows, list)
    return tuple(str(row[0]).strip() for row in rows if isinstance(row, list))


def _tables(items: Iterable[Item]) -> dict[str, str]:
    """Return the ids of the items' tables; an id that stands for different tables is none."""
    shapes: dict[str, set[tuple[str, ...]]] = {}
    named: dict[str, str] = {}
    for item in items:
        if isinstance(item.content["premise"], dict) and (table := str(item.hidden.get("table", ""))):
            named[item.name] = table
            shapes.setdefault(table, set()).add((*keys_of(item), str(units_of(item.content)[0])))
    return {name: table for name, table in named.items() if len(shapes[table]) == 1}
