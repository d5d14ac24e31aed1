"""``stress.antonymy``: a sentence, and the same with one word replaced by its opposite: a contradiction."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from nliprobe.base.errors import UsageError
from nliprobe.language.opposites import Opposite, opposites_digest, opposites_in
from nliprobe.probes import PROBES
from nliprobe.probes._new_pairs import NewPairProbe
from nliprobe.probes._texts import Change
from nliprobe.task.about import About
from nliprobe.task.case import Case, Certainty, Skip
from nliprobe.task.labels import LabelSet
from nliprobe.task.pair import Facet, Pair

NO_WORD = "no word of the sentence can safely be replaced by its opposite"
_CONTRADICTION = LabelSet.of("C")


@PROBES.register("stress.antonymy")
@dataclass(frozen=True)
class StressAntonymy(NewPairProbe):
    """Replace one word of a sentence by its opposite; ``n`` different words, each in a pair of its own."""

    n: int = 1

    about: ClassVar[About] = About(
        "A sentence of the corpus is the premise; with one word replaced by its opposite it is the hypothesis. "
        "The label is contradiction.",
        "The model takes many shared words for agreement, or does not know that two words exclude each other.",
        "broken",
    )

    def __post_init__(self) -> None:
        if self.n < 1:
            raise UsageError(f"'stress.antonymy?n' should be 1 or more, not {self.n}.")

    @property
    def reads(self) -> str:  # type: ignore[override]  # read-only like every attribute of a frozen dataclass
        """A hash of the pairs of words and the rules that find them."""
        return opposites_digest()

    def new_pairs(self, pair: Pair, sentence: str) -> Iterator[Case | Skip]:
        """Yield up to ``n`` pairs per sentence, each with another word replaced."""
        candidates = opposites_in(sentence)
        if not candidates:
            yield self.skip(NO_WORD)
            return
        drawn = self.draws(pair).sample(candidates, min(self.n, len(candidates)))
        for item in sorted(drawn):
            yield self._opposed(pair, sentence, item)

    def _opposed(self, pair: Pair, sentence: str, item: Opposite) -> Case | Skip:
        changes = [Change(item.start, item.stop, item.after)]
        if item.article:
            changes.append(Change(*item.article))
        facets = (
            Facet("word", item.entry.word),
            Facet("antonym", item.entry.antonym),
            Facet("part_of_speech", item.entry.part),
        )
        certainty = Certainty.CERTAIN if item.sure else Certainty.LIKELY
        return self.new_pair(pair, sentence, _CONTRADICTION, hypothesis=changes, certainty=certainty, facets=facets)
