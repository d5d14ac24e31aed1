"""Write a value in the manner of a mention."""

from __future__ import annotations

from functools import lru_cache

from nliprobe.base.errors import UsageError
from nliprobe.language.cells._write_amounts import write_duration, write_quantity
from nliprobe.language.cells._write_times import write_date, write_dates
from nliprobe.language.cells.mentions import find_mentions
from nliprobe.language.cells.records import Date, Dates, Duration, Mention, Quantity

# The values of a corpus, such as its years, come again and again.
_find = lru_cache(maxsize=4096)(find_mentions)
# "1990 and 1997", "first", "90s" and "half" are mentions only beside such words.
_CONTEXTS = (("", ""), ("between ", ""), ("the ", ""), ("the early ", ""), ("", " of them"))


def write_mention(value: Quantity | Date | Dates | Duration, like: str) -> str:
    """Return a value written like a mention, such that reading it gives the value again.

    Args:
        value: what to write; of the mention's kind and, for quantities, of its unit.
        like: the text of a mention; what stands around the mention in it stays.

    Raises:
        UsageError: the value has no exact form in that manner.

    >>> from fractions import Fraction
    >>> write_mention(Duration(Fraction(3360)), "46 minutes"), write_mention(Date(1989, 3), "March 1979")
    ('56 minutes', 'March 1989')
    >>> write_mention(Quantity(Fraction(6_750_000), "USD"), "$4.5 million")
    '$6.75 million'
    """
    mention = _read(like)
    if mention is None or not _fits(value, mention.value):
        raise UsageError(f"{_named(value)} cannot be written like {like!r}. Give a mention of the same kind and unit.")
    manner = like[mention.start : mention.stop]
    if isinstance(value, Date):
        written = write_date(value, manner)
    elif isinstance(value, Dates):
        written = write_dates(value, manner)
    elif isinstance(value, Duration):
        written = write_duration(value, manner)
    else:
        written = write_quantity(value, manner)
    text = like[: mention.start] + written + like[mention.stop :]
    if not any(_reads(before, text, after, value) for before, after in _CONTEXTS):
        raise UsageError(f"{_named(value)} has no exact form like {like!r}: {written!r} would say something else.")
    return text


# Probes write several values like one mention.
@lru_cache(maxsize=4096)
def _read(like: str) -> Mention | None:
    """Return the first mention of a text, by itself or in a context that shows that it is one."""
    if " and " in like:
        alone, joined = _find(like), _in_context("between ", like, "")
        if joined and len(joined) < len(alone):
            return joined[0]
    for before, after in _CONTEXTS:
        if mentions := _in_context(before, like, after):
            return mentions[0]
    return None


def _in_context(before: str, text: str, after: str) -> list[Mention]:
    """Return the mentions of a text between other words, with their places in the text alone."""
    shift = len(before)
    mentions = [
        mention._replace(start=mention.start - shift, stop=mention.stop - shift)
        for mention in _find(before + text + after)
    ]
    return [mention for mention in mentions if mention.start >= 0 and mention.stop <= len(text)]


def _reads(before: str, text: str, after: str, value: Quantity | Date | Dates | Duration) -> bool:
    start, stop = len(before), len(before) + len(text)
    for mention in _find(before + text + after):
        if mention.start >= start and mention.stop <= stop:
            return mention.value == value
    return False


def _fits(value: Quantity | Date | Dates | Duration, like: Quantity | Date | Dates | Duration) -> bool:
    if isinstance(value, Quantity):
        return isinstance(like, Quantity) and value.unit == like.unit
    return isinstance(value, Duration) == isinstance(like, Duration) and not isinstance(like, Quantity)


def _named(value: Quantity | Date | Dates | Duration) -> str:
    if isinstance(value, Quantity):
        return f"The number {value.value} {value.unit}".strip()
    return f"{value!r}"
