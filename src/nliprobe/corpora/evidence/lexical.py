"""Silver evidence: the rows or sentences that share words with the hypothesis."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from nliprobe.base.errors import UsageError
from nliprobe.base.hashing import digest
from nliprobe.base.registry import Spec
from nliprobe.corpora._words import STOP_WORDS
from nliprobe.corpora.evidence._released import no_parameters
from nliprobe.language.words import lower_words
from nliprobe.task.evidence import Evidence, Grade
from nliprobe.task.evidenced import EVIDENCE, Dropped, EvidenceSource, unit_count
from nliprobe.task.pair import Pair, Premise, Span
from nliprobe.task.source import PairSource
from nliprobe.task.table import Table

_PIECE = re.compile(r"[^\W_]+")
# Longest first. What is cut off need not be an ending: both sides are cut alike, and only equal stems count.
_ENDINGS = ("ies", "ing", "es", "ed", "er", "ly", "s")


@EVIDENCE.register("lexical")
class LexicalEvidence(EvidenceSource):
    """Every row or sentence that shares a word with the hypothesis.

    Words are compared without case and endings. Stop words do not count, nor do the words of a table's title, which
    most hypotheses repeat. Where nothing is shared, no evidence is known. A premise without rows or given sentences
    has none.
    """

    most: int | None = None

    @classmethod
    def from_spec(cls, spec: Spec, whole: PairSource, roots: Sequence[Path]) -> EvidenceSource:
        """Need no files."""
        no_parameters(spec)
        return cls()

    @property
    def grade(self) -> Grade:
        """A program's guess."""
        return Grade.SILVER

    def digest(self) -> str:
        """Return a hash of the rule's version."""
        return digest("lexical", "1", str(self.most or ""))

    def look_up(self, pair: Pair) -> Evidence | Dropped | None:
        """Return the units that share words with the hypothesis."""
        if not unit_count(pair):
            return Dropped("the premise has neither rows nor sentences that its corpus gives")
        units, title = _unit_words(pair.premise, pair.sentences)
        wanted = _stems(pair.hypothesis) - title
        shared = [wanted & words for words in units]
        chosen = [unit for unit, words in enumerate(shared) if words]
        if self.most is not None:
            # A word that many units have tells little, so it counts less; the earlier unit wins a tie.
            often = Counter(word for words in units for word in words)
            weights = [sum(1 / often[word] for word in sorted(words)) for words in shared]
            chosen = sorted(sorted(chosen, key=lambda unit: -weights[unit])[: self.most])
        return Evidence(tuple(chosen), Grade.SILVER) if chosen else None


@EVIDENCE.register("lexical-k")
class NearestLexicalEvidence(LexicalEvidence):
    """The k rows or sentences that share most words with the hypothesis, rare words of the premise counting more."""

    def __init__(self, most: int) -> None:
        self.most = most

    @classmethod
    def from_spec(cls, spec: Spec, whole: PairSource, roots: Sequence[Path]) -> EvidenceSource:
        """Read k from the name: ``lexical-2``."""
        no_parameters(spec)
        number = spec.name.rpartition("-")[2]
        if not number.isdecimal() or int(number) < 1:
            raise UsageError(f"'{spec.name}' should say how many rows at most, for example lexical-2.")
        return cls(int(number))


@lru_cache(maxsize=4096)
def _unit_words(premise: Premise, sentences: tuple[Span, ...]) -> tuple[tuple[frozenset[str], ...], frozenset[str]]:
    """Return the words of each unit, and those of the title; pairs of one premise share them."""
    if isinstance(premise, Table):
        rows = tuple(_stems(" ".join((row.key, *row.values))) for row in premise.rows)
        return rows, _stems(premise.title)
    return tuple(_stems(premise[start:stop]) for start, stop in sentences), frozenset()


def _stems(text: str) -> frozenset[str]:
    return frozenset(
        _stem(piece)
        for word in lower_words(text)
        if word not in STOP_WORDS
        for piece in (_PIECE.findall(word) if "-" in word or "'" in word else [word])
        if piece not in STOP_WORDS
    )


def _stem(word: str) -> str:
    ending = next((end for end in _ENDINGS if word.endswith(end) and len(word) > len(end) + 2), "")
    word = word.removesuffix(ending)
    return word[:-1] if word.endswith("e") and len(word) > 3 else word
