"""``wmd-k``: the k sentences of ``para`` that are nearest to the hypothesis (infotabs §6.1)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Self

from nliprobe.base.errors import UsageError
from nliprobe.base.hashing import digest
from nliprobe.base.registry import Spec
from nliprobe.language.vectors import Vectors, find_vectors
from nliprobe.represent import REPRESENTATIONS
from nliprobe.represent._transport import Nearest, require_pot
from nliprobe.represent.para import Para
from nliprobe.task.case import Segments
from nliprobe.task.table import Table


@dataclass(frozen=True)
class WmdParams:
    """``vectors``: a file or folder of word vectors; without it see :func:`find_vectors`."""

    vectors: str = ""


@REPRESENTATIONS.register("wmd-k")
class Wmd(Para):
    """Writes only the k sentences of para that are nearest to the hypothesis by their words (word mover's distance).

    They stay in the order of the table.

    Among equally near rows the first are taken. A row without a known word is farther than any other; if no word of
    the hypothesis is known, all rows are equally far.
    """

    selects: ClassVar[bool] = True
    reads_hypothesis: ClassVar[bool] = True

    def __init__(self, k: int, vectors: Vectors) -> None:
        super().__init__()
        self.k = k
        self.vectors = vectors

    @classmethod
    def from_spec(cls, spec: Spec) -> Self:
        """Make the representation from ``wmd-3`` or ``wmd-3?vectors=PATH``."""
        number = spec.name.rpartition("-")[2]
        if spec.argument or not number.isdecimal() or int(number) < 1:
            raise UsageError(
                f"'{spec}' does not say how many rows to keep: write a number of at least 1 for k, as in wmd-3."
            )
        require_pot()
        return cls(int(number), find_vectors(spec.build(WmdParams).vectors))

    def fingerprint(self) -> str:
        """Return a digest that includes the vectors, because other vectors choose other rows."""
        return digest(super().fingerprint(), self.vectors.digest)

    def segments(self, table: Table, hypothesis: str) -> Segments:
        """Return the sentences of the nearest rows; before them the title, if the rows do not name it."""
        texts = self.row_texts(table)
        chosen = self.nearest.choose(hypothesis, texts, self.k)
        return self.assemble(table, [texts[place] for place in chosen])

    @cached_property
    def nearest(self) -> Nearest:
        """The search for the nearest rows, made when the first table is read."""
        return Nearest(self.vectors)
