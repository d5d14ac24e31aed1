"""Tiny runs over templates, with the facets that corpora made from templates have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from nliprobe.analysis.checklist.wording import TemplateWording
from nliprobe.task.case import IDENTITY, Case
from nliprobe.task.labels import LabelSet
from nliprobe.task.pair import Facet, Pair


@dataclass(frozen=True)
class Made:
    """A template to make cases of: its facets, and the values drawn for each example."""

    id: str
    capability: str
    gold: str = "E"
    second: str | None = None
    second_capability: str = "implicature"
    tags: tuple[str, ...] = ()
    variation_of: str | None = None
    change: str | None = None
    genders: Mapping[str, str] = field(default_factory=dict)


def example(template: Made, number: int, **values: str) -> Case:
    """One example; its text is made of its values, or of its number where it has none."""
    known = template.genders
    text = " ".join(values.values()) or str(number)
    facets = [
        Facet("capability", template.capability),
        Facet("template", template.id),
        *(Facet("tag", tag) for tag in template.tags),
        *(Facet(f"value:{name}", value) for name, value in values.items()),
        *(Facet(f"gender:{name}", known[value]) for name, value in values.items() if value in known),
    ]
    if template.second is not None:
        facets += [Facet("second", template.second), Facet("second_capability", template.second_capability)]
    if template.variation_of is not None:
        facets += [Facet("variation_of", template.variation_of), Facet("change", template.change or "")]
    gold = LabelSet.of(template.gold)
    source = Pair(
        f"checklist/all/{template.id}/{number}",
        f"{template.id}: {text}.",
        "So it is.",
        gold,
        template.id,
        facets=tuple(facets),
    )
    return Case(source.id, IDENTITY, source, source.premise, source.hypothesis, gold=gold)


def examples(template: Made, count: int) -> list[Case]:
    """Distinct examples of a template."""
    return [example(template, number) for number in range(count)]


def answers(cases: Iterable[Case], right: int, instead: str | None) -> dict[str, str | None]:
    """The first so many right, the others answered with one label, or not at all."""
    return {case.id: str(case.gold) if place < right else instead for place, case in enumerate(cases)}


def pattern(
    template: Made, premise: str = "{NAME1} is tall.", hypothesis: str = "{NAME1} is not short."
) -> TemplateWording:
    """How a template is written."""
    return TemplateWording(template.id, template.capability, premise, hypothesis, template.gold)
