"""Readers: from a case to what a model reads, under a representation and a premise control."""

from __future__ import annotations

from nliprobe.base.hashing import SEPARATOR, digest_text
from nliprobe.represent._base import Representation
from nliprobe.represent.controls import DUMMY, Control, SwappedPremises
from nliprobe.task.case import IDENTITY, Case, identity_case
from nliprobe.task.pair import Pair
from nliprobe.task.prediction import Input, Segments, input_id
from nliprobe.task.source import Pool


class Reader:
    """Makes inputs. One reader serves one system; it keeps row texts, so keep it for the whole run."""

    def __init__(self, representation: Representation, control: Control, *, seed: int, keyed: bool) -> None:
        self.representation = representation
        self.control = control
        self.seed = seed
        self._keyed = keyed
        self._swapped: SwappedPremises | None = None

    @property
    def needs_pool(self) -> bool:
        """Whether :meth:`enter` must be given the pool of the split about to be read."""
        return self.control is Control.SWAPPED

    def enter(self, pool: Pool | None) -> None:
        """Prepare for the cases of another split."""
        self._swapped = SwappedPremises(pool, self.seed) if self.needs_pool and pool is not None else None

    def read(self, case: Case) -> Input:
        """What the model reads for a case."""
        hypothesis = case.hypothesis
        segments = self._segments(case)
        identity = input_id("".join(segments), hypothesis)
        if not self._keyed:
            return Input(identity, segments, hypothesis)
        key = case.source.id if case.probe == IDENTITY else case.id
        return Input(digest_text(identity + SEPARATOR + key), segments, hypothesis, key)

    def read_pair(self, pair: Pair) -> Input:
        """What the model reads for a pair as it is."""
        return self.read(identity_case(pair))

    def _segments(self, case: Case) -> Segments:
        if self.control is Control.NONE:
            return ()
        if self.control is Control.DUMMY:
            return (DUMMY,)
        premise = case.premise
        if self.control is Control.SWAPPED:
            if self._swapped is None:
                raise RuntimeError("a reader with swapped premises must enter a split before it reads")
            premise = self._swapped.of(case.source)
        return (premise,) if isinstance(premise, str) else self.representation.segments(premise, case.hypothesis)
