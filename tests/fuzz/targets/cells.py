"""Typed cells and mentions of any text: nothing raises, spans are inside the text and in order."""

from __future__ import annotations

from contextlib import suppress
from itertools import pairwise
from pathlib import Path

from tests.fuzz.harness import Target

from nliprobe.base.errors import NliprobeError
from nliprobe.language.cells import CellType, find_mentions, read_cell, write_mention

_SEEDS = (
    "Born\n( 1979-03-29 ) 29 March 1979 (age 57), Paris, France",
    "Dates\n29 July – 11 August 1984\t6–21 August 2016\t58–50 BC\tc. 1500",
    "Length\n46:06\t1 : 02 : 03\t2 hours and 5 minutes\t125 min",
    "Area\n1,234 km 2 (476 sq mi)\t5 ft 9 in (1.75 m)\t6'4\"\t20 %",
    "Budget\nUS$95–100 million (2016)\t£1,200\t₹120 crore\t3 million euros",
    "Key people\nAnn Lee , (chair) , Bob Ray , (CEO)\tCity Bank, Ohio, U.S.",
    "Text\nBetween 1990 and 1997 she had three to five dogs, and from the '90s to the present 1½ in 44 BC.",
)


def _run(data: bytes, folder: Path) -> None:
    text = data.decode("utf-8", "replace")
    key, _, rest = text.partition("\n")
    values = rest.split("\t")
    for cell in (read_cell(key, values), read_cell("", [text]), read_cell("Born", values)):
        assert (cell.of is not None) == (cell.type is CellType.LIST)
    mentions = find_mentions(text)
    assert all(0 <= mention.start < mention.stop <= len(text) for mention in mentions)
    assert all(one.stop <= other.start for one, other in pairwise(mentions))
    for mention in mentions[:20]:
        like = text[mention.start : mention.stop]
        # A value that has no exact form in its own manner is refused with a sentence.
        with suppress(NliprobeError):
            assert find_mentions(write_mention(mention.value, like))


TARGET = Target("cells", lambda: [seed.encode() for seed in _SEEDS], _run)
