"""How far a rater is: a number that is the same whatever the items are."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import NamedTuple

from nliprobe.people.store.own_work import Sizes, planned_items, read_sizes
from nliprobe.studio.context import Part
from nliprobe.studio.work.desk import Desk

# Items are counted anew after so many seconds: owners add some now and then, and raters ask all the time.
_KEPT_SECONDS = 30.0


class HowFar(NamedTuple):
    """How many items a rater has judged, and of how many; ``bounded`` if that many are really theirs."""

    done: int
    total: int
    bounded: bool


@dataclass
class Counts:
    """The sizes of projects, counted not too long ago."""

    known: dict[tuple[str, int], tuple[float, Sizes]] = field(default_factory=dict)

    def of(self, desk: Desk) -> Sizes:
        """Return the sizes of a project."""
        key = (desk.project.name, desk.project.batches_open)
        since, sizes = self.known.get(key, (0.0, Sizes(0, 0)))
        now = time.monotonic()
        if not since or now - since > _KEPT_SECONDS:
            sizes = read_sizes(desk.store, desk.project)
            self.known[key] = (now, sizes)
        return sizes


COUNTS = Part(Counts, lambda studio: Counts())


def how_far(desk: Desk) -> HowFar:
    """Return how far a rater is."""
    total = planned_items(desk.project, desk.rater, desk.call.studio.part(COUNTS).of(desk))
    done = desk.standing.done
    return HowFar(done, max(total, done), desk.project.most_per_rater is not None)
