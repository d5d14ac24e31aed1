"""Prepare the package's checklist for the tables: gold labels by template, and accuracies of shipped answers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from statistics import fmean, stdev
from typing import NamedTuple

from nliprobe.papers.checklist.answers_file import Answers, shipped_answers
from nliprobe.papers.recipes import Value


class Entry(NamedTuple):
    """A template (a second reading counts as another); its examples are those from ``start`` to before ``stop``."""

    id: str
    capability: str
    start: int
    stop: int


class ChecklistGold(NamedTuple):
    """The 184,100 examples.

    Attributes:
        digest: a digest of the templates, the lexicons and the seed.
        gold: one letter per example, its label.
        entries: the templates, in their order.
    """

    digest: str
    gold: str
    entries: tuple[Entry, ...]

    def entry(self, template: str) -> Entry:
        """Return the template with an id."""
        return next(entry for entry in self.entries if entry.id == template)


@cache
def suite() -> ChecklistGold:
    """Draw the suite, once per process."""
    from nliprobe.api.sources import open_source

    source = open_source("checklist")
    gold: list[str] = []
    entries: list[Entry] = []
    for pair in source.pairs():
        if not entries or entries[-1].id != pair.group:
            [capability] = [facet.value for facet in pair.facets if facet.name == "capability"]
            entries.append(Entry(str(pair.group), capability, len(gold), len(gold)))
        gold.append(str(pair.gold))
        entries[-1] = entries[-1]._replace(stop=len(gold))
    return ChecklistGold(source.digest(), "".join(gold), tuple(entries))


class Scores(NamedTuple):
    """The accuracy of a model per seed, in percent, on all examples and on each template."""

    answers: Answers
    overall: list[float]
    templates: list[dict[str, float]]

    def mean(self, templates: Sequence[str]) -> Value:
        """Return the mean accuracy of the given templates."""
        return over_seeds([fmean(seed[name] for name in templates) for seed in self.templates], self.answers.by())


@cache
def scores(name: str) -> Scores:
    """Score the answers of a name against the suite."""
    asked, answers = suite(), shipped_answers(name)
    overall: list[float] = []
    templates: list[dict[str, float]] = []
    for letters in answers.to(asked.digest, len(asked.gold)):
        right = [gold == answer for gold, answer in zip(asked.gold, letters, strict=True)]
        overall.append(100 * sum(right) / len(right))
        templates.append(
            {
                entry.id: 100 * sum(right[entry.start : entry.stop]) / (entry.stop - entry.start)
                for entry in asked.entries
            }
        )
    return Scores(answers, overall, templates)


def over_seeds(numbers: Sequence[float], by: str) -> Value:
    """Return the mean over seeds, with their standard deviation."""
    return Value(fmean(numbers), by, stdev(numbers) if len(numbers) > 1 else None)
