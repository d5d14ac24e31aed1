"""Transitions: where answers go when a probe edits a pair, and how often they go where they must not.

Only the system's own answers are compared, before and after the edit; gold labels play no part. A rule that looks at
probabilities, too, counts here with what it says of labels.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, NamedTuple

from nliprobe.analysis.cases import DEFAULT_CERTAINTY, NOT_ASKED, Cases, RunData, Slice, SystemAnswers
from nliprobe.analysis.documents import Matrix, MeanRate, Rate, TransitionAverage, Transitions
from nliprobe.analysis.scores import blocks_and_others, ends
from nliprobe.task.case import Certainty
from nliprobe.task.labels import SETS, LabelSet
from nliprobe.task.outcomes import BROKEN, label_outcomes
from nliprobe.task.partitions import Partition

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Moves(NamedTuple):
    """Answered transitions, one entry for each: masks before and after, and what the relation says of them.

    Attributes:
        before: masks of the answers to the bases.
        after: masks of the answers to the edited cases.
        prohibited: whether the relation forbids the move.
        bound: whether it forbids any move from that answer.
        clusters: the numbers of the groups.
    """

    before: NDArray[np.int64]
    after: NDArray[np.int64]
    prohibited: NDArray[np.bool_]
    bound: NDArray[np.bool_]
    clusters: NDArray[np.int64]


def transitions(
    data: RunData, *, certainty: Collection[Certainty] = DEFAULT_CERTAINTY, seed: int = 0
) -> list[Transitions]:
    """Follow the answers of every system through every probe that has relations to one base.

    Args:
        data: the run.
        certainty: which cases count; the rest are counted as uncertain.
        seed: of the resampling behind the intervals.
    """
    cases = data.cases
    related = cases.related
    wanted = cases.wanted(certainty)
    found: list[Transitions] = []
    for part in cases.slices():
        rows = part.rows[related[part.rows]]
        if not len(rows):
            continue
        related_part = part._replace(rows=rows, clusters=part.clusters[related[part.rows]])
        found.extend(
            entry for system in data.systems if (entry := _follow(data, system, related_part, wanted, seed)) is not None
        )
    order = {system.name: place for place, system in enumerate(data.systems)}
    return sorted(found, key=lambda entry: order[entry["system"]])


def prohibited_moves(cases: Cases, partition: Partition) -> NDArray[np.bool_]:
    """Mark the moves that each rule prohibits: by the rule, the mask of the base's answer and that of the answer."""
    import numpy as np

    outcomes = np.stack([label_outcomes(relation, partition)[1] for relation in cases.relations])
    prohibited: NDArray[np.bool_] = outcomes == BROKEN
    return prohibited


def transition_averages(entries: Sequence[Transitions]) -> list[TransitionAverage]:
    """Average the prohibited rates of each system and probe over corpora, every corpus counting the same."""
    together: dict[tuple[str, str], list[Transitions]] = {}
    for entry in entries:
        together.setdefault((entry["system"], entry["probe"]), []).append(entry)
    return [
        TransitionAverage(
            system=system,
            probe=probe,
            corpora=[entry["corpus"] for entry in same],
            prohibited={
                label: _mean([entry["prohibited"][label] for entry in same if label in entry["prohibited"]])
                for label in dict.fromkeys(label for entry in same for label in entry["labels"])
            },
            prohibited_overall=_mean([entry["prohibited_overall"] for entry in same]),
            changed=_mean([entry["changed"] for entry in same]),
        )
        for (system, probe), same in together.items()
    ]


