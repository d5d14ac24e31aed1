"""Model evidence of a run: an entry per system, corpus, grade of evidence and method (evidence-probes §6)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from nliprobe.analysis.cases import RunData, SystemAnswers
from nliprobe.analysis.evidence.baselines import baselines, most_shared
from nliprobe.analysis.evidence.documents import EvidenceEntry, KeysUse, LabelUse, LeftOut, Method, Unread
from nliprobe.analysis.evidence.keys import LEAST, key_use
from nliprobe.analysis.evidence.measures import (
    ALL,
    NOTHING,
    UnitUse,
    mean,
    pair_counts,
    pair_kinds,
    place_use,
    position_use,
    precisions,
    rate,
    recalls,
    use_measures,
)
from nliprobe.analysis.evidence.pairs import UnitPair, UnitPairs, has_evidence, read_unit_pairs
from nliprobe.analysis.evidence.use import SystemUse, system_use, tells_from_neutral
from nliprobe.task.evidence import Grade
from nliprobe.task.labels import LabelSet, N
from nliprobe.task.outcomes import HOLDS, gold_table
from nliprobe.task.units import Rows

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from nliprobe.store.run import RunFolder

_METHODS: tuple[Method, ...] = ("delete", "keep")
_DECIDED = ("E", "C")


class _Slice(NamedTuple):
    """The pairs of one corpus, grade and kind of unit that one method can be about, by their numbers."""

    corpus: str
    grade: Grade
    unit: str
    method: Method
    numbers: NDArray[np.int64]


def evidence_entries(run: RunFolder, data: RunData, *, least: int = LEAST) -> list[EvidenceEntry]:
    """Compare the units that each system uses with those that the evidence of the pairs names.

    Args:
        run: the run folder.
        data: the run as :func:`nliprobe.analysis.cases.read_run` gives it.
        least: in how many pairs a key must occur to be looked at.

    Returns:
        Nothing if no pair has evidence, or if the run has no cases that take out or keep single units.
    """
    if not has_evidence(run):
        return []
    pairs = read_unit_pairs(run, data)
    slices = list(_slices(pairs))
    if not slices:
        return []
    shared = _most_shared(pairs)
    entries: list[EvidenceEntry] = []
    for system in data.systems:
        for method in _METHODS:
            use = system_use(pairs, system, method)
            entries += [
                _entry(data, pairs, system, part, use, shared, least)
                for part in slices
                if part.method == method and _was_asked(part, use)
            ]
    return entries


def _slices(pairs: UnitPairs) -> Iterator[_Slice]:
    """Yield what there is to measure: pairs with gold E or C and a marked unit, if some unit was taken out or kept."""
    import numpy as np

    together: dict[tuple[str, Grade, str], list[int]] = {}
    for number, pair in enumerate(pairs.pairs):
        if pair.gold in _DECIDED and pair.marked and pair.grade is not None:
            together.setdefault((pair.corpus, pair.grade, pair.units.kind), []).append(number)
    for (corpus, grade, unit), listed in together.items():
        numbers = np.array(listed, dtype=np.int64)
        for method, rows in zip(_METHODS, (pairs.delete, pairs.keep), strict=True):
            chosen = [number for number in listed if method == "delete" or pairs.pairs[number].alone]
            if any((rows[pairs.own(number)] >= 0).any() for number in chosen):
                # Keeping one unit is asked of evidence in which each unit suffices alone; deleting of any evidence.
                yield _Slice(corpus, grade, unit, method, numbers if method == "delete" else np.array(chosen))


def _was_asked(part: _Slice, use: SystemUse) -> bool:
    return bool((use.before[part.numbers] != 0).any())


def _entry(
    data: RunData,
    pairs: UnitPairs,
    system: SystemAnswers,
    part: _Slice,
    use: SystemUse,
    shared: NDArray[np.bool_],
    least: int,
) -> EvidenceEntry:
    import numpy as np

    reasons = [_why_not(pairs, number, part, use, system) for number in part.numbers.tolist()]
    measured = [number for number, reason in zip(part.numbers.tolist(), reasons, strict=True) if not reason]
    chosen = [pairs.pairs[number] for number in measured]
    inside = np.zeros(len(pairs.pairs), dtype=bool)
    inside[measured] = True
    flat = np.flatnonzero(np.repeat(inside, pairs.sizes))
    units = _unit_use(data, pairs, system, part, measured, use, flat)
    unread = use.unread[flat]
    before, after = use.before[measured], use.after_all[measured]
    decided = (before & N.mask) == 0
    known = after != 0
    every = pair_kinds(pair_counts(units)) == ALL
    opened = (after & N.mask) != 0
    return EvidenceEntry(
        system=system.name,
        corpus=part.corpus,
        grade=part.grade.value,
        unit="row" if part.unit == "row" else "sentence",
        method=part.method,
        partition=str(system.partition),
        pairs=len(part.numbers),
        left_out=_left_out(reasons),
        outside=sum(pair.outside for pair in chosen),
        unread=Unread(
            units=int(unread.sum()),
            marked=int((unread & units.marked).sum()),
            pairs=len(np.unique(units.pair[unread & units.marked])),
        ),
        without_all=rate(opened, units.clusters, known & decided),
        grounded=rate(every & opened & decided, units.clusters, known),
        labels=_labels(units, [pair.gold for pair in chosen]),
        positions=position_use(units),
        places=place_use(units),
        keys=_keys(units, chosen, least),
        baselines=baselines(units, shared[flat]),
        **use_measures(units),
    )


def _why_not(pairs: UnitPairs, number: int, part: _Slice, use: SystemUse, system: SystemAnswers) -> str:
    """Return the reason why a pair cannot be measured; empty if it can."""
    pair = pairs.pairs[number]
    marked = pair.marked or ()
    if max(marked) >= len(pair.units):
        return f"the evidence names a {part.unit} that is not there"
    if len(pair.units) < 2:
        return f"there is one {part.unit} only"
    if part.method == "delete" and pair.alone and len(marked) > 1:
        return f"each of several {part.unit}s suffices alone, so that deleting one says nothing"
    if not tells_from_neutral(system.partition, LabelSet.of(pair.gold)):
        return f"the system does not tell {pair.gold} from N, so that nothing can change"
    if not use.asked[number]:
        verb = "taken out" if part.method == "delete" else "kept alone"
        return f"not every {part.unit} was {verb}"
    if not use.before[number]:
        return "the pair itself was not answered"
    if not use.answered[number]:
        return "not all of its cases were answered"
    return ""


def _unit_use(
    data: RunData,
    pairs: UnitPairs,
    system: SystemAnswers,
    part: _Slice,
    measured: Sequence[int],
    use: SystemUse,
    flat: NDArray[np.int64],
) -> UnitUse:
    import numpy as np

    numbers = np.array(measured, dtype=np.int64)
    right = gold_table(data.partitions[part.corpus].join(system.partition)) == HOLDS
    gold = np.array([LabelSet.of(pairs.pairs[number].gold).mask for number in measured], dtype=np.int64)
    _, clusters = np.unique(pairs.group[numbers], return_inverse=True)
    return UnitUse(
        np.repeat(np.arange(len(measured)), pairs.sizes[numbers]),
        pairs.marked[flat],
        use.used[flat],
        right[gold, system.answers[pairs.asked[numbers]]],
        clusters.astype(np.int64),
    )


def _labels(units: UnitUse, gold: Sequence[str]) -> dict[str, LabelUse]:
    import numpy as np

    by_label: dict[str, LabelUse] = {}
    for label in _DECIDED:
        part = units.where(np.array([item == label for item in gold], dtype=bool))
        counts = pair_counts(part)
        if len(part.right):
            by_label[label] = LabelUse(
                n=len(part.right),
                precision=mean(precisions(counts), part.clusters),
                recall=mean(recalls(counts), part.clusters),
                all=rate(pair_kinds(counts) == ALL, part.clusters),
                nothing=rate(pair_kinds(counts) == NOTHING, part.clusters),
            )
    return by_label


def _keys(units: UnitUse, chosen: Sequence[UnitPair], least: int) -> KeysUse:
    keys = [key for pair in chosen for key in _unit_keys(pair)]
    return key_use(units, keys, [pair.gold for pair in chosen], least=least)


def _unit_keys(pair: UnitPair) -> list[str]:
    """Return the keys of a pair's rows; sentences have none."""
    if isinstance(pair.units, Rows):
        return list(pair.units.premise.keys)
    return [""] * len(pair.units)


def _most_shared(pairs: UnitPairs) -> NDArray[np.bool_]:
    """Mark the units that share most words with the hypothesis of their pair."""
    import numpy as np

    return np.array([mark for pair in pairs.pairs for mark in most_shared(pair.hypothesis, _texts(pair))], dtype=bool)


def _texts(pair: UnitPair) -> list[str]:
    if isinstance(pair.units, Rows):
        return [f"{row.key} {' '.join(row.values)}" for row in pair.units.premise.rows]
    return [pair.units.text(place) for place in range(len(pair.units))]


def _left_out(reasons: Sequence[str]) -> list[LeftOut]:
    counts: dict[str, int] = {}
    for reason in reasons:
        if reason:
            counts[reason] = counts.get(reason, 0) + 1
    return [LeftOut(reason=reason, n=n) for reason, n in counts.items()]
