"""The key of a study: which systems, templates and pairs its items are, and what is right; never for participants."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple


class KeySystem(NamedTuple):
    """A system: what participants call it, its own name, its spec, and its fingerprint if it has one."""

    shown: str
    name: str
    spec: str
    fingerprint: str | None


class TemplateRate(NamedTuple):
    """How often a system is right about the examples of a template, and the bin that is."""

    system: str
    correct: int
    n: int
    ci95: tuple[float, float] | None
    bin: str


class KeyTemplate(NamedTuple):
    """A template that is asked about."""

    template: str
    capability: str
    family: str
    rates: tuple[TemplateRate, ...]


class KeyItem(NamedTuple):
    """What an item is: the template it comes from, the pair, and its gold label."""

    item: str
    template: str
    pair_id: str
    gold: str


class ShownPair(NamedTuple):
    """A pair that is shown beside an item: where it comes from, its gold label, and what the system answers."""

    pair_id: str
    template: str
    gold: str
    label: str


class KeyAnswer(NamedTuple):
    """What is right about an item in a stage, and the pairs shown beside it."""

    item: str
    truth: str
    shown: tuple[ShownPair, ...]


class KeyStage(NamedTuple):
    """What is right in a stage: the system by its own name, where shown pairs come from, and the answers."""

    stage: str
    system: str
    pool: str
    answers: tuple[KeyAnswer, ...]


@dataclass(frozen=True)
class StudyKey:
    """What participants must not see.

    Attributes:
        study: the id of the study that it belongs to.
        made: how the study was made, by name: the version, the seed, the corpora, the number of masks.
        systems: the systems.
        templates: the templates that are asked about.
        items: what the items are.
        stages: what is right.
        notes: what whoever runs the study should know.
    """

    study: str
    made: Mapping[str, str]
    systems: tuple[KeySystem, ...]
    templates: tuple[KeyTemplate, ...]
    items: tuple[KeyItem, ...]
    stages: tuple[KeyStage, ...]
    notes: tuple[str, ...] = ()

    @cached_property
    def by_item(self) -> Mapping[str, KeyItem]:
        """What the items are, by their ids."""
        return {item.item: item for item in self.items}

    @cached_property
    def truths(self) -> Mapping[str, Mapping[str, KeyAnswer]]:
        """What is right, by stage and item."""
        return {stage.stage: {answer.item: answer for answer in stage.answers} for stage in self.stages}
