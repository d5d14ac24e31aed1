"""Pairing: the cases that two systems were both asked, matched by their ids and never by their position."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from nliprobe.analysis.cases import NONE, Cases, read_answers, read_cases
from nliprobe.analysis.compare.documents import SideHead
from nliprobe.analysis.integrity import integrity
from nliprobe.analysis.matching import read_probabilities, read_unchanged
from nliprobe.base.errors import NliprobeError, UsageError, command, option
from nliprobe.task.labels import Partition

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from nliprobe.store.run import RunFolder


class NothingInCommonError(NliprobeError):
    """Two runs that should be compared share no case."""


@dataclass(frozen=True)
class Side:
    """One system of one run: what it was asked, what it answered and which cases it reads like their base."""

    run: RunFolder
    system: str
    partition: Partition
    partitions: Mapping[str, Partition]
    cases: Cases
    answers: NDArray[np.uint8]
    unchanged: NDArray[np.bool_]
    probabilities: NDArray[np.float32] | None

    @property
    def head(self) -> SideHead:
        """What a document says about the side."""
        return SideHead(
            folder=self.run.path.resolve().name,
            system=self.system,
            partition=str(self.partition),
            status=self.run.status.value,
            suite=self.run.record.suite.hash or None,
            integrity=integrity(self.run),
        )


class Partners(NamedTuple):
    """The row of each case of a side on the other side, or NONE.

    Attributes:
        right: for each row on the left.
        left: for each row on the right.
        altered_left: rows on the left whose id the other side has too, but with another text or expectation.
        altered_right: the same on the right.
    """

    right: NDArray[np.int64]
    left: NDArray[np.int64]
    altered_left: NDArray[np.bool_]
    altered_right: NDArray[np.bool_]

    @property
    def any(self) -> bool:
        """Whether the sides have any case in common."""
        return bool((self.right != NONE).any())


def choose_system(run: RunFolder, name: str | None, asked_by: str) -> str:
    """Choose a system of a run: the one named, or the only one.

    Args:
        run: the run.
        name: what the user named, if anything.
        asked_by: how to name one, for the message.
    """
    if name is not None:
        return run.system(name).name
    names = [item.name for item in run.systems]
    if len(names) == 1:
        return names[0]
    if not names:
        raise UsageError(
            f"The run {run.path} has no system. Make it again with {command('run', 'system', '…', python='systems')}"
        )
    # In quotes: a name may hold a comma.
    listed = ", ".join(f"'{item}'" for item in names)
    raise UsageError(f"The run {run.path} has {len(names)} systems: {listed}. Name one with {asked_by}.")


def choose_two(left: RunFolder, right: RunFolder, left_system: str | None, right_system: str | None) -> tuple[str, str]:
    """Choose a system of each of two runs; they may not be the same one of the same run."""
    one = choose_system(left, left_system, option("left"))
    other = choose_system(right, right_system, option("right"))
    if left.path.resolve() == right.path.resolve() and one == other:
        raise UsageError(f"Both sides are {one} of the run {left.path}: name two systems or two runs.")
    return one, other


def read_side(run: RunFolder, system: str, cases: Cases | None = None) -> Side:
    """Read one system of a run; cases that were read before need not be read again."""
    cases = read_cases(run) if cases is None else cases
    return Side(
        run,
        system,
        run.system(system).partition,
        {item.name: item.partition for item in run.corpora},
        cases,
        read_answers(run, cases, system),
        read_unchanged(run, cases.ids, cases.base, system),
        read_probabilities(run, cases.ids, system) if cases.weighs else None,
    )


def read_sides(left: RunFolder, right: RunFolder, left_system: str, right_system: str) -> tuple[Side, Side]:
    """Read both sides; two systems of one run share its cases."""
    first = read_side(left, left_system)
    same = left.path.resolve() == right.path.resolve()
    return first, read_side(right, right_system, first.cases if same else None)


def find_partners(left: Side, right: Side) -> Partners:
    """Match the cases of both sides by id.

    An id names a pair and what was done to it. When a corpus was edited in between, the same id may stand for
    another text or another gold label; such cases are marked and not paired.
    """
    import numpy as np
    import polars as pl

    sizes = len(left.cases.ids), len(right.cases.ids)
    altered = np.zeros(sizes[0], dtype=bool), np.zeros(sizes[1], dtype=bool)
    if left.cases is right.cases:
        rows = np.arange(sizes[0], dtype=np.int64)
        return Partners(rows, rows, *altered)
    here = pl.DataFrame({"case_id": left.cases.ids}).with_row_index("left")
    there = pl.DataFrame({"case_id": right.cases.ids}).with_row_index("right")
    joined = here.join(there, on="case_id", how="inner", maintain_order="left")
    mine, theirs = (joined[name].to_numpy().astype(np.int64) for name in ("left", "right"))
    same = _same_expectations(left.cases, right.cases, mine, theirs)
    if _digests(left.run) != _digests(right.run):
        same &= _same_texts(left, right, mine, theirs)
    partners = np.full(sizes[0], NONE, dtype=np.int64), np.full(sizes[1], NONE, dtype=np.int64)
    partners[0][mine[same]], partners[1][theirs[same]] = theirs[same], mine[same]
    altered[0][mine[~same]], altered[1][theirs[~same]] = True, True
    return Partners(*partners, *altered)


class Called(NamedTuple):
    """What sentences call one of two runs: *the* left *run*, a seed of 7 *left*."""

    run: str
    there: str


SIDES = Called("left run", "left"), Called("right run", "right")


def suite_differences(left: RunFolder, right: RunFolder, called: tuple[Called, Called] = SIDES) -> list[str]:
    """Say in sentences how the suites of two runs differ; an empty list if they are the same.

    Args:
        left: a run.
        right: the other run.
        called: what the runs are called.
    """
    here, there = (name.there for name in called)
    one, other = left.record.suite, right.record.suite
    differences = _item_differences(
        "corpus",
        {item.name: {"digest": item.digest, "partition": item.partition} for item in one.corpora},
        {item.name: {"digest": item.digest, "partition": item.partition} for item in other.corpora},
        called,
    )
    differences += _item_differences(
        "probe",
        {item.spec: {"version": item.version} for item in one.probes},
        {item.spec: {"version": item.version} for item in other.probes},
        called,
    )
    if one.seed != other.seed:
        differences.append(f"The seeds differ: {one.seed} {here}, {other.seed} {there}.")
    if not differences and one.hash != other.hash:
        differences.append(f"The suites have different hashes: {one.hash} {here}, {other.hash} {there}.")
    return differences


def nothing_in_common(left: RunFolder, right: RunFolder) -> str:
    """Write the sentence for two runs that share no case, with what differs."""
    differences = suite_differences(left, right) or ["Their suites are the same, so one of them lost its cases."]
    return f"The runs {left.path} and {right.path} have no case in common. {' '.join(differences)}"


def _same_expectations(
    left: Cases, right: Cases, mine: NDArray[np.int64], theirs: NDArray[np.int64]
) -> NDArray[np.bool_]:
    import numpy as np

    places = {text: number for number, text in enumerate(left.rule_texts)}
    # Rules are numbered by appearance; a rule unknown to the left side gets a number that none of its rules has.
    renumbered = np.array([*(places.get(text, NONE - 1) for text in right.rule_texts), NONE])
    same: NDArray[np.bool_] = (
        (left.gold[mine] == right.gold[theirs])
        & (left.expects[mine] == renumbered[right.expects[theirs]])
        & (left.certainty[mine] == right.certainty[theirs])
    )
    return same


def _same_texts(left: Side, right: Side, mine: NDArray[np.int64], theirs: NDArray[np.int64]) -> NDArray[np.bool_]:
    import numpy as np

    _, first, inverse = np.unique(left.cases.pair[mine], return_index=True, return_inverse=True)
    same = np.ones(len(first), dtype=bool)
    for column in ("premise", "hypothesis"):
        here = left.run.read("pairs", [column])[column].gather(left.cases.pair[mine[first]])
        there = right.run.read("pairs", [column])[column].gather(right.cases.pair[theirs[first]])
        same &= (here == there).to_numpy()
    return same[inverse]


def _item_differences(
    noun: str,
    mine: Mapping[str, Mapping[str, object]],
    theirs: Mapping[str, Mapping[str, object]],
    called: tuple[Called, Called],
) -> list[str]:
    """Say which corpora or probes only one side has, and in what those of both differ."""
    differences = [f"The {noun} {item} is only in the {called[0].run}." for item in mine if item not in theirs]
    differences += [f"The {noun} {item} is only in the {called[1].run}." for item in theirs if item not in mine]
    differences += [
        f"The {field} of the {noun} {item} differs: {value} {called[0].there}, {theirs[item][field]} {called[1].there}."
        for item, fields in mine.items()
        for field, value in fields.items()
        if item in theirs and theirs[item][field] != value
    ]
    return differences


def _digests(run: RunFolder) -> dict[str, str]:
    return {item.name: item.digest for item in run.corpora}
