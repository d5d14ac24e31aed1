"""The wording of a template for people who do not know the language of templates: placeholders stay, functions go."""

from __future__ import annotations

import re

_SLOT = re.compile(r"\{([^{}]*)\}")
_CALL = re.compile(r"(\w+)\((.*)\)")
_QUOTED = re.compile(r"'([^']*)'")
_PRONOUNS = {"he": "he/she", "him": "him/her", "his": "his/her", "himself": "himself/herself"}

# Whether a number is in words or a time of day can be seen in the example.
_NUMBERS = ("words", "ordinal", "clock", "month")


def in_plain_words(text: str) -> str:
    """Return a pattern in which the functions of the language of templates are written out.

    >>> in_plain_words("{join(NAME1, NAME2)} met {a(ANIMAL.class)}.")
    '{NAME1} and {NAME2} met a/an {ANIMAL.class}.'
    """
    return _SLOT.sub(lambda slot: _written_out(slot[1]), text)


def _written_out(inside: str) -> str:
    call = _CALL.fullmatch(inside.strip())
    if call is None:
        return f"{{{inside}}}"
    name, argument = call[1], call[2]
    if name == "cap":
        plain = _written_out(argument)
        # The article is said in both forms, and both begin the sentence.
        return plain.replace("a/an ", "A/An ", 1) if plain.startswith("a/an ") else plain[:1].upper() + plain[1:]
    if "(" in argument:
        return f"{{{inside}}}"
    if name in ("a", "A"):
        return f"{'a/an' if name == 'a' else 'A/An'} {{{argument}}}"
    if name in ("join", "join_or"):
        *first, last = [f"{{{one.strip()}}}" for one in argument.split(",")]
        return f"{', '.join(first)} {'and' if name == 'join' else 'or'} {last}" if first else last
    if name in _PRONOUNS:
        return f"{{{_PRONOUNS[name]}}}"
    if name == "plural":
        return f"{{{argument}.plural}}"
    if name == "agree":
        forms = _QUOTED.findall(argument)
        return f"{{{'/'.join(forms)}}}" if forms else f"{{{argument.split(',')[1].strip().removesuffix('.text')}}}"
    return f"{{{argument if name in _NUMBERS else inside}}}"
