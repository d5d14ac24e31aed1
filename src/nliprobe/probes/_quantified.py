"""Make the perturbations of a hypothesis's quantifiers, with what each does to the label."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from nliprobe.language.numbers import Kind, find_numbers
from nliprobe.probes._context import context_of, nothing_else, without_title
from nliprobe.probes._facts import Fact, Facts
from nliprobe.probes._hypothesis import Effect, Perturbation
from nliprobe.probes._perturbed import PER_EFFECT
from nliprobe.probes._quantifiers import (
    BY_WORDS,
    FIND,
    REPLACEMENTS,
    SCALE,
    Quantifier,
    exactly,
    on_scale,
    strength_of,
)
from nliprobe.probes._topics import Measure, stem
from nliprobe.task.case import Certainty
from nliprobe.task.pair import Span


# "Has only been on no label" and "at least at least two" are no English.
_ONLY = re.compile(r"\bonly\b|\b(?:least|most|than|over|under|about|to|exactly|just|nearly|almost|around)\s+$", re.IGNORECASE)


def perturbed_quantifiers(text: str, label: str, facts: Facts) -> Iterator[Perturbation]:
    """Yield the perturbations of all quantifiers of a hypothesis with the label E or C."""
    made = False
    for quantifier, span, rest in _found(text):
        counted = [fact for fact in facts.facts if fact.measure is Measure.COUNT and _counts(fact, rest)]
        for one in _counted(text, label, facts, quantifier, span, counted):
            made = True
            yield one
    if not made:
        yield from _scaled(text, label, facts)


def _found(text: str) -> Iterator[tuple[Quantifier, Span, str]]:
    """Yield the quantifiers of a text, where they are, and the words after them; a plain number counts as well."""
    for match in FIND.finditer(text):
        yield BY_WORDS[" ".join(match["words"].lower().split())], match.span("words"), match["rest"]
    for number in find_numbers(text):
        is_count = number.kind is Kind.QUANTITY and number.modifier is None and number.upper is None and number.value
        if is_count and number.value in _PLAIN and number.phrase == (number.start, number.stop):
            rest = text[number.stop : number.stop + 40]
            after = _AFTER.match(rest)
            if after is not None:
                yield Quantifier("number", exactly(number.value), single=False), (number.start, number.stop), after[1]


_PLAIN = frozenset(map(Fraction, range(2, 21)))
_AFTER = re.compile(
    r"\s+((?:(?!of\b|to\b|in\b|for\b|from\b|with\b|and\b|or\b|other\b)[a-z-]+\s+){0,2}[a-z]+)", re.IGNORECASE
)


def _counts(fact: Fact, rest: str) -> bool:
    """Tell whether the words after a quantifier name what a row lists."""
    if fact.topic is None:
        return False
    return fact.topic.cues[Measure.COUNT].search(rest) is not None


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
    named = not facts.title.isdisjoint([stem(word) for word in text.lower().replace("'", " ").split()])
    if denials or context.open or barred or not named or truth is not (label == "E") or _ONLY.search(text, 0, span[0]):
        return
    like = text[slice(*span)]
    alone = nothing_else(text, span, facts.words | facts.title)
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
            yield Perturbation(span, _like(words, like), rule, effect, Certainty.CERTAIN if certain else Certainty.LIKELY)


def _scaled(text: str, label: str, facts: Facts) -> Iterator[Perturbation]:
    """Move a quantifier on the scale: what is weaker keeps E, what is stronger keeps C."""
    context = context_of(without_title(text, facts.names))
    for match in SCALE.finditer(text):
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
