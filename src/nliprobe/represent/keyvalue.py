"""``keyvalue``: the sentences of ``para`` with keys and values marked, for models that attend to them (TabAttn)."""

from __future__ import annotations

import re
from typing import ClassVar, NamedTuple

from nliprobe.represent import REPRESENTATIONS
from nliprobe.represent.para import Para

OPEN, CLOSE = "⟨", "⟩"
# Marks that a cell already contains would be mistaken for marks added here.
_FOREIGN = str.maketrans({OPEN: "<", CLOSE: ">"})
_MARKS = re.compile(f"[{OPEN}{CLOSE}]")


class Marked(NamedTuple):
    """A sentence without its marks, and the places of the marked pieces in it: key, value, key, value …"""

    text: str
    spans: tuple[tuple[int, int], ...]


@REPRESENTATIONS.register("keyvalue")
class KeyValue(Para):
    """Writes the sentences of para with marks around keys and values: The ⟨height⟩ of K2 is ⟨8,611 m⟩.

    A yes/no row has only a marked key.
    """

    form: ClassVar[str] = "keyvalue"

    def mark(self, text: str) -> str:
        """Put a key or a value between marks."""
        return f"{OPEN}{text.translate(_FOREIGN)}{CLOSE}"

    def stop(self, sentence: str) -> str:
        """Add a full stop where ``para`` has one: a value that ends in one also ends the sentence."""
        return sentence if super().stop(bare := sentence.removesuffix(CLOSE)) == bare else sentence + "."


def unmark(sentence: str) -> Marked:
    """Take the marks out of a sentence; one without whole marks stays as it is.

    >>> unmark("The ⟨height⟩ of K2 is ⟨8,611 m⟩.")
    Marked(text='The height of K2 is 8,611 m.', spans=((4, 10), (20, 27)))
    """
    pieces = _MARKS.split(sentence)
    if "".join(_MARKS.findall(sentence)) != (OPEN + CLOSE) * (len(pieces) // 2):
        return Marked(sentence, ())
    ends = [0]
    for piece in pieces:
        ends.append(ends[-1] + len(piece))
    return Marked("".join(pieces), tuple((ends[index], ends[index + 1]) for index in range(1, len(pieces), 2)))
