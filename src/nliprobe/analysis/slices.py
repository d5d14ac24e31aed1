"""Slices of a run: the cases of each corpus and probe that each system was asked, in the order of the documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from nliprobe.analysis.cases import NONE, RunData, Slice, SystemAnswers

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class AskedSlice(NamedTuple):
    """One system and the cases of one corpus and probe.

    Attributes:
        system: the system with its answers.
        part: the cases.
        asked: which of them the system was asked.
        unchanged: which of them do not count because the system reads them like their base.
    """

    system: SystemAnswers
    part: Slice
    asked: NDArray[np.bool_]
    unchanged: NDArray[np.bool_]

    def where(self, chosen: NDArray[np.bool_]) -> AskedSlice:
        """Return the slice with some of its cases only, given a mark per case."""
        return AskedSlice(self.system, self.part.where(chosen), self.asked[chosen], self.unchanged[chosen])

    def counted(self, wanted: NDArray[np.bool_]) -> Slice:
        """Return the cases that reached the system and that are wanted, given a mark per case of the run."""
        return self.part.where(self.asked & ~self.unchanged & wanted[self.part.rows])

    def not_reached(self, wanted: NDArray[np.bool_]) -> int:
        """Count the wanted cases that the system was asked but reads like their base."""
        return int((self.asked & self.unchanged & wanted[self.part.rows]).sum())

    def uncertain(self, wanted: NDArray[np.bool_]) -> int:
        """Count the cases that the system was asked but that are not wanted."""
        return int((self.asked & ~wanted[self.part.rows]).sum())


def asked_slices(
    data: RunData, among: NDArray[np.bool_] | None = None, *, with_bases: bool = False
) -> Iterator[AskedSlice]:
    """Yield every slice of which a system was asked some case: system by system, slices in the order of the suite.

    Args:
        data: the run.
        among: which cases to look at, as a mark per case of the run; by default all.
        with_bases: whether cases are compared with their bases. Then a case with a base counts as asked only if its
            bases were asked, too, and does not count if the system reads both alike. Gold labels count either way.
    """
    parts: Sequence[Slice] = data.cases.slices()
    if among is not None:
        parts = [part.where(among[part.rows]) for part in parts]
    for system in data.systems:
        for part in parts:
            item = asked_slice(data, system, part, with_bases=with_bases)
            if item.asked.any():
                yield item


def asked_slice(data: RunData, system: SystemAnswers, part: Slice, *, with_bases: bool = False) -> AskedSlice:
    """Return a slice with marks of the cases that a system was asked; :func:`asked_slices` says what counts."""
    import numpy as np

    asked = system.asked(part.rows)
    unchanged = np.zeros(len(asked), dtype=bool)
    if with_bases:
        unchanged = system.unchanged[part.rows]
        for bases in (data.cases.base, data.cases.first, data.cases.second):
            base = bases[part.rows]
            asked &= (base == NONE) | system.asked(base)
    return AskedSlice(system, part, asked, unchanged)
