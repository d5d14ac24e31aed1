"""Prepare the package's checklist for the tables: gold labels by template, and accuracies of shipped answers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import groupby
from operator import attrgetter
from statistics import fmean, stdev
from typing import NamedTuple

from nliprobe.papers.checklist.answers_file import (
    CHECKLIST,
    MEASURE,
    PAPER,
    Answers,
    NotMeasuredError,
    shipped_answers,
)
from nliprobe.papers.recipes import Value


class Entry(NamedTuple):
    """A template; its examples are those from ``start`` to before ``stop``."""

    id: str
    capability: str
    start: int
    stop: int


class ChecklistGold(NamedTuple):
    """The examples of a part of the library.

    Attributes:
        part: its name.
        digest: a digest of the templates, the lexicons and the seed.
        gold: one letter per example, its label.
        second: the label by the second reading, or a dash where there is none.
        entries: the templates, in their order.
        examples: a premise and a hypothesis per template.
    """

    part: str
    digest: str
    gold: str
    second: str
    entries: tuple[Entry, ...]
    examples: dict[str, tuple[str, str]]

    def entry(self, template: str) -> Entry:
        """Return the template with an id."""
        return next(entry for entry in self.entries if entry.id == template)


@cache
def suite(part: str = CHECKLIST) -> ChecklistGold:
    """Draw a part of the library, once per process."""
    from nliprobe.api.sources import open_source

    source = open_source(part)
    gold: list[str] = []
    second: list[str] = []
    entries: list[Entry] = []
    examples: dict[str, tuple[str, str]] = {}
    for template, drawn in groupby(source.pairs(), key=attrgetter("group")):
        pairs = list(drawn)
        [capability] = [facet.value for facet in pairs[0].facets if facet.name == "capability"]
        entries.append(Entry(template, capability, len(gold), len(gold) + len(pairs)))
        examples[template] = str(pairs[0].premise), pairs[0].hypothesis
        gold += [str(pair.gold) for pair in pairs]
        second += [next((facet.value for facet in pair.facets if facet.name == "second"), "-") for pair in pairs]
    return ChecklistGold(part, source.digest(), "".join(gold), "".join(second), tuple(entries), examples)


class Scores(NamedTuple):
    """The accuracy of a model per seed, in percent.

    Attributes:
        answers: the answers.
        overall: on all examples of the checklist.
        templates: on each template of the checklist.
        others: on each template that the paper prints, whether it is in the checklist or not.
    """

    answers: Answers
    overall: list[float]
    templates: list[dict[str, float]]
    others: list[dict[str, float]]

    def mean(self, templates: Sequence[str]) -> Value:
        """Return the mean accuracy of the given templates, of the checklist or of the paper."""
        known = [{**others, **mine} for others, mine in zip(self.others, self.templates, strict=True)]
        return over_seeds([fmean(seed[name] for name in templates) for seed in known], self.answers.by())


@cache
def scores(name: str) -> Scores:
    """Score the answers of a name against the checklist and the templates of the paper."""
    answers, whole = shipped_answers(name), suite()
    right = right_answers(answers, whole)
    return Scores(
        answers,
        [100 * sum(marks) / len(marks) for marks in right],
        [_by_template(marks, whole) for marks in right],
        [_by_template(marks, suite(PAPER)) for marks in right_answers(answers, suite(PAPER))],
    )


def measured(name: str) -> Scores | None:
    """Score the answers of a name, or return None if there are none to the templates as they are now."""
    try:
        return scores(name)
    except NotMeasuredError:
        return None


def not_measured(model: str) -> str:
    """Return the note of a table that lacks a model."""
    return f"{model}: not measured on this core. To measure it: {MEASURE}."


def right_answers(answers: Answers, asked: ChecklistGold) -> list[list[bool]]:
    """Tell which answers to a part of the library are right, a list per seed."""
    return [
        [gold == answer for gold, answer in zip(asked.gold, letters, strict=True)]
        for letters in answers.to(asked.digest, len(asked.gold), asked.part)
    ]


def _by_template(right: Sequence[bool], asked: ChecklistGold) -> dict[str, float]:
    return {
        entry.id: 100 * sum(right[entry.start : entry.stop]) / (entry.stop - entry.start) for entry in asked.entries
    }


def over_seeds(numbers: Sequence[float], by: str) -> Value:
    """Return the mean over seeds, with their standard deviation."""
    return Value(fmean(numbers), by, stdev(numbers) if len(numbers) > 1 else None)
