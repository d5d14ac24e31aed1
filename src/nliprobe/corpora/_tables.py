"""Read tables: infoboxes in JSON, one file per table, and many-column tables with a header."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from nliprobe.base.errors import DataError
from nliprobe.base.records.lines import parse_json, read_text
from nliprobe.task.table import Row, Table, table_from_mapping


class TableFolder:
    """A folder of infoboxes ``<id>.json``; each is parsed once, and every caller gets the same object."""

    def __init__(
        self, folder: Path, categories: Mapping[str, str] | None = None, *, merge_repeated: bool = False
    ) -> None:
        self.folder = folder
        self._categories = categories or {}
        self._merge_repeated = merge_repeated
        self._tables: dict[str, Table] = {}

    def get(self, name: str, place: str) -> Table:
        """Return the table with an id; ``place`` says in errors what asked for it."""
        table = self._tables.get(name)
        if table is None:
            table = self._tables[name] = self._read(name, place)
        return table

    def path(self, name: str, place: str) -> Path:
        """Return the file of a table, which must exist."""
        path = self.folder / (name if name.endswith(".json") else f"{name}.json")
        if not name or not path.is_file():
            raise DataError(f"{place}: the table '{name}' is missing: there is no {path}.")
        return path

    def _read(self, name: str, place: str) -> Table:
        path = self.path(name, place)
        full_place = f"{place}: {path}"
        content = parse_json(read_text(path), full_place, pairs=_merged if self._merge_repeated else None)
        return table_at(full_place, content, category=self._categories.get(name, ""))


def table_at(place: str, content: object, *, category: str = "") -> Table:
    """Return the table in a JSON value; every error names the place."""
    if not isinstance(content, Mapping):
        raise DataError(f"{place}: the table should be a JSON object of keys and values.")
    try:
        return table_of(content, category=category)
    except DataError as error:
        raise DataError(f"{place}: {error}.") from error


def table_of(content: Mapping[str, object], *, category: str = "") -> Table:
    """Return the table in a JSON object: an infobox of key → values, or the form that ``Table.to_json`` writes.

    Keys without a value (null) are left out, because columnar files give every infobox the keys of all others.
    """
    if isinstance(content.get("rows"), list) and isinstance(content.get("title"), str):
        return _canonical(content)
    return table_from_mapping({key: value for key, value in content.items() if value is not None}, category=category)


def grid(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]], *, place: str) -> Table:
    """Return a many-column table: its rows have no key and one value per column."""
    if not rows:
        raise DataError(f"{place}: the table has no rows.")
    for index, row in enumerate(rows, 1):
        if len(row) != len(columns):
            raise DataError(f"{place}: row {index} of the table has {len(row)} cells under {len(columns)} columns.")
    return Table(title, tuple(Row("", tuple(row)) for row in rows), columns=tuple(columns))


def _canonical(content: Mapping[str, object]) -> Table:
    try:
        table = Table.from_json(json.dumps(content))
    except (KeyError, TypeError, ValueError) as error:
        raise DataError("the rows of the table should be [key, [value, …]]") from error
    if not table.rows:
        raise DataError("the table has no rows")
    return table


def _merged(items: list[tuple[str, object]]) -> dict[str, object]:
    """Merge a key given twice into one key with the values of both; plain JSON readers keep only the last."""
    merged: dict[str, object] = {}
    for key, value in items:
        earlier = merged.get(key)
        if isinstance(earlier, list) and isinstance(value, list):
            merged[key] = earlier + [item for item in value if item not in earlier]
        else:
            merged[key] = value
    return merged
