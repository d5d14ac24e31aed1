"""Comparison: two systems on the same cases, of one run or of two.

Gold labels and expectations are compared separately. In accuracy no answer counts as wrong. An expectation says nothing
if one side did not answer, or if it does not apply to one side, so such cases are left out and counted. In particular,
only cases whose edit reaches both systems are compared.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from nliprobe.analysis.cases import DEFAULT_CERTAINTY, NONE
from nliprobe.analysis.compare.correction import Tested, correct, measure
from nliprobe.analysis.compare.documents import Comparison, Overall, SideComparison
from nliprobe.analysis.compare.flips import Flipped, describe_flips
from nliprobe.analysis.compare.judging import KINDS, Judge, Kind
from nliprobe.analysis.compare.pairing import (
    NothingInCommonError,
    Partners,
    Side,
    choose_two,
    find_partners,
    nothing_in_common,
    read_sides,
    suite_differences,
)
from nliprobe.analysis.constant import best_constant
from nliprobe.task.case import Certainty
from nliprobe.task.labels import Partition
from nliprobe.task.outcomes import BROKEN, HOLDS, UNANSWERED

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from nliprobe.store.run import RunFolder


class _Place(NamedTuple):
    """The cases of one corpus and probe on both sides; a side that has none has no rows."""

    corpus: str
    probe: str
    left: NDArray[np.int64]
    right: NDArray[np.int64]
    clusters: NDArray[np.int64]


class _Pooled(NamedTuple):
    """What both sides have right in one place, with groups numbered over the whole run."""

    family: str
    kind: Kind
    before: NDArray[np.bool_]
    after: NDArray[np.bool_]
    clusters: NDArray[np.int64]


@dataclass
class Matched:
    """Two sides that were compared: the comparisons of the pair, what they rest on, and flips to be described."""

    left: Judge
    right: Judge
    partners: Partners
    comparisons: list[Comparison] = field(default_factory=list)
    tested: list[Tested] = field(default_factory=list)
    places: list[_Pooled] = field(default_factory=list)
    flipped: list[Flipped] = field(default_factory=list)


def compare(
    left: RunFolder,
    right: RunFolder,
    left_system: str | None = None,
    right_system: str | None = None,
    *,
    certainty: Collection[Certainty] = DEFAULT_CERTAINTY,
    margin: float | None = None,
) -> SideComparison:
    """Compare two systems on the cases both were asked.

    Args:
        left: the run of the first system, the one before.
        right: the run of the second system, the one after; the same run compares two of its systems.
        left_system: which system of the left run; may be left out when it has one.
        right_system: which system of the right run.
        certainty: which cases count.
        margin: how much worse the right system may be to count as not worse, as a fraction.

    Raises:
        UsageError: a run has several systems and none was named, or both sides are the same.
        NothingInCommonError: the runs share no case.
    """
    one, other = choose_two(left, right, left_system, right_system)
    sides = read_sides(left, right, one, other)
    partners = find_partners(*sides)
    if not partners.any:
        raise NothingInCommonError(nothing_in_common(left, right))
    return compare_sides(*sides, partners, certainty=certainty, margin=margin)


def compare_sides(
    left: Side,
    right: Side,
    partners: Partners,
    *,
    certainty: Collection[Certainty] = DEFAULT_CERTAINTY,
    margin: float | None = None,
) -> SideComparison:
    """Compare two sides that have been read and matched.

    One rule decides everywhere whether a side is better: the p-value of the sign-flip test over groups, after Holm's
    correction over all comparisons of the document.
    """
    matched = match_sides(Judge(left, certainty), Judge(right, certainty), partners)
    whole = left.run.complete and right.run.complete
    correct(matched.tested, margin, whole=whole)
    describe_flips([matched.flipped])
    return SideComparison(
        left=left.head,
        right=right.head,
        differences=suite_differences(left.run, right.run),
        notes=side_notes([left, right], int(partners.altered_left.sum())),
        comparisons=matched.comparisons,
    )


def match_sides(left: Judge, right: Judge, partners: Partners) -> Matched:
    """Compare two sides in every corpus and probe; corrections and examples are still to be filled in."""
    found = Matched(left, right, partners)
    for place in _places(left, right):
        for kind in KINDS:
            _compare_place(found, place, kind)
    return found


def side_notes(sides: Sequence[Side], altered: int) -> list[str]:
    """Say what else should be known about sides that were compared.

    Args:
        sides: the sides.
        altered: how many cases have the same id, but another text, gold label or expectation.
    """
    notes: list[str] = []
    if altered:
        notes.append(
            f"{altered:,} cases have the same id in both runs but another text, gold label or expectation: left out."
        )
    # What a system could not answer decides what is compared, so its notes belong here, too.
    notes += [f"{side.system}: {line}" for side in sides for line in side.run.system(side.system).remarks]
    return list(dict.fromkeys(notes))


def _places(left: Judge, right: Judge) -> Iterator[_Place]:
    """Yield every corpus and probe of either side, in the order of the left run."""
    import numpy as np

    nothing = np.zeros(0, dtype=np.int64)
    theirs = {(part.corpus, part.probe): part.rows for part in right.side.cases.slices()}
    for part in left.side.cases.slices():
        yield _Place(*part[:3], theirs.pop((part.corpus, part.probe), nothing), part.clusters)
    for (corpus, probe), rows in theirs.items():
        yield _Place(corpus, probe, nothing, rows, nothing)


def _compare_place(found: Matched, place: _Place, kind: Kind) -> None:
    """Compare one corpus and probe, unless neither side has anything of this kind."""
    import numpy as np

    left, right, partners = found.left, found.right, found.partners
    rows, partner = place.left, partners.right[place.left]
    asked, sure = left.asked[kind][rows], left.sure[rows]
    both = asked & (partner != NONE) & right.asked[kind][partner]
    paired = both & sure
    lonely = asked & sure & ~both & ~partners.altered_left[rows]
    back = partners.left[place.right]
    alone = right.asked[kind][place.right] & right.sure[place.right] & ~partners.altered_right[place.right]
    alone &= (back == NONE) | ~left.asked[kind][back]
    altered = int((asked & partners.altered_left[rows]).sum())
    if not (both.any() or lonely.any() or alone.any() or altered):
        return

    mine, theirs = rows[paired], partner[paired]
    partition = _partition(left.side, right.side, place.corpus, kind)
    outcomes = left.judge(mine, partition, kind), right.judge(theirs, partition, kind)
    expects = kind == "expects"
    judgeable = _decided(outcomes[0]) & _decided(outcomes[1]) if expects else np.ones(len(mine), dtype=bool)
    before, after = outcomes[0][judgeable] == HOLDS, outcomes[1][judgeable] == HOLDS
    tested = measure(before, after, place.clusters[paired][judgeable])
    entry = Comparison(
        corpus=place.corpus,
        probe=place.probe,
        kind=kind,
        partition=str(partition),
        constant=None if expects else _constant(left.side.cases.gold[mine], partition),
        only_left=int(lonely.sum()),
        only_right=int(alone.sum()),
        altered=altered,
        uncertain=int((both & ~sure).sum()),
        unanswered_left=int((outcomes[0] == UNANSWERED).sum()),
        unanswered_right=int((outcomes[1] == UNANSWERED).sum()),
        left_out=int((~judgeable).sum()),
        unchanged_left=int(left.side.unchanged[mine].sum()) if expects else 0,
        unchanged_right=int(right.side.unchanged[theirs].sum()) if expects else 0,
        fixed_examples=[],
        broken_examples=[],
        **tested.entry,
    )
    found.comparisons.append(entry)
    found.tested.append(tested._replace(entry=entry))
    mine, theirs = mine[judgeable], theirs[judgeable]
    found.places.append(_Pooled(probe_family(place.probe), kind, before, after, left.side.cases.group[mine]))
    for examples, flips in ((entry["fixed_examples"], after & ~before), (entry["broken_examples"], before & ~after)):
        found.flipped.append(Flipped(examples, kind, partition, left.side, right.side, mine[flips], theirs[flips]))


def pool_families(found: Matched) -> list[tuple[Overall, Tested]]:
    """Compare the sides on families of probes that have cases in several places; corrections are to be filled in."""
    import numpy as np

    pooled: list[tuple[Overall, Tested]] = []
    for family, kind in dict.fromkeys((item.family, item.kind) for item in found.places):
        parts = [item for item in found.places if (item.family, item.kind) == (family, kind) and len(item.before)]
        if len(parts) < 2:
            continue
        tested = measure(
            np.concatenate([item.before for item in parts]),
            np.concatenate([item.after for item in parts]),
            np.concatenate([item.clusters for item in parts]),
        )
        entry = Overall(family=family, kind=kind, places=len(parts), **tested.entry)
        pooled.append((entry, tested._replace(entry=entry)))
    return pooled


def probe_family(probe: str) -> str:
    """Return the family of a probe, which is what its name begins with.

    >>> probe_family("rows.delete?n=2"), probe_family("gold")
    ('rows', 'gold')
    """
    return probe.split("?", 1)[0].split(".", 1)[0]


def _partition(left: Side, right: Side, corpus: str, kind: Kind) -> Partition:
    """Return the labels that are told apart; what the corpus tells apart matters for gold only, not between answers."""
    joined = left.partition.join(right.partition)
    if kind == "expects":
        return joined
    for side in (left, right):
        if corpus in side.partitions:
            joined = joined.join(side.partitions[corpus])
    return joined


def _constant(gold: NDArray[np.uint8], partition: Partition) -> float | None:
    constant = best_constant(gold, partition)
    return None if constant is None else constant["accuracy"]


def _decided(outcomes: NDArray[np.uint8]) -> NDArray[np.bool_]:
    decided: NDArray[np.bool_] = (outcomes == HOLDS) | (outcomes == BROKEN)
    return decided
