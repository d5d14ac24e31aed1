"""``dir.negate``: negate a simple hypothesis. What followed cannot follow now.

A model that says E to "Emily is a doctor" must not say E to "Emily is not a doctor". One that said C must not say C
again if the premise mentions what the sentence is about.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from nliprobe.language.words import FUNCTION_WORDS, lower_words
from nliprobe.probes import PROBES, Probe
from nliprobe.task.about import About
from nliprobe.task.case import Case, Certainty, Skip
from nliprobe.task.edits import Edit, replace_in_hypothesis
from nliprobe.task.labels import LabelSet
from nliprobe.task.pair import Pair, Premise
from nliprobe.task.relations import Relation
from nliprobe.task.rules import BASE, And, BaseIn, If, Monotone
from nliprobe.task.source import Pool
from nliprobe.task.table import Table

NEGATED = And((Relation.of({"E": "NC", "C": "EN"}), If(BaseIn(LabelSet.of("EC")), Monotone(BASE, "not_up"))))
# "The dog is asleep" and "the dog is not asleep" are both out of place where there is no dog: C may stay C.
NEGATED_UNSEEN = And((Relation.of({"E": "NC"}), If(BaseIn(LabelSet.of("E")), Monotone(BASE, "not_up"))))

_AUXILIARY = re.compile(r"\b(?:is|are|was|were|can|will|has been|have been|had been)\b")
_ANY_AUXILIARY = re.compile(
    r"\b(?:is|are|was|were|am|be|being|can|could|will|would|shall|should|may|might|must|do|does|did|has|have|had|"
    r"'s|’s)\b",
    re.IGNORECASE,
)
# Words whose meaning reaches over the negation, or that join two clauses.
_UNSAFE_TEXT = """
not no never nobody none nothing nowhere neither nor without hardly barely scarcely cannot all every each everyone
everybody everything some someone somebody something any anyone anybody anything many much most several both
either half few fewer little only also too just even still already yet always often sometimes usually rarely seldom
again almost nearly mainly mostly partly certainly probably possibly maybe perhaps and or but because if unless when
while that which who whom whose where since although though whereas so until exactly about approximately least
there it this these those another other others
"""
_UNSAFE = frozenset(_UNSAFE_TEXT.split())
_INDEFINITE_TEXT = "a an one two three four five six seven eight nine ten"
_INDEFINITE = frozenset(_INDEFINITE_TEXT.split())
_DEFINITE_TEXT = "the his her its their my our your he she they we i you"
_DEFINITE = frozenset(_DEFINITE_TEXT.split())
_LONGEST_SUBJECT = 8


@PROBES.register("dir.negate")
@dataclass(frozen=True)
class DirNegate(Probe):
    """Put *not* after the only auxiliary of the hypothesis, if the sentence is simple enough for that."""

    about: ClassVar[About] = About(
        "The hypothesis is negated. What followed does not follow now; what was contradicted is not contradicted now.",
        "The answer does not follow the negation: a sentence and its opposite get the same verdict.",
        "broken",
    )

    def cases(self, pair: Pair, pool: Pool | None) -> Iterator[Case | Skip]:
        """Yield one case per pair; a Skip says what makes the hypothesis too intricate."""
        negation = _negation(pair.hypothesis)
        if isinstance(negation, str):
            yield self.skip(negation)
            return
        edit, subject = negation
        expects = NEGATED if _seen(subject, pair.premise) else NEGATED_UNSEEN
        yield self.case(pair, (edit,), expects=expects, certainty=subject_certainty(subject, pair.premise))


def _negation(text: str) -> tuple[Edit, str] | str:
    """Return the edit that negates a sentence and its subject, or the reason why it cannot be negated."""
    if re.search(r"[,;:?!\"“”()\n]|\.(?!\s*$)", text):
        return "the hypothesis is more than one plain clause"
    words = lower_words(text)
    if any(word in _UNSAFE or word.endswith(("n't", "n’t")) for word in words):
        return "a word in the hypothesis reaches over the negation"
    auxiliaries = list(_AUXILIARY.finditer(text))
    if not auxiliaries:
        return "the hypothesis has no plain auxiliary to negate"
    verb = auxiliaries[0]
    subject, rest = text[: verb.start()], text[verb.end() :]
    inside = 2 if " " in verb.group() else 1
    # "has been" counts once as "has": "been" is no auxiliary of its own here.
    if len(auxiliaries) > 1 or len(_ANY_AUXILIARY.findall(text)) > 1:
        return "the hypothesis has several verbs"
    if not subject.strip() or not re.search(r"\w", rest) or len(subject.split()) > _LONGEST_SUBJECT:
        return "the subject of the hypothesis is not plain"
    if verb.group() == "can":
        return replace_in_hypothesis(text, verb.span(), "cannot"), subject
    at = verb.end() if inside == 1 else verb.start() + len(verb.group().split()[0])
    return replace_in_hypothesis(text, (at, at), " not"), subject


def subject_certainty(subject: str, premise: Premise) -> Certainty:
    """Tell how sure it is that both sentences are about the same: *a man* may be another man, *the man* is not."""
    words = subject.split()
    first = words[0].lower()
    named = first not in _INDEFINITE and words[-1][:1].isupper()
    if len(words) == 1 and named:
        named = _is_name(words[0], premise)
    return Certainty.CERTAIN if first in _DEFINITE or named else Certainty.LIKELY


def _is_name(word: str, premise: Premise) -> bool:
    """Tell whether a word is capitalised in the premise for another reason than that it opens a sentence."""
    if isinstance(premise, Table):
        return word == premise.title
    return re.search(rf"[\w,] {re.escape(word)}\b", premise) is not None


def _seen(subject: str, premise: Premise) -> bool:
    if isinstance(premise, Table):
        cells = [cell for row in premise.rows for cell in (row.key, *row.values)]
        text = " ".join([premise.title, *premise.columns, *cells])
    else:
        text = premise
    return set(lower_words(subject)) - FUNCTION_WORDS <= set(lower_words(text))
