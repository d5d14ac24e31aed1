"""``inv.names``: exchange first names for others of the same gender. Nothing may change."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from random import Random
from typing import ClassVar

from nliprobe.base.errors import UsageError
from nliprobe.probes import PROBES, Probe
from nliprobe.probes._names import certainty_of, known_names
from nliprobe.probes._persons import Refused
from nliprobe.probes._table_person import person_parts, renamed, renaming
from nliprobe.probes._texts import edit_texts
from nliprobe.task.about import About
from nliprobe.task.case import Case, Certainty, Skip
from nliprobe.task.edits import Edits
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
    # 2: names only where they are persons', more of them, and the persons of tables.
    version: ClassVar[int] = 2

    def __post_init__(self) -> None:
        if self.n < 1:
            raise UsageError(f"'inv.names?n' should be at least 1, not {self.n}.")

    @property
    def reads(self) -> str:  # type: ignore[override]  # read-only like every attribute of a frozen dataclass
        """A hash of the names that the probe knows."""
        return known_names().digest

    def cases(self, pair: Pair, pool: Pool | None) -> Iterator[Case | Skip]:
        """Yield the pair with other names; a Skip if a name may be more than a first name."""
        seen: set[str] = set()
        drawing = self._drawn(pair, self.draws(pair))
        try:
            # With few names left, draws may repeat: give up after some of them.
            for edits, certainty in islice(drawing, 5 * self.n):
                case = self.case(pair, edits, expects=SAME, certainty=certainty)
                if case.id not in seen:
                    seen.add(case.id)
                    yield case
                if len(seen) == self.n:
                    return
        except Refused as reason:
            yield self.skip(str(reason))

    def _drawn(self, pair: Pair, random: Random) -> Iterator[tuple[Edits, Certainty]]:
        """Draw other names again and again: of everybody named by a first name, or else of the person of the table."""
        names, certainty = known_names(), certainty_of(pair)
        parts = person_parts(pair.premise, names)
        while parts:
            drawn = renaming(pair, parts, names, random)
            yield edit_texts(pair, partial(renamed, drawn=drawn)), certainty
        genders = {name: names.genders[name] for name in names.in_pair(pair)}
        while True:
            drawn = names.exchange(pair, genders, random)
            yield edit_texts(pair, partial(names.changes, drawn=drawn)), certainty
