"""Seasons: which of them a day is in, by the calendar of the north, as far as everybody agrees."""

from __future__ import annotations

from nliprobe.language.cells.records import Date

SEASONS = ("winter", "spring", "summer", "fall", "autumn")
OTHERS = {
    "winter": ("summer", "spring", "fall"),
    "spring": ("fall", "winter", "summer"),
    "summer": ("winter", "spring", "fall"),
    "fall": ("spring", "summer", "winter"),
    "autumn": ("spring", "summer", "winter"),
}
# By whole months, and by solstice and equinox, when the last month of each begins with the season before.
_BY_MONTH = {month: season for season, months in (
    ("winter", (12, 1, 2)), ("spring", (3, 4, 5)), ("summer", (6, 7, 8)), ("fall", (9, 10, 11)),
) for month in months}  # fmt: skip
_TURN = 21


def season_truth(season: str, date: Date) -> bool | None:
    """Tell whether a date is in a season; None where the month is not known or the two calendars differ.

    >>> season_truth("winter", Date(1936, 2, 11)), season_truth("fall", Date(1936, 12, 5))
    (True, None)
    """
    if date.month is None or date.years != 1:
        return None
    name = "fall" if season == "autumn" else season
    by_month = _BY_MONTH[date.month]
    if date.month % 3 or (date.day is not None and date.day > _TURN + 2):
        return by_month == name
    before = _BY_MONTH[(date.month - 2) % 12 + 1]
    return None if name in (by_month, before) else False


def season_of(date: Date) -> str | None:
    """Return the season that a date is in for everybody, or None."""
    for season in SEASONS[:4]:
        if season_truth(season, date):
            return season
    return None
