"""Find the records in a JSON value: a list of objects, one object, or columns as data frames write them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

from nliprobe.base.errors import DataError

Record = dict[str, object]
Numbered = Iterator[tuple[int, Record]]


def records_in(content: object, place: str) -> Iterator[Record]:
    """Yield the records of a JSON value.

    It may be an array of objects; an object that holds just one such array; a header and rows (as lists, or under
    ``columns`` and ``data``); an object of columns, each an array or an object by row number; or a single record.
    """
    if isinstance(content, Mapping):
        content = _unwrapped(cast("Record", content), place)
    if not isinstance(content, list):
        raise DataError(f"{place}: expected a JSON array of objects, but found {kind_of(content)}.")
    if content and all(isinstance(row, list) for row in content):
        content = _zipped(content[0], content[1:], place)
    for number, item in enumerate(content, 1):
        if not isinstance(item, dict):
            raise DataError(f"{place}, item {number}: expected a JSON object, but found {kind_of(item)}.")
        yield item


def wraps_records(content: object) -> bool:
    """Tell whether an object holds just one array, and that holds objects: then these are the records."""
    arrays = [value for value in content.values() if isinstance(value, list)] if isinstance(content, Mapping) else []
    return len(arrays) == 1 and bool(arrays[0]) and all(isinstance(item, dict) for item in arrays[0])


def kind_of(content: object) -> str:
    """Return what a JSON value is, for messages."""
    names = {dict: "an object", list: "an array", str: "a string", bool: "a truth value", type(None): "null"}
    return names.get(type(content), "a number")


def _unwrapped(content: Record, place: str) -> object:
    header, rows = content.get("columns"), content.get("data")
    if isinstance(header, list) and isinstance(rows, list):
        return _zipped(header, rows, place)
    values = list(content.values())
    arrays = [value for value in values if isinstance(value, list)]
    if len(values) > 1 and len(arrays) == len(values) and not any(isinstance(item, dict) for item in arrays[0]):
        if len({len(array) for array in arrays}) > 1:
            raise DataError(f"{place}: the columns have different lengths: {', '.join(map(str, map(len, arrays)))}.")
        return [dict(zip(content, row, strict=True)) for row in zip(*arrays, strict=True)]
    inner = [value for value in values if isinstance(value, Mapping)]
    if inner and len(inner) == len(values):
        if all(name.isdigit() for column in inner for name in column):
            # As a data frame writes itself: one object per column, with the row numbers as keys.
            return [{name: column.get(row) for name, column in zip(content, inner, strict=True)} for row in inner[0]]
        return inner
    # An object without any array is one record.
    return arrays[0] if len(arrays) == 1 else content if arrays else [content]


def _zipped(header: object, rows: list[object], place: str) -> list[object]:
    names = [str(name).strip() for name in header] if isinstance(header, list) else []
    records: list[object] = []
    for number, row in enumerate(rows, 1):
        if not isinstance(row, list) or len(row) != len(names):
            found = f"{len(row)} values" if isinstance(row, list) else kind_of(row)
            raise DataError(f"{place}, item {number}: {found} where the header has {len(names)} ({', '.join(names)}).")
        records.append(dict(zip(names, row, strict=True)))
    return records
