"""Transitions: how answers change when a probe edits a pair, and how often they change in a way they must not.

Only the system's own answers are compared, before and after the edit; gold labels play no part. Cases whose rule looks
at more than labels are in the expectations instead, and cases that a system reads exactly like their base are counted
as unchanged only: their edit does not reach it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from nliprobe.analysis.cases import DEFAULT_CERTAINTY, LIKELY, Cases, RunData, Slice, SystemAnswers
from nliprobe.analysis.documents import Ends, LikelyTransitions, Matrix, MeanRate, Rate, TransitionAverage, Transitions
from nliprobe.analysis.scores import blocks_and_others, ends, interval_of
from nliprobe.analysis.slices import AskedSlice, asked_slices
from nliprobe.task.case import Certainty
from nliprobe.task.labels import THREE_WAY, LabelSet, Partition
from nliprobe.task.outcomes import BROKEN, coarse_masks, label_outcomes
from nliprobe.task.relations import Relation

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Moves(NamedTuple):
    """Answered transitions, one entry per case: masks before and after, and what the relation says about them.

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


def transitions(data: RunData, *, certainty: Collection[Certainty] = DEFAULT_CERTAINTY) -> list[Transitions]:
    """Count the transitions of every system under every probe that expects moves between labels only.

    Args:
        data: the run.
        certainty: which cases count; the rest are counted as uncertain.
    """
    wanted = data.cases.wanted(certainty)
    return [_transitions(data, item, wanted) for item in asked_slices(data, data.cases.related, with_bases=True)]


def prohibited_table(relation: Relation, partition: Partition) -> NDArray[np.bool_]:
    """Mark the moves that a relation prohibits: by the mask of the base's answer and of the answer."""
    prohibited: NDArray[np.bool_] = label_outcomes(relation, partition)[1] == BROKEN
    return prohibited


def prohibited_moves(cases: Cases, partition: Partition) -> NDArray[np.bool_]:
    """Mark the moves that each rule prohibits: by the rule, the mask of the base's answer and of the answer."""
    import numpy as np

    return np.stack([prohibited_table(relation, partition) for relation in cases.relations])


def prohibited_percent(
    row_percent: Mapping[str, Mapping[str, float | None]], relation: Relation, partition: Partition = THREE_WAY
) -> dict[str, float | None]:
    """Add up what a relation prohibits of transitions in percent of each answer before, as papers print them.

    >>> prohibited_percent({"E": {"E": 90.0, "N": 6.0, "C": 4.0}}, Relation.parse("E>EN N>N C>NC"))
    {'E': 4.0}
    """
    prohibited = prohibited_table(relation, partition)
    sums: dict[str, float | None] = {}
    for old, shares in row_percent.items():
        known = [share for share in shares.values() if share is not None]
        bad = [share for new, share in shares.items() if share is not None and prohibited[_mask(old), _mask(new)]]
        sums[old] = float(sum(bad)) if known else None
    return sums


def transition_averages(entries: Sequence[Transitions]) -> list[TransitionAverage]:
    """Average the prohibited rates of each system and probe over corpora; every corpus has the same weight."""
    together: dict[tuple[str, str], list[Transitions]] = {}
    for entry in entries:
        together.setdefault((entry["system"], entry["probe"]), []).append(entry)
    return [
        TransitionAverage(
            system=system,
            probe=probe,
            corpora=[entry["corpus"] for entry in same],
            prohibited={
                label: mean_rate([entry["prohibited"][label] for entry in same if label in entry["prohibited"]])
                for label in dict.fromkeys(label for entry in same for label in entry["labels"])
            },
            prohibited_overall=mean_rate([entry["prohibited_overall"] for entry in same]),
            prohibited_likely=mean_rate([entry["likely"]["prohibited_overall"] for entry in same]),
            changed=mean_rate([entry["changed"] for entry in same]),
        )
        for (system, probe), same in together.items()
    ]


def _transitions(data: RunData, item: AskedSlice, wanted: NDArray[np.bool_]) -> Transitions:
    import numpy as np

    cases, system = data.cases, item.system
    counted = item.counted(wanted)
    answered = _answered(cases, system, counted)
    part = counted.where(answered)
    moves = _moves(data, system, part)
    occurring = np.unique(np.concatenate([moves.before, moves.after])).tolist()
    labels = blocks_and_others(system.partition, occurring)
    cell = moves.before * 8 + moves.after
    cells = np.bincount(cell, minlength=64).reshape(8, 8)
    bad_cells = np.bincount(cell[moves.prohibited], minlength=64).reshape(8, 8)
    names = [str(label) for label in labels]
    *from_each, overall, changed = _rates(moves, labels)
    relations: Counter[str] = Counter()
    for number, count in enumerate(np.bincount(cases.expects[part.rows]).tolist()):
        relations[str(cases.relations[number])] += count
    return Transitions(
        system=system.name,
        corpus=part.corpus,
        probe=part.probe,
        partition=str(system.partition),
        labels=names,
        n=len(part.rows),
        pairs=len(np.unique(cases.pair[part.rows])),
        groups=len(np.unique(part.clusters)),
        unchanged=item.not_reached(wanted),
        unanswered=int((~answered).sum()),
        uncertain=item.uncertain(wanted),
        relations={text: count for text, count in relations.items() if count},
        counts=_matrix(cells, labels),
        row_percent={
            str(old): {str(new): _percent(cells[old.mask, new.mask], cells[old.mask].sum()) for new in labels}
            for old in labels
        },
        row_percent_ci95=_row_intervals(moves, labels),
        prohibited_counts=_matrix(bad_cells, labels),
        prohibited=dict(zip(names, from_each, strict=True)),
        prohibited_overall=overall,
        changed=changed,
        likely=_likely(data, item, labels),
    )


