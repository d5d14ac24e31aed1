"""Read what the rows of a table say as facts that numbers, dates and durations of a hypothesis can be compared with."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from nliprobe.language.cells import find_mentions
from nliprobe.language.cells.records import CellType, Date, Dates, Duration, Mention, Quantity, Value
from nliprobe.language.cells.units import CURRENCIES, DIMENSIONS
from nliprobe.language.values import is_single, value_places
from nliprobe.probes._claims import Stretch
from nliprobe.probes._topics import Measure, Topic, key_words, stem, topic_named, topics_of
from nliprobe.task.table import Row, Table

# Days are counted with 31 to each month: only their order and rough distance matter.
DAYS_OF_YEAR = 372
SECONDS_OF_YEAR = 31_557_600
# "Present" is when a reader reads the table, so what depends on it must hold in all these years. Where a row says how
# old somebody is, the table dates itself.
_NOW_FIRST, _NOW_LAST = 2018, 2030

_ISO = re.compile(r"\(\s*\d{4}-\d\d-\d\d\s*\)")
_PARENTHESES = re.compile(r"\([^()]*\)|\[[^\][]*\]")
_AGE = re.compile(r"\(\s*age\s*(\d{1,3})\s*\)", re.IGNORECASE)
_AGED = re.compile(r"\(\s*aged\s*(?:about\s*)?(\d{1,3})(?:\s*[-–]\s*(\d{1,3}))?\s*\)", re.IGNORECASE)
_YEAR = re.compile(r"(?<!\d)20[12]\d(?!\d)")
_CLOCK = re.compile(r"(?<=\d)\s*:\s*(?=\d\d)")
_MARRIED = re.compile(r"\(\s*m\.|\bmarried\b|\bdiv\.", re.IGNORECASE)
_WEDDING = re.compile(r"\(\s*m\.", re.IGNORECASE)
_CODES = frozenset([*CURRENCIES.values(), "FRF", "DEM"])
_SLASH = re.compile(r"[/&]|\band\b|\bwith\b")
_NUMBER_FIRST = re.compile(r"\s*(\d{1,4})\s*(?:$|[,;(\[]|including)")


_AGE_TOPIC, _LIFE_TOPIC = topic_named("age"), topic_named("lifespan")


class Fact(NamedTuple):
    """One thing that a row says.

    Attributes:
        row: the row's place in the table.
        topic: what it is about, None where only the words of the key say so.
        measure: what is measured.
        values: what the value may be; several where the row gives several values.
        dimension: for amounts, the dimension of the unit or the currency.
        own: the values as the row gives them, in the same order.
        words: the stems of the key's words, for rows without a topic.
        open: whether there may be more than is said: who speaks of two men may mean two of three. Rows are complete.
    """

    row: int
    topic: Topic | None
    measure: Measure
    values: tuple[Stretch, ...]
    own: tuple[Value, ...] = ()
    dimension: str = ""
    words: tuple[str, ...] = ()
    open: bool = False


class Facts(NamedTuple):
    """What a table says.

    Attributes:
        facts: the facts of its rows.
        names: its title and other names of what it is about.
        words: the stems of all its words.
        title: the stems of the words of the title, and of other names of what it is about.
    """

    facts: tuple[Fact, ...]
    names: tuple[str, ...]
    words: frozenset[str]
    title: frozenset[str]


_WORD = re.compile(r"[^\W\d_]+")
_OTHER_NAMES = re.compile(r"birth name|other names?|also known as|nickname.*|native name|full name|born|name", re.IGNORECASE)
_SMALL = frozenset("the of and in a an for at on to de la von van".split())


@lru_cache(maxsize=256)  # the pairs of a table come one after the other
def facts_of(table: Table) -> Facts:
    """Return the facts of a table."""
    now = _now(table)
    facts: list[Fact] = []
    names = {table.title}
    for index, row in enumerate(table.rows):
        if not table.columns:
            facts += _row_facts(index, row, now)
        if _OTHER_NAMES.fullmatch(row.key.strip(" :")):
            names.update(row.values)
    facts += _ages(table, facts)
    words = frozenset([stem(word) for text in table.texts for word in _WORD.findall(text.lower())])
    title = {stem(word) for name in names for word in _WORD.findall(name.lower()) if len(word) > 1} - _SMALL
    return Facts(tuple(facts), _written(table.title), words, frozenset(title))


def _written(title: str) -> tuple[str, ...]:
    """Return how a hypothesis may write a title: whole, or without what is in parentheses."""
    short = _PARENTHESES.sub("", title).strip()
    return (title,) if short in ("", title) else (title, short)


def day_number(day: tuple[int, int, int]) -> int:
    """Return a day as a number; there is no year 0."""
    year, month, date = day
    return (year if year > 0 else year + 1) * DAYS_OF_YEAR + (month - 1) * 31 + date - 1


def days_of(date: Date) -> Stretch:
    """Return the days that a date may be."""
    return Stretch(Fraction(day_number(date.first)), Fraction(day_number(date.last)))


def _now(table: Table) -> Stretch:
    latest = max(
        [int(year) for row in table.rows for value in row.values for year in _YEAR.findall(value)],
        default=_NOW_FIRST,
    )
    first = Date(min(max(latest, _NOW_FIRST), _NOW_LAST))
    for row in table.rows:
        if row.key.strip(" :").lower() in ("born", "foaled") and row.values:
            age = _AGE.search(row.values[0])
            dates = _dates(row.values[0])
            if age and len(dates) == 1 and isinstance(dates[0], Date) and dates[0].day is not None:
                start = day_number(dates[0].first) + int(age[1]) * DAYS_OF_YEAR
                return Stretch(Fraction(start), Fraction(start + DAYS_OF_YEAR - 1))
    return Stretch(days_of(first).low, days_of(Date(_NOW_LAST)).high)


def _plain(value: str) -> str:
    return _CLOCK.sub(":", _ISO.sub(" ", value.replace("\xa0", " ")))


def _mentions(value: str) -> tuple[Mention, ...]:
    """Return what a cell mentions outside of parentheses, or inside where there is nothing outside."""
    plain = _plain(value)
    outside = find_mentions(_PARENTHESES.sub(" ", plain))
    return outside or find_mentions(value.replace("\xa0", " "))


def _dates(value: str) -> list[Date | Dates]:
    return [one.value for one in _mentions(value) if isinstance(one.value, Date | Dates)]


def _row_facts(index: int, row: Row, now: Stretch) -> Iterator[Fact]:
    if not row.values:
        return
    topics = topics_of(row.key)
    if not topics:
        yield from _generic(index, row)
        return
    if topics[0].name == "population":
        yield from _generic(index, row)
    flat = [one.value for value in row.values for one in _mentions(value)]
    for topic in topics:
        if topic.name == "marriage" and len(_WEDDING.findall(" ".join(row.values))) != 1:
            continue
        for measure in topic.cues:
            yield from _topic_facts(index, row, topic, measure, flat, now)


def _topic_facts(
    index: int, row: Row, topic: Topic, measure: Measure, flat: Sequence[Value], now: Stretch
) -> Iterator[Fact]:
    values: list[Stretch] = []
    own: list[Value] = []
    dimension = ""
    if measure is Measure.COUNT:
        count = _count(row)
        if count is not None:
            values, own = [_point(count)], [Quantity(Fraction(count))]
    elif measure is Measure.AMOUNT:
        for one in flat:
            if isinstance(one, Quantity) and (not dimension or _dimension(one.unit) == dimension or not values):
                dimension = _dimension(one.unit)
                values.append(_amount(one))
                own.append(one)
    elif measure is Measure.TIME:
        own = [one for one in flat if isinstance(one, Duration)]
        values = [_point(one.seconds) for one in own if isinstance(one, Duration)]
    else:
        values, own = _times(measure, [one for one in flat if isinstance(one, Date | Dates)], now, topic)
    if values:
        yield Fact(index, topic, measure, tuple(values), tuple(own), dimension)


def _times(
    measure: Measure, times: Sequence[Date | Dates], now: Stretch, topic: Topic
) -> tuple[list[Stretch], list[Value]]:
    """Return what dates and stretches of time say about a day, a beginning, an end or a number of years."""
    if not times:
        return [], []
    if topic.name in ("birth", "death"):
        times = times[:1]
    starts = [one.start if isinstance(one, Dates) else one for one in times]
    if measure is Measure.DAY:
        return [_whole(one) for one in times], list(times)
    if measure is Measure.AGO:
        return [_years_between(days_of(one), now) for one in starts], []
    first = min(starts, key=lambda one: one.first)
    if measure is Measure.START:
        return [days_of(first)], [first]
    spans = [one for one in times if isinstance(one, Dates)]
    if measure is Measure.END:
        ends = [one.end for one in spans if one.end is not None]
        if len(spans) != len(times) or len(ends) != len(spans):
            return [], []
        last = max(ends, key=lambda one: one.last)
        return [days_of(last)], [last]
    if measure is Measure.SPAN:
        return ([_whole(spans[0])], [spans[0]]) if len(spans) == len(times) == 1 else ([], [])
    if topic.name == "marriage":
        return _marriage(times, now)
    if len(spans) != len(times):
        return [], []
    ends_at = [now if one.end is None else days_of(one.end) for one in spans]
    lengths = [_years_between(days_of(one.start), end) for one, end in zip(spans, ends_at, strict=True)]
    # With breaks, both the time from the first day to the last and the active years alone may be meant.
    whole = _years_between(days_of(first), max(ends_at, key=lambda one: one.high or 0))
    active = sum((one.low or Fraction(0) for one in lengths), Fraction(0))
    return [Stretch(min(active, whole.low or active), whole.high)], []


def _marriage(times: Sequence[Date | Dates], now: Stretch) -> tuple[list[Stretch], list[Value]]:
    """Return how long the only marriage of a row lasted: "(m. 2000; div. 2004)", "(m. 2016)"."""
    if len(times) == 1 and isinstance(times[0], Dates):
        end = days_of(times[0].end) if times[0].end else now
        return [_years_between(days_of(times[0].start), end)], []
    if len(times) == 2 and all(isinstance(one, Date) for one in times):
        return [_years_between(_whole(times[0]), _whole(times[1]))], []
    if len(times) == 1:
        return [_years_between(_whole(times[0]), now)], []
    return [], []


def _ages(table: Table, facts: Sequence[Fact]) -> Iterator[Fact]:
    """Yield how old somebody is, or was at death."""
    dates: dict[str, Stretch] = {}
    for fact in facts:
        if fact.topic is not None and fact.measure is Measure.DAY and fact.topic.name in ("birth", "death"):
            dates[fact.topic.name] = fact.values[0]
    for index, row in enumerate(table.rows):
        key = row.key.strip(" :").lower()
        text = " ".join(row.values).replace("\xa0", " ")
        if key in ("born", "foaled") and (age := _AGE.search(text)):
            # A reader may know that years have passed since the table was written.
            yield Fact(index, _AGE_TOPIC, Measure.YEARS, (Stretch(Fraction(age[1]), Fraction(int(age[1]) + 1)),))
        if key == "died":
            aged = _AGED.search(text)
            if aged:
                years = Stretch(Fraction(aged[1]), Fraction(int(aged[2] or aged[1])))
                yield Fact(index, _LIFE_TOPIC, Measure.YEARS, (years,), (_duration(int(aged[1])),) if not aged[2] else ())
            elif "birth" in dates and "death" in dates:
                yield Fact(index, _LIFE_TOPIC, Measure.YEARS, (_years_between(dates["birth"], dates["death"]),))


def _duration(years: int) -> Duration:
    return Duration(Fraction(years * SECONDS_OF_YEAR))


def _generic(index: int, row: Row) -> Iterator[Fact]:
    words = key_words(row.key)
    if not words:
        return
    flat = [one.value for value in row.values for one in _mentions(value)]
    times = [one for one in flat if isinstance(one, Date | Dates)]
    amounts = [one for one in flat if isinstance(one, Quantity)]
    durations = [one for one in flat if isinstance(one, Duration)]
    if times and not amounts:
        yield Fact(index, None, Measure.DAY, tuple([_whole(one) for one in times]), tuple(times), words=words)
    if durations and not times and not amounts:
        values = tuple([_point(one.seconds) for one in durations])
        yield Fact(index, None, Measure.TIME, values, tuple(durations), words=words)
    if amounts:
        dimension = _dimension(amounts[0].unit)
        alike = [one for one in amounts if _dimension(one.unit) == dimension]
        if len(alike) == len(amounts):
            yield Fact(index, None, Measure.AMOUNT, tuple(map(_amount, alike)), tuple(alike), dimension, words)


def _count(row: Row) -> int | None:
    """Return how many items a row lists; None where that is not sure."""
    if len(row.values) > 1:
        whole = all((is_single(value) and not _SLASH.search(value)) or _MARRIED.search(value) for value in row.values)
        return len(row.values) if whole else None
    value = row.values[0]
    number = _NUMBER_FIRST.match(value)
    if number is not None:
        return int(number[1])
    weddings = len(_WEDDING.findall(value))
    if weddings:
        return weddings
    places = value_places(row.key, row.values)
    if len(places) > 1:
        return len(places)
    return 1 if is_single(value) and not re.search(r"\b(?:and|with|including)\b|[&/0-9]|…|\.\.\.", value) else None


def _dimension(unit: str) -> str:
    if unit in DIMENSIONS:
        return DIMENSIONS[unit][0]
    return unit if unit in _CODES or unit == "ordinal" else ""


def base_value(quantity: Quantity) -> tuple[Fraction, Fraction]:
    """Return both ends of an amount in the base unit of its dimension."""
    factor = DIMENSIONS[quantity.unit][1] if quantity.unit in DIMENSIONS else Fraction(1)
    return quantity.value * factor, (quantity.upper or quantity.value) * factor


def dimension_of(quantity: Quantity) -> str:
    """Return the dimension or currency of an amount; nothing for a plain number."""
    return _dimension(quantity.unit)


def _amount(quantity: Quantity) -> Stretch:
    low, high = base_value(quantity)
    if quantity.about:
        return Stretch(low * Fraction(3, 4), high * Fraction(5, 4))
    return Stretch(low, high)


def _point(value: Fraction | int) -> Stretch:
    return Stretch(Fraction(value), Fraction(value))


def _whole(time: Date | Dates) -> Stretch:
    if isinstance(time, Date):
        days = days_of(time)
        slack = 10 * DAYS_OF_YEAR if time.about else 0
        return Stretch((days.low or Fraction(0)) - slack, (days.high or Fraction(0)) + slack)
    return Stretch(days_of(time.start).low, days_of(time.end).high if time.end else None)


def _years_between(start: Stretch, end: Stretch) -> Stretch:
    assert start.low is not None and start.high is not None and end.low is not None
    high = None if end.high is None else (end.high - start.low) / DAYS_OF_YEAR
    return Stretch(max(Fraction(0), (end.low - start.high) / DAYS_OF_YEAR), high)
