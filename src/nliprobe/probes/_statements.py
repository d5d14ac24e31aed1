"""Read what a hypothesis says with a number, a date or a duration, so that facts can make it true or false."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple

from nliprobe.language.cells.records import CellType, Date, Dates, Duration, Mention, Quantity
from nliprobe.probes._claims import Claim, Relation, Stretch, claim, plain
from nliprobe.probes._days import DAYS_OF_YEAR, SECONDS_OF_YEAR, days_of
from nliprobe.probes._facts import Fact
from nliprobe.probes._governing import Governor, Part, governor_of
from nliprobe.probes._seasons import SEASONS, season_truth
from nliprobe.probes._table_facts import base_value
from nliprobe.probes._topic import Measure

_DAY_MEASURES = frozenset([Measure.DAY, Measure.START, Measure.END])
_SEASON = re.compile(rf"\b({'|'.join(SEASONS)})(?:time)?,?\s+(?:of\s+)?(?:the\s+year\s+)?$", re.IGNORECASE)
_HOUR = 3600
_STRICT = frozenset(["exactly", "precisely"])  # what they govern is not rounded
_AGES = frozenset(["age", "lifespan"])  # people count whole years
# "About 1500" is within some years of it, whatever the number of the year is.
_ABOUT_DATE = 20 * DAYS_OF_YEAR


class Statement(NamedTuple):
    """A mention, what governs it, and whether it is denied."""

    mention: Mention
    governor: Governor
    season: str = ""
    denied: bool = False

    def with_value(self, value: Quantity | Date | Dates | Duration) -> Statement:
        """Return the same statement with another value."""
        start, stop, kind, _ = self.mention
        return Statement(Mention(start, stop, kind, value), self.governor, self.season, self.denied)

    def truth(self, fact: Fact) -> bool | None:
        """Return whether a fact makes the statement true or false, None where that is open."""
        if isinstance(self.mention.value, Dates):
            truth = _span_truth(self.mention.value, fact)
            return truth if truth is None else truth != self.denied
        if self.season and fact.measure in _DAY_MEASURES:
            return self._with_season(fact)
        said = self._claim(fact)
        return None if said is None else said.truth(fact.values)

    def _with_season(self, fact: Fact) -> bool | None:
        said = self._claim(fact)
        in_year = None if said is None else said._replace(denied=False).truth(fact.values)
        in_season = {season_truth(self.season, one) if isinstance(one, Date) else None for one in fact.own}
        truths = {in_year, in_season.pop() if len(in_season) == 1 else None}
        truth = False if False in truths else None if None in truths else True
        return truth if truth is None else truth != self.denied

    def _claim(self, fact: Fact) -> Claim | None:
        value, relation, part = self.mention.value, self.governor.relation, self.governor.part
        if isinstance(value, Date):
            if fact.measure not in _DAY_MEASURES:
                return None
            made = _date_claim(value, relation, part)
        elif isinstance(value, Dates):
            return None
        elif isinstance(value, Duration):
            made = _duration_claim(value, relation, fact)
        else:
            made = _amount_claim(value, relation, fact, rounded=self.governor.words not in _STRICT)
        return made._replace(denied=True) if made is not None and self.denied else made


def _span_truth(said: Dates, fact: Fact) -> bool | None:
    """Tell whether a stretch of time is the one that a row gives, or whether a day is in it."""
    if fact.measure is Measure.DAY:
        end = None if said.end is None else days_of(said.end).high
        stretch = Stretch(days_of(said.start).low, end)
        return Claim(stretch, stretch).truth(fact.values)
    own = fact.own[0] if fact.measure is Measure.SPAN and fact.own else None
    if not isinstance(own, Dates):
        return None
    starts = claim_of_date(said.start).truth([days_of(own.start)])
    if said.end is None or own.end is None:
        ends = True if said.end is own.end else None
    else:
        ends = claim_of_date(said.end).truth([days_of(own.end)])
    return False if False in (starts, ends) else None if None in (starts, ends) else True


def claim_of_date(date: Date) -> Claim:
    """Return what a date claims about a day that it names."""
    return Claim(days_of(date), days_of(date))


def _date_claim(date: Date, relation: Relation, part: Part) -> Claim | None:
    days = days_of(date)
    assert days.low is not None
    assert days.high is not None
    if part is Part.OPEN or (part is not Part.WHOLE and relation is not Relation.EXACT):
        return None
    if part is not Part.WHOLE:
        return _part_claim(part, days.low, days.high + 1)
    if relation in (Relation.ABOUT, Relation.NEARLY, Relation.JUST_ABOVE):
        core = Stretch(days.low, days.high)
        return Claim(core, Stretch(days.low - _ABOUT_DATE, days.high + _ABOUT_DATE))
    return claim(relation, days.low, days.high)


# Which share of a year, decade or century such words surely mean, and which they may mean.
_SHARES = {
    Part.EARLY: ((0, 25), (0, 50)),
    Part.MIDDLE: ((40, 60), (20, 80)),
    Part.LATE: ((75, 100), (50, 100)),
    Part.FIRST_HALF: ((0, 49), (0, 51)),
    Part.LAST_HALF: ((51, 100), (49, 100)),
}


def _part_claim(part: Part, low: Fraction | int, high: Fraction | int) -> Claim:
    size = Fraction(high - low) / 100
    core, hull = (Stretch(low + size * start, low + size * stop - 1) for start, stop in _SHARES[part])
    return Claim(core, hull)


def _duration_claim(value: Duration, relation: Relation, fact: Fact) -> Claim | None:
    if fact.measure is Measure.TIME:
        seconds = plain(value.seconds)
        return claim(relation, seconds, seconds, 60 if seconds % _HOUR else _HOUR // 2)
    if fact.measure not in (Measure.YEARS, Measure.AGO):
        return None
    years = plain(value.seconds / SECONDS_OF_YEAR)
    if fact.topic is not None and fact.topic.name in _AGES:
        return claim(relation, years, years)
    rounding = 5 if years % 10 == 0 and years >= 20 else 1
    if relation in (Relation.ABOVE, Relation.BELOW, Relation.AT_LEAST, Relation.AT_MOST):
        # Years are counted from calendar years, so one year more or less decides nothing.
        edge = claim(relation, years, years)
        outer = years - 1 if relation in (Relation.ABOVE, Relation.AT_LEAST) else years + 1
        wide = claim(relation, outer, outer)
        return Claim(edge.core, wide.hull)
    return claim(relation, years, years, rounding)


def _amount_claim(value: Quantity, relation: Relation, fact: Fact, *, rounded: bool) -> Claim | None:
    if fact.measure is Measure.YEARS and fact.topic is not None and fact.topic.name in _AGES:
        return claim(relation, value.value, value.value)
    if fact.measure is Measure.COUNT:
        if value.value.denominator != 1:
            return None
        made = claim(relation, plain(value.value), plain(value.upper or value.value))
        is_open = fact.open and relation is Relation.EXACT
        return made._replace(hull=made.hull._replace(high=None)) if is_open else made
    if fact.measure is not Measure.AMOUNT:
        return None
    low, high = base_value(value)
    place = _last_place(value.value) if rounded else 0
    rounding = low * place / (2 * value.value) if place else 0
    if relation in (Relation.ABOVE, Relation.BELOW, Relation.AT_LEAST, Relation.AT_MOST) and fact.dimension not in (
        "",
        "USD",
    ):
        # Converted units are rounded: 5,280 ft and 1 mile are the same height.
        slack = max(abs(low), abs(high)) / 200
        return _with_slack(relation, low, high, slack)
    return claim(relation, plain(low), plain(high), rounding)


def _with_slack(relation: Relation, low: Fraction, high: Fraction, slack: Fraction) -> Claim:
    inner, outer = (1, -1) if relation in (Relation.ABOVE, Relation.AT_LEAST) else (-1, 1)
    core = claim(relation, low + inner * slack, high + inner * slack).core
    return Claim(core, claim(relation, low + outer * slack, high + outer * slack).hull)


def _last_place(value: Fraction) -> Fraction | int:
    """Return the place of the last digit that is not 0: numbers are rounded to it. Small whole numbers are exact.

    >>> [str(_last_place(Fraction(number))) for number in (12, 250, 3_000_000, Fraction("4.5"))]
    ['0', '10', '1000000', '1/10']
    """
    if value.denominator != 1:
        place = Fraction(1)
        while (value / place).denominator != 1 and place > Fraction(1, 10**9):
            place /= 10
        return place
    whole, size = abs(value.numerator), 1
    if whole < 100:
        return 0
    while whole % 10 == 0:
        whole //= 10
        size *= 10
    return size


def statement_of(text: str, mention: Mention, *, denied: bool = False) -> Statement:
    """Return a mention of a text with what governs it; whether it is denied is for the clause to say."""
    is_date = mention.type in (CellType.DATE, CellType.DATES)
    governor = governor_of(text, mention.start, mention.stop, date=is_date)
    season = _SEASON.search(text, max(0, mention.start - 40), mention.start) if is_date else None
    if season is not None:
        governor = governor_of(text, season.start(), mention.stop, date=True)
    return Statement(mention, governor, season[1].lower() if season else "", denied)
