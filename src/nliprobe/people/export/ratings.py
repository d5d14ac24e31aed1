"""Export labels: all ratings for ``nliprobe data agreement``, and a corpus with the labels of the majority."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from nliprobe.people.counted import Counted, counted, ids_of, ratings_of
from nliprobe.people.export.files import Exported, counts, file_spec, named, write_csv, write_json_lines
from nliprobe.people.records import Adjudication, Item, Judgement
from nliprobe.people.tasks.labels import LabelTask
from nliprobe.task.labels import THREE_WAY


def write_ratings(
    path: Path,
    task: LabelTask,
    items: Sequence[Item],
    judgements: Iterable[Judgement],
    *,
    externals: Mapping[str, str] | None = None,
    adjudications: Sequence[Adjudication] = (),
) -> Exported:
    """Write one line per judgement, as CSV that ``nliprobe data agreement`` reads.

    What the owner decided is a column of its own and no rating: agreement is between raters.

    Args:
        path: the file.
        task: the task of the project.
        items: its items.
        judgements: its judgements; those of attention items are not written.
        externals: the platform's id of each rater, if it is to be written.
        adjudications: what the owner decided.
    """
    decided = {one.item: task.vote(one.answer) or "" for one in adjudications}
    every = list(judgements)
    ratings = ratings_of(task, items, every, path.stem)
    rows = [
        {
            "item": rating.item,
            **named(rating.rater, externals),
            "label": str(rating.label),
            "gold": "" if rating.gold is None else str(rating.gold),
            "odd": "1" if one.judgement.answer.get("odd") else "",
            "seconds": "" if one.judgement.seconds is None else f"{one.judgement.seconds:.1f}",
            "remark": one.judgement.remark,
            "adjudicated": decided.get(one.item.name, ""),
        }
        for rating, one in zip(ratings.ratings, counted(items, every), strict=True)
    ]
    write_csv(path, rows)
    waiting = sum(item.expected is None for item in items) - len(ratings.items)
    left_out = {"nobody has judged it": waiting} if waiting else {}
    return Exported(path, len(rows), left_out, file_spec(path, partition=_partition(task)), len(decided))


def write_verified(
    path: Path,
    task: LabelTask,
    items: Sequence[Item],
    judgements: Iterable[Judgement],
    *,
    at_least: int = 0,
    adjudications: Sequence[Adjudication] = (),
) -> Exported:
    """Write the items whose raters agree as a corpus that ``file:`` reads, with the label of the majority.

    A majority is more than half of an item's raters, and never fewer than ``at_least``. What it decides on may be
    another label than the pair had: that one is the facet ``author_label``. Where the owner has decided, that counts
    instead of the majority, and the facet ``adjudicated`` says so.
    """
    decided = {one.item: one for one in adjudications}
    ids = ids_of(items)
    voted: dict[str, list[Counted]] = {}
    for one in counted(items, judgements):
        voted.setdefault(one.item.name, []).append(one)
    rows: list[dict[str, object]] = []
    reasons: list[str] = []
    for item in items:
        if item.expected is not None:
            continue
        said = voted.get(item.name, [])
        given = Counter(task.vote(one.judgement.answer) for one in said)
        [(label, votes)] = given.most_common(1) or [("", 0)]
        odd = sum(one.judgement.answer.get("odd") is True for one in said)
        own = decided.get(item.name)
        if own is not None and own.answer.get("odd") is True:
            reasons.append("the owner calls it odd")
            continue
        if own is not None:
            label = task.vote(own.answer)
            votes = given[label]
        elif not said:
            reasons.append("nobody has judged it")
            continue
        elif 2 * votes <= len(said) or votes < at_least:
            reasons.append("no majority")
            continue
        elif 2 * odd > len(said):
            reasons.append("most raters call it odd")
            continue
        row: dict[str, object] = {
            "id": ids[item.name],
            "premise": item.content["premise"],
            "hypothesis": item.content["hypothesis"],
            "label": label,
            "group": str(item.hidden.get("group", ids[item.name])),
            "author_label": str(item.hidden.get("gold", "")),
            "votes": votes,
            "raters": len(said),
        }
        rows.append(row | ({"adjudicated": "no" if own is None else "yes"} if decided else {}))
    write_json_lines(path, rows)
    facets = "author_label;votes;raters" + (";adjudicated" if decided else "")
    spec = file_spec(path, id="id", group="group", label="label", facets=facets, partition=_partition(task))
    return Exported(path, len(rows), counts(reasons), spec, sum(row.get("adjudicated") == "yes" for row in rows))


def _partition(task: LabelTask) -> str:
    return "" if task.partition == THREE_WAY else str(task.partition)
