"""Read what the dates of a row say about a day, a beginning, an end, a stretch of time or a number of years."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from nliprobe.language.cells.records import Date, Dates, Value
from nliprobe.probes._claims import Stretch
from nliprobe.probes._days import days_of, whole, years_between
from nliprobe.probes._topic import Measure, Topic

_Read = tuple[list[Stretch], list[Value]]


def read_times(topic: Topic, measure: Measure, times: Sequence[Date | Dates], now: Callable[[], Stretch]) -> _Read:
    """Return what the dates of a row say, and the dates it comes from.

    Args:
        topic: what the row is about.
        measure: what is asked for.
        times: the dates and stretches of time that the row gives.
        now: when the table may be read.
    """
    if not times:
        return [], []
    if topic.name in ("birth", "death"):
        times = times[:1]
    starts = [one.start if isinstance(one, Dates) else one for one in times]
    if measure is Measure.DAY:
        return [whole(one) for one in times], list(times)
    if measure is Measure.AGO:
        return [years_between(whole(one), now()) for one in starts], []
    first = min(starts, key=lambda one: one.first)
    if measure is Measure.START:
        return [whole(first)], [first]
    if topic.name == "marriage":
        return _marriage(times, now), []
    spans = [one for one in times if isinstance(one, Dates)]
    if len(spans) != len(times):
        return [], []
    if measure is Measure.SPAN:
        return ([whole(spans[0])], [spans[0]]) if len(spans) == 1 else ([], [])
    if measure is Measure.END:
        return _end(spans)
    return [_years(first, spans, now)], []


def _end(spans: Sequence[Dates]) -> _Read:
    ends = [one.end for one in spans if one.end is not None]
    if len(ends) != len(spans):
        return [], []
    last = max(ends, key=lambda one: one.last)
    return [days_of(last)], [last]


def _years(first: Date, spans: Sequence[Dates], now: Callable[[], Stretch]) -> Stretch:
    """Return how long something lasted; with breaks, all the time or the active years alone may be meant."""
    ends = [now() if one.end is None else days_of(one.end) for one in spans]
    lengths = [years_between(whole(one.start), end) for one, end in zip(spans, ends, strict=True)]
    total = years_between(whole(first), max(ends, key=lambda one: one.high or 0))
    active = sum([one.low or 0 for one in lengths], Fraction(0))
    if active > (total.low or 0):
        # Two stretches at the same time are two activities, and either may be meant.
        active = min([Fraction(one.low or 0) for one in lengths])
    return Stretch(min(active, Fraction(total.low or 0)), total.high)


def _marriage(times: Sequence[Date | Dates], now: Callable[[], Stretch]) -> list[Stretch]:
    """Return how long the only marriage of a row lasted: "(m. 2000; div. 2004)", "(m. 2016)"."""
    if len(times) == 1 and isinstance(times[0], Dates):
        end = days_of(times[0].end) if times[0].end else now()
        return [years_between(whole(times[0].start), end)]
    if len(times) == 2 and all(isinstance(one, Date) for one in times):
        return [years_between(whole(times[0]), whole(times[1]))]
    return [years_between(whole(times[0]), now())] if len(times) == 1 else []
