"""The base of representations that keep only the rows or sentences nearest to the hypothesis."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from functools import lru_cache
from typing import ClassVar

from nliprobe.base.errors import UsageError
from nliprobe.base.hashing import digest
from nliprobe.base.registry import Spec
from nliprobe.language.sentences import split_sentences, splitter_version
from nliprobe.represent.para import Para
from nliprobe.task.case import Segments
from nliprobe.task.pair import Span
from nliprobe.task.table import Table


class Nearby(Para):
    """Writes only the k sentences nearest to the hypothesis: those of ``para``, or those of a text.

    They stay in the order of the table or the text. A text is cut into sentences by rules, whatever its corpus says
    about them, because an edited text is known by its words alone; a text of at most k sentences stays as it is.
    """

    # 2: texts are cut into sentences, too; before, they were read whole.
    version: ClassVar[int] = 2
    selects: ClassVar[bool] = True
    reads_hypothesis: ClassVar[bool] = True

    def __init__(self, k: int) -> None:
        super().__init__()
        self.k = k

    def fingerprint(self) -> str:
        """Return a digest that includes where sentences are cut."""
        return digest(super().fingerprint(), splitter_version())

    @abstractmethod
    def choose(self, hypothesis: str, texts: Sequence[str]) -> list[int]:
        """Return the places of the k nearest texts, in their order; among equally near ones, the first."""

    def segments(self, table: Table, hypothesis: str) -> Segments:
        """Return the sentences of the nearest rows; before them the title, if the rows do not name it."""
        texts = self.row_texts(table)
        return self.assemble(table, [texts[place] for place in self.choose(hypothesis, texts)])

    def passage(self, text: str, hypothesis: str) -> Segments:
        """Return the nearest sentences; between neighbours stays what was there, elsewhere a space or a line end."""
        spans = _cut(text)
        if len(spans) <= self.k:
            return (text,)
        segments: list[str] = []
        before: int | None = None
        for place in self.choose(hypothesis, [text[start:stop] for start, stop in spans]):
            start, stop = spans[place]
            between = "" if before is None else text[spans[before][1] : start]
            if before is not None and place > before + 1:
                between = "\n" if "\n" in between else " "
            segments.append(between + text[start:stop])
            before = place
        return tuple(segments)


def wanted_number(spec: Spec, example: str) -> int:
    """Return the k of ``wmd-3`` or ``overlap-3``."""
    number = spec.name.rpartition("-")[2]
    if spec.argument or not number.isdecimal() or int(number) < 1:
        raise UsageError(
            f"'{spec}' does not say how many rows or sentences to keep: write a number of at least 1 for k, "
            f"as in {example}."
        )
    return int(number)


@lru_cache(maxsize=256)  # a premise comes with a handful of hypotheses, close together
def _cut(text: str) -> tuple[Span, ...]:
    return split_sentences(text)
