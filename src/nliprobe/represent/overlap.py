"""``overlap-k``: the k sentences of ``para``, or of a text, that share most words with the hypothesis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from nliprobe.base.errors import UsageError
from nliprobe.base.registry import Spec
from nliprobe.language.content import content_words
from nliprobe.represent import REPRESENTATIONS
from nliprobe.represent._nearest import Nearby, wanted_number


@REPRESENTATIONS.register("overlap-k")
class Overlap(Nearby):
    """Writes only the k sentences that share most words with the hypothesis; it needs no vectors.

    Words count once and without their endings; words that say nothing about a topic do not count. They stay in the
    order of the table or the text, and among equally near ones the first are taken.
    """

    @classmethod
    def from_spec(cls, spec: Spec) -> Self:
        """Make the representation from ``overlap-3``."""
        if spec.params:
            raise UsageError(f"The representation '{spec.name}' takes no parameters.")
        return cls(wanted_number(spec, "overlap-3"))

    def choose(self, hypothesis: str, texts: Sequence[str]) -> list[int]:
        """Return the places of the texts that share most words."""
        asked = content_words(hypothesis)
        ranked = sorted(range(len(texts)), key=lambda place: (-len(asked & content_words(texts[place])), place))
        return sorted(ranked[: self.k])
