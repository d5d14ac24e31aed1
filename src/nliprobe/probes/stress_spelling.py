"""``stress.spelling``: misspell one content word of the hypothesis. People still read the same, so the label stays."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from nliprobe.base.errors import UsageError
from nliprobe.base.hashing import digest
from nliprobe.language import wordnet
from nliprobe.language.spelling import Misspelling, misspelled, plain_words
from nliprobe.probes import PROBES, Probe
from nliprobe.probes._texts import Change
from nliprobe.task.about import About
from nliprobe.task.case import Case, Skip
from nliprobe.task.edits import replace_in_hypothesis
from nliprobe.task.pair import Facet, Pair
from nliprobe.task.relations import SAME
from nliprobe.task.source import Pool


@PROBES.register("stress.spelling")
@dataclass(frozen=True)
class StressSpelling(Probe):
    """Misspell ``n`` content words of the hypothesis, by swapping two letters or by a neighbouring key (``kind``)."""

    kind: Misspelling = Misspelling.SWAP
    n: int = 1

    about: ClassVar[About] = About(
        "A content word of the hypothesis is misspelled, so that no other word comes out. "
        "The label stays, and no answer may change.",
        "The answer depends on how a word is spelled, where people read past the error.",
    )

    def __post_init__(self) -> None:
        if self.n < 1:
            raise UsageError(f"'stress.spelling?n' should be at least 1, not {self.n}.")

    @property
    def reads(self) -> str:  # type: ignore[override]  # read-only like every attribute of a frozen dataclass
        """The WordNet that tells which letters are words."""
        return digest(wordnet.source().version)

    def cases(self, pair: Pair, pool: Pool | None) -> Iterator[Case | Skip]:
        """Yield one case per pair, with exactly ``n`` words misspelled."""
        text = pair.hypothesis
        if not text.strip():
            yield self.skip("the hypothesis is empty")
            return
        random = self.draws(pair)
        spans = list(plain_words(text))
        random.shuffle(spans)
        changes: list[Change] = []
        for start, stop in spans:
            wrong = misspelled(text[start:stop], self.kind, random)
            if wrong is not None:
                changes.append(Change(start, stop, wrong))
            if len(changes) == self.n:
                break
        if len(changes) < self.n:
            few = "no word" if self.n == 1 else f"fewer than {self.n} words"
            yield self.skip(f"the hypothesis has {few} that can be misspelled")
            return
        # From the end backwards, so that every span is a span of the hypothesis.
        edits = tuple(replace_in_hypothesis(text, item[:2], item.after) for item in sorted(changes, reverse=True))
        facets = tuple(Facet("word", text[item.start : item.stop]) for item in sorted(changes))
        yield self.case(pair, edits, expects=SAME, gold=pair.gold, facets=facets)
