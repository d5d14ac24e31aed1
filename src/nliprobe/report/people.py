"""What people get on corpora, where it has been measured: the line that a picture of points draws for people.

InfoTabS, Table 2: the label that most of five people give, against the gold label; no majority counts as wrong. The
same numbers are computed from the raw ratings by ``nliprobe reproduce infotabs:table2``.
"""

from __future__ import annotations

from typing import Final

PEOPLE: Final[dict[str, float]] = {
    "infotabs/dev": 0.7978,
    "infotabs/alpha1": 0.8404,
    "infotabs/alpha2": 0.8388,
    "infotabs/alpha3": 0.7933,
}


def people_accuracy(corpus: str) -> float | None:
    """Return the share of pairs that people get right, or None if it is not known for this corpus as a whole."""
    return PEOPLE.get(corpus)
