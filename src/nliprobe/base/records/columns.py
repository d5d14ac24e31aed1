"""Which column of a record holds what: the first of several names that people use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from nliprobe.base.errors import DataError, did_you_mean


def guess_column(record: Mapping[str, object], candidates: Sequence[str]) -> str | None:
    """The first candidate among a record's columns; where none is there exactly, capitals do not matter."""
    for name in candidates:
        if name in record:
            return name
    plain = {name.strip().casefold(): name for name in record}
    return next((plain[name.casefold()] for name in candidates if name.casefold() in plain), None)


def column(record: Mapping[str, object], candidates: Sequence[str], place: str, what: str = "") -> str:
    """The first candidate among a record's columns, or a message that names the columns there are.

    >>> column({"sentence1": "a", "label": "e"}, ["premise", "sentence1"], "x.csv, line 2")
    'sentence1'
    """
    found = guess_column(record, candidates)
    if found is not None:
        return found
    wanted = " or ".join(f"'{name}'" for name in candidates[:4])
    hint = did_you_mean(candidates[0], record)
    hint = hint if hint.startswith("Did") else f"Name it with {what}=COLUMN." if what else ""
    there = ", ".join(record) or "none"
    raise DataError(f"{place}: there is no column {wanted}; the columns are {there}. {hint}".rstrip())
