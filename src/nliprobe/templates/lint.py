"""Find errors and doubtful points in templates, by reading them and by drawing from them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nliprobe.language.capabilities import capabilities
from nliprobe.language.english import article
from nliprobe.templates.expression import names_in, texts_in
from nliprobe.templates.pattern import Literal, Pattern, Slot
from nliprobe.templates.place import Place, TemplateError
from nliprobe.templates.render import LABELS, Rendered, render
from nliprobe.templates.template import Template

# How many draws are examined; a label that is rarer than one in this many may be missed.
SAMPLE = 1000
# A template that cannot give this many distinct examples says little about a system.
FEW = 100
_ARTICLE = re.compile(r"(?:(?<=\s)|(?<=[\"(])|^)([Aa]n?) (\w[\w'-]*)")
_RULES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"  "), "has two spaces together"),
    (re.compile(r"\b(\w+) \1\b", re.IGNORECASE), "says a word twice"),
    (re.compile(r"\s[,.;:!?]"), "has a space before a punctuation mark"),
    (re.compile(r"(?:^|[.!?] )['\"]?[a-z]"), "begins a sentence with a small letter"),
    (re.compile(r"[.!?]{2,}"), "ends a sentence twice"),
)
# Words that may be repeated in correct English.
_TWICE = frozenset({"had", "that"})


@dataclass(frozen=True)
class Finding:
    """A problem in a template: an error must be fixed, a warning should be looked at."""

    place: Place
    problem: str
    error: bool = False

    def __str__(self) -> str:
        return f"{self.place}: {self.problem}"


def lint(templates: Sequence[Template], seed: int = 0, sample: int = SAMPLE) -> list[Finding]:
    """Return all findings in the given templates, from reading them and from ``sample`` draws of each."""
    findings = [*_twins(templates), *_pointers(templates)]
    for template in templates:
        findings += _reads(template)
        try:
            rendered = render(template, sample, seed)
        except TemplateError as error:
            findings.append(Finding(error.place, error.problem, error=True))
            continue
        findings += _draws(rendered)
    return findings


def sentence_problems(text: str) -> Iterator[str]:
    """Yield the problems of a rendered text: articles, capitals, spaces, doubled words."""
    for pattern, problem in _RULES:
        match = pattern.search(text)
        if match is None or (match.groups() and match[1].lower() in _TWICE):
            continue
        yield f"{problem}: '{text}'"
    if not text.rstrip("\"')").endswith((".", "!", "?")):
        yield f"does not end like a sentence: '{text}'"
    for match in _ARTICLE.finditer(text):
        if match[1].lower() != article(match[2]):
            yield f"says '{match[0]}': '{text}'"


def _twins(templates: Sequence[Template]) -> Iterator[Finding]:
    """Yield a finding for every template that differs from another one only by name."""
    seen: dict[tuple[str, ...], Template] = {}
    for template in templates:
        key = (
            " ".join(template.premise.text.split()),
            " ".join(template.hypothesis.text.split()),
            *(f"{name}={domain!r}" for name, domain in sorted(template.domains.items())),
            *(formula.text for formula in template.where),
            template.label,
        )
        twin = seen.setdefault(key, template)
        if twin is not template:
            yield Finding(template.place, f"is the same as {twin.id} under another name.", error=True)


def _pointers(templates: Sequence[Template]) -> Iterator[Finding]:
    known = {template.id for template in templates}
    for template in templates:
        if template.variation is not None and template.variation.of not in known:
            yield Finding(template.place, f"varies '{template.variation.of}', which is not here.", error=True)
        if template.variation is not None and template.variation.of == template.id:
            yield Finding(template.place, "varies itself.", error=True)
        for _, reading in template.readings:
            if reading.capability not in capabilities():
                yield Finding(template.place, f"tests '{reading.capability}', which the taxonomy does not have.")


def _reads(template: Template) -> Iterator[Finding]:
    """Yield what can be found without drawing."""
    bound = _variables(template.premise)
    for formula in template.lets.values():
        bound |= {name.name for name in names_in(formula.expression)} & set(template.domains)
    constrained = {
        name.name
        for formula in (*template.where, *(reading.label for _, reading in template.readings))
        for name in names_in(formula.expression)
    }
    if template.label != "N" and "free" not in template.tags:
        for name in sorted(_variables(template.hypothesis) - bound - constrained - set(template.lets)):
            if not name.startswith("ALT"):
                problem = (
                    f"the hypothesis has {name}, which the premise never binds; the tag 'free' says this is meant."
                )
                yield Finding(template.place, problem)
    for pattern in (template.premise, template.hypothesis):
        for before, after in zip(pattern.parts, pattern.parts[1:], strict=False):
            if isinstance(before, Literal) and isinstance(after, Slot) and re.search(r"\b[Aa]n? $", before.text):
                yield Finding(template.place, f"'{before.text[-12:]}' has an article before a value; write a(…).")


def _draws(rendered: Rendered) -> Iterator[Finding]:
    """Yield what can be found by drawing."""
    template = rendered.template
    for name, reading in template.readings:
        stated = set(texts_in(reading.label.expression)) & LABELS
        missing = stated - set(rendered.labels[name])
        for label in sorted(missing):
            yield Finding(reading.label.place, f"the label {label} is never reached in {len(rendered):,} draws.")
    if len(rendered) < rendered.asked and not rendered.exhausted:
        problem = f"{rendered.drawn:,} draws gave only {len(rendered):,} distinct examples; there may be others."
        yield Finding(template.place, problem)
    elif len(rendered) < FEW:
        yield Finding(template.place, f"has only {len(rendered)} distinct examples.")
    reported: set[str] = set()
    for text in dict.fromkeys([*rendered.premises, *rendered.hypotheses]):
        for problem in sentence_problems(text):
            kind = problem.partition(":")[0]
            if kind not in reported:
                reported.add(kind)
                yield Finding(template.place, problem, error=True)


def _variables(pattern: Pattern) -> set[str]:
    slots = (part for part in pattern.parts if isinstance(part, Slot))
    return {name.name for slot in slots for name in names_in(slot.expression)}
