"""Empty values that are meant, as in ``{not/}``: tell them from words that a lexicon lacks, and close their gap."""

from __future__ import annotations

import re

from nliprobe.language.english import capital
from nliprobe.templates.expression import Call, Const, Expression, Name
from nliprobe.templates.template import Choice, Template

# Stand in a filled text for an empty value, the second where a sentence begins. No text of a file has these characters,
# because YAML and lexicons refuse the first, and the second is only looked for beside it.
GAP, FIRST_GAP = "\0", "\0\1"
# At the beginning of a sentence the space after the value goes, elsewhere the one before it.
_FIRST = re.compile(r"\x00\x01 ?(.?)", re.DOTALL)
_INSIDE = re.compile(r" ?\x00(?=[\s.,;:!?)]|$)|\x00")


def offers_empty(expression: Expression, template: Template) -> bool:
    """Tell whether an expression can give an empty text that the author wrote, not one that a lexicon lacks."""
    if isinstance(expression, Const):
        return expression.value == ""
    if isinstance(expression, Name):
        domain = template.domains.get(expression.name)
        if isinstance(domain, Choice):
            return "" in domain.options
        formula = template.lets.get(expression.name)
        return formula is not None and offers_empty(formula.expression, template)
    if not isinstance(expression, Call):
        return False
    arguments = expression.arguments
    if expression.function == "if":
        arguments = (arguments[0], arguments[2])
    elif expression.function == "agree":
        arguments = arguments[1:]
    elif expression.function != "+" and not expression.function.isidentifier():
        return False
    return any(offers_empty(argument, template) for argument in arguments)


def closed(text: str) -> str:
    """Close the gaps that empty values leave in a text.

    >>> closed("It is \\0 so."), closed("It is so \\0."), closed("\\0\\1 all came.")
    ('It is so.', 'It is so.', 'All came.')
    """
    if FIRST_GAP in text:
        text = _FIRST.sub(lambda match: capital(match[1]), text)
    return _INSIDE.sub("", text)
