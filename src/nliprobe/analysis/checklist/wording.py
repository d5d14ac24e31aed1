"""The wording of templates: which placeholders and which other words they have."""

from __future__ import annotations

import re
from typing import NamedTuple

# A name in capitals that is neither the name of a function (NumLessThan) nor a field.
_NAME = re.compile(r"(?<![\w.'])[A-Z][A-Z0-9_]*(?![\w(])")
# Published lists put the number of a tied tuple in front (T1_COM, T12_RELATION).
_TIE = re.compile(r"^T\d+_(?=.)")
_QUOTED = re.compile(r"'([^']*)'")
_SLOT = re.compile(r"\{([^{}]*)\}")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")


class TemplateWording(NamedTuple):
    """A template as it is written: texts with placeholders in braces, and its label (E, N, C, or an expression)."""

    id: str
    capability: str
    premise: str
    hypothesis: str
    label: str


def placeholders(pattern: TemplateWording) -> list[str]:
    """List the placeholders of a template, each once, without numbers and fields: NAME1 and NAME2 are both NAME.

    >>> placeholders(TemplateWording("t", "c", "{NAME1} met {a(PROFESSION)} in {CITY.country}.", "{NAME2} left", "E"))
    ['NAME', 'PROFESSION', 'CITY']
    """
    slots = [slot for text in (pattern.premise, pattern.hypothesis) for slot in _SLOT.findall(_bare(text))]
    names = [name for slot in slots for name in _NAME.findall(_QUOTED.sub("", slot))]
    return list(dict.fromkeys(plain for name in names if (plain := _TIE.sub("", name).rstrip("0123456789_"))))


def other_words(pattern: TemplateWording) -> list[str]:
    """List the words of a template that are not placeholders, in lower case, as often as they occur; alternatives, too.

    >>> written = TemplateWording("t", "c", "{NAME1} is not {DIR: left/right} of it.", "{agree(N, 'It', 'They')}.", "E")
    >>> other_words(written)
    ['is', 'not', 'left', 'right', 'of', 'it', 'it', 'they']
    """
    text = f"{_bare(pattern.premise)} {_bare(pattern.hypothesis)}"
    return [word.lower() for word in _WORD.findall(_SLOT.sub(_written_out, text))]


def _bare(text: str) -> str:
    """Remove doubled braces, which stand for themselves."""
    return text.replace("{{", " ").replace("}}", " ")


def _written_out(slot: re.Match[str]) -> str:
    inside = slot.group(1)
    words = _QUOTED.findall(inside)
    if "/" in inside and "(" not in inside:
        words += inside.rpartition(":")[2].split("/")
    return f" {' '.join(words)} "
