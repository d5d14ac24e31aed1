"""Export labels: all ratings for ``nliprobe data agreement``, and a corpus with the labels of the majority."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from nliprobe.people.counted import Counted, counted, ids_of, ratings_of
from nliprobe.people.export.files import Exported, counts, file_spec, named, write_csv, write_json_lines
from nliprobe.people.records import Item, Judgement
from nliprobe.people.tasks.labels import LabelTask
from nliprobe.task.labels import THREE_WAY


def write_ratings(
    path: Path,
    task: LabelTask,
    items: Sequence[Item],
    judgements: Iterable[Judgement],
    *,
    externals: Mapping[str, str] | None = None,
) -> Exported:
    """Write one line per judgement, as CSV that ``nliprobe data agreement`` reads.

    Args:
        path: the file.
        task: the task of the project.
        items: its items.
        judgements: its judgements; those of attention items are not written.
        externals: the platform's id of each rater, if it is to be written.
    """
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
        }
        for rating, one in zip(ratings.ratings, counted(items, every), strict=True)
    ]
    write_csv(path, rows)
    waiting = sum(item.expected is None for item in items) - len(ratings.items)
    left_out = {"nobody has judged it": waiting} if waiting else {}
    return Exported(path, len(rows), left_out, file_spec(path, partition=_partition(task)))


def write_verified(
    path: Path, task: LabelTask, items: Sequence[Item], judgements: Iterable[Judgement], *, at_least: int = 0
) -> Exported:
    """Write the items whose raters agree as a corpus that ``file:`` reads, with the label of the majority.

    A majority is more than half of an item's raters, and never fewer than ``at_least``. What it decides on may be
    another label than the pair had: that one is the facet ``author_label``.
    """
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
        [(label, votes)] = Counter(task.vote(one.judgement.answer) for one in said).most_common(1) or [("", 0)]
        odd = sum(one.judgement.answer.get("odd") is True for one in said)
        if not said:
            reasons.append("nobody has judged it")
        elif 2 * votes <= len(said) or votes < at_least:
            reasons.append("no majority")
        elif 2 * odd > len(said):
            reasons.append("most raters call it odd")
        else:
            rows.append(
                {
                    "id": ids[item.name],
                    "premise": item.content["premise"],
                    "hypothesis": item.content["hypothesis"],
                    "label": label,
                    "group": str(item.hidden.get("group", ids[item.name])),
                    "author_label": str(item.hidden.get("gold", "")),
                    "votes": votes,
                    "raters": len(said),
                }
            )
    write_json_lines(path, rows)
    spec = file_spec(
        path, id="id", group="group", label="label", facets="author_label;votes;raters", partition=_partition(task)
    )
    return Exported(path, len(rows), counts(reasons), spec)


def _partition(task: LabelTask) -> str:
    return "" if task.partition == THREE_WAY else str(task.partition)
