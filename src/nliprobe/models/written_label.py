"""Reading the label from what a chat model wrote, by strict rules: what they do not cover is no answer.

1. Reasoning between ``<think>`` and ``</think>`` (or thinking, thought, reasoning) does not count; reasoning without an
   end is no answer.
2. Where the prompt says what stands before the answer (``answer_after``), only what follows its last occurrence counts.
3. A JSON object, also as a Markdown block, is the label under its key ``label``.
4. Anything else is a label if it is the word alone, in any case, with nothing around it but quotes, stars, brackets,
   full stops and "answer:", "label:", "the answer is" and the like.
5. A first line of that kind counts if the lines after it have no label word in them at all.

So *The answer is not entailment*, *entailment or neutral* and *entailment?* are no answers.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

_NAMES = "think|thinking|thought|reasoning"
_REASONING_ENDS = re.compile(rf"</(?:{_NAMES})>", re.IGNORECASE)
_REASONING_BEGINS = re.compile(rf"<(?:{_NAMES})>", re.IGNORECASE)
_FENCE = re.compile(r"```(?:json)?\s*(\{.*\})\s*```", re.DOTALL | re.IGNORECASE)
# What may stand around a label; a question mark may not.
_AROUND = r"[\s*_`\"'“”‘’«».:!()\[\]#>-]*"
_INTRODUCTION = (
    r"(?:(?:the\s+|my\s+)?(?:final\s+|correct\s+|right\s+)?"
    r"(?:answer|label|relation|relationship|verdict|judg(?:e)?ment|classification)\b(?:\s+is\b)?)?"
)
# A label with what may stand around it is shorter than this.
_LONGEST = 300
_KEY = re.compile(r'"label"\s*:\s*"')


class Reading(NamedTuple):
    """What was read: the label word and where it begins in the text, or the reason why there is none."""

    word: str | None
    start: int = -1
    problem: str = ""


def read_label(text: str, words: Sequence[str], after: str = "") -> Reading:
    """Read the label of an answer.

    >>> read_label("**Neutral.**", ["entailment", "neutral", "contradiction"]).word
    'neutral'
    >>> read_label("The answer is not entailment.", ["entailment", "neutral", "contradiction"]).problem
    'it is not one of the labels'

    Args:
        text: what the model wrote.
        words: the label words.
        after: what stands before the answer, if the prompt says so.
    """
    ends = [match.end() for match in _REASONING_ENDS.finditer(text)]
    start = ends[-1] if ends else 0
    if _REASONING_BEGINS.search(text, start):
        return Reading(None, problem="its reasoning has no end")
    if after:
        places = [match.end() for match in re.finditer(re.escape(after), text[start:], re.IGNORECASE)]
        if not places:
            return Reading(None, problem=f"nothing follows '{after}'")
        start += places[-1]
    answer = text[start:]
    if not answer.strip():
        return Reading(None, problem="it is empty")
    fenced = _FENCE.fullmatch(answer.strip())
    inside = fenced[1] if fenced else answer.strip()
    if inside.startswith("{"):
        return _read_json(text, start, inside, words)
    return _read_word(answer, start, words)


def _read_word(answer: str, start: int, words: Sequence[str]) -> Reading:
    alone, anywhere = _patterns(tuple(words))
    start += len(answer) - len(answer.lstrip())
    answer = answer.strip()
    first, _, rest = answer.partition("\n")
    match = alone.fullmatch(answer) if len(answer) <= _LONGEST else None
    if match is None and len(first) <= _LONGEST:
        match = alone.fullmatch(first)
        if match is not None and anywhere.search(rest):
            return Reading(None, problem="it names labels again after the label")
    word = _spelt(match[1], words) if match is not None else None
    if match is None or word is None:
        return Reading(None, problem="it is not one of the labels")
    return Reading(word, start + match.start(1))


def _read_json(text: str, start: int, content: str, words: Sequence[str]) -> Reading:
    try:
        record = json.loads(content, object_pairs_hook=_once)
    except (ValueError, RecursionError):
        return Reading(None, problem="it is not JSON")
    label = record.get("label") if isinstance(record, dict) else None
    word = _spelt(label.strip(), words) if isinstance(label, str) else None
    if word is None:
        return Reading(None, problem="it is JSON without one of the labels")
    places = [match.end() for match in _KEY.finditer(text, start)]
    found = len(places) == 1 and text[places[0] : places[0] + len(word)].casefold() == word.casefold()
    return Reading(word, places[0] if found else -1)


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    record = dict(pairs)
    if len(record) < len(pairs):
        raise ValueError("a key is given twice")
    return record


def _spelt(text: str, words: Sequence[str]) -> str | None:
    return next((word for word in words if word.casefold() == text.casefold()), None)


@lru_cache(64)
def _patterns(words: tuple[str, ...]) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return what a label alone looks like, and a label anywhere."""
    either = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
    alone = rf"{_AROUND}{_INTRODUCTION}{_AROUND}({either}){_AROUND}"
    return re.compile(alone, re.IGNORECASE), re.compile(rf"(?<!\w)(?:{either})(?!\w)", re.IGNORECASE)