def _likely(data: RunData, item: AskedSlice, labels: Sequence[LabelSet]) -> LikelyTransitions:
    """Compute the same rates of the cases whose expectation is likely only."""
    cases, system = data.cases, item.system
    wanted = cases.wanted(LIKELY)
    counted = item.counted(wanted)
    part = counted.where(_answered(cases, system, counted))
    *from_each, overall, changed = _rates(_moves(data, system, part), labels)
    return LikelyTransitions(
        n=len(part.rows),
        unchanged=item.not_reached(wanted),
        prohibited={str(label): rate for label, rate in zip(labels, from_each, strict=True)},
        prohibited_overall=overall,
        changed=changed,
    )


def _answered(cases: Cases, system: SystemAnswers, part: Slice) -> NDArray[np.bool_]:
    """Mark the cases that were answered together with their bases."""
    answered: NDArray[np.bool_] = (system.answers[part.rows] != 0) & (system.answers[cases.base[part.rows]] != 0)
    return answered


def _moves(data: RunData, system: SystemAnswers, part: Slice) -> Moves:
    import numpy as np

    cases, answers, rows = data.cases, system.answers, part.rows
    coarse = coarse_masks(system.partition).astype(np.int64)
    before, after = coarse[answers[cases.base[rows]]], coarse[answers[rows]]
    prohibited = prohibited_moves(cases, system.partition)
    rule = cases.expects[rows]
    return Moves(before, after, prohibited[rule, before, after], prohibited.max(axis=2)[rule, before], part.clusters)


def _rates(moves: Moves, labels: Sequence[LabelSet]) -> list[Rate]:
    """Compute the rates prohibited from each label, prohibited of all and changed of all."""
    import numpy as np

    from nliprobe.stats.grouped import share_interval

    size = int(moves.clusters.max()) + 1 if len(moves.clusters) else 0
    always = np.ones(len(moves.before), dtype=bool)
    chances = [*(moves.before == label.mask for label in labels), always, always]
    events = [*(moves.prohibited & chance for chance in chances[:-1]), moves.before != moves.after]
    # If a relation allows everything from some labels, a rate of 0 would mean nothing.
    meaningful = [*(bool((moves.bound & chance).any()) for chance in chances[:-1]), bool(size)]
    above = np.stack([np.bincount(moves.clusters[event], minlength=size) for event in events], axis=1)
    below = np.stack([np.bincount(moves.clusters[chance], minlength=size) for chance in chances], axis=1)
    intervals = [share_interval(hits, sizes) for hits, sizes in zip(above.T, below.T, strict=True)]
    counts, totals = above.sum(axis=0).tolist(), below.sum(axis=0).tolist()
    return [
        Rate(n=n, count=count, rate=count / n if known else None, ci95=ends(interval) if known else None)
        for count, n, known, interval in zip(counts, totals, meaningful, intervals, strict=True)
    ]


def _row_intervals(moves: Moves, labels: Sequence[LabelSet]) -> dict[str, dict[str, Ends]]:
    """Compute the intervals of the transitions in percent of the answers before, as for the other rates."""
    import numpy as np

    from nliprobe.stats.grouped import share_interval

    size = int(moves.clusters.max()) + 1 if len(moves.clusters) else 0
    rows: dict[str, dict[str, Ends]] = {}
    for old in labels:
        before = moves.before == old.mask
        sizes = np.bincount(moves.clusters[before], minlength=size)
        rows[str(old)] = {}
        for new in labels:
            hits = np.bincount(moves.clusters[before & (moves.after == new.mask)], minlength=size)
            interval = share_interval(hits, sizes) if before.any() else None
            rows[str(old)][str(new)] = None if interval is None else [100 * interval.low, 100 * interval.high]
    return rows


def mean_rate(rates: Sequence[Rate]) -> MeanRate:
    """Average rates of several corpora, each with the same weight; rates without a value are left out."""
    from nliprobe.stats.intervals import mean_interval

    known = [(rate["rate"], rate["ci95"]) for rate in rates if rate["rate"] is not None]
    values = [value for value, _ in known if value is not None]
    intervals = [interval_of(ci95) for _, ci95 in known]
    return MeanRate(
        corpora=len(values),
        rate=sum(values) / len(values) if values else None,
        ci95=ends(mean_interval(values, intervals)),
    )


def _matrix(cells: NDArray[np.int64], labels: Sequence[LabelSet]) -> Matrix:
    return {str(old): {str(new): int(cells[old.mask, new.mask]) for new in labels} for old in labels}


def _mask(label: str) -> int:
    return LabelSet.of(label).mask


def _percent(count: np.int64, total: np.int64) -> float | None:
    return 100 * int(count) / int(total) if total else None
