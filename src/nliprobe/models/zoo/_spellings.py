"""Words with their characters, so that a network sees the letters of words it does not know, too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nliprobe.language.tokens import tokens
from nliprobe.models.vocabulary import EMPTY, PADDING, Vocabulary

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Tokens are in lower case. The numbers of characters are part of what trained weights mean: only append.
ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
# All other characters share so many numbers.
_OTHERS = 32
CHARACTERS = 1 + len(ALPHABET) + _OTHERS
# The rows of padding and of a text without a token; neither has a character.
_PADDING_ROW, _EMPTY_ROW = 0, 1


class Spellings:
    """The distinct words that were read so far, by row: the number of each in a vocabulary, and its characters.

    Two unknown words in one bucket of the vocabulary have the same number but are different rows.

    Args:
        vocabulary: the words that have a number of their own.
        letters: words are cut after so many characters.
    """

    def __init__(self, vocabulary: Vocabulary, letters: int) -> None:
        import numpy as np

        self._vocabulary = vocabulary
        self._letters = letters
        self._seen: dict[str, tuple[int, ...]] = {}
        self._rows: dict[str, int] = {}
        self._numbers = np.array([PADDING, EMPTY], dtype=np.int32)
        self._characters = np.zeros((2, letters), dtype=np.uint8)
        self._size = 2

    def read_text(self, text: str, longest: int) -> tuple[NDArray[np.int32], bool]:
        """Return the rows of a text's words, and whether its end was cut."""
        import numpy as np

        rows: list[int] = []
        for token in tokens(text):
            parts = self._seen.get(token)
            if parts is None:
                parts = self._seen[token] = tuple(self._row(part) for part in self._vocabulary.parts(token))
            rows.extend(parts)
        return np.array(rows[:longest] or [_EMPTY_ROW], dtype=np.int32), len(rows) > longest

    def take(self, rows: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
        """Return the numbers of some rows' words, and their characters, as wide as the longest word of them."""
        characters = self._characters[rows]
        width = max(1, int((characters != 0).any(0).sum()))
        return self._numbers[rows], characters[:, :width]

    def _row(self, word: str) -> int:
        row = self._rows.get(word)
        if row is None:
            row = self._rows[word] = self._size
            self._size += 1
            self._grow()
            self._numbers[row] = self._vocabulary.number(word)
            spelled = word[: self._letters]
            self._characters[row, : len(spelled)] = [character_number(character) for character in spelled]
        return row

    def _grow(self) -> None:
        """Make room for twice as many words when the tables are full, so that a word costs the same at any size."""
        import numpy as np

        if self._size > len(self._numbers):
            self._numbers = np.concatenate([self._numbers, np.zeros_like(self._numbers)])
            self._characters = np.concatenate([self._characters, np.zeros_like(self._characters)])


_PLACES = {character: number for number, character in enumerate(ALPHABET, 1)}


def character_number(character: str) -> int:
    """Return the number of a character: its own in the alphabet, else one it shares; 0 is padding."""
    own = _PLACES.get(character)
    return 1 + len(ALPHABET) + ord(character) % _OTHERS if own is None else own
