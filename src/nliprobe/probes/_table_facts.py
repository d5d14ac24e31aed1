"""Read the rows of a table as facts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property, lru_cache

from nliprobe.base.identity import kept_by_identity
from nliprobe.language.cells import find_mentions
from nliprobe.language.cells.records import Date, Dates, Duration, Quantity, Value
from nliprobe.language.cells.units import CURRENCIES, DIMENSIONS
from nliprobe.language.values import is_single, value_places
from nliprobe.probes._claims import Stretch, plain
from nliprobe.probes._days import DAYS_OF_YEAR, SECONDS_OF_YEAR, day_number, days_of, whole, years_between
from nliprobe.probes._facts import Fact, Facts, Subject
from nliprobe.probes._spans import read_times
from nliprobe.probes._topic import Measure, Topic
from nliprobe.probes._topics import key_words, topic_named, topics_of
from nliprobe.task.table import Row, Table

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
_JOINED = re.compile(r"[/&]|\band\b|\bwith\b|\bincluding\b|…|\.\.\.|\d")
_NUMBER_FIRST = re.compile(r"\s*(\d{1,4})\s*(?:$|[,;(\[]|including)")
_CODES = frozenset([*CURRENCIES.values(), "FRF", "DEM"])
_OTHER_NAMES = frozenset(
    ["birth name", "other names", "other name", "also known as", "nickname", "nickname(s)", "native name", "full name",
     "born", "name"]
)  # fmt: skip
_AGES = {"born": topic_named("age"), "foaled": topic_named("age"), "died": topic_named("lifespan")}


@kept_by_identity(256)  # the pairs of a table come one after the other
def facts_of_table(table: Table) -> Facts:
    """Return what the rows of a table say; a table with columns has no keys, so nothing of it is compared."""
    subjects: list[Subject] = []
    names: list[str] = []
    for index, row in enumerate(table.rows):
        if row.values and not table.columns:
            subjects += [Subject(index, *one) for one in _subjects(row.key)]
            if _plain_key(row.key) in _OTHER_NAMES:
                names += row.values
    reader = _Reader(table)
    return Facts(tuple(subjects), reader.read, lambda: table.texts, _written(table.title), tuple(names))


@lru_cache(maxsize=8192)
def _plain_key(key: str) -> str:
    return key.strip(" :").lower()


@lru_cache(maxsize=8192)
def _subjects(key: str) -> tuple[tuple[Topic | None, Measure | None, tuple[str, ...]], ...]:
    """Return what a row may say, by its key."""
    topics = topics_of(key)
    made: list[tuple[Topic | None, Measure | None, tuple[str, ...]]] = []
    for topic in topics:
        made += [(topic, measure, ()) for measure in topic.cues]
    if key_words(key) and (not topics or topics[0].name == "population"):
        made.append((None, None, key_words(key)))
    if _plain_key(key) in _AGES:
        made.append((_AGES[_plain_key(key)], Measure.YEARS, ()))
    return tuple(made)


def _written(title: str) -> tuple[str, ...]:
    """Return how a hypothesis may write a title: whole, or without what is in parentheses."""
    short = _PARENTHESES.sub("", title).strip()
    return (title,) if short in ("", title) else (title, short)


class _Reader:
    """Reads the rows of one table."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def read(self, subject: Subject) -> Fact | None:
        """Return what a row says about a subject."""
        row = self._table.rows[subject.row]
        topic, measure = subject.topic, subject.measure
        if topic is None or measure is None:
            return _generic(row)
        if topic.name in ("age", "lifespan"):
            return self._age(row, topic)
        if measure is Measure.COUNT:
            count = _count(row)
            return None if count is None else Fact(topic, measure, (_point(count),), (Quantity(Fraction(count)),))
        values = [value for text in row.values for value in _values(text)]
        if measure is Measure.AMOUNT:
            return _amounts(topic, [one for one in values if isinstance(one, Quantity)])
        if measure is Measure.TIME:
            times = [one for one in values if isinstance(one, Duration)]
            return Fact(topic, measure, tuple([_point(one.seconds) for one in times]), tuple(times)) if times else None
        if topic.name == "marriage" and len(_WEDDING.findall(" ".join(row.values))) != 1:
            return None
        dates = [one for one in values if isinstance(one, Date | Dates)]
        stretches, own = read_times(topic, measure, dates, lambda: self._now)
        return Fact(topic, measure, tuple(stretches), tuple(own)) if stretches else None

    @cached_property
    def _now(self) -> Stretch:
        """When a reader may read the table."""
        latest = _NOW_FIRST
        for row in self._table.rows:
            if _plain_key(row.key) in ("born", "foaled") and row.values and (age := _AGE.search(row.values[0])):
                born = _only_date(row.values[0])
                if born is not None and born.day is not None:
                    start = day_number(born.first) + int(age[1]) * DAYS_OF_YEAR
                    return Stretch(start, start + DAYS_OF_YEAR - 1)
            latest = max([latest, *[int(year) for value in row.values for year in _YEAR.findall(value)]])
        return Stretch(day_number((min(latest, _NOW_LAST), 1, 1)), day_number((_NOW_LAST, 12, 31)))

    def _age(self, row: Row, topic: Topic) -> Fact | None:
        """Return how old somebody is, or was at death."""
        text = " ".join(row.values).replace("\xa0", " ")
        if topic.name == "age":
            age = _AGE.search(text)
            # Since the table was written, a birthday may have been.
            years = Stretch(Fraction(age[1]), Fraction(int(age[1]) + 1)) if age else None
            return None if years is None else Fact(topic, Measure.YEARS, (years,))
        aged = _AGED.search(text)
        if aged is None:
            return self._lifespan(row, topic)
        own = () if aged[2] else (Duration(Fraction(int(aged[1]) * SECONDS_OF_YEAR)),)
        return Fact(topic, Measure.YEARS, (Stretch(Fraction(aged[1]), Fraction(aged[2] or aged[1])),), own)

    def _lifespan(self, row: Row, topic: Topic) -> Fact | None:
        born = next((one for one in self._table.rows if _plain_key(one.key) in ("born", "foaled") and one.values), None)
        dates = [_only_date(one.values[0]) for one in (born, row) if one is not None]
        if len(dates) < 2 or dates[0] is None or dates[1] is None:
            return None
        return Fact(topic, Measure.YEARS, (years_between(whole(dates[0]), whole(dates[1])),))


