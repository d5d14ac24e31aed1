"""The words of a text, and the text without some of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from nliprobe.task.pair import Span

# A word with its apostrophes and hyphens. Each ideograph and kana is a word: no space tells where one ends.
_WORD = re.compile(
    r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]"
    r"|(?:(?![\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff])\w)+"
    r"(?:['’\-](?:(?![\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff])\w)+)*"
)

# Of a longer text, neighbouring words are taken out together, so that the work for one explanation is bounded.
MOST_WORDS = 1000


@dataclass(frozen=True)
class Words:
    """A text and where its words are; of a very long one, where stretches of neighbouring words are.

    >>> words = Words.of("A dog, it's said, barks.")
    >>> [words.text[slice(*span)] for span in words.spans]
    ['A', 'dog', "it's", 'said', 'barks']
    >>> words.without([True, False, True, True, False])
    "A , it's said, ."
    """

    text: str
    spans: tuple[Span, ...]
    together: int = 1

    @classmethod
    def of(cls, text: str) -> Words:
        """Find the words of a text."""
        spans = [match.span() for match in _WORD.finditer(text)]
        together = max(1, -(-len(spans) // MOST_WORDS))
        if together > 1:
            stretches = (spans[start : start + together] for start in range(0, len(spans), together))
            spans = [(stretch[0][0], stretch[-1][1]) for stretch in stretches]
        return cls(text, tuple(spans), together)

    def __len__(self) -> int:
        return len(self.spans)

    def without(self, kept: Sequence[bool]) -> str:
        """Return the text without the words that are not kept; signs between words stay."""
        lead, pieces = self._pieces
        return lead + "".join([pair[keep] for pair, keep in zip(pieces, kept, strict=True)])

    @cached_property
    def _pieces(self) -> tuple[str, list[tuple[str, str]]]:
        """What comes before the first word, and of each word what is left without and with it."""
        if not self.spans:
            return self.text, []
        stops = [start for start, _ in self.spans[1:]] + [len(self.text)]
        pieces: list[tuple[str, str]] = []
        for (start, stop), end in zip(self.spans, stops, strict=True):
            gap = self.text[stop:end]
            # A space goes with its word; a sign stays, with what follows it.
            pieces.append(("" if gap.isspace() else gap, self.text[start:end]))
        return self.text[: self.spans[0][0]], pieces
