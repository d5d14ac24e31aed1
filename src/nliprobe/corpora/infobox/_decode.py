"""Decode a user's file by its byte order mark, by the encoding it declares or the user names, else as UTF-8."""

from __future__ import annotations

import codecs
import re

from nliprobe.base.errors import DataError
from nliprobe.base.records.encodings import marked
from nliprobe.base.records.text import decoded

_DECLARED = re.compile(rb"""(?:charset|encoding)\s*=\s*["']?\s*([A-Za-z0-9._:-]+)""")
# A declaration must be near the start: browsers look at the first 1,024 bytes, and some pages need a little more.
_HEAD = 4096
# Browsers read these names as Microsoft's superset.
_ALIASES = {"iso-8859-1": "cp1252", "latin1": "cp1252", "latin-1": "cp1252", "ascii": "cp1252", "us-ascii": "cp1252"}


def decode(content: bytes, place: str, encoding: str = "", *, declared: bool = False) -> str:
    """Return the text in some bytes; with ``declared``, they are a page that may declare its encoding in its head."""
    match = _DECLARED.search(content[:_HEAD]) if declared and not encoding and not marked(content)[1] else None
    if match is None:
        return decoded(content, place, encoding)
    name = match[1].decode("ascii").lower()
    try:
        codecs.lookup(name)
        "".encode(name)
    except LookupError:
        raise DataError(
            f"{place} declares the encoding '{name}', which is unknown. Name it with encoding=…, or save the page as "
            "UTF-8."
        ) from None
    try:
        return decoded(content, place, _ALIASES.get(name, name))
    except DataError as error:
        raise DataError(f"{error} The page declares {name}.") from error
