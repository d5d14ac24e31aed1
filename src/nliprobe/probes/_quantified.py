"""Make the perturbations of a hypothesis's quantifiers, with what each does to the label."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from nliprobe.language.cells.records import CellType, Quantity
from nliprobe.probes._claims import Relation
from nliprobe.probes._context import context_of, nothing_else, without_title
from nliprobe.probes._facts import Fact, Facts, Subject
from nliprobe.probes._governing import governor_of
from nliprobe.probes._hypothesis import Effect, Perturbation
from nliprobe.probes._mentions import mentions_of
from nliprobe.probes._perturbed import PER_EFFECT
from nliprobe.probes._premises import facts_of_premise
from nliprobe.probes._quantifiers import (
    BY_WORDS,
    FIND,
    HINTS,
    REPLACEMENTS,
    SCALE,
    SHARES,
    Quantifier,
    exactly,
    on_scale,
    strength_of,
)
from nliprobe.probes._topic import Measure
from nliprobe.probes._topics import stem
from nliprobe.task.case import Certainty
from nliprobe.task.pair import Premise, Span

# "Has only been on no label" and "at least at least two" are no English.
_ONLY = re.compile(
    r"\bonly\b|\b(?:least|most|than|over|under|about|to|exactly|just|nearly|almost|around)\s+$", re.IGNORECASE
)


def perturbed_quantifiers(text: str, label: str, premise: Premise) -> Iterator[Perturbation]:
    """Yield the perturbations of all quantifiers of a hypothesis with the label E or C."""
    has_words = not HINTS.isdisjoint(text.lower().split())
    if not has_words and not mentions_of(text):
        return
    facts = facts_of_premise(premise)
    made = False
    for quantifier, span, rest in (*(_words(text) if has_words else ()), *_numbers(text)):
        subjects = [one for one in facts.subjects if one.measure is Measure.COUNT and _counts(one, rest)]
        counted = [fact for one in subjects if (fact := facts.fact(one)) is not None]
        for one in _counted(text, label, facts, quantifier, span, counted):
            made = True
            yield one
    if has_words and not made:
        yield from _scaled(text, label, facts)


def _words(text: str) -> Iterator[tuple[Quantifier, Span, str]]:
    """Yield the quantifiers of a text, where they are, and the words after them."""
    for match in FIND.finditer(text):
        yield BY_WORDS[" ".join(match["words"].lower().split())], match.span("words"), match["rest"]


def _numbers(text: str) -> Iterator[tuple[Quantifier, Span, str]]:
    """Yield the plain numbers of a text, for which a quantifier may stand."""
    for mention in mentions_of(text):
        value = mention.value
        if mention.type is not CellType.NUMBER or not isinstance(value, Quantity) or value.value not in _PLAIN:
            continue
        counted = _NUMBER_AND_NOUN.fullmatch(text, mention.start, mention.stop)
        governor = governor_of(text, mention.start, mention.stop, date=False)
        if counted is not None and value.upper is None and governor.relation is Relation.EXACT:
            yield Quantifier("number", exactly(value.value), single=False), counted.span(1), counted[2]


_PLAIN = frozenset(map(Fraction, range(2, 21)))
_NUMBER_AND_NOUN = re.compile(r"(\w+)\s+([a-z][a-z -]*)", re.IGNORECASE)


def _counts(subject: Subject, rest: str) -> bool:
    """Tell whether the words after a quantifier name what a row lists."""
    return subject.topic is not None and subject.topic.cues[Measure.COUNT].search(rest) is not None


def _counted(
    text: str, label: str, facts: Facts, quantifier: Quantifier, span: Span, counted: list[Fact]
) -> Iterator[Perturbation]:
    """Replace a quantifier that counts the items of a row."""
    if len(counted) != 1:
        return
    fact = counted[0]
    context = context_of(without_title(text, facts.names))
    denials = context.denials - (quantifier.words == "no")
    barred = fact.topic is not None and fact.topic.unless is not None and fact.topic.unless.search(text) is not None
    truth = quantifier.claim.truth(fact.values)
    if (
        denials
        or context.open
        or barred
        or not facts.names_it(text)
        or truth is not (label == "E")
        or _ONLY.search(text, 0, span[0])
    ):
        return
    like = text[slice(*span)]
    alone = nothing_else(text, span, facts)
    counts = dict.fromkeys(Effect, 0)
    for words in REPLACEMENTS[bool(quantifier.single)]:
        other = BY_WORDS[words]
        became = other.claim.truth(fact.values)
        if became is None or words == quantifier.words:
            continue
        effect = Effect.PRESERVE if became is truth else Effect.FLIP
        certain = effect is Effect.PRESERVE or label == "E" or alone
        if counts[effect] < PER_EFFECT:
            counts[effect] += 1
            rule = f"{quantifier.words}-to-{words}".replace(" ", "-")
            yield Perturbation(
                span, _like(words, like), rule, effect, Certainty.CERTAIN if certain else Certainty.LIKELY
            )


def _scaled(text: str, label: str, facts: Facts) -> Iterator[Perturbation]:
    """Move a quantifier on the scale: what is weaker keeps E, what is stronger keeps C."""
    context = context_of(without_title(text, facts.names))
    for match in SCALE.finditer(text) if SHARES.search(text) else ():
        words, span = match["words"], match.span("words")
        place = strength_of(words)
        # All of nothing are not some of it: there must be something that is spoken about.
        exists = stem(match["noun"].lower()) in facts.words
        # Elsewhere than in the subject, what is said of all need not hold of some: "the sum of all parts".
        sure = exists and not facts.names and match.start() == 0 and context.denials == 0 and not context.open
        is_judged = False
        for strength, name in ((2, "some"), (1, "most"), (0, "all")):
            if strength == place:
                continue
            keeps = strength > place if label == "E" else strength < place
            rule = f"{words.lower().split()[0]}-to-{name}"
            after = _like(on_scale(words, name), words)
            if keeps:
                certainty = Certainty.CERTAIN if sure else Certainty.LIKELY
                yield Perturbation(span, after, rule, Effect.PRESERVE, certainty)
            elif not is_judged:
                is_judged = True
                yield Perturbation(span, after, rule, Effect.FLIP, Certainty.NEEDS_PERSON)


def _like(words: str, like: str) -> str:
    return words.upper() if like.isupper() else words[0].upper() + words[1:] if like[0].isupper() else words
