"""Find errors and doubtful points in table templates, by reading them and by drawing from them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from nliprobe.base.errors import DataError
from nliprobe.language.capabilities import capabilities
from nliprobe.task.program import slots_of
from nliprobe.templates.lint import Finding, sentence_problems
from nliprobe.templates.place import TemplateError
from nliprobe.templates.tables.draw import Fictional
from nliprobe.templates.tables.generate import Suite, plan_suite
from nliprobe.templates.tables.records import TableTemplate

# How many examples of a template are examined.
SAMPLE = 120


def lint_tables(templates: Sequence[TableTemplate], seed: int = 0, sample: int = SAMPLE) -> list[Finding]:
    """Return all findings in table templates, from reading them and from ``sample`` examples of each."""
    findings: list[Finding] = []
    for template in templates:
        findings += _reads(template)
        try:
            findings += _draws(template, seed, sample)
        except TemplateError as error:
            findings.append(Finding(error.place, error.problem, error=True))
        except DataError as error:
            findings.append(Finding(template.place, str(error).removeprefix(f"{template.place}: "), error=True))
    return findings


def _reads(template: TableTemplate) -> Iterator[Finding]:
    """Yield what can be found without drawing."""
    if len(template.phrasings) < 2:
        yield Finding(template.place, "has one phrasing only: a system may know it by heart. Write two or more.")
    for phrasing in template.phrasings:
        for name in sorted(slots_of(template.program) - phrasing.slots):
            problem = f"'{phrasing.text}' does not say {name}, which the program uses."
            yield Finding(template.place, problem, error=True)
    if template.capability not in capabilities():
        yield Finding(template.place, f"tests '{template.capability}', which the taxonomy does not have.")


def _draws(template: TableTemplate, seed: int, sample: int) -> Iterator[Finding]:
    """Yield what can be found by drawing from made tables."""
    suite = Suite(plan_suite([template], [template]), Fictional(seed), seed, {template.id: sample})
    reported: set[str] = set()
    forms: set[str] = set()
    for pair in suite.pairs():
        forms.update(value for name, value in pair.facets if name == "form")
        for problem in sentence_problems(pair.hypothesis):
            kind = problem.partition(":")[0]
            if kind not in reported:
                reported.add(kind)
                yield Finding(template.place, problem, error=True)
    tally = suite.tallies[0]
    for form in sorted({form.name for form in template.forms} - forms):
        yield Finding(template.place, f"the form {form} never comes out in {tally.tried:,} tries.", error=True)
    if forms and tally.distinct < tally.asked and len(tally.labels) == len({form.label for form in template.forms}):
        yield Finding(template.place, f"{tally.tried:,} tries gave only {tally.distinct} distinct examples.")
