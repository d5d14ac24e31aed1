"""The shape of the behavioural summary of a checklist; it is written as JSON unchanged.

Shares are fractions from 0 to 1, an interval is a pair of them at the 95 % level, null means that there was nothing to
compute from. A summary of published accuracies has no examples, so whatever counts examples is null there. The
published form is docs/reference/schemas/checklist.schema.json.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, TypedDict

from nliprobe.analysis.constant import ConstantAnswer
from nliprobe.analysis.documents import Ends, Rate
from nliprobe.analysis.integrity import WHOLE, Integrity

CHECKLIST_SCHEMA: Final = "nliprobe/checklist/2"


class LabelRate(TypedDict):
    """Accuracy where the gold label is this one.

    Attributes:
        n: the examples; None if only accuracies are known.
        share: the share of the examples that have it (of published accuracies: of the templates).
        templates: the templates they come from.
        accuracy: the share of right answers (of published accuracies: the mean over templates).
    """

    n: int | None
    share: float
    templates: int
    accuracy: float | None


class CapabilityEntry(TypedDict):
    """How one system does on one capability, or on the whole suite.

    Attributes:
        group: linguistic, logical, knowledge, pragmatic, or other for capabilities that the taxonomy does not know.
        templates: how many templates there are; those with two readings are not among them.
        distinct: how many distinct pairs of premise and hypothesis.
        accuracy: the share of right answers; no answer counts as wrong.
        ci95: with templates as groups; None with fewer than five.
        template_mean: the mean over templates of the accuracy on each.
        template_mean_ci95: over templates; None with fewer than five.
        balanced: the mean over the gold labels that occur of the accuracy on each.
        balanced_ci95: with templates as groups; None if a label has fewer than five.
        labels: the accuracy on each gold label.
        constant: what the best constant answer would get.
    """

    system: str
    group: str | None
    capability: str | None
    templates: int
    n: int | None
    distinct: int | None
    correct: int | None
    unanswered: int | None
    accuracy: float | None
    ci95: Ends
    template_mean: float | None
    template_mean_ci95: Ends
    balanced: float | None
    balanced_ci95: Ends
    labels: dict[str, LabelRate]
    constant: ConstantAnswer | None


class BinCounts(TypedDict):
    """How many templates of a system lie in each bin of accuracy."""

    system: str
    bins: dict[str, int]
    passed: int
    unsure: int
    failed: int


class PatternText(TypedDict):
    """A template as it is written; its label is a letter, or an expression over drawn values."""

    premise: str
    hypothesis: str
    label: str


class Example(TypedDict):
    """One example of a template with the answer it got, or None if it was not answered."""

    premise: str
    hypothesis: str
    gold: str
    answer: str | None


class TemplateEntry(TypedDict):
    """How one system does on one template.

    Attributes:
        pattern: how it is written, if that is known.
        accuracy: over all examples.
        ci95: Wilson's if all examples are distinct, else with the distinct ones as groups.
        verdict: passed (above 80 %), unsure, or failed (below 20 %).
        gold: how many examples have which gold label.
        answers: how often each label was answered.
        instead: how often each label was answered wrongly.
        right: an example answered rightly.
        wrong: an example answered wrongly.
    """

    system: str
    template: str
    capability: str
    tags: list[str]
    pattern: PatternText | None
    n: int | None
    distinct: int | None
    correct: int | None
    accuracy: float | None
    ci95: Ends
    verdict: str | None
    gold: dict[str, int]
    answers: dict[str, int]
    instead: dict[str, int]
    right: Example | None
    wrong: Example | None


class VariationEntry(TypedDict):
    """A template compared with the one it varies.

    Attributes:
        change: how it varies it, in words.
        difference: its accuracy minus that of the other.
        ci95: Newcombe's interval, because the examples of the two are drawn independently.
    """

    system: str
    template: str
    of: str
    change: str | None
    accuracy: float
    of_accuracy: float
    difference: float
    ci95: Ends
    gold: dict[str, int]
    of_gold: dict[str, int]
    answers: dict[str, int]
    of_answers: dict[str, int]


class Cell(TypedDict):
    """Right answers among distinct examples."""

    n: int
    correct: int


class ValueRate(TypedDict):
    """Accuracy on the distinct examples with one drawn value, and for each gender of their names."""

    value: str
    n: int
    correct: int
    accuracy: float
    ci95: Ends
    genders: dict[str, Cell]


class Effect(TypedDict):
    """What a drawn value does to the accuracy of a system within one template.

    Attributes:
        gold: the gold label of the examples; they share it, because a value may decide the label.
        placeholder: the placeholder, or ``gender``.
        values: those with enough examples, from the worst to the best.
        left_out: how many values had too few.
        range: the best accuracy minus the worst.
        statistic: the sum of squares between values over the variance of an answer.
        permutations: how many permutations the p-value is based on.
        p: the p-value of the permutation test that accuracy does not depend on the value.
        q: p after Benjamini and Hochberg, over all tests of the system.
    """

    system: str
    template: str
    gold: str
    placeholder: str
    values: list[ValueRate]
    left_out: int
    range: float
    statistic: float
    permutations: int
    p: float
    q: float


class Coefficient(TypedDict):
    """How much a feature of templates adds to the accuracy by the surrogate, and how many templates have it."""

    feature: str
    kind: str
    templates: int
    coefficient: float


class Surrogate(TypedDict):
    """The linear surrogate of one system: template accuracy from placeholders, words and label.

    Attributes:
        method: how it was fitted.
        rank: how many independent features there are; fewer than coefficients means that these are not unique.
        r2: of the templates it was fitted to.
        r2_cross_validated: of templates it was not fitted to; 0 or less means that it predicts nothing.
        verdict: that in words.
    """

    system: str
    method: str
    templates: int
    rank: int
    intercept: float
    coefficients: list[Coefficient]
    r2: float | None
    r2_cross_validated: float | None
    verdict: str


class Contrast(TypedDict):
    """The accuracy of a system on a benchmark of the same run, minus its accuracy on the checklist."""

    system: str
    corpus: str
    n: int
    accuracy: float
    checklist_accuracy: float
    difference: float
    ci95: Ends


class ReadingExample(TypedDict):
    """One example of a template with two readings: the label by each, and the answer, or None if there was none."""

    premise: str
    hypothesis: str
    first: str
    second: str
    answer: str | None


class ReadingEntry(TypedDict):
    """Which reading a system takes of one template, or of all templates with two readings.

    Attributes:
        template: the template, or None for all of them.
        templates: how many templates there are.
        capability: what the first reading tests; None for all.
        second_capability: what the second reading tests.
        n: the examples on which the two readings have labels that the system tells apart.
        first: how often the answer is the label of the first reading; the interval of all resamples templates.
        second: how often it is that of the second reading.
        neither: how often it is the third label.
        unanswered: examples without an answer, which are in n.
    """

    system: str
    template: str | None
    templates: int
    capability: str | None
    second_capability: str | None
    n: int
    first: Rate
    second: Rate
    neither: Rate
    unanswered: int
    example: ReadingExample | None


class LabelSkew(TypedDict):
    """How many examples and templates of the suite have a gold label."""

    n: int | None
    distinct: int | None
    templates: int


class ChecklistDocument(TypedDict):
    """What ``nliprobe show RUN --checklist`` and ``nliprobe score --template-accuracies`` write as JSON."""

    schema: Literal["nliprobe/checklist/2"]
    source: str
    integrity: Integrity
    systems: list[str]
    corpora: list[str]
    templates: int
    n: int | None
    distinct: int | None
    labels: dict[str, LabelSkew]
    overall: list[CapabilityEntry]
    capabilities: list[CapabilityEntry]
    bins: list[BinCounts]
    template_table: list[TemplateEntry]
    variations: list[VariationEntry]
    effects: list[Effect]
    surrogates: list[Surrogate]
    contrasts: list[Contrast]
    readings: list[ReadingEntry]
    notes: list[str]


def begin_document(
    source: str,
    *,
    templates: int,
    labels: dict[str, LabelSkew],
    notes: list[str],
    corpora: Sequence[str] = (),
    systems: Sequence[str] = (),
    n: int | None = None,
    distinct: int | None = None,
    integrity: Integrity = WHOLE,
) -> ChecklistDocument:
    """Begin a document that says what is summarised, to be filled system by system."""
    return ChecklistDocument(
        schema=CHECKLIST_SCHEMA,
        source=source,
        integrity=integrity,
        systems=list(systems),
        corpora=list(corpora),
        templates=templates,
        n=n,
        distinct=distinct,
        labels=labels,
        overall=[],
        capabilities=[],
        bins=[],
        template_table=[],
        variations=[],
        effects=[],
        surrogates=[],
        contrasts=[],
        readings=[],
        notes=notes,
    )
