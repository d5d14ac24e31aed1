"""Fill marked blocks of a page with computed text, so that no number on it is typed by hand.

A block of the topic ``swap`` is ``<!-- swap NAME: begin -->`` to ``<!-- swap NAME: end -->``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence


def block_pattern(topic: str) -> re.Pattern[str]:
    """Return the pattern of the blocks of a topic; its first group is the name, its second one the text."""
    return re.compile(rf"<!-- {topic} ([\w-]+): begin -->(.*?)<!-- {topic} \1: end -->", re.DOTALL)


def fill_page(text: str, topic: str, make: Callable[[str], str]) -> str:
    """Return a page with every block of a topic made anew; other text stays as it is."""

    def computed(match: re.Match[str]) -> str:
        name = match[1]
        return f"<!-- {topic} {name}: begin -->{make(name)}<!-- {topic} {name}: end -->"

    return block_pattern(topic).sub(computed, text)


def markdown_table(head: Sequence[str], rows: Sequence[Sequence[str]], *, texts: int = 1) -> str:
    """Write a table as a block holds it; all columns but the first ``texts`` are numbers."""
    marks = ["---" if place < texts else "---:" for place in range(len(head))]
    lines = ["| " + " | ".join(cells) + " |" for cells in (head, marks, *rows)]
    return "\n\n" + "\n".join(lines) + "\n\n"
