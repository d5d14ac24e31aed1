"""Divide a template into cells, by the value of a placeholder and the gender of names, to measure their effect."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from nliprobe.base.errors import UsageError, did_you_mean
from nliprobe.language.lexicon import TEXT
from nliprobe.templates.place import TemplateError
from nliprobe.templates.render import render
from nliprobe.templates.template import Domain, Template, Words

GENDER = "gender"


def cells(template: Template, placeholder: str) -> list[Template]:
    """Return the template once per value of a placeholder and gender of its names, without cells that have no draws.

    All names in a cell have one gender, so that two cells of a value differ in nothing else. ``gender`` instead of a
    placeholder divides by gender alone.
    """
    divided = [cell for value in _values(template, placeholder) for cell in _genders(value) if _has_draws(cell)]
    if not divided:
        raise UsageError(f"No draw of {template.id} is left in any cell by {placeholder}.")
    return divided


def _values(template: Template, placeholder: str) -> Iterator[Template]:
    if placeholder == GENDER:
        yield template
        return
    domain = template.domains.get(placeholder)
    if domain is None:
        hint = did_you_mean(placeholder, [*template.domains, GENDER])
        raise UsageError(f"The template {template.id} draws no {placeholder}. {hint}")
    if not isinstance(domain, Words):
        raise UsageError(f"{placeholder} of {template.id} is not drawn from a lexicon, so it has no cells.")
    texts = domain.lexicon.column(TEXT)
    for place in domain.places:
        yield _confined(template, {placeholder: Words(domain.lexicon, (place,), domain.family)}, texts[place])


def _genders(template: Template) -> Iterator[Template]:
    names = {
        name: domain
        for name, domain in template.domains.items()
        if isinstance(domain, Words) and GENDER in domain.lexicon.fields
    }
    if not names:
        yield template
        return
    for gender in ("f", "m"):
        confined: dict[str, Domain] = {}
        for name, domain in names.items():
            column = domain.lexicon.column(GENDER)
            confined[name] = Words(
                domain.lexicon, tuple(n for n in domain.places if column[n] == gender), domain.family
            )
        if all(len(domain) for domain in confined.values()):
            yield _confined(template, confined, gender)


def _confined(template: Template, domains: dict[str, Domain], word: str) -> Template:
    plain = re.sub(r"[^a-z0-9]+", "-", word.lower()).strip("-")
    cell = f"{template.cell}.{plain}" if template.cell else plain
    return replace(template, domains={**template.domains, **domains}, cell=cell)


def _has_draws(template: Template) -> bool:
    try:
        render(template, 1)
    except TemplateError:
        return False
    return True
