"""Texts that people or their programs send: whole, not empty, not endless, and nothing that no database can hold."""

from __future__ import annotations

from nliprobe.base.errors import DataError
from nliprobe.base.fields import Fields

# The longest hypothesis of InfoTabS has 317 characters, the longest cell of its tables 553.
LONGEST_HYPOTHESIS = 500
LONGEST_CELL = 1_000
# A premise of 3,000 words has about 20,000 characters.
LONGEST_PREMISE = 200_000
LONGEST_REMARK = 5_000
_NUL = "\0"
# Lists inside lists: explanations of neighbours with their words are six deep.
_DEEPEST = 30


def text_under(fields: Fields, key: str, *, longest: int) -> str:
    """Return a text as it was sent; one that cannot be kept, is empty or too long is an error."""
    text = fields.text(key)
    fault = text_fault(text, longest=longest)
    return fields.refuse(key, fault) if fault else text


def sentence_under(fields: Fields, key: str, *, longest: int = LONGEST_HYPOTHESIS) -> str:
    """Return a text that somebody wrote, on one line and without spaces around it; it must hold a letter or digit."""
    text = " ".join(text_under(fields, key, longest=2 * longest).split())
    if not any(map(str.isalnum, text)):
        fields.refuse(key, "a text that is not empty")
    fault = text_fault(text, longest=longest)
    return fields.refuse(key, fault) if fault else text


def text_fault(text: str, *, longest: int) -> str:
    """Return what should be there instead of a text, or nothing if it is fine."""
    if _NUL in text:
        return "a text without the character NUL"
    if len(text) > longest:
        return f"at most {longest:,} characters, not {len(text):,}"
    return "" if text.strip() else "a text that is not empty"


def require_remark(text: str) -> str:
    """Return a rater's remark, which may be empty, or raise an error that says what is wrong with it."""
    values = Fields("The remark", {"remark": text}, error=DataError)
    return text_under(values, "remark", longest=LONGEST_REMARK) if text.strip() else ""


def require_json(fields: Fields, key: str, *, longest: int) -> None:
    """Raise an error unless a value is JSON of limited depth and size, with texts that can be kept."""
    left = longest
    waiting: list[tuple[object, int]] = [(fields.values.get(key), 0)]
    while waiting:
        value, depth = waiting.pop()
        left -= 1
        if isinstance(value, str):
            left -= len(value)
            if _NUL in value or not _is_whole(value):
                fields.refuse(key, "texts without NUL and halves of characters")
        elif isinstance(value, dict | list):
            if depth == _DEEPEST:
                fields.refuse(key, f"lists and objects not more than {_DEEPEST} deep")
            inside = value if isinstance(value, list) else [*value, *value.values()]
            if isinstance(value, dict) and not all(isinstance(name, str) for name in value):
                fields.refuse(key, "objects whose keys are texts")
            # Counted before they are looked at, so that a huge list costs nothing.
            left -= len(inside)
            waiting += [(item, depth + 1) for item in inside] if left >= 0 else []
        elif isinstance(value, float):
            if value != value or value in (float("inf"), float("-inf")):
                fields.refuse(key, "numbers that JSON can write")
        elif value is not None and not isinstance(value, bool | int):
            fields.refuse(key, "what JSON can write")
        if left < 0:
            fields.refuse(key, f"at most {longest:,} characters in all")


def _is_whole(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
