"""Read tables from JSON: InfoTabS's form, plain objects, rows of a key, header and rows; single, in lists, by id."""

from __future__ import annotations

import json
from collections.abc import Iterator

from nliprobe.base.errors import DataError, where
from nliprobe.corpora._grid_forms import grid_of, is_grid
from nliprobe.corpora.infobox._draft import Draft

_KEYS = ("key", "name")
_VALUES = ("values", "value")


class _Object(list[tuple[str, object]]):
    """A JSON object with all its keys; plain readers keep only the last one of repeated keys."""

    def get(self, *names: str) -> object:
        """Return the value of the first of these keys that exists."""
        return next((value for name in names for key, value in self if key == name), None)


def read_objects(text: str, place: str, *, lines: bool = False, form: str = "auto") -> Iterator[Draft]:
    """Yield the tables in a JSON text; with ``lines``, or if the text is not one value, each line holds one.

    With ``form`` ``grid`` or ``infobox``, all of them are many-column tables, or none is.
    """
    if not lines:
        try:
            content = _load(text, place)
        except json.JSONDecodeError as error:
            if error.msg != "Extra data" or error.lineno == 1:
                raise _not_json(error, where(place, error.lineno)) from error
        else:
            yield from _tables(content, place, form)
            return
    # Split only at line feeds: str.splitlines also cuts at U+2028, which occurs inside texts.
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                content = _load(line, where(place, number))
            except json.JSONDecodeError as error:
                raise _not_json(error, where(place, number)) from error
            yield from _tables(content, where(place, number), form)


def _load(text: str, place: str) -> object:
    try:
        # Numbers stay as they are written: 1.50 is not 1.5, and very long numbers do no harm.
        content: object = json.loads(
            text, object_pairs_hook=_Object, parse_int=str, parse_float=str, parse_constant=str
        )
        return content
    except RecursionError:
        raise DataError(f"{place}: nested too deeply: expected an object of keys and values.") from None


def _tables(content: object, place: str, form: str) -> Iterator[Draft]:
    if isinstance(content, _Object) and len(content) == 1:
        name, inner = content[0]
        if type(inner) is list and inner and all(isinstance(item, _Object) for item in inner):
            content, place = inner, f"{place}, '{name}'"
    if isinstance(content, list) and not isinstance(content, _Object):
        if not content:
            raise DataError(f"{place}: the list is empty: expected tables.")
        if form != "infobox" and ((form == "grid" and is_grid(_plain(content))) or _is_one_grid(content)):
            yield _grid(content, place)
            return
        for number, item in enumerate(content, 1):
            yield _table(item, f"{place}, item {number}", form)
    elif isinstance(content, _Object) and content and all(isinstance(value, _Object) for _, value in content):
        for key, value in content:
            yield _table(value, f"{place}, '{key}'", form, name=key)
    else:
        yield _table(content, place, form)


def _is_one_grid(content: list[object]) -> bool:
    """Tell whether a list is one many-column table: rows of cells, or records with the same keys and no title."""
    if all(isinstance(item, list) and not isinstance(item, _Object) for item in content):
        return all(not isinstance(cell, list) for row in content if isinstance(row, list) for cell in row)
    keys = [tuple(key for key, _ in item) for item in content if isinstance(item, _Object)]
    single = all(not isinstance(value, list) for item in content if isinstance(item, _Object) for _, value in item)
    return len(keys) == len(content) > 1 and len(set(keys)) == 1 and single and not {"title", "Title"} & set(keys[0])


def _plain(content: object) -> object:
    if isinstance(content, _Object):
        return {key: _plain(value) for key, value in content}
    return [_plain(item) for item in content] if isinstance(content, list) else content


def _grid(content: object, place: str, name: str = "") -> Draft:
    about = content if isinstance(content, _Object) else _Object()
    try:
        table = grid_of(_plain(content))
    except DataError as error:
        raise DataError(f"{place}: {error}.") from error
    return Draft(
        table.title,
        tuple((row.key, row.values) for row in table.rows),
        place,
        name or "".join(_texts(about.get("id"), f"{place}, 'id'")),
        table.category,
        " ".join(_texts(about.get("section"), f"{place}, 'section'")),
        table.columns,
    )


def _table(content: object, place: str, form: str, name: str = "") -> Draft:
    if form != "infobox" and is_grid(_plain(content)):
        return _grid(content, place, name)
    if not isinstance(content, _Object):
        raise DataError(
            f"{place}: expected an object of keys and values, or a header and rows, but found {_kind(content)}."
        )
    rows = content.get("rows")
    if isinstance(rows, list) and not isinstance(rows, _Object) and any(isinstance(row, list) for row in rows):
        # Tables that import has written itself have their columns here, and rows without keys.
        columns = _texts(content.get("columns"), f"{place}, 'columns'")
        return Draft(
            " ".join(_texts(content.get("title", "Title"), f"{place}, 'title'")),
            tuple(_row(row, f"{place}, row {number}") for number, row in enumerate(rows, 1)),
            place,
            name or "".join(_texts(content.get("id"), f"{place}, 'id'")),
            " ".join(_texts(content.get("category"), f"{place}, 'category'")),
            " ".join(_texts(content.get("section"), f"{place}, 'section'")),
            columns,
        )
    # As in the corpora, "Title" names the table only if there is no "title", because it may be a person's title.
    title = "title" if any(key == "title" for key, _ in content) else "Title"
    cells = [(key, _texts(value, f"{place}, '{key}'")) for key, value in content]
    titles = [" ".join(values) for key, values in cells if key == title]
    return Draft(titles[0] if titles else "", tuple(row for row in cells if row[0] != title), place, name)


def _row(row: object, place: str) -> tuple[str, tuple[str, ...]]:
    if isinstance(row, _Object):
        key, value = row.get(*_KEYS), row.get(*_VALUES)
    elif isinstance(row, list) and len(row) == 2:
        key, value = row
    else:
        raise DataError(f'{place}: expected {{"key": …, "values": […]}} or [key, [value, …]], but found {_kind(row)}.')
    if not isinstance(key, str):
        raise DataError(f"{place}: the key should be a text, but is {_kind(key)}.")
    return key, _texts(value, f"{place}, '{key}'")


def _texts(value: object, place: str) -> tuple[str, ...]:
    items = value if isinstance(value, list) and not isinstance(value, _Object) else [value]
    texts: list[str] = []
    for number, item in enumerate(items, 1):
        if isinstance(item, list):
            value_place = f"{place}, value {number}" if items is value else place
            raise DataError(f"{value_place}: expected a text, a number or a list of them, but found {_kind(item)}.")
        texts.append("" if item is None else str(item).lower() if isinstance(item, bool) else str(item))
    return tuple(texts) if value is not None else ()


def _kind(content: object) -> str:
    names = {_Object: "an object", list: "a list", str: "a text or a number", bool: "a truth value", type(None): "null"}
    return names[type(content)]


def _not_json(error: json.JSONDecodeError, place: str) -> DataError:
    return DataError(f"{place}: this is not JSON ({error.msg}, column {error.colno}).")
