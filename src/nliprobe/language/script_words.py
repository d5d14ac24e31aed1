"""Split texts of any script into words, for what is counted over words: letters keep their marks and joiners."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from nliprobe.language.words import lower_words


def script_words(text: str) -> list[str]:
    """Return the words of a text, lower-cased, in order.

    A word is a run of letters and digits with the marks that belong to them; hyphens, apostrophes, points and commas
    inside it stay. Other punctuation and emoji are no words, and a text without spaces is as many words as its
    punctuation leaves. English texts give what :func:`lower_words` gives.

    >>> script_words("A man isn't (yet) in the X-ray room 🙂!")
    ['a', 'man', "isn't", 'yet', 'in', 'the', 'x-ray', 'room']
    >>> len(script_words("हिन्दी में"))
    2
    """
    if text.isascii():
        return lower_words(text)
    return _pattern().findall(unicodedata.normalize("NFC", text.lower().replace("’", "'")))


@lru_cache(maxsize=1)
def marks() -> str:
    """Return, as a pattern, the marks and joiners that may follow a letter; listed one by one, hence only once.

    Without them, a Hindi or a pointed Arabic or Hebrew word would fall into its consonants; without the joiners of
    width zero, a Persian one into its parts.
    """
    listed = "".join(chr(code) for code in range(0x10000) if unicodedata.category(chr(code)).startswith("M"))
    return f"[{re.escape(listed)}\u200c\u200d]"


@lru_cache(maxsize=1)
def _pattern() -> re.Pattern[str]:
    letter = f"[^\\W_]{marks()}*"
    return re.compile(f"(?:{letter})+(?:[-.,'](?:{letter})+)*")
