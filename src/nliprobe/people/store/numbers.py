"""Numbers that every database can hold."""

from __future__ import annotations

from typing import Final

from nliprobe.base.errors import UsageError

# PostgreSQL keeps whole numbers in four bytes, SQLite in eight; a store should be able to move from one to the other.
LARGEST_NUMBER: Final = 2**31 - 1


def require_storable(what: str, value: float | None) -> None:
    """Raise a UsageError if a number is too large for a store.

    >>> require_storable("The seed", 3)
    >>> require_storable("The seed", 2**31)
    Traceback (most recent call last):
    ...
    nliprobe.base.errors.UsageError: The seed should be at most 2,147,483,647.
    """
    if value is not None and abs(value) > LARGEST_NUMBER:
        raise UsageError(f"{what} should be at most {LARGEST_NUMBER:,}.")
