"""Render the examples of many templates; a seed gives the same examples in any order and with any workers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nliprobe.base.errors import UsageError
from nliprobe.language.capabilities import DEFAULT_EXAMPLES, capabilities
from nliprobe.templates.limits import MOST_EXAMPLES
from nliprobe.templates.render import Rendered, render
from nliprobe.templates.template import FIRST, SECOND, Template

if TYPE_CHECKING:
    import polars

# Examples per cell, as in the seed (App. A.1).
CELL = 100
COLUMNS = (
    "id", "template", "capability", "label", "second", "second_capability", "premise", "hypothesis", "values", "tags",
    "variation_of",
)  # fmt: skip


@dataclass(frozen=True)
class TemplateTally:
    """The counts of one template: examples asked for, distinct examples, draws made for them, and their labels."""

    template: str
    capability: str
    asked: int
    distinct: int
    drawn: int
    exhausted: bool
    labels: dict[str, int]


def wanted(template: Template, n: int | None) -> int:
    """Return how many examples a template gets: its capability's number, or ``n`` scaled like it; a cell gets ``n``."""
    if n is not None and not 1 <= n <= MOST_EXAMPLES:
        raise UsageError(f"n, the number of examples per template, should be from 1 to {MOST_EXAMPLES:,}, not {n:,}.")
    if template.cell:
        return CELL if n is None else n
    capability = capabilities().get(template.capability)
    examples = capability.examples if capability is not None else DEFAULT_EXAMPLES
    # The knowledge capabilities have a tenth of the others' examples, because facts are few.
    return examples if n is None else max(1, n * examples // DEFAULT_EXAMPLES)


def render_suite(
    templates: Iterable[Template], n: int | None = None, seed: int = 0, workers: int = 1
) -> Iterator[Rendered]:
    """Yield the examples of each template, one template at a time."""
    items = list(templates)
    if workers <= 1:
        for template in items:
            yield render(template, wanted(template, n), seed)
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(workers) as pool:
        yield from pool.map(lambda template: render(template, wanted(template, n), seed), items)


def tally(rendered: Rendered) -> TemplateTally:
    """Count the examples of a template, by their gold label."""
    template, labels = rendered.template, rendered.labels[FIRST]
    counts = {label: labels.count(label) for label in "ENC" if label in labels}
    return TemplateTally(
        template.id, template.capability, rendered.asked, len(rendered), rendered.drawn, rendered.exhausted, counts
    )


def frames(suite: Iterable[Rendered], corpus: str = "checklist", rows: int = 100_000) -> Iterator[polars.DataFrame]:
    """Yield the examples of a suite as frames of about ``rows`` rows, one template after the other."""
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
    cell = f"{template.cell}/" if template.cell else ""
    columns["id"] += map(f"{corpus}/{template.id}/{cell}%d".__mod__, range(count))
    columns["label"] += rendered.labels[FIRST]
    columns["second"] += rendered.labels.get(SECOND, [""] * count)
    columns["premise"] += rendered.premises
    columns["hypothesis"] += rendered.hypotheses
    columns["values"] += _values_json(rendered)
    for column, text in (
        ("template", template.id),
        ("capability", template.capability),
        ("second_capability", template.second.capability if template.second else ""),
        ("tags", " ".join(template.tags)),
        ("variation_of", template.variation.of if template.variation else ""),
    ):
        columns[column] += [text] * count


def _values_json(rendered: Rendered) -> list[str]:
    """Return the drawn values as JSON objects, made column by column."""
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


def skew(counted: Sequence[TemplateTally]) -> dict[str, dict[str, int]]:
    """Count the examples per capability and label."""
    counts: dict[str, dict[str, int]] = {}
    for one in counted:
        row = counts.setdefault(one.capability, dict.fromkeys("ENC", 0))
        for label, count in one.labels.items():
            row[label] += count
    return counts
