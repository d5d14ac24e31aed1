"""One rule for halves of characters: each becomes U+FFFD, the replacement character, where a text is read.

A half (a lone surrogate) is what remains of an emoji that was cut in two. JSON can write it (``\\ud83d``), Python can
hold it, and UTF-8 has no bytes for it: Parquet, pages and terminals would fail on it, long after it was read.
"""

from __future__ import annotations

import re

REPLACEMENT = "\ufffd"
_HALF = re.compile("[\ud800-\udfff]")
# An escape in JSON: both halves of a character, one half, or anything else, such as a backslash before a letter u.
_ESCAPE = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)", re.DOTALL
)


def whole(text: str) -> str:
    """Return a text with every half of a character replaced.

    >>> whole("cut \\ud83d")
    'cut \ufffd'
    """
    return text if text.isascii() else _HALF.sub(REPLACEMENT, text)


def whole_json(text: str) -> str:
    r"""Return a JSON text in which no escape stands for half a character; its length stays the same.

    >>> whole_json(r'["\ud83d", "\ud83d\ude00", "\\ud83d"]')
    '["\\ufffd", "\\ud83d\\ude00", "\\\\ud83d"]'
    """
    text = whole(text)
    return _ESCAPE.sub(_whole_escape, text) if "\\ud" in text or "\\uD" in text else text


def whole_value(value: object) -> object:
    """Return a value with every text in it made whole, also inside lists and mappings; other values stay the same."""
    if isinstance(value, str):
        return whole(value)
    if isinstance(value, list | tuple):
        return type(value)(map(whole_value, value)) if type(value) in (list, tuple) else value
    if isinstance(value, dict):
        return {whole_value(key): whole_value(item) for key, item in value.items()}
    return value


def _whole_escape(match: re.Match[str]) -> str:
    return "\\ufffd" if match[1] else match[0]
