"""Tell two versions of a table apart: rows that were added, removed or changed, and which of their values."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import NamedTuple

from nliprobe.task.table import Row, Table


class ValueDiff(NamedTuple):
    """One value of a row in both versions; None where a version does not have it."""

    before: str | None
    after: str | None

    @property
    def changed(self) -> bool:
        """Whether the versions differ here."""
        return self.before != self.after


class RowDiff(NamedTuple):
    """A row in both versions of a table, by its places; None where a version does not have it."""

    before: int | None
    after: int | None
    changed: bool


@dataclass(frozen=True, slots=True)
class TableDiff:
    """Two versions of a table with their rows side by side.

    Rows of an infobox belong together if their keys are equal (apart from case and spaces); a row whose key alone was
    changed is recognised by its values. Rows of a many-column table have no keys: they belong together by their order.

    Attributes:
        before: the original.
        after: the modified table.
        rows: all rows of both, in the order of the modified table; removed rows follow the one they followed.
    """

    before: Table
    after: Table
    rows: tuple[RowDiff, ...]

    @property
    def retitled(self) -> bool:
        """Whether the title was changed."""
        return self.before.title != self.after.title

    @property
    def reordered(self) -> bool:
        """Whether rows that both versions have are in another order."""
        places = [row.before for row in self.rows if row.before is not None and row.after is not None]
        return places != sorted(places)

    @property
    def removed(self) -> tuple[int, ...]:
        """The places of rows that only the original has."""
        return tuple(sorted(row.before for row in self.rows if row.before is not None and row.after is None))

    @property
    def added(self) -> tuple[int, ...]:
        """The places, in the modified table, of rows that only it has."""
        return tuple(sorted(row.after for row in self.rows if row.before is None and row.after is not None))

    @property
    def rows_before(self) -> tuple[int, ...]:
        """The places of the rows of the original that were changed or removed: its edit evidence."""
        return tuple(sorted(row.before for row in self.rows if row.changed and row.before is not None))

    @property
    def rows_after(self) -> tuple[int, ...]:
        """The places of the rows of the modified table that are changed or new."""
        return tuple(sorted(row.after for row in self.rows if row.changed and row.after is not None))

    def __bool__(self) -> bool:
        return self.before != self.after

    def values(self, row: RowDiff) -> tuple[ValueDiff, ...]:
        """Return the values of a row side by side; equal ones stay together where others were put in or taken out."""
        before = () if row.before is None else self.before.rows[row.before].values
        after = () if row.after is None else self.after.rows[row.after].values
        if self.before.columns or self.after.columns:
            return tuple(ValueDiff(*both) for both in zip_longest(before, after))
        return tuple(
            ValueDiff(*both)
            for start, stop, other, end in _stretches(before, after)
            for both in zip_longest(before[start:stop], after[other:end])
        )


def table_diff(before: Table, after: Table) -> TableDiff:
    """Compare two versions of a table.

    >>> film = Table("Up", (Row("Length", ("96",)), Row("Year", ("2009",))))
    >>> diff = table_diff(film, Table("Up", (Row("Length", ("90",)),)))
    >>> diff.rows_before, diff.removed, diff.rows_after
    ((0, 1), (1,), (0,))
    """
    if before.columns or after.columns:
        partners = dict(_by_order(before.rows, after.rows))
    else:
        partners = _by_key(before.rows, after.rows)
    followers: dict[int | None, list[int]] = defaultdict(list)
    last: int | None = None
    for place in range(len(before.rows)):
        if place in partners:
            last = partners[place]
        else:
            followers[last].append(place)
    sources = {other: place for place, other in partners.items()}
    rows = [RowDiff(place, None, changed=True) for place in followers[None]]
    for place, row in enumerate(after.rows):
        source = sources.get(place)
        rows.append(RowDiff(source, place, changed=source is None or before.rows[source] != row))
        rows += [RowDiff(removed, None, changed=True) for removed in followers[place]]
    return TableDiff(before, after, tuple(rows))


def same_key(key: str) -> str:
    """Return a key in the form in which keys are compared: without regard to case and spaces."""
    return "".join(key.casefold().split())


def _by_key(before: Sequence[Row], after: Sequence[Row]) -> dict[int, int]:
    """Match rows by their keys, exactly and then loosely, and what is left by its values; k-th with k-th."""
    # Most edits leave most rows as they are. Equal rows at the beginning are the k-th of their key in both tables; so
    # are those at the end if no row between has one of their keys.
    start, end = _alike(before, after)
    stop, other = len(before) - end, len(after) - end
    between = {row.key for row in (*before[start:stop], *after[start:other])}
    if any(row.key in between for row in before[stop:]):
        stop, other = len(before), len(after)
    partners = {place: place for place in range(start)}
    partners.update((place, place + other - stop) for place in range(stop, len(before)))
    left, right = list(range(start, stop)), list(range(start, other))
    for form in (_exact, _loose, _contents):
        if not left or not right:
            break
        waiting: dict[Hashable, list[int]] = defaultdict(list)
        for place in right:
            waiting[form(after[place])].append(place)
        matched: dict[int, int] = {}
        for place in left:
            if candidates := waiting.get(form(before[place])):
                matched[place] = candidates.pop(0)
        partners.update(matched)
        left = [place for place in left if place not in matched]
        right = sorted(set(right) - set(matched.values()))
    return partners


def _alike(before: Sequence[Row], after: Sequence[Row]) -> tuple[int, int]:
    """Count the rows that are equal at the beginning of two tables, and those of the rest at their end."""
    shorter = min(len(before), len(after))
    start = end = 0
    while start < shorter and before[start] == after[start]:
        start += 1
    while end < shorter - start and before[-1 - end] == after[-1 - end]:
        end += 1
    return start, end


def _exact(row: Row) -> Hashable:
    return row.key


def _loose(row: Row) -> Hashable:
    return same_key(row.key)


def _contents(row: Row) -> Hashable:
    return row.values


def _by_order(before: Sequence[Row], after: Sequence[Row]) -> Iterator[tuple[int, int]]:
    """Match equal rows in order; between them, changed rows one by one from the top."""
    for start, stop, other, end in _stretches(before, after):
        yield from zip(range(start, stop), range(other, end), strict=False)


def _stretches(before: Sequence[Hashable], after: Sequence[Hashable]) -> Iterator[tuple[int, int, int, int]]:
    if len(before) * len(after) < 2:
        # Nothing to find: an empty side, or one item on each.
        yield 0, len(before), 0, len(after)
        return
    for _, start, stop, other, end in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        yield start, stop, other, end
