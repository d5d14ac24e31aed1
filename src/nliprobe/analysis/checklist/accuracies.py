"""Published template accuracies: the same summary from a table with a line per template and a column per model."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from nliprobe.analysis.checklist.bins import bin_counts, verdict
from nliprobe.analysis.checklist.capabilities import balanced_mean, group_of, in_order
from nliprobe.analysis.checklist.documents import (
    CapabilityEntry,
    ChecklistDocument,
    LabelRate,
    LabelSkew,
    TemplateEntry,
    begin_document,
)
from nliprobe.analysis.checklist.rows import pattern_text
from nliprobe.analysis.checklist.surrogate import surrogate
from nliprobe.analysis.checklist.wording import TemplateWording
from nliprobe.analysis.constant import best_constant
from nliprobe.analysis.scores import ends
from nliprobe.base.errors import DataError, where
from nliprobe.base.records.read import Quotes, Record, read_delimited
from nliprobe.task.labels import LETTERS, THREE_WAY, LabelMap, LabelSet

_CAPABILITY, _TEMPLATE, _LABEL, _FILE = "Capability", "Template", "Label", "File"
_PREMISE, _HYPOTHESIS = "P:", " H:"


class TemplateAccuracies(NamedTuple):
    """A table of templates: their patterns, the models, and the accuracies from 0 to 1, a line per template."""

    models: tuple[str, ...]
    patterns: tuple[TemplateWording, ...]
    accuracies: tuple[tuple[float, ...], ...]


def read_template_accuracies(path: Path) -> TemplateAccuracies:
    """Read a tab-separated table: Capability, Template (``P: … H: …``), Label, percentages in a column per model, File.

    A quote is a character like any other. Lines whose capability is empty or a number are totals and are skipped.
    """
    models: tuple[str, ...] = ()
    patterns: list[TemplateWording] = []
    accuracies: list[tuple[float, ...]] = []
    for number, record in read_delimited(path, "\t", Quotes.OFF, optional=(_FILE,)):
        place = where(path, number)
        if not models:
            models = _models(record, place)
        capability = str(record[_CAPABILITY]).strip()
        if not capability or capability.isdecimal():
            continue
        patterns.append(_pattern(record, capability, len(patterns) + 1, place))
        accuracies.append(tuple(_share(record[model], model, place) for model in models))
    if not patterns:
        raise DataError(f"{path} holds no template: expected lines with a capability, a template and a label.")
    repeated = {pattern.id for pattern in patterns if sum(item.id == pattern.id for item in patterns) > 1}
    if repeated:
        raise DataError(f"{path}: two templates have the {_FILE} '{min(repeated)}'. Give each a name of its own.")
    return TemplateAccuracies(models, tuple(patterns), tuple(accuracies))


def template_accuracies_document(source: str, table: TemplateAccuracies, *, seed: int = 0) -> ChecklistDocument:
    """Summarise published accuracies in the same way as a run; whatever needs single answers is left empty.

    Args:
        source: where the accuracies come from.
        table: the accuracies.
        seed: of the folds of the surrogate's cross-validation.
    """
    labels = {letter: sum(item.label == letter for item in table.patterns) for letter in LETTERS}
    document = begin_document(
        source,
        systems=table.models,
        templates=len(table.patterns),
        labels={letter: LabelSkew(n=None, distinct=None, templates=count) for letter, count in labels.items() if count},
        notes=[
            "Only accuracies are known, not answers: every template has the same weight, and intervals treat templates."
        ],
    )
    for column, model in enumerate(table.models):
        rows = [(pattern, line[column]) for pattern, line in zip(table.patterns, table.accuracies, strict=True)]
        document["overall"].append(_entry(model, None, rows))
        for name in in_order(pattern.capability for pattern in table.patterns):
            of_capability = [row for row in rows if row[0].capability == name]
            document["capabilities"].append(_entry(model, name, of_capability))
        document["bins"].append(bin_counts(model, [accuracy for _, accuracy in rows]))
        document["template_table"] += [_template(model, pattern, accuracy) for pattern, accuracy in rows]
        fitted = surrogate(model, table.patterns, {pattern.id: accuracy for pattern, accuracy in rows}, seed=seed)
        document["surrogates"] += [] if fitted is None else [fitted]
    return document


def _entry(model: str, capability: str | None, rows: Sequence[tuple[TemplateWording, float]]) -> CapabilityEntry:
    import numpy as np

    from nliprobe.stats.grouped import average_interval

    values = np.array([accuracy for _, accuracy in rows])
    interval = ends(average_interval(values))
    by_label = {letter: [value for item, value in rows if item.label == letter] for letter in LETTERS}
    labels = {
        letter: LabelRate(
            n=None,
            share=len(accuracies) / len(rows),
            templates=len(accuracies),
            accuracy=sum(accuracies) / len(accuracies),
        )
        for letter, accuracies in by_label.items()
        if accuracies
    }
    return CapabilityEntry(
        system=model,
        group=None if capability is None else group_of(capability),
        capability=capability,
        templates=len(rows),
        n=None,
        distinct=None,
        correct=None,
        unanswered=None,
        accuracy=None,
        ci95=None,
        template_mean=float(values.mean()),
        template_mean_ci95=interval,
        balanced=balanced_mean(labels),
        balanced_ci95=None,
        labels=labels,
        constant=best_constant(np.array([LabelSet.of(item.label).mask for item, _ in rows]), THREE_WAY),
    )


def _template(model: str, pattern: TemplateWording, accuracy: float) -> TemplateEntry:
    return TemplateEntry(
        system=model,
        template=pattern.id,
        capability=pattern.capability,
        tags=[],
        pattern=pattern_text(pattern),
        n=None,
        distinct=None,
        correct=None,
        accuracy=accuracy,
        ci95=None,
        verdict=verdict(accuracy),
        gold={},
        answers={},
        instead={},
        right=None,
        wrong=None,
    )


def _models(record: Record, place: str) -> tuple[str, ...]:
    missing = [name for name in (_CAPABILITY, _TEMPLATE, _LABEL) if name not in record]
    if missing:
        raise DataError(
            f"{place}: the header has no column '{missing[0]}'. Expected {_CAPABILITY}, {_TEMPLATE}, {_LABEL}, a "
            f"column with accuracies in percent for each model, and {_FILE}."
        )
    models = tuple(name for name in record if name and name not in (_CAPABILITY, _TEMPLATE, _LABEL, _FILE))
    if not models:
        raise DataError(f"{place}: the table has no column of accuracies. Add one for each model, in percent.")
    return models


def _pattern(record: Record, capability: str, number: int, place: str) -> TemplateWording:
    text = str(record[_TEMPLATE]).strip()
    premise, mark, hypothesis = text.partition(_HYPOTHESIS)
    if not mark or not premise.startswith(_PREMISE):
        raise DataError(f"{place}: expected a template 'P: … H: …', but found '{text[:60]}'.")
    try:
        label = LabelMap().read(record[_LABEL])
    except DataError as error:
        raise DataError(f"{place}: {error}.") from error
    name = str(record.get(_FILE) or "").strip() or f"{capability.lower()}-{number}"
    return TemplateWording(
        name, capability.lower(), premise.removeprefix(_PREMISE).strip(), hypothesis.strip(), str(label or "")
    )


def _share(value: object, model: str, place: str) -> float:
    try:
        share = float(str(value)) / 100
    except ValueError:
        share = math.nan
    if not 0 <= share <= 1:
        raise DataError(f"{place}: '{value}' is no accuracy of {model}. Expected percent, from 0 to 100.")
    return share
