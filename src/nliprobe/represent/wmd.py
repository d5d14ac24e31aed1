"""``wmd-k``: the k sentences of ``para``, or of a text, that are nearest to the hypothesis (infotabs §6.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

from nliprobe.base.hashing import digest
from nliprobe.base.registry import Spec
from nliprobe.language.vectors import Vectors, find_vectors
from nliprobe.represent import REPRESENTATIONS
from nliprobe.represent._nearest import Nearby, wanted_number
from nliprobe.represent._transport import Nearest, require_pot


@dataclass(frozen=True)
class WmdParams:
    """``vectors``: a file or folder of word vectors; without it see :func:`find_vectors`."""

    vectors: str = ""


@REPRESENTATIONS.register("wmd-k")
class Wmd(Nearby):
    """Writes only the k sentences that are nearest to the hypothesis by their words (word mover's distance).

    They are those of para, or of a text, and stay in order.

    Among equally near ones the first are taken. A sentence without a known word is farther than any other; if no word
    of the hypothesis is known, all are equally far.
    """

    def __init__(self, k: int, vectors: Vectors) -> None:
        super().__init__(k)
        self.vectors = vectors

    @classmethod
    def from_spec(cls, spec: Spec) -> Self:
        """Make the representation from ``wmd-3`` or ``wmd-3?vectors=PATH``."""
        number = wanted_number(spec, "wmd-3")
        require_pot()
        return cls(number, find_vectors(spec.build(WmdParams).vectors))

    def fingerprint(self) -> str:
        """Return a digest that includes the vectors, because other vectors choose other sentences."""
        return digest(super().fingerprint(), self.vectors.digest)

    def choose(self, hypothesis: str, texts: Sequence[str]) -> list[int]:
        """Return the places of the texts at the smallest distance."""
        return self.nearest.choose(hypothesis, texts, self.k)

    @cached_property
    def nearest(self) -> Nearest:
        """The search for the nearest texts, made when the first premise is read."""
        return Nearest(self.vectors)
