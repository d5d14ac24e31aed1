"""Suites: the examples of many templates, the same for a seed whatever their order, shards or workers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nliprobe.language.capabilities import DEFAULT_EXAMPLES, capabilities
from nliprobe.templates.render import Rendered, render
from nliprobe.templates.template import Template

if TYPE_CHECKING:
    import polars

# Examples of a cell, as in the seed (App. A.1).
CELL = 100
COLUMNS = (
    "id", "template", "capability", "reading", "label", "premise", "hypothesis", "values", "tags", "variation_of",
)  # fmt: skip


@dataclass(frozen=True)
class TemplateTally:
    """What one reading of a template gave: how many examples were wanted and how many there are, all distinct."""

    template: str
    capability: str
    reading: str
    asked: int
    distinct: int
    exhausted: bool
    labels: dict[str, int]


def wanted(template: Template, n: int | None) -> int:
    """How many examples a template gets: the capability's own number, or ``n`` scaled like it; a cell gets ``n``."""
    if template.cell:
        return CELL if n is None else n
    known = capabilities().get(template.capability)
    own = known.examples if known is not None else DEFAULT_EXAMPLES
    # The knowledge capabilities have a tenth of the others' examples: facts are few.
    return own if n is None else max(1, n * own // DEFAULT_EXAMPLES)


def render_suite(
    templates: Iterable[Template], n: int | None = None, seed: int = 0, workers: int = 1
) -> Iterator[Rendered]:
    """The examples of each template, one template at a time."""
    items = list(templates)
    if workers <= 1:
        for template in items:
            yield render(template, wanted(template, n), seed)
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(workers) as pool:
        yield from pool.map(lambda template: render(template, wanted(template, n), seed), items)


def tallies(rendered: Rendered) -> list[TemplateTally]:
    """What a template gave, for each of its readings."""
    found = []
    for name, reading in rendered.template.readings:
        labels = rendered.labels[name]
        counts = {label: labels.count(label) for label in "ENC" if label in labels}
        found.append(
            TemplateTally(
                reading_id(rendered.template, name),
                reading.capability,
                name,
                rendered.asked,
                len(rendered),
                rendered.exhausted,
                counts,
            )
        )
    return found


def reading_id(template: Template, reading: str) -> str:
    """The id under which a reading is counted: a second reading is a template of its own with the same texts."""
    return template.id if reading == "first" else f"{template.id}~{reading}"


def frames(suite: Iterable[Rendered], corpus: str = "checklist", rows: int = 100_000) -> Iterator[polars.DataFrame]:
    """The examples of a suite as rows, a reading after the other, in frames of about so many rows."""
    import polars

    columns: dict[str, list[str]] = {name: [] for name in COLUMNS}
    for rendered in suite:
        _append(columns, rendered, corpus)
        if len(columns["id"]) >= rows:
            yield polars.DataFrame(columns)
            columns = {name: [] for name in COLUMNS}
    if columns["id"]:
        yield polars.DataFrame(columns)


def _append(columns: dict[str, list[str]], rendered: Rendered, corpus: str) -> None:
    template, count = rendered.template, len(rendered)
    values = _values_json(rendered)
    for name, reading in template.readings:
        identity = reading_id(template, name)
        cell = f"{template.cell}/" if template.cell else ""
        columns["id"] += map(f"{corpus}/{identity}/{cell}%d".__mod__, range(count))
        columns["label"] += rendered.labels[name]
        columns["premise"] += rendered.premises
        columns["hypothesis"] += rendered.hypotheses
        columns["values"] += values
        for column, text in (
            ("template", identity),
            ("capability", reading.capability),
            ("reading", name),
            ("tags", " ".join(template.tags)),
            ("variation_of", template.variation.of if template.variation else ""),
        ):
            columns[column] += [text] * count


def _values_json(rendered: Rendered) -> list[str]:
    """What was drawn as JSON objects, made column by column."""
    import json

    names = list(rendered.values)
    columns = []
    for name in names:
        known = {value: json.dumps(value, ensure_ascii=False) for value in dict.fromkeys(rendered.values[name])}
        columns.append([known[value] for value in rendered.values[name]])
    if not names:
        return ["{}"] * len(rendered)
    form = "{" + ", ".join(f"{json.dumps(name)}: %s" for name in names) + "}"
    return list(map(form.__mod__, zip(*columns, strict=True)))


def skew(found: Sequence[TemplateTally]) -> dict[str, dict[str, int]]:
    """How many examples of each capability have each label."""
    made: dict[str, dict[str, int]] = {}
    for tally in found:
        row = made.setdefault(tally.capability, dict.fromkeys("ENC", 0))
        for label, count in tally.labels.items():
            row[label] += count
    return made
