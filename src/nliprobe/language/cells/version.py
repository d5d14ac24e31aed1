"""The version of the rules by which cells and mentions are read, for the hashes of what is made with them."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from nliprobe.base.hashing import digest
from nliprobe.language.values import values_version

VERSION = 1  # raised when cells or mentions are read or written in another way


@cache
def cells_version() -> str:
    """Return a hash of everything that decides how cells and mentions are read."""
    keys = files(__package__).joinpath("keys.tsv").read_text(encoding="utf-8")
    return digest(str(VERSION), keys, values_version())
