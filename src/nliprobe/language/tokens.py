"""Split texts into tokens as word vectors have them: words, clitics, numbers and single marks."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from nliprobe.language.script_words import marks

_LETTER = r"[^\W\d_]"
# A clitic is taken off its word: "doesn't" is does + n't, "dog's" is dog + 's.
_CLITICS = r"(?:LETTER)+(?=n't\b)|n't\b|'(?:s|re|ve|ll|d|m)\b"
_TOKEN = rf"{_CLITICS}|(?:LETTER)+(?:[-.](?=LETTER)(?:LETTER)+)*|\d+(?:[.,:]\d+)*|[^\w\s]|_+"
_PLAIN = re.compile(_TOKEN.replace("LETTER", _LETTER))


def tokens(text: str) -> list[str]:
    """Return the tokens of a text, lower-cased, in order; clitics are those of English, words those of any script.

    >>> tokens("The dogs aren't at John's X-ray, 3.5 km away.")
    ['the', 'dogs', 'are', "n't", 'at', 'john', "'s", 'x-ray', ',', '3.5', 'km', 'away', '.']
    >>> len(tokens("यह मेरी किताब है।"))
    5
    """
    lower = text.lower().replace("’", "'")
    return _PLAIN.findall(lower) if lower.isascii() else _marked().findall(unicodedata.normalize("NFC", lower))


@lru_cache(maxsize=1)
def _marked() -> re.Pattern[str]:
    """Return the pattern for texts in which letters may have marks of their own."""
    return re.compile(_TOKEN.replace("LETTER", f"{_LETTER}{marks()}*"))
