"""Coverage: which public templates our library covers, by the tags its templates carry."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, TypedDict

from nliprobe.base.errors import DataError
from nliprobe.templates.template import Template

PREFIX = "covers:"
_COLUMNS = ("Capability", "Template", "Label", "File")


class Public(NamedTuple):
    """A template of a public list."""

    id: str
    capability: str
    template: str
    label: str


class Row(TypedDict):
    """One public template, and the ids of ours that cover its phenomenon."""

    id: str
    capability: str
    template: str
    label: str
    covered_by: list[str]


class CoverageDocument(TypedDict):
    """What ``nliprobe ls templates --covers FILE --format json`` writes."""

    schema: str
    public: int
    covered: int
    rows: list[Row]
    unknown: list[str]


def read_public(path: Path) -> list[Public]:
    """The templates of the public list: tab-separated, unquoted; tally rows at its end are left out."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"{path} cannot be read: {error}.") from error
    reader = csv.DictReader(text.splitlines(), dialect="excel-tab", quoting=csv.QUOTE_NONE)
    missing = [name for name in _COLUMNS if name not in (reader.fieldnames or [])]
    if missing:
        raise DataError(f"{path} has no column {missing[0]}: expected a list with {', '.join(_COLUMNS)}.")
    rows = [{name: (row.get(name) or "").strip() for name in _COLUMNS} for row in reader]
    return [
        Public(row["File"], row["Capability"].lower(), row["Template"], row["Label"])
        for row in rows
        if row["Capability"] and not row["Capability"].isdigit() and row["Template"]
    ]


def coverage(templates: Sequence[Template], public: Sequence[Public]) -> CoverageDocument:
    """Which public templates are covered, and which tags name none."""
    covering: dict[str, list[str]] = {}
    for template in templates:
        for tag in template.tags:
            if tag.startswith(PREFIX):
                covering.setdefault(tag.removeprefix(PREFIX), []).append(template.id)
    known = {item.id for item in public}
    rows = [
        Row(
            id=item.id,
            capability=item.capability,
            template=item.template,
            label=item.label,
            covered_by=covering.get(item.id, []),
        )
        for item in public
    ]
    return CoverageDocument(
        schema="nliprobe/coverage/1",
        public=len(rows),
        covered=sum(bool(row["covered_by"]) for row in rows),
        rows=rows,
        unknown=sorted(set(covering) - known),
    )
