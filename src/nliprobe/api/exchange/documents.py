"""The document ``nliprobe/exchange/1``: what was written for another program, and what of it is lost there."""

from __future__ import annotations

from typing import Final, Literal, TypedDict

SCHEMA: Final = "nliprobe/exchange/1"
# The name of the document in the folder that is written.
RECORD = "export.json"


class WrittenFile(TypedDict):
    """A file of the folder; ``rows`` is null where it does not hold rows."""

    name: str
    rows: int | None
    bytes: int


class ExchangeDocument(TypedDict):
    """What was exported, from what, into which files.

    ``suite`` is the hash of the suite. ``represent`` is how tables are written, ``premise`` which premise is shown.
    ``partial`` says whether the run was unfinished or damaged. ``lost`` says in sentences what the format cannot hold.
    """

    schema: Literal["nliprobe/exchange/1"]
    nliprobe: str
    to: str
    kind: Literal["run", "suite"]
    source: str
    suite: str
    partial: bool
    represent: str
    premise: str
    corpora: list[str]
    probes: list[str]
    systems: list[str]
    cases: int
    files: list[WrittenFile]
    lost: list[str]
