"""Make the perturbations of a hypothesis's quantifiers, with what each does to the label."""

from __future__ import annotations

from collections.abc import Iterator

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
    on_scale,
    strength_of,
)
from nliprobe.probes._topics import Measure, stem
from nliprobe.task.case import Certainty


def perturbed_quantifiers(text: str, label: str, facts: Facts) -> Iterator[Perturbation]:
    """Yield the perturbations of all quantifiers of a hypothesis with the label E or C."""
    made = False
    for match in FIND.finditer(text):
        quantifier = BY_WORDS[" ".join(match["words"].lower().split())]
        start, stop = match.span("words")
        counted = [fact for fact in facts.facts if fact.measure is Measure.COUNT and _counts(fact, match["rest"])]
        for one in _counted(text, label, facts, quantifier, (start, stop), counted):
            made = True
            yield one
    if not made:
        yield from _scaled(text, label, facts)


def _counts(fact: Fact, rest: str) -> bool:
    """Tell whether the words after a quantifier name what a row lists."""
    if fact.topic is None:
        return False
    match = fact.topic.cues[Measure.COUNT].search(rest)
    return match is not None and match.end() == len(rest)


def _counted(
    text: str, label: str, facts: Facts, quantifier: Quantifier, span: tuple[int, int], counted: list[Fact]
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
    if denials or context.open or barred or not named or truth is not (label == "E"):
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
        sure = exists and not facts.facts and context.denials == 0 and not context.open
        for strength, name in ((2, "some"), (1, "most"), (0, "all")):
            if strength == place:
                continue
            keeps = strength > place if label == "E" else strength < place
            rule = f"{words.lower().split()[0]}-to-{name}"
            after = _like(on_scale(words, name), words)
            if keeps:
                certainty = Certainty.CERTAIN if sure else Certainty.LIKELY
                yield Perturbation(span, after, rule, Effect.PRESERVE, certainty)
            else:
                yield Perturbation(span, after, rule, Effect.FLIP, Certainty.NEEDS_PERSON)


def _like(words: str, like: str) -> str:
    return words.upper() if like.isupper() else words[0].upper() + words[1:] if like[0].isupper() else words
