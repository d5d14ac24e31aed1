"""The words of a text, and the text without some of them."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate, groupby, pairwise
from typing import TYPE_CHECKING, NamedTuple

from nliprobe.task.case import Segments
from nliprobe.task.pair import Span

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# A word with its apostrophes and hyphens. Each ideograph and kana is a word: no space tells where one ends.
_WORD = re.compile(
    r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]"
    r"|(?:(?![\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff])\w)+"
    r"(?:['’\-](?:(?![\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff])\w)+)*"
)

# Of a longer text, neighbouring words are taken out together, so that the work for one explanation is bounded.
MOST_WORDS = 1000


# Neighbouring words of which every way to keep some is written down once: sixteen short texts. A mask looks them up.
_STRETCH = 4
# Segments of so many words stay as they are: it takes longer to add up their parts than to read them.
_SHORT = 12


class _Piece(NamedTuple):
    """A piece of a text: of which segment, which word comes last before its end, and whether it goes with that word."""

    segment: int
    word: int
    goes: bool
    text: str


class _Stretch(NamedTuple):
    """A part of a segment: which words it has, by number of the stretch, and its text for each way to keep some."""

    number: int
    texts: list[str]


@dataclass(frozen=True)
class Words:
    """A text and where its words are; of a very long one, where stretches of neighbouring words are.

    >>> words = Words.of("A dog, it's said, barks.")
    >>> [words.text[slice(*span)] for span in words.spans]
    ['A', 'dog', "it's", 'said', 'barks']
    >>> words.without([True, False, True, True, False])
    "A , it's said, ."

    Attributes:
        segments: the text in parts, whose borders stay where words go.
        spans: where its words are.
        together: how many words are taken out as one.
    """

    segments: Segments
    spans: tuple[Span, ...]
    together: int = 1

    @classmethod
    def of(cls, *segments: str) -> Words:
        """Find the words of the text that segments join to."""
        spans = [match.span() for match in _WORD.finditer("".join(segments))]
        together = max(1, -(-len(spans) // MOST_WORDS))
        if together > 1:
            stretches = (spans[start : start + together] for start in range(0, len(spans), together))
            spans = [(stretch[0][0], stretch[-1][1]) for stretch in stretches]
        return cls(segments, tuple(spans), together)

    def __len__(self) -> int:
        return len(self.spans)

    @cached_property
    def text(self) -> str:
        """The whole text."""
        return "".join(self.segments)

    def in_short_segments(self) -> Words:
        """Return the same words with long segments cut after every few of them, where there is a space.

        Masks then leave few different segments, so that a model that reads each segment once has little to read.
        """
        starts = [start for start, _ in self.spans]
        borders = [0, *accumulate(map(len, self.segments))]
        cuts = set(borders)
        for begin, end in pairwise(borders):
            first, last = bisect_left(starts, begin), bisect_left(starts, end)
            if last - first > _SHORT:
                # Where the stretches are that masks look up.
                some = starts[first + -first % _STRETCH : last : _STRETCH]
                cuts.update([start for start in some if start and self.text[start - 1].isspace()])
        return replace(self, segments=tuple([self.text[start:stop] for start, stop in pairwise(sorted(cuts))]))

    def without(self, kept: Sequence[bool]) -> str:
        """Return the text without the words that are not kept; signs between words stay."""
        import numpy as np

        [segments] = self.masked(np.array(kept, dtype=np.bool_)[None, :])
        return "".join(segments)

    def masked(self, kept: NDArray[np.bool_]) -> list[Segments]:
        """Return what is left of the segments for each mask."""
        import numpy as np

        bits = 1 << np.arange(_STRETCH)
        few = [kept[:, place : place + _STRETCH] for place in range(0, max(1, len(self)), _STRETCH)]
        ways = [(some @ bits[: some.shape[1]]).tolist() for some in few]
        columns: list[Iterable[str]] = []
        for stretches in self._stretches:
            parts = [[texts[way] for way in ways[number]] for number, texts in stretches]
            columns.append(parts[0] if len(parts) == 1 else map("".join, zip(*parts, strict=True)))
        if not columns:
            return [()] * len(kept)
        return [tuple(filter(None, row)) for row in zip(*columns, strict=True)]

    @cached_property
    def _stretches(self) -> list[list[_Stretch]]:
        """The stretches of each segment."""
        made: dict[int, list[_Stretch]] = {}
        for (segment, number), pieces in groupby(self._pieces(), lambda one: (one.segment, one.word // _STRETCH)):
            some = [(1 << one.word % _STRETCH if one.goes else 0, one.text) for one in pieces]
            texts = ["".join([text for bit, text in some if way & bit == bit]) for way in range(1 << _STRETCH)]
            made.setdefault(segment, []).append(_Stretch(number, texts))
        return list(made.values())

    def _pieces(self) -> Iterator[_Piece]:
        """Cut the text where a segment ends, and where what goes with a word begins and ends."""
        borders = list(accumulate(map(len, self.segments)))
        starts, stops = [start for start, _ in self.spans], [stop for _, stop in self.spans]
        gaps = zip(stops, [*starts, len(self.text)][1:], strict=True)
        # A space goes with its word; a sign stays, with what follows it.
        ends = [end if self.text[stop:end].isspace() else stop for stop, end in gaps]
        for start, stop in pairwise(sorted({0, *borders, *starts, *ends})):
            word = bisect_right(starts, start) - 1
            goes = word >= 0 and start < ends[word]
            yield _Piece(bisect_right(borders, start), max(word, 0), goes, self.text[start:stop])
