"""Comparison: two systems on the same cases, of one run or of two.

Gold labels and expectations are compared separately. In accuracy no answer counts as wrong. An expectation says nothing
if one side did not answer, or if it does not apply to one side, so such cases are left out and counted. In particular,
only cases whose edit reaches both systems are compared.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Literal, NamedTuple

from nliprobe.analysis.cases import DEFAULT_CERTAINTY, NONE, NOT_ASKED
from nliprobe.analysis.compare.documents import COMPARE_SCHEMA, CompareDocument, Comparison
from nliprobe.analysis.compare.flips import Flipped, describe_flips
from nliprobe.analysis.compare.pairing import (
    NothingInCommonError,
    Partners,
    Side,
    choose_system,
    find_partners,
    nothing_in_common,
    read_sides,
    suite_differences,
)
from nliprobe.analysis.documents import LEVEL
from nliprobe.analysis.outcomes import judge_expectations
from nliprobe.analysis.scores import ends
from nliprobe.base.errors import UsageError, option
from nliprobe.task.case import Certainty
from nliprobe.task.labels import Partition
from nliprobe.task.outcomes import BROKEN, HOLDS, UNANSWERED, gold_table

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from nliprobe.store.run import RunFolder

Kind = Literal["gold", "expects"]
KINDS: tuple[Kind, ...] = ("gold", "expects")


class _Place(NamedTuple):
    """The cases of one corpus and probe on both sides; a side that has none has no rows."""

    corpus: str
    probe: str
    left: NDArray[np.int64]
    right: NDArray[np.int64]
    clusters: NDArray[np.int64]


class _Judged(NamedTuple):
    """Paired cases and their outcomes on both sides."""

    left: NDArray[np.uint8]
    right: NDArray[np.uint8]


class _Tested(NamedTuple):
    """A comparison with the differences of its groups: how many cases were fixed less those broken, of how many."""

    entry: Comparison
    sums: NDArray[np.int64]
    sizes: NDArray[np.int64]


def compare(
    left: RunFolder,
    right: RunFolder,
    left_system: str | None = None,
    right_system: str | None = None,
    *,
    certainty: Collection[Certainty] = DEFAULT_CERTAINTY,
) -> CompareDocument:
    """Compare two systems on the cases both were asked.

    Args:
        left: the run of the first system, the one before.
        right: the run of the second system, the one after; the same run compares two of its systems.
        left_system: which system of the left run; may be left out when it has one.
        right_system: which system of the right run.
        certainty: which cases count.

    Raises:
        UsageError: a run has several systems and none was named, or both sides are the same.
        NothingInCommonError: the runs share no case.
    """
    one = choose_system(left, left_system, option("left"))
    other = choose_system(right, right_system, option("right"))
    if left.path.resolve() == right.path.resolve() and one == other:
        raise UsageError(f"Both sides are {one} of the run {left.path}: name two systems or two runs.")
    sides = read_sides(left, right, one, other)
    partners = find_partners(*sides)
    if not (partners.right != NONE).any():
        raise NothingInCommonError(nothing_in_common(left, right))
    return compare_sides(*sides, partners, certainty=certainty)


def compare_sides(
    left: Side,
    right: Side,
    partners: Partners,
    *,
    certainty: Collection[Certainty] = DEFAULT_CERTAINTY,
) -> CompareDocument:
    """Compare two sides that have been read and matched.

    One rule decides everywhere whether a side is better: the p-value of the sign-flip test over groups, after Holm's
    correction over all comparisons of the document.
    """
    comparisons: list[Comparison] = []
    flipped: list[Flipped] = []
    tested: list[_Tested] = []
    for place in _places(left, right):
        for kind in KINDS:
            entry = _compare_place(left, right, partners, place, kind, certainty, tested, flipped)
            if entry is not None:
                comparisons.append(entry)
    _correct(tested)
    describe_flips(left, right, flipped)
    return CompareDocument(
        schema=COMPARE_SCHEMA,
        left=left.head,
        right=right.head,
        differences=suite_differences(left.run, right.run),
        notes=_notes(left, right, partners),
        comparisons=comparisons,
    )


def _places(left: Side, right: Side) -> Iterator[_Place]:
    """Yield every corpus and probe of either side, in the order of the left run."""
    import numpy as np

    nothing = np.zeros(0, dtype=np.int64)
    theirs = {(part.corpus, part.probe): part.rows for part in right.cases.slices()}
    for part in left.cases.slices():
        yield _Place(*part[:3], theirs.pop((part.corpus, part.probe), nothing), part.clusters)
    for (corpus, probe), rows in theirs.items():
        yield _Place(corpus, probe, nothing, rows, nothing)


def _compare_place(
    left: Side,
    right: Side,
    partners: Partners,
    place: _Place,
    kind: Kind,
    certainty: Collection[Certainty],
    tested: list[_Tested],
    flipped: list[Flipped],
) -> Comparison | None:
    """Compare one corpus and probe; None if neither side has anything of this kind."""
    import numpy as np

    from nliprobe.stats.grouped import group_sums, mean_difference_interval
    from nliprobe.stats.sign_flip import sign_flip_p

    askable, right_askable = _askable(left, kind), _askable(right, kind)
    sure, right_sure = left.cases.wanted(certainty), right.cases.wanted(certainty)
    rows, partner = place.left, partners.right[place.left]
    both = askable[rows] & (partner != NONE) & right_askable[partner]
    paired = both & sure[rows]
    lonely = askable[rows] & sure[rows] & ~both & ~partners.altered_left[rows]
    back = partners.left[place.right]
    alone = right_askable[place.right] & right_sure[place.right] & ~partners.altered_right[place.right]
    alone &= (back == NONE) | ~askable[back]
    altered = int((askable[rows] & partners.altered_left[rows]).sum())
    if not (both.any() or lonely.any() or alone.any() or altered):
        return None

    mine, theirs, clusters = rows[paired], partner[paired], place.clusters[paired]
    partition = _partition(left, right, place.corpus, kind)
    judged = _judge(left, right, mine, theirs, partition, kind)
    silent = judged.left == UNANSWERED, judged.right == UNANSWERED
    judgeable = _decided(judged.left) & _decided(judged.right) if kind == "expects" else np.ones(len(mine), dtype=bool)
    before, after = judged.left[judgeable] == HOLDS, judged.right[judgeable] == HOLDS
    n, fixed, broken = len(before), int((after & ~before).sum()), int((before & ~after).sum())
    sums, sizes = group_sums(after.astype(np.int64) - before, clusters[judgeable])
    entry = Comparison(
        corpus=place.corpus,
        probe=place.probe,
        kind=kind,
        partition=str(partition),
        n=n,
        groups=int((sizes > 0).sum()),
        only_left=int(lonely.sum()),
        only_right=int(alone.sum()),
        altered=altered,
        uncertain=int((both & ~sure[rows]).sum()),
        unanswered_left=int(silent[0].sum()),
        unanswered_right=int(silent[1].sum()),
        left_out=int((~judgeable).sum()),
        unchanged_left=int(left.unchanged[mine].sum()) if kind == "expects" else 0,
        unchanged_right=int(right.unchanged[theirs].sum()) if kind == "expects" else 0,
        left=int(before.sum()) / n if n else None,
        right=int(after.sum()) / n if n else None,
        difference=(fixed - broken) / n if n else None,
        ci95=ends(mean_difference_interval(sums, sizes)),
        ci95_family=None,
        fixed=fixed,
        broken=broken,
        p=sign_flip_p(sums) if n else None,
        p_holm=None,
        p_bh=None,
        fixed_examples=[],
        broken_examples=[],
    )
    if n:
        tested.append(_Tested(entry, sums, sizes))
    mine, theirs = mine[judgeable], theirs[judgeable]
    for examples, flips in ((entry["fixed_examples"], after & ~before), (entry["broken_examples"], before & ~after)):
        flipped.append(Flipped(examples, kind, partition, mine[flips], theirs[flips]))
    return entry


def _correct(tested: list[_Tested]) -> None:
    """Fill in what depends on how many comparisons there are."""
    from nliprobe.stats.grouped import mean_difference_interval
    from nliprobe.stats.paired import benjamini_hochberg, holm

    entries = [item.entry for item in tested]
    pvalues = [entry["p"] or 0.0 for entry in entries]
    for entry, family_wise, discovery in zip(entries, holm(pvalues), benjamini_hochberg(pvalues), strict=True):
        entry["p_holm"], entry["p_bh"] = family_wise, discovery
    for entry, sums, sizes in tested:
        entry["ci95_family"] = ends(mean_difference_interval(sums, sizes, 1 - LEVEL / len(tested)))


def _askable(side: Side, kind: Kind) -> NDArray[np.bool_]:
    """Mark the cases that a side was asked and that have an expectation of this kind."""
    import numpy as np

    cases = side.cases
    asked: NDArray[np.bool_] = side.answers != NOT_ASKED
    expected = (
        cases.gold != 0 if kind == "gold" else (cases.expects != NONE) & ((cases.base == NONE) | asked[cases.base])
    )
    askable: NDArray[np.bool_] = np.logical_and(asked, expected)
    return askable


def _partition(left: Side, right: Side, corpus: str, kind: Kind) -> Partition:
    """Return the labels that are told apart; what the corpus tells apart matters for gold only, not between answers."""
    joined = left.partition.join(right.partition)
    if kind == "expects":
        return joined
    for side in (left, right):
        if corpus in side.partitions:
            joined = joined.join(side.partitions[corpus])
    return joined


def _judge(
    left: Side, right: Side, mine: NDArray[np.int64], theirs: NDArray[np.int64], partition: Partition, kind: Kind
) -> _Judged:
    here, there = left.answers[mine], right.answers[theirs]
    if kind == "gold":
        gold, by_gold = left.cases.gold[mine], gold_table(partition)
        return _Judged(by_gold[gold, here], by_gold[gold, there])
    return _Judged(
        *(
            judge_expectations(side.cases, rows, side.answers, side.unchanged, side.probabilities, partition)
            for side, rows in ((left, mine), (right, theirs))
        )
    )


def _decided(outcomes: NDArray[np.uint8]) -> NDArray[np.bool_]:
    decided: NDArray[np.bool_] = (outcomes == HOLDS) | (outcomes == BROKEN)
    return decided


def _notes(left: Side, right: Side, partners: Partners) -> list[str]:
    notes: list[str] = []
    altered = int(partners.altered_left.sum())
    if altered:
        notes.append(
            f"{altered:,} cases have the same id in both runs but another text, gold label or expectation: left out."
        )
    # What a system could not answer decides what is compared, so its notes belong here, too.
    notes += [f"{side.system}: {line}" for side in (left, right) for line in side.run.system(side.system).remarks]
    return list(dict.fromkeys(notes))
