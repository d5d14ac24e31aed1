"""Count what an import left out, changed or found odd, with a few examples of each."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

# This many examples per kind are kept: enough to find the cause, but not a second copy of the data.
_EXAMPLES = 3
_LENGTH = 60


class Kind(NamedTuple):
    """A kind of finding: its singular and plural text, and whether it is a warning, which ``--strict`` refuses."""

    one: str
    many: str
    warning: bool


# Warnings are findings that may make a table wrong or unusable. Notes are what the seed did to every infobox (section
# 3.1: no images, split at sub-headings) and what no reader of the page would miss.
KINDS: dict[str, Kind] = {
    "few-rows": Kind("table has fewer than 3 rows", "tables have fewer than 3 rows", True),
    "no-rows": Kind("table has no rows: left out", "tables have no rows: left out", True),
    "non-english": Kind("cell is not in Latin letters", "cells are not in Latin letters", True),
    "long-cells": Kind("cell is very long", "cells are very long", True),
    "empty-keys": Kind("row without a key dropped", "rows without a key dropped", True),
    "empty-values": Kind("empty value dropped", "empty values dropped", True),
    "empty-rows": Kind("row without text dropped", "rows without text dropped", True),
    "empty-headings": Kind("sub-heading without rows dropped", "sub-headings without rows dropped", True),
    "loose-text": Kind("text across the table dropped", "texts across the table dropped", True),
    "repeated-keys": Kind("repeated key merged", "repeated keys merged", True),
    "characters": Kind("control or cut character replaced", "control or cut characters replaced", True),
    "untitled": Kind("table named after its file: no title", "tables named after their file: no title", True),
    "skipped-tables": Kind(
        "table without keys and values or a header skipped", "tables without keys and values or a header skipped", True
    ),
    "no-labels": Kind("hypothesis has no label", "hypotheses have no label", True),
    "blank-hypotheses": Kind("blank hypothesis left out", "blank hypotheses left out", True),
    "no-hypotheses": Kind("table has no hypothesis", "tables have no hypothesis", True),
    "left-out": Kind("table under --min-rows left out", "tables under --min-rows left out", False),
    "sections": Kind("sub-heading split off", "sub-headings split off", False),
    "images": Kind("image dropped", "images dropped", False),
    "captions": Kind("text next to an image dropped", "texts next to an image dropped", False),
    "footnotes": Kind("footnote mark dropped", "footnote marks dropped", False),
    "hidden": Kind("hidden element or script dropped", "hidden elements or scripts dropped", False),
    "column-headers": Kind("header of columns dropped", "headers of columns dropped", False),
    "title-lines": Kind("further line of a title dropped", "further lines of titles dropped", False),
    "other-files": Kind("file of another kind skipped", "files of another kind skipped", False),
}  # fmt: skip


class Notes:
    """Counts by kind, in the order of ``KINDS``, with the first examples of each."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._examples: dict[str, list[str]] = {}

    def add(self, kind: str, place: str, what: str = "", *, number: int = 1) -> None:
        """Count things of one kind and keep the first few as examples."""
        if number < 1:
            return
        self._counts[kind] += number
        examples = self._examples.setdefault(kind, [])
        if len(examples) < _EXAMPLES:
            short = what if len(what) <= _LENGTH else what[: _LENGTH - 1] + "…"
            examples.append(f"{place}: {short}" if short else place)

    def __getitem__(self, kind: str) -> int:
        return self._counts[kind]

    @property
    def counts(self) -> dict[str, int]:
        """The counts by kind."""
        return {kind: self._counts[kind] for kind in KINDS if self._counts[kind]}

    def examples(self, kind: str) -> list[str]:
        """Return the first examples of a kind, each with its place."""
        return self._examples.get(kind, [])

    @property
    def warnings(self) -> int:
        """How many kinds of warnings there are."""
        return sum(KINDS[kind].warning for kind in self.counts)
