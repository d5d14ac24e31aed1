"""Read tables: infoboxes in JSON, one file per table, and many-column tables with a header."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from nliprobe.base.errors import DataError
from nliprobe.base.records.lines import parse_json, read_text
from nliprobe.corpora._grid_forms import grid as grid_from
from nliprobe.corpora._grid_forms import grid_of, is_grid
from nliprobe.task.table import Table, table_from_mapping

# The names of this many missing tables are shown.
_SHOWN = 10
SUFFIXES = (".json", ".csv", ".tsv", ".html", ".htm")


class TableFolder:
    """A folder of tables, one per file; each is parsed once, and every caller gets the same object.

    A table is named by its file, with or without the suffix. Infoboxes are JSON; tables that people have themselves may
    also be CSV, TSV or HTML.
    """

    def __init__(
        self, folder: Path, categories: Mapping[str, str] | None = None, *, merge_repeated: bool = False
    ) -> None:
        self.folder = folder
        self._categories = categories or {}
        self._merge_repeated = merge_repeated
        self._tables: dict[tuple[str, str], Table] = {}

    def get(self, name: str, place: str, title: str = "") -> Table:
        """Return the table with an id; ``place`` says in errors what asked for it, ``title`` names one without."""
        table = self._tables.get((name, title))
        if table is None:
            table = self._tables[name, title] = self._read(name, place, title)
        return table

    def find(self, name: str) -> Path | None:
        """Return the file of a table, or None if there is none."""
        if not name:
            return None
        whole = self.folder / name
        # A table may be called 2-1234.html.csv, so a suffix does not mean that the name is complete.
        candidates = [whole] if whole.suffix in SUFFIXES else []
        candidates += [self.folder / f"{name}{suffix}" for suffix in SUFFIXES]
        return next((path for path in candidates if path.is_file()), None)

    def path(self, name: str, place: str) -> Path:
        """Return the file of a table, which must exist."""
        path = self.find(name)
        if path is None:
            named = name if Path(name).suffix in SUFFIXES else f"{name}.json"
            raise DataError(f"{place}: the table '{name}' is missing: there is no {self.folder / named}.")
        return path

    def paths(self, places: Mapping[str, str]) -> list[Path]:
        """Return the files of tables by id; all that are missing are named at once, with the first place of each."""
        missing = [name for name in places if self.find(name) is None]
        if len(missing) > 1:
            shown = ", ".join(f"'{name}' ({places[name]})" for name in missing[:_SHOWN])
            raise DataError(
                f"{len(missing):,} of {len(places):,} tables are missing from {self.folder}: {shown}"
                f"{', …' if len(missing) > _SHOWN else ''}. Expected a file per table, such as {missing[0]}.json."
            )
        return [self.path(name, place) for name, place in places.items()]

    def _read(self, name: str, place: str, title: str) -> Table:
        path = self.path(name, place)
        full_place = f"{place}: {path}"
        category = self._categories.get(name, "")
        if path.suffix != ".json":
            from nliprobe.corpora.infobox.single import read_table

            return read_table(path, full_place, title=title, category=category)
        content = parse_json(read_text(path), full_place, pairs=_merged if self._merge_repeated else None)
        return table_at(full_place, content, category=category, title=title)


def table_at(place: str, content: object, *, category: str = "", header: object = None, title: str = "") -> Table:
    """Return the table in a JSON value; every error names the place.

    Args:
        place: where it is, for messages.
        content: an infobox, or a many-column table in one of the forms of :func:`grid_of`.
        category: the table's category.
        header: the header of a many-column table, if it stands elsewhere.
        title: the title, if it stands elsewhere.
    """
    try:
        if header is not None or is_grid(content):
            return grid_of(content, header=header, title=title, category=category)
        if not isinstance(content, Mapping):
            raise DataError("the table should be a JSON object of keys and values, or a header and rows")
        return table_of(content, category=category, title=title)
    except DataError as error:
        raise DataError(f"{place}: {error}.") from error


def table_of(content: Mapping[str, object], *, category: str = "", title: str = "") -> Table:
    """Return the table in a JSON object: an infobox of key → values, or the form that ``Table.to_json`` writes.

    Keys without a value (null) are left out, because columnar files give every infobox the keys of all others.
    """
    if isinstance(content.get("rows"), list) and isinstance(content.get("title"), str):
        return _canonical(content)
    filled = {key: value for key, value in content.items() if value is not None}
    return table_from_mapping(filled, title=title, category=category)


def grid(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]], *, place: str) -> Table:
    """Return a many-column table: its rows have no key and one value per column; errors name the place."""
    try:
        return grid_from(title, columns, rows)
    except DataError as error:
        raise DataError(f"{place}: {error}.") from error


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
