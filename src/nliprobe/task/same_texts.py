"""Recognise a pair by its texts in copies of a corpus that differ in case, spaces, quotes and brackets."""

from __future__ import annotations

import re

from nliprobe.base.hashing import digest
from nliprobe.task.pair import Pair
from nliprobe.task.table import Table

_MARKS = re.compile(r"[\W_]+")
# How treebank tokenisers write brackets.
_BRACKETS = re.compile(r"-(?:LRB|RRB|LSB|RSB|LCB|RCB)-", re.IGNORECASE)


def same_texts(pair: Pair) -> str:
    """Return what pairs with the same premise and hypothesis share, however their texts are tokenised.

    >>> a, b = Pair("1", "He (a boy) can't.", "A boy"), Pair("2", "he -LRB- a boy -RRB- ca n't .", "a boy")
    >>> same_texts(a) == same_texts(b)
    True
    """
    premise = pair.premise.to_json() if isinstance(pair.premise, Table) else plain_text(pair.premise)
    return digest(premise, plain_text(pair.hypothesis))


def plain_text(text: str) -> str:
    """Return the letters and digits of a text, without case; the text itself if it has none.

    >>> plain_text("It 's 4 -LRB- four -RRB- .")
    'its4four'
    """
    return _MARKS.sub("", _BRACKETS.sub("", text)).casefold() or text
