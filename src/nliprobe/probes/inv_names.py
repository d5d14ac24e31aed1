"""``inv.names``: exchange first names for others of the same gender. Nothing may change."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from nliprobe.base.errors import UsageError
from nliprobe.probes import PROBES, Probe
from nliprobe.probes._names import Refused, known_names
from nliprobe.probes._texts import edit_texts
from nliprobe.task.about import About
from nliprobe.task.case import Case, Skip
from nliprobe.task.pair import Pair
from nliprobe.task.relations import SAME
from nliprobe.task.source import Pool


@PROBES.register("inv.names")
@dataclass(frozen=True)
class InvNames(Probe):
    """Exchange first names for others of the same gender, in premise and hypothesis alike; ``n`` draws per pair."""

    n: int = 1

    about: ClassVar[About] = About(
        "First names are replaced by others of the same gender. Nothing is said about names, so no answer may change.",
        "The answer depends on who is named, not on what is said.",
    )

    def __post_init__(self) -> None:
        if self.n < 1:
            raise UsageError(f"'inv.names?n' should be at least 1, not {self.n}.")

    @property
    def reads(self) -> str:  # type: ignore[override]  # read-only like every attribute of a frozen dataclass
        """A hash of the names that the probe knows."""
        return known_names().digest

    def cases(self, pair: Pair, pool: Pool | None) -> Iterator[Case | Skip]:
        """Yield the pair with other names; a Skip if a name may be more than a first name."""
        names, random = known_names(), self.draws(pair)
        seen: set[str] = set()
        try:
            genders = {name: names.genders[name] for name in names.in_pair(pair)}
            # With few names left, draws may repeat: give up after some of them.
            for _ in range(5 * self.n):
                drawn = names.exchange(pair, genders, random)
                case = self.case(pair, edit_texts(pair, partial(names.changes, drawn=drawn)), expects=SAME)
                if case.id not in seen:
                    seen.add(case.id)
                    yield case
                if len(seen) == self.n:
                    return
        except Refused as reason:
            yield self.skip(str(reason))
