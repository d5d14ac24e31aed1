"""Premise controls: a pair's premise is withheld, replaced by a dummy, or swapped for another pair's."""

from __future__ import annotations

from enum import StrEnum

from nliprobe.base.errors import DataError, NotFoundError, did_you_mean
from nliprobe.base.seeds import derangement
from nliprobe.task.pair import Pair, Premise
from nliprobe.task.source import Pool

# The seed's dummy premise (infotabs §6.3).
DUMMY = "to be or not to be"


class Control(StrEnum):
    """How much a system sees of the premise."""

    FULL = "full"
    NONE = "none"
    DUMMY = "dummy"
    SWAPPED = "swapped"

    @classmethod
    def parse(cls, text: str) -> Control:
        """Read the value of ``premise=``."""
        try:
            return cls(text)
        except ValueError:
            raise NotFoundError(
                f"There is no premise control '{text}'. {did_you_mean(text, [item.value for item in cls])}"
            ) from None


class SwappedPremises:
    """Gives each pair the premise of another group of its split, by a seeded derangement."""

    def __init__(self, pool: Pool, seed: int) -> None:
        if len(pool.premises) < 2:
            raise DataError("premise=swapped needs at least two different premises in a split, but there is only one.")
        self._pool = pool
        self._target = derangement(seed, pool.premises)

    def of(self, pair: Pair) -> Premise:
        """Return the premise shown in place of the pair's own."""
        return self._pool.premises[self._target[pair.group or pair.id]]
