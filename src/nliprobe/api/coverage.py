"""Which public templates the library covers, by the tags of its templates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from nliprobe.analysis.checklist.wording import TemplateWording
from nliprobe.templates.template import Template

PREFIX = "covers:"


class Row(TypedDict):
    """One public template, and the ids of the library's templates that cover its phenomenon."""

    id: str
    capability: str
    premise: str
    hypothesis: str
    label: str
    covered_by: list[str]


class CoverageDocument(TypedDict):
    """What ``nliprobe ls templates --covers FILE --format json`` writes."""

    schema: str
    public: int
    covered: int
    rows: list[Row]
    unknown: list[str]


def coverage(templates: Sequence[Template], public: Sequence[TemplateWording]) -> CoverageDocument:
    """Find which public templates are covered, and which tags name no public template."""
    covering: dict[str, list[str]] = {}
    for template in templates:
        for tag in template.tags:
            if tag.startswith(PREFIX):
                covering.setdefault(tag.removeprefix(PREFIX), []).append(template.id)
    rows = [
        Row(
            id=item.id,
            capability=item.capability,
            premise=item.premise,
            hypothesis=item.hypothesis,
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
        unknown=sorted(set(covering) - {item.id for item in public}),
    )
