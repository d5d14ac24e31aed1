"""Characters that a terminal obeys instead of showing: replaced before a text from data is printed."""

from __future__ import annotations

import re

# C0 without tab and line feed, delete, C1, the marks that reorder what follows them, and halves of characters, which
# no stream can encode.
_OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
# Unicode has a picture of each of the first 32 (␛ for ESC), as wide as a letter.
_PICTURES, _DELETE = 0x2400, "\u2421"
# Characters without any width, and marks of direction, which hide a difference between two texts. The joiners that
# Persian, Hindi and emoji need are shown only beside letters of English, where they have no business.
_HIDDEN = re.compile(
    "[\u00ad\u061c\u180e\u200b\u200e\u200f\u2028\u2029\u2060-\u2064\u206a-\u206f\ufeff\ufff9-\ufffb]|[\U000e0000-\U000e007f]"
    "|(?<=[!-~])[\u200c\u200d]|[\u200c\u200d](?=[!-~])"
)


def revealed(text: str) -> str:
    """Return a text in which characters that cannot be seen are written by their numbers.

    >>> revealed("not\\u200b entailed")
    'not⟨200B⟩ entailed'
    """
    return _HIDDEN.sub(lambda match: f"⟨{ord(match[0]):04X}⟩", visible(text))


def visible(text: str) -> str:
    """Return a text as it can be printed: what would steer the terminal becomes a character that shows it.

    >>> visible("a \\x1b[31mred\\x1b[0m dog\\r")
    'a ␛[31mred␛[0m dog␍'
    """
    return _OBEYED.sub(_shown, text)


def visible_json(text: str) -> str:
    """Return JSON with the same value in which such characters are escaped; JSON itself escapes only some of them.

    >>> visible_json('{"id": "\\u202egpj.exe"}')
    '{"id": "\\\\u202egpj.exe"}'
    """
    return _OBEYED.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def _shown(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x20:
        return chr(_PICTURES + code)
    return _DELETE if code == 0x7F else "\ufffd"
