"""What a request has sent: a form or a JSON object, as fields by name.

To take a megabyte apart can take a second, and nobody else is answered while the server's loop is at it: reading is
all that happens there.
"""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypeAlias
from urllib.parse import parse_qsl

from starlette.datastructures import Headers, UploadFile
from starlette.formparsers import MultiPartException
from starlette.requests import Request

from nliprobe.base.errors import DataError
from nliprobe.base.halves import whole_json
from nliprobe.people.records import Json
from nliprobe.studio.refusals import TooLargeError

# A form gives strings; JSON may give more. Where a form names a field several times, the value is a list.
Fields: TypeAlias = Mapping[str, Json]
_MOST_FIELDS = 2000
# What a page sends has a few levels; what nearly has as many as Python can read could not be written again.
_DEEPEST = 20


class Sent(NamedTuple):
    """A body and what its sender calls it."""

    kind: str
    body: bytes

    def fields(self) -> Fields:
        """Take it apart; this takes its time, and a thread.

        Raises:
            DataError: it is neither a form nor a JSON object.
        """
        kind = self.kind.partition(";")[0].strip().lower()
        if kind == "application/x-www-form-urlencoded":
            return _collected(_pairs(self.body))
        if kind == "multipart/form-data":
            return _collected(asyncio.run(_parts(self)))
        if kind == "application/json":
            return _object(self.body)
        if not self.body:
            return {}
        raise DataError("Expected a form or JSON.")


async def read_sent(request: Request, largest: int) -> Sent:
    """Read a body, but never more than allowed, whatever the header says."""
    body = bytearray()
    said = request.headers.get("content-length", "")
    if said.isdigit() and int(said) > largest:
        raise TooLargeError(largest)
    async for piece in request.stream():
        body += piece
        if len(body) > largest:
            raise TooLargeError(largest)
    return Sent(request.headers.get("content-type", ""), bytes(body))


def _pairs(body: bytes) -> list[tuple[str, str]]:
    try:
        return parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=_MOST_FIELDS)
    except ValueError:
        raise DataError(f"The form has too many fields: expected at most {_MOST_FIELDS:,}.") from None


async def _parts(sent: Sent) -> list[tuple[str, str]]:
    """Return the fields of a form that may have a file; a file is text."""
    was_sent = False

    async def receive() -> dict[str, object]:
        nonlocal was_sent
        if was_sent:
            return {"type": "http.disconnect"}
        was_sent = True
        return {"type": "http.request", "body": sent.body, "more_body": False}

    headers = Headers({"content-type": sent.kind}).raw
    try:
        async with Request({"type": "http", "headers": headers}, receive).form(
            max_files=1, max_fields=_MOST_FIELDS
        ) as form:
            return [(name, await _text(value)) for name, value in form.multi_items()]
    except MultiPartException as error:
        raise DataError(f"The form cannot be read: {error.message.rstrip('.')}.") from None


async def _text(value: UploadFile | str) -> str:
    if isinstance(value, str):
        return value
    try:
        return (await value.read()).decode("utf-8-sig")
    except UnicodeDecodeError:
        # Letters that are none would be kept as question marks.
        raise DataError("The file that was sent is no text in UTF-8. Nothing was done.") from None


def _collected(pairs: Iterable[tuple[str, str]]) -> Fields:
    named: dict[str, list[Json]] = {}
    for name, value in pairs:
        named.setdefault(name, []).append(value)
    return {name: values[0] if len(values) == 1 else values for name, values in named.items()}


def _object(body: bytes) -> Fields:
    try:
        # Half a character can be written in JSON, and no page and no database can hold it.
        content = json.loads(whole_json(body.decode("utf-8")), parse_float=_number, parse_constant=_number)
    except (ValueError, RecursionError):
        raise DataError("What was sent is no JSON.") from None
    if not isinstance(content, dict):
        raise DataError("Expected a JSON object.")
    if _is_deeper(content, _DEEPEST):
        raise DataError(f"What was sent has lists or objects inside of more than {_DEEPEST} others.")
    return content


def _is_deeper(content: Json, most: int) -> bool:
    inside = content.values() if isinstance(content, dict) else content if isinstance(content, list) else ()
    return most < 0 or any(_is_deeper(one, most - 1) for one in inside if isinstance(one, dict | list))


def _number(text: str) -> float:
    """Return a number that JSON can write again, which NaN and what is too large for a float are not."""
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text:.20} is no number of JSON")
    return number
