"""Decode a user's file by its byte order mark or its declared encoding, else as UTF-8."""

from __future__ import annotations

import codecs
import re

from nliprobe.base.errors import DataError, where

_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_DECLARED = re.compile(rb"""(?:charset|encoding)\s*=\s*["']?\s*([A-Za-z0-9._:-]+)""")
# A declaration must be near the start: browsers look at the first 1,024 bytes, and some pages need a little more.
_HEAD = 4096
# Browsers read these names as Microsoft's superset.
_ALIASES = {"iso-8859-1": "cp1252", "latin1": "cp1252", "latin-1": "cp1252", "ascii": "cp1252", "us-ascii": "cp1252"}


def decode(content: bytes, place: str, *, declared: bool = False) -> str:
    """Return the text in some bytes; with ``declared``, they are a page that may declare its encoding in its head."""
    for mark, name in _MARKS:
        if content.startswith(mark):
            return _decoded(content[len(mark) :], name, place, "its byte order mark says")
    match = _DECLARED.search(content[:_HEAD]) if declared else None
    if match is None:
        return _decoded(content, "utf-8", place, "")
    name = match[1].decode("ascii").lower()
    try:
        codecs.lookup(name)
        "".encode(name)
    except LookupError:
        raise DataError(f"{place} declares the encoding '{name}', which is unknown. Save the page as UTF-8.") from None
    return _decoded(content, _ALIASES.get(name, name), place, "the page declares")


def _decoded(content: bytes, name: str, place: str, why: str) -> str:
    try:
        return content.decode(name)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        reason = f", as {why}" if why else ""
        shown = "UTF-8" if name == "utf-8" else name
        raise DataError(
            f"{where(place, line)}: byte 0x{content[error.start]:02x} is not {shown}{reason}. Save the file as UTF-8."
        ) from error
