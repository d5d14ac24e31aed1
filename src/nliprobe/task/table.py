"""Tables: a title, a category, and rows of key → values; edits return new tables."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

from nliprobe.base.errors import DataError


class Row(NamedTuple):
    """A key with one or more values. In a table with columns the key is empty and there is one value per column."""

    key: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A premise in rows. ``columns`` is empty for an infobox, the header for a many-column table."""

    title: str
    rows: tuple[Row, ...]
    category: str = ""
    columns: tuple[str, ...] = ()

    def delete(self, index: int) -> Table:
        """Return the table without one row."""
        self._check(index)
        return self._with(self.rows[:index] + self.rows[index + 1 :])

    def keep(self, index: int) -> Table:
        """Return the table with one row only."""
        self._check(index)
        return self._with((self.rows[index],))

    def insert(self, index: int, row: Row) -> Table:
        """Return the table with a row inserted before position ``index``."""
        if not 0 <= index <= len(self.rows):
            raise IndexError(f"no place {index} in a table of {len(self.rows)} rows")
        return self._with((*self.rows[:index], row, *self.rows[index:]))

    def update(self, index: int, row: Row) -> Table:
        """Return the table with one row replaced."""
        self._check(index)
        return self._with((*self.rows[:index], row, *self.rows[index + 1 :]))

    def permute(self, order: Sequence[int]) -> Table:
        """Return the table with its rows in another order: position ``i`` holds what was at ``order[i]``."""
        rows = self.rows
        if len(order) != len(rows) or _places(len(rows)).symmetric_difference(order):
            raise ValueError(f"{list(order)} is not an order of {len(rows)} rows")
        return self._with(tuple([rows[index] for index in order]))

    def retitle(self, title: str) -> Table:
        """Return the table with another title."""
        return replace(self, title=title)

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of the rows, in order."""
        return tuple(row.key for row in self.rows)

    @property
    def texts(self) -> tuple[str, ...]:
        """The title, the header, the keys and the values, in the order in which people read them."""
        return (self.title, *self.columns, *(text for row in self.rows for text in (row.key, *row.values)))

    def _check(self, index: int) -> None:
        if not 0 <= index < len(self.rows):
            raise IndexError(f"no row {index} in a table of {len(self.rows)} rows")

    def _with(self, rows: tuple[Row, ...]) -> Table:
        return Table(self.title, rows, self.category, self.columns)

    def to_json(self) -> str:
        """Return the canonical text of the table, which runs store and table models read."""
        content: dict[str, object] = {"title": self.title, "category": self.category}
        if self.columns:
            content["columns"] = self.columns
        content["rows"] = [[row.key, list(row.values)] for row in self.rows]
        return json.dumps(content, ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Table:
        """Read a table from the text that :meth:`to_json` writes."""
        content = json.loads(text)
        rows = tuple(Row(key, tuple(values)) for key, values in content["rows"])
        return cls(content["title"], rows, content.get("category", ""), tuple(content.get("columns", ())))


@lru_cache(maxsize=256)
def _places(size: int) -> frozenset[int]:
    return frozenset(range(size))


def table_from_mapping(content: Mapping[str, object], *, title: str = "", category: str = "") -> Table:
    """Read an infobox as the public files write it: ``{"title": [...], "Born": [...], ...}``."""
    rows: list[Row] = []
    # Some infoboxes have a row "Title" (of a person) next to "title", so only the exact word names the table.
    title_key = "title" if "title" in content or title else "Title"
    for key, value in content.items():
        values = _texts(value, key)
        if key == title_key:
            title = values[0] if values else title
        else:
            rows.append(Row(key.strip(), values))
    if not title.strip():
        raise DataError("the table has no title")
    if not rows:
        raise DataError("the table has no rows")
    repeated = {key for key, times in Counter(row.key for row in rows).items() if times > 1}
    if repeated:
        raise DataError(f"the table has the key '{min(repeated)}' twice")
    return Table(title.strip(), tuple(rows), category)


def _texts(value: object, key: str) -> tuple[str, ...]:
    items = value if isinstance(value, list | tuple) else [value]
    if not all(isinstance(item, str | int | float) for item in items):
        raise DataError(f"the values of '{key}' should be strings or a list of strings")
    return tuple(str(item) for item in items)