@lru_cache(maxsize=64)  # several subjects of a row read the same text
def _values(text: str) -> tuple[Value, ...]:
    """Return what a cell mentions outside of parentheses, or inside where there is nothing outside."""
    plain = text.replace("\xa0", " ")
    outside = plain
    if "(" in plain or "[" in plain:
        outside = _PARENTHESES.sub(" ", _ISO.sub(" ", plain))
    mentions = find_mentions(_CLOCK.sub(":", outside) if ":" in outside else outside)
    if not mentions and outside != plain:
        mentions = find_mentions(plain)
    return tuple([mention.value for mention in mentions])


def _only_date(text: str) -> Date | None:
    dates = [one for one in _values(text) if isinstance(one, Date)]
    return dates[0] if dates else None


def _generic(row: Row) -> Fact | None:
    """Return what a row says whose key only its own words explain, if all its values are of one kind."""
    values = [value for text in row.values for value in _values(text)]
    amounts = [one for one in values if isinstance(one, Quantity)]
    if amounts:
        return _amounts(None, amounts)
    times = [one for one in values if isinstance(one, Date | Dates)]
    if times:
        return Fact(None, Measure.DAY, tuple([whole(one) for one in times]), tuple(times))
    durations = [one for one in values if isinstance(one, Duration)]
    return (
        Fact(None, Measure.TIME, tuple([_point(one.seconds) for one in durations]), tuple(durations))
        if durations
        else None
    )


def _amounts(topic: Topic | None, amounts: Sequence[Quantity]) -> Fact | None:
    if not amounts:
        return None
    dimension = dimension_of(amounts[0])
    alike = tuple([one for one in amounts if dimension_of(one) == dimension])
    if topic is None and len(alike) < len(amounts):
        return None
    return Fact(topic, Measure.AMOUNT, tuple([_stretch(one) for one in alike]), alike, dimension)


def _count(row: Row) -> int | None:
    """Return how many items a row lists; None where that is not sure."""
    if len(row.values) > 1:
        items = [_PARENTHESES.sub("", value) for value in row.values]
        sure = all((is_single(item) and not _JOINED.search(item)) or _MARRIED.search(value)
                   for item, value in zip(items, row.values, strict=True))  # fmt: skip
        return len(row.values) if sure else None
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
    return 1 if is_single(value) and not _JOINED.search(_PARENTHESES.sub("", value)) else None


def dimension_of(quantity: Quantity) -> str:
    """Return the dimension or currency of an amount; nothing for a plain number."""
    unit = quantity.unit
    if unit in DIMENSIONS:
        return DIMENSIONS[unit][0]
    return unit if unit in _CODES or unit == "ordinal" else ""


def base_value(quantity: Quantity) -> tuple[Fraction, Fraction]:
    """Return both ends of an amount in the base unit of its dimension."""
    upper = quantity.value if quantity.upper is None else quantity.upper
    if quantity.unit not in DIMENSIONS:
        return quantity.value, upper
    factor = DIMENSIONS[quantity.unit][1]
    return quantity.value * factor, upper * factor


def _stretch(quantity: Quantity) -> Stretch:
    low, high = base_value(quantity)
    if quantity.about:
        return Stretch(low * Fraction(3, 4), high * Fraction(5, 4))
    return Stretch(plain(low), plain(high))


def _point(value: Fraction | int) -> Stretch:
    return Stretch(plain(value), plain(value))


__all__ = ["base_value", "days_of", "dimension_of", "facts_of_table"]
