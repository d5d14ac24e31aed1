"""What all probes of sentences share: their units are the sentences of a passage.

T4's relations are certain only where the sentences stand by themselves. Where one may lean on another, refer back or
narrate in order, an edit may change what the rest says; then the relation is likely.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from nliprobe.base.hashing import digest
from nliprobe.language import reference
from nliprobe.language.content import content_words
from nliprobe.language.sentences import split_sentences, splitter_version
from nliprobe.probes._units import UnitProbe
from nliprobe.task.case import Certainty
from nliprobe.task.edits import Edits
from nliprobe.task.pair import Pair, Span
from nliprobe.task.relations import DELETE_IRRELEVANT, DELETE_RELEVANT, INSERT, PERMUTE, UnitEdit
from nliprobe.task.table import Table
from nliprobe.task.units import Sentences, Units

# People call sentences relevant that only point in the direction of a claim. So a sentence surely says what a
# hypothesis says only if it has nearly all of its words and reports nobody else's, and surely has nothing to do with it
# only if it has few. Read on Climate-FEVER: of 14 kept sentences 12 did not give the label by themselves; with a bound
# of 0.75 still 4 did not, and with one of 0.9 still 5 of 12 told only what somebody had said.
_SAYS, _FEWEST_SAID = 0.9, 5
_TOUCHES = 1 / 3
# A sentence that shares this much with a deleted one may repeat it.
_REPEATS = 0.4
# Named by corpora whose passages hold sentences for and against a claim: without one side, the other decides.
_DISPUTED = "disputed"


def sentences_of(premise: str, given: tuple[Span, ...] = ()) -> Sentences:
    """Return the sentences of a passage: those that its corpus lists, else those that rules find."""
    return Sentences(premise, given or _cut(premise))


@dataclass(frozen=True)
class SentenceProbe(UnitProbe):
    """A probe that edits the sentences of a passage."""

    # Where the sentences are, and what is known about them, are part of the cases.
    reads: ClassVar[str] = digest(splitter_version(), str(reference.VERSION))

    def units(self, pair: Pair) -> Units | str:
        """Return the sentences of a text of two or more."""
        if isinstance(pair.premise, Table):
            return "the premise is a table, not a text"
        sentences = sentences_of(pair.premise, pair.sentences)
        if not len(sentences):
            return "the premise is empty"
        return sentences if len(sentences) > 1 else "there is one sentence only"

    def certainty(self, pair: Pair, units: Units, kind: UnitEdit, edits: Edits) -> Certainty:
        """Tell whether the sentences that an edit touches stand by themselves."""
        assert isinstance(units, Sentences)
        if any(facet.value.lower() == _DISPUTED for facet in pair.facets):
            return Certainty.LIKELY
        if reference.is_about_the_text(pair.hypothesis):
            return Certainty.LIKELY
        parts = units.parts
        if sum(map(reference.is_turn, parts)) > 1:
            return Certainty.LIKELY
        if kind is DELETE_RELEVANT and pair.evidence is not None and pair.evidence.alone:
            # Each sentence was judged by itself: nobody looked at what the others say together.
            return Certainty.LIKELY
        if kind is PERMUTE:
            sure = _may_move(parts)
        elif kind is INSERT:
            sure = _may_come_between(parts, edits)
        elif edits[0].op.endswith(".keep"):
            sure = _stands(edits[0].before) and _decides(pair.hypothesis, edits[0].before, kind)
        else:
            sure = _may_go(parts, {edit.unit for edit in edits if edit.unit is not None}, kind, pair.hypothesis)
        return Certainty.CERTAIN if sure else Certainty.LIKELY


def _stands(sentence: str) -> bool:
    return not reference.leans_back(sentence) and not reference.is_definite(sentence)


def _may_move(parts: tuple[str, ...]) -> bool:
    return all(map(_stands, parts)) and not reference.narrates(parts)


def _may_come_between(parts: tuple[str, ...], edits: Edits) -> bool:
    """Tell whether the sentence after the new one points to nothing before it."""
    place = edits[0].unit
    return place is None or place >= len(parts) or not reference.leans_back(parts[place])


def _may_go(parts: tuple[str, ...], deleted: set[int], kind: UnitEdit, hypothesis: str) -> bool:
    """Tell whether sentences can be taken out without changing what the others say."""
    if reference.is_about_everything(hypothesis):
        return False
    if any(reference.leans_back(parts[place]) or reference.takes_back(parts[place]) for place in deleted):
        return False
    rest = [place for place in range(len(parts)) if place not in deleted]
    for place in rest:
        if place - 1 in deleted and reference.leans_back(parts[place]):
            return False
        if kind is DELETE_IRRELEVANT and place > min(deleted) and not _stands(parts[place]):
            return False
    if kind is DELETE_IRRELEVANT:
        return all(_share(hypothesis, parts[place]) < _TOUCHES for place in deleted)
    if kind is DELETE_RELEVANT:
        # What is taken out must have been the only one to say so.
        return all(
            _share(hypothesis, parts[place]) < _TOUCHES
            and all(_share(parts[gone], parts[place]) < _REPEATS for gone in deleted)
            for place in rest
        )
    return True


def _decides(hypothesis: str, sentence: str, kind: UnitEdit) -> bool:
    """Tell whether a sentence that is left alone surely decides, or surely does not if it is not needed."""
    if kind is DELETE_RELEVANT:
        return _share(hypothesis, sentence) < _TOUCHES
    many = len(content_words(hypothesis)) >= _FEWEST_SAID
    return many and _share(hypothesis, sentence) >= _SAYS and not reference.reports(sentence)


def _share(asked: str, told: str) -> float:
    """Return how much of what one text speaks about is in another."""
    words = content_words(asked)
    return len(words & content_words(told)) / len(words) if words else 1.0


@lru_cache(maxsize=256)  # the pairs of a passage come one after another
def _cut(premise: str) -> tuple[Span, ...]:
    return split_sentences(premise)
