"""At which borders between two texts a tokenizer reads both as it reads them apart.

What stands on both sides of a border decides: how the second text opens, and how the first one closes.
"""

from __future__ import annotations

import string
from collections.abc import Callable
from typing import Protocol
from unicodedata import category

# A space, as it is and as SentencePiece's kin write it.
SPACES = " \u2581"
_BLANKS = " \n\t"
_VISIBLE = frozenset(string.ascii_letters + string.digits + string.punctuation)
# Letters, digits and punctuation that no other character is normalised with. Signs and other letters (Lo) may be: a
# few of them, and of the invisible ones (Cf), form one unit with the character before or after them.
_ALONE = frozenset({"Lu", "Ll", "Lt", "Nd", "Nl", "No", "Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po"})


class Borders(Protocol):
    """Decides which texts may follow others, and which may be followed."""

    def opens(self, text: str) -> bool:
        """Return whether a text may follow one that closes."""
        ...

    def closes(self, text: str) -> bool:
        """Return whether a text may be followed by one that opens."""
        ...


class WordBorders:
    """BERT's: words end at spaces, and a punctuation mark is a word of its own."""

    def __init__(self, inside: frozenset[str]) -> None:
        """Take the characters ``inside`` the marks, at which a border could lie within a mark."""
        self._first = frozenset(string.punctuation + _BLANKS) - inside

    def opens(self, text: str) -> bool:
        """Return whether the text begins with a space or a punctuation mark."""
        # With a character that modifies it, a punctuation mark may become a sign that is part of a word.
        return text[:1] in self._first and text[1:2].isascii()

    def closes(self, text: str) -> bool:
        """Return True: all depends on the second text."""
        return True


class ByteBorders:
    """Those of byte-level BPE: of a run of spaces the last one stands alone, or belongs to the word after it."""

    def __init__(self, *, prefix: bool) -> None:
        """Say whether the tokenizer puts a ``prefix``, a space, before texts that begin with anything else."""
        self._first = " " if prefix else _BLANKS

    def opens(self, text: str) -> bool:
        """Return whether the text begins with a single space."""
        return len(text) > 1 and text[0] in self._first and not text[1].isspace()

    def closes(self, text: str) -> bool:
        """Return True: all depends on the second text."""
        return True


class SpaceBorders:
    """Those of SentencePiece's kin, which write a space as a character that opens a word.

    Runs of spaces may be made one, the ends of a text may be stripped, and characters are normalised in units that
    depend on their neighbours; so a border is a single space between two characters that stand for themselves.
    """

    def __init__(self, normalize: Callable[[str], str]) -> None:
        self._normalize = normalize
        self._visible = {character: self._stays(character) for character in _VISIBLE}
        self._first = "".join(one for one in _BLANKS if normalize(f"x{one}x") in [f"x{space}x" for space in SPACES])

    def hold(self) -> bool:
        """Return whether a space stays one, and no visible ASCII character disappears or turns into a space."""
        return " " in self._first and all(self._visible.values())

    def opens(self, text: str) -> bool:
        """Return whether the text begins with a single space, and then a character that stands for itself."""
        if len(text) < 2 or text[0] not in self._first or not self._is_visible(text[1]):
            return False
        # A character that modifies the one before it would be normalised together with it.
        return text[2:3].isascii() or _stands_alone(text[2])

    def closes(self, text: str) -> bool:
        """Return whether the text ends with a character that stands for itself."""
        return text != "" and self._is_visible(text[-1]) and (text[-2:-1].isascii() or _stands_alone(text[-2]))

    def _is_visible(self, character: str) -> bool:
        known = self._visible.get(character)
        if known is None:
            known = self._visible[character] = _stands_alone(character) and self._stays(character)
        return known

    def _stays(self, character: str) -> bool:
        normal = self._normalize(f"x{character}x")
        return len(normal) > 2 and not any(one.isspace() or one in SPACES for one in normal)


def _stands_alone(character: str) -> bool:
    return character <= "\uffff" and category(character) in _ALONE
