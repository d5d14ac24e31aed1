"""Comparison of two or more systems, of one run or of several: every pair of them, or all with one reference."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from nliprobe.analysis.cases import DEFAULT_CERTAINTY, Cases, read_cases
from nliprobe.analysis.compare.comparison import Matched, match_sides, pool_families, side_notes
from nliprobe.analysis.compare.correction import correct
from nliprobe.analysis.compare.documents import (
    COMPARE_SCHEMA,
    CompareDocument,
    ComparedPair,
    ComparedSystem,
)
from nliprobe.analysis.compare.flips import SHOWN, describe_flips
from nliprobe.analysis.compare.judging import Judge
from nliprobe.analysis.compare.naming import Named, choose_reference, name_systems, run_names
from nliprobe.analysis.compare.pairing import (
    Called,
    NothingInCommonError,
    Partners,
    choose_two,
    find_partners,
    nothing_in_common,
    read_side,
    suite_differences,
)
from nliprobe.analysis.compare.separation import separations
from nliprobe.base.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from nliprobe.store.run import RunFolder
    from nliprobe.task.case import Certainty

# Of three systems and more there are so many pairs that fewer examples of each are kept.
_SHOWN_OF_MANY = 2


def compare_systems(
    runs: Sequence[RunFolder],
    systems: Sequence[str] = (),
    *,
    reference: str | None = None,
    margin: float | None = None,
    certainty: Collection[Certainty] = DEFAULT_CERTAINTY,
) -> CompareDocument:
    """Compare two or more systems on the cases that each two of them were asked.

    Args:
        runs: the runs.
        systems: names of systems; by default all systems of all runs.
        reference: the system that every other one is compared with; by default each is compared with each.
        margin: how much worse a system may be to count as not worse, as a fraction.
        certainty: which cases count.

    Raises:
        UsageError: there are fewer than two systems, one is named twice, or the margin is no fraction.
        NothingInCommonError: no two of the systems were asked the same case.
    """
    named = name_systems(runs, systems)
    first = None if reference is None else choose_reference(named, reference)
    return compare_named(named, first, margin=margin, certainty=certainty)


def compare_two(
    left: RunFolder,
    right: RunFolder,
    left_system: str | None = None,
    right_system: str | None = None,
    *,
    margin: float | None = None,
) -> CompareDocument:
    """Compare two systems, of two runs or of one.

    Args:
        left: the run of the first system, the one before.
        right: the run of the second system, the one after; may be the same run.
        left_system: which system of the left run; may be left out when it has one.
        right_system: which system of the right run.
        margin: how much worse the right system may be to count as not worse, as a fraction.

    Raises:
        UsageError: a run has several systems and none was named, or both sides are the same.
        NothingInCommonError: the runs share no case.
    """
    one, other = choose_two(left, right, left_system, right_system)
    folders = run_names([left, right])
    names = [f"{one} ({folders[0]})", f"{other} ({folders[1]})"] if one == other else [one, other]
    return compare_named([Named(names[0], left, one), Named(names[1], right, other)], margin=margin)


def compare_named(
    named: Sequence[Named],
    reference: Named | None = None,
    *,
    margin: float | None = None,
    certainty: Collection[Certainty] = DEFAULT_CERTAINTY,
) -> CompareDocument:
    """Compare systems that have been chosen and named."""
    if margin is not None and not 0 < margin < 1:
        raise UsageError(f"A margin is a fraction between 0 and 1, such as 0.02 for two points, not {margin:g}.")
    judges = _read(named, certainty)
    pairs = [(reference, item) for item in named if item != reference] if reference else list(combinations(named, 2))
    matching = _Matching()
    matched: list[Matched] = []
    notes: list[str] = []
    for left, right in pairs:
        partners = matching.partners(judges[left.name], judges[right.name])
        matched.append(match_sides(judges[left.name], judges[right.name], partners))
        if not partners.any:
            notes.append(f"{left.name} and {right.name} were asked no case in common: they are not compared.")
    if len(notes) == len(pairs):
        raise NothingInCommonError(nothing_in_common(pairs[0][0].run, pairs[0][1].run))
    heads = [ComparedSystem(name=item.name, **judges[item.name].side.head) for item in named]
    whole = all(head["integrity"]["state"] == "complete" for head in heads)
    correct([item for found in matched for item in found.tested], margin, whole=whole)
    pooled = [pool_families(found) for found in matched]
    correct([tested for families in pooled for _, tested in families], margin, whole=whole)
    describe_flips([found.flipped for found in matched], shown=SHOWN if len(named) == 2 else _SHOWN_OF_MANY)
    compared = [
        ComparedPair(
            left=left.name,
            right=right.name,
            comparisons=found.comparisons,
            overall=[overall for overall, _ in families],
        )
        for (left, right), found, families in zip(pairs, matched, pooled, strict=True)
    ]
    return CompareDocument(
        schema=COMPARE_SCHEMA,
        systems=heads,
        reference=None if reference is None else reference.name,
        margin=margin,
        differences=_differences(named),
        notes=side_notes([judges[item.name].side for item in named], matching.altered) + notes,
        pairs=compared,
        separations=separations([item.name for item in named], compared, every=reference is None),
    )


class _Matching:
    """Matches cases once per two runs, however many of their systems are compared."""

    def __init__(self) -> None:
        self._known: dict[tuple[Path, Path], Partners] = {}

    def partners(self, left: Judge, right: Judge) -> Partners:
        """Return the partners of the cases of two sides."""
        key = left.side.run.path, right.side.run.path
        if key not in self._known:
            self._known[key] = find_partners(left.side, right.side)
        return self._known[key]

    @property
    def altered(self) -> int:
        """How many cases have the same id, but another text or expectation, in the two runs where most do."""
        return max((int(found.altered_left.sum()) for found in self._known.values()), default=0)


def _read(named: Sequence[Named], certainty: Collection[Certainty]) -> dict[str, Judge]:
    """Read every system; those of one run share its cases."""
    cases: dict[Path, Cases] = {}
    judges: dict[str, Judge] = {}
    for item in named:
        path = item.run.path.resolve()
        if path not in cases:
            cases[path] = read_cases(item.run)
        judges[item.name] = Judge(read_side(item.run, item.system, cases[path]), certainty)
    return judges


def _differences(named: Sequence[Named]) -> list[str]:
    """Say how the suites of the runs differ, each from the first; of two runs, the first is the left one."""
    runs = list({item.run.path.resolve(): item.run for item in named}.values())
    if len(runs) == 2:
        return suite_differences(runs[0], runs[1])
    called = [Called(f"run {name}", f"in {name}") for name in run_names(runs)]
    found = [
        line
        for run, name in zip(runs[1:], called[1:], strict=True)
        for line in suite_differences(runs[0], run, (called[0], name))
    ]
    return list(dict.fromkeys(found))
