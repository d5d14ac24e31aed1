"""Inputs put together from the tokens of their segments, without a loop over inputs or tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from nliprobe.models._frame import Frame
from nliprobe.models._joining import CLOSES, OPENS, PLAIN
from nliprobe.models._pieces import Pieces
from nliprobe.models.token_rows import Tokenised, TokenRows

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# How many inputs are put together at once: the places of their tokens should stay in the caches.
_AT_ONCE = 512


class Parts(NamedTuple):
    """Inputs as numbers of pieces: those of all premises one after the other, and one per hypothesis."""

    premises: NDArray[np.int32]
    counts: NDArray[np.int64]
    hypotheses: NDArray[np.int32]

    def take(self, chosen: NDArray[np.bool_]) -> Parts:
        """Return some of the inputs."""
        import numpy as np

        return Parts(self.premises[np.repeat(chosen, self.counts)], self.counts[chosen], self.hypotheses[chosen])

    def ends(self) -> NDArray[np.int64]:
        """Return where each premise begins among the pieces, and the end of the last one."""
        return _ends(self.counts)


class Joiner:
    """Puts inputs together from the pieces it keeps and its frame."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self.forget()

    def forget(self) -> None:
        """Keep no pieces but those of the frame."""
        self.pieces = Pieces()
        runs = (*self.frame.before, *self.frame.between, *self.frame.after)
        numbers = self.pieces.add(TokenRows.from_lists([run.ids for run in runs], None), [0] * len(runs))
        first, second = len(self.frame.before), len(self.frame.before) + len(self.frame.between)
        self._around = (numbers[:first], numbers[first:second], numbers[second:])

    def fitting(self, parts: Parts, room: int) -> NDArray[np.bool_]:
        """Return which inputs have tokens on both sides, room for them, and borders at which they may be joined."""
        import numpy as np

        needed = np.full(len(parts.premises), PLAIN | OPENS | CLOSES, np.uint8)
        ends = parts.ends()
        some = parts.counts > 0
        needed[ends[:-1][some]] &= PLAIN | CLOSES
        needed[ends[1:][some] - 1] &= PLAIN | OPENS
        wrong = (self.pieces.known[parts.premises] & needed) != needed
        fits: NDArray[np.bool_] = (self.pieces.known[parts.hypotheses] & PLAIN) > 0
        fits[np.repeat(np.arange(len(fits)), parts.counts)[wrong]] = False
        second = self.pieces.sizes[parts.hypotheses]
        fits &= (self._premise_sizes(parts) > 0) & (second > 0) & (second + self.frame.size < room)
        return fits

    def join(self, parts: Parts, room: int) -> Tokenised:
        """Put inputs together that all fit; the ends of premises that are too long are cut."""
        import numpy as np

        first, second = self._premise_sizes(parts), self.pieces.sizes[parts.hypotheses] + self.frame.size
        starts = _ends(np.minimum(first + second, room))
        ids = np.empty(starts[-1], np.int32)
        types = np.empty(starts[-1], np.uint8) if self.frame.sides else None
        ends = parts.ends()
        for begin in range(0, len(first), _AT_ONCE):
            chosen = slice(begin, begin + _AT_ONCE)
            counts = parts.counts[chosen]
            stop = begin + len(counts)
            some = Parts(parts.premises[ends[begin] : ends[stop]], counts, parts.hypotheses[chosen])
            span = slice(starts[begin], starts[stop])
            self._join_some(some, room - second[chosen], ids[span], None if types is None else types[span])
        return Tokenised(TokenRows(ids, types, starts), int((first + second > room).sum()))

    def _join_some(
        self, parts: Parts, left: NDArray[np.int64], ids: NDArray[np.int32], types: NDArray[np.uint8] | None
    ) -> None:
        """Write the tokens of inputs, and their sides, if there is ``left`` room for each premise."""
        import numpy as np

        before, between, after = self._around
        extra = len(before) + len(between) + 1 + len(after)
        begins = np.arange(len(parts.counts)) * extra + parts.ends()[:-1]
        ends = begins + len(before) + parts.counts
        # Where the pieces of the premises are among all pieces, to which the frame and the hypotheses are added.
        places = np.arange(len(parts.premises)) + np.repeat(np.arange(len(begins)) * extra + len(before), parts.counts)
        numbers = np.empty(len(places) + len(begins) * extra, np.int32)
        numbers[places] = parts.premises
        for place, number in enumerate(before):
            numbers[begins + place] = number
        for place, number in enumerate(between):
            numbers[ends + place] = number
        numbers[ends + len(between)] = parts.hypotheses
        for place, number in enumerate(after):
            numbers[ends + len(between) + 1 + place] = number
        sizes = self.pieces.sizes[numbers]
        shown = sizes[places]
        until = _ends(shown)
        room = np.repeat(left + until[parts.ends()[:-1]], parts.counts) - until[:-1]
        sizes[places] = np.clip(room, 0, shown)
        stops = _ends(sizes)
        source = np.repeat(self.pieces.starts[numbers] - stops[:-1], sizes)
        source += np.arange(len(source))
        np.take(self.pieces.ids, source, out=ids, mode="clip")
        if types is not None and self.frame.sides is not None:
            sides = np.full(len(numbers), self.frame.sides[0], np.uint8)
            sides[ends + len(between)] = self.frame.sides[1]
            for place, run in enumerate(self.frame.before):
                sides[begins + place] = run.side
            for place, run in enumerate(self.frame.between):
                sides[ends + place] = run.side
            for place, run in enumerate(self.frame.after):
                sides[ends + len(between) + 1 + place] = run.side
            types[:] = np.repeat(sides, sizes)

    def _premise_sizes(self, parts: Parts) -> NDArray[np.int64]:
        until = _ends(self.pieces.sizes[parts.premises])
        ends = parts.ends()
        sizes: NDArray[np.int64] = until[ends[1:]] - until[ends[:-1]]
        return sizes


def _ends(sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return where things of these sizes begin, one after the other, and the end of the last one."""
    import numpy as np

    ends = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(sizes, out=ends[1:])
    return ends
