"""Segments cut anew where they may be joined.

The rows of a table as JSON or HTML follow each other without a space, so words go across their borders. The first place
inside a row at which texts may be joined is at most a few words away; a border is moved there.
"""

from __future__ import annotations

from nliprobe.models._borders import Borders
from nliprobe.task.case import Segments

# How many segments' places are kept; then all are forgotten.
_KEPT = 100_000


class Regrouping:
    """Moves borders between segments, and keeps where to."""

    def __init__(self, borders: Borders) -> None:
        self._borders = borders
        self._places: dict[str, int] = {}

    def regroup(self, segments: Segments) -> Segments:
        """Return texts with the same join, whose borders lie where texts may be joined, if there are such places."""
        texts = list(segments[:1])
        for segment in segments[1:]:
            place = self._places.get(segment)
            if place is None:
                place = self._keep_place(segment)
            if place == 0:
                texts.append(segment)
            elif place < 0:
                texts[-1] += segment
            else:
                texts[-1] += segment[:place]
                texts.append(segment[place:])
        return tuple(texts)

    def _keep_place(self, segment: str) -> int:
        if len(self._places) >= _KEPT:
            self._places.clear()
        place = self._places[segment] = self._find_place(segment)
        return place

    def _find_place(self, segment: str) -> int:
        """Return the first place at which the texts on both sides may be joined; -1 if there is none."""
        for place in range(len(segment)):
            # Borders look at three characters after them, and at two before them.
            if self._borders.opens(segment[place : place + 3]) and (
                place == 0 or self._borders.closes(segment[max(place - 2, 0) : place])
            ):
                return place
        return -1