def _follow(
    data: RunData, system: SystemAnswers, part: Slice, wanted: NDArray[np.bool_], seed: int
) -> Transitions | None:
    import numpy as np

    cases, answers = data.cases, system.answers
    asked = (answers[part.rows] != NOT_ASKED) & (answers[cases.base[part.rows]] != NOT_ASKED)
    if not asked.any():
        return None
    chosen = asked & wanted[part.rows]
    rows, clusters = part.rows[chosen], part.clusters[chosen]
    answered = (answers[rows] != 0) & (answers[cases.base[rows]] != 0)
    unanswered = int((~answered).sum())
    rows, clusters = rows[answered], clusters[answered]

    moves = _moves(data, system, rows, clusters)
    occurring = np.unique(np.concatenate([moves.before, moves.after])).tolist()
    labels = blocks_and_others(system.partition, occurring)
    cell = moves.before * 8 + moves.after
    cells = np.bincount(cell, minlength=64).reshape(8, 8)
    bad_cells = np.bincount(cell[moves.prohibited], minlength=64).reshape(8, 8)
    names = [str(label) for label in labels]
    *from_each, overall, changed = _rates(moves, labels, (system.name, part.corpus, part.probe), seed)
    relations: Counter[str] = Counter()
    for number, count in enumerate(np.bincount(cases.expects[rows]).tolist()):
        relations[str(cases.relations[number])] += count
    return Transitions(
        system=system.name,
        corpus=part.corpus,
        probe=part.probe,
        partition=str(system.partition),
        labels=names,
        n=len(rows),
        pairs=len(np.unique(cases.pair[rows])),
        groups=len(np.unique(clusters)),
        unanswered=unanswered,
        uncertain=int((asked & ~wanted[part.rows]).sum()),
        relations={text: count for text, count in relations.items() if count},
        counts=_matrix(cells, labels),
        row_percent={
            str(old): {str(new): _percent(cells[old.mask, new.mask], cells[old.mask].sum()) for new in labels}
            for old in labels
        },
        prohibited_counts=_matrix(bad_cells, labels),
        prohibited=dict(zip(names, from_each, strict=True)),
        prohibited_overall=overall,
        changed=changed,
    )


def _moves(data: RunData, system: SystemAnswers, rows: NDArray[np.int64], clusters: NDArray[np.int64]) -> Moves:
    import numpy as np

    cases, answers = data.cases, system.answers
    coarse = np.array([system.partition.coarsen(labels).mask for labels in SETS], dtype=np.int64)
    before, after = coarse[answers[cases.base[rows]]], coarse[answers[rows]]
    prohibited = prohibited_moves(cases, system.partition)
    rule = cases.expects[rows]
    return Moves(before, after, prohibited[rule, before, after], prohibited.max(axis=2)[rule, before], clusters)


def _rates(moves: Moves, labels: Sequence[LabelSet], names: Sequence[str], seed: int) -> list[Rate]:
    """Prohibited from each label, prohibited of all, changed of all; their intervals come from the same draws."""
    import numpy as np

    from nliprobe.stats.bootstrap import generator, ratio_intervals

    size = int(moves.clusters.max()) + 1 if len(moves.clusters) else 0
    every = np.ones(len(moves.before), dtype=bool)
    chances = [*(moves.before == label.mask for label in labels), every, every]
    events = [*(moves.prohibited & chance for chance in chances[:-1]), moves.before != moves.after]
    # From some labels a relation may allow everything: then a rate of 0 would be praise for nothing.
    meaningful = [*(bool((moves.bound & chance).any()) for chance in chances[:-1]), bool(size)]
    above = np.stack([np.bincount(moves.clusters[event], minlength=size) for event in events], axis=1)
    below = np.stack([np.bincount(moves.clusters[chance], minlength=size) for chance in chances], axis=1)
    intervals = ratio_intervals(above, below, generator(seed, "transitions", *names))
    counts, totals = above.sum(axis=0).tolist(), below.sum(axis=0).tolist()
    return [
        Rate(n=n, count=count, rate=count / n if known else None, ci95=ends(interval) if known else None)
        for count, n, known, interval in zip(counts, totals, meaningful, intervals, strict=True)
    ]


def _mean(rates: Sequence[Rate]) -> MeanRate:
    from nliprobe.stats.intervals import Interval, mean_interval

    known = [(rate["rate"], rate["ci95"]) for rate in rates if rate["rate"] is not None]
    values = [value for value, _ in known if value is not None]
    intervals = [None if pair is None else Interval(*pair) for _, pair in known]
    return MeanRate(
        corpora=len(values),
        rate=sum(values) / len(values) if values else None,
        ci95=ends(mean_interval(values, intervals)),
    )


def _matrix(cells: NDArray[np.int64], labels: Sequence[LabelSet]) -> Matrix:
    return {str(old): {str(new): int(cells[old.mask, new.mask]) for new in labels} for old in labels}


def _percent(count: np.int64, total: np.int64) -> float | None:
    return 100 * int(count) / int(total) if total else None
