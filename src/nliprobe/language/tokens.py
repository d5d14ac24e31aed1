"""Split English texts into tokens as word vectors have them: words, clitics, numbers and single marks."""

from __future__ import annotations

import re

# A clitic is taken off its word: "doesn't" is does + n't, "dog's" is dog + 's.
_TOKEN = re.compile(
    r"[^\W\d_]+(?=n't\b)|n't\b|'(?:s|re|ve|ll|d|m)\b"
    r"|[^\W\d_]+(?:[-.](?=[^\W\d_])[^\W\d_]+)*|\d+(?:[.,:]\d+)*|[^\w\s]|_+"
)


def tokens(text: str) -> list[str]:
    """Return the tokens of a text, lower-cased, in order.

    >>> tokens("The dogs aren't at John's X-ray, 3.5 km away.")
    ['the', 'dogs', 'are', "n't", 'at', 'john', "'s", 'x-ray', ',', '3.5', 'km', 'away', '.']
    """
    return _TOKEN.findall(text.lower().replace("’", "'"))
