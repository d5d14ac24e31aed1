"""Measure a template before anything is drawn: its terms, its variables, and the longest text it can give."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from nliprobe.language.lexicon import TEXT
from nliprobe.templates.expression import Const, Expression, Items, Name, measured
from nliprobe.templates.limits import LONGEST_TEXT, MOST_DIGITS, MOST_TERMS, MOST_VARIABLES
from nliprobe.templates.pattern import Literal, Pattern, Slot
from nliprobe.templates.place import TemplateError
from nliprobe.templates.template import Choice, Domain, Range, Template, Words

# What functions such as a(…), words(…) and join(…) add to their arguments, at most.
_ADDED = 40
_NUMBERS = frozenset({"-", "*", "//", "%", "len", "min", "max", "abs"})


class _Extent(NamedTuple):
    """How many characters a value has at most, and whether it is a number."""

    characters: int
    number: bool


def check_size(template: Template) -> None:
    """Refuse a template that would take more time or memory than any example is worth."""
    if len(template.domains) > MOST_VARIABLES:
        problem = f"has {len(template.domains):,} variables; at most {MOST_VARIABLES} are drawn."
        raise TemplateError(template.place, problem)
    terms = terms_of(template)
    if terms > MOST_TERMS:
        problem = f"has {terms:,} names, constants and operators in its expressions; at most {MOST_TERMS:,} are read."
        raise TemplateError(template.place, problem)
    extents = {name: _of_domain(domain) for name, domain in template.domains.items()}
    total = 0
    for name, formula in template.lets.items():
        extents[name] = _extent(formula.expression, template, extents)
        total += extents[name].characters
        if total > LONGEST_TEXT:
            problem = (
                f"{name} can become too long: an example has at most {LONGEST_TEXT:,} characters, computed values "
            )
            raise TemplateError(formula.place, f"{problem}counted.")
    total += sum(_of_pattern(pattern, template, extents) for pattern in (template.premise, template.hypothesis))
    if total > LONGEST_TEXT:
        problem = f"an example can have {total:,} characters; at most {LONGEST_TEXT:,} are written."
        raise TemplateError(template.place, problem)


def terms_of(template: Template) -> int:
    """Count the names, constants, operators and functions in all expressions of a template."""
    return sum(measured(expression)[0] for expression in _expressions(template))


def _expressions(template: Template) -> Iterator[Expression]:
    yield from (formula.expression for formula in (*template.lets.values(), *template.where))
    yield from (reading.label.expression for _, reading in template.readings)
    for pattern in (template.premise, template.hypothesis):
        yield from (part.expression for part in pattern.parts if isinstance(part, Slot))


def _of_pattern(pattern: Pattern, template: Template, extents: dict[str, _Extent]) -> int:
    return sum(
        len(part.text) if isinstance(part, Literal) else _extent(part.expression, template, extents).characters
        for part in pattern.parts
    )


def _extent(expression: Expression, template: Template, extents: dict[str, _Extent]) -> _Extent:
    if isinstance(expression, Const):
        return _Extent(len(str(expression.value)), isinstance(expression.value, int))
    if isinstance(expression, Name):
        domain = template.domains.get(expression.name)
        if expression.field and isinstance(domain, Words) and expression.field in domain.lexicon.fields:
            return _Extent(_longest(domain, expression.field), number=False)
        # A name that is not there is reported when it is evaluated.
        return extents.get(expression.name, _Extent(0, number=False))
    if isinstance(expression, Items):
        return _Extent(0, number=False)
    inside = [_extent(argument, template, extents) for argument in expression.arguments]
    function = expression.function
    if function == "if":
        yes, _, no = inside
        return _Extent(max(yes.characters, no.characters), yes.number and no.number)
    number = function in _NUMBERS or (function == "+" and all(extent.number for extent in inside))
    characters = sum(extent.characters for extent in inside) + (0 if function == "+" else _ADDED)
    return _Extent(min(characters, MOST_DIGITS + 1) if number else characters, number)


def _of_domain(domain: Domain) -> _Extent:
    if isinstance(domain, Range):
        return _Extent(max(len(str(domain.low)), len(str(domain.high))), number=True)
    if isinstance(domain, Choice):
        return _Extent(max(len(str(option)) for option in domain.options), isinstance(domain.options[0], int))
    return _Extent(_longest(domain, TEXT), number=False)


def _longest(domain: Words, field: str) -> int:
    kept = domain.lexicon.kept
    longest = kept.get((field, "longest"))
    if not isinstance(longest, int):
        longest = kept[field, "longest"] = max(map(len, domain.lexicon.column(field)))
    return longest
