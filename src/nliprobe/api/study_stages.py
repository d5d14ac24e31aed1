"""Filling the stages of a study: the items of each with what is shown beside them, and what is right."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from nliprobe.analysis.checklist.bins import BINS
from nliprobe.api.study_pool import AskedPool, Tell, TemplatePool
from nliprobe.api.study_shown import (
    Explainer,
    Finder,
    Shown,
    chosen_templates,
    describe,
    readable,
    related_examples,
)
from nliprobe.explain.lime import LimeOptions
from nliprobe.models.system import System
from nliprobe.people.study.key import KeyAnswer, KeyItem, KeyStage
from nliprobe.people.study.plan import OWN_POOL, PlannedStage
from nliprobe.people.study.records import (
    ABOUT_TEMPLATES,
    LabelAccuracy,
    Shows,
    Stage,
    StageItem,
    TemplateAccuracy,
)
from nliprobe.task.labels import LETTERS
from nliprobe.task.pair import Pair
from nliprobe.task.source import PairSource

if TYPE_CHECKING:
    from nliprobe.api.study import StudyOptions


@dataclass
class StageMaker:
    """Makes the stages of one study, which all have the same items.

    Attributes:
        seed: of all draws.
        options: how the study is made.
        pool: all templates with their examples.
        asked: the answers of each system to them.
        sources: the corpora in which stages look for similar examples.
        template_items: which templates the items are that ask for accuracies.
        example_items: which examples the items are that ask for labels.
        drawn: the examples of each template that is asked about.
        prepare: trains or loads a model.
        tell: is told what is being done.
    """

    seed: int
    options: StudyOptions
    pool: TemplatePool
    asked: Sequence[AskedPool]
    sources: Mapping[str, PairSource]
    template_items: Sequence[KeyItem]
    example_items: Sequence[KeyItem]
    drawn: Mapping[str, Sequence[Pair]]
    prepare: Callable[[System], None]
    tell: Tell
    _explainers: dict[str, Explainer] = field(default_factory=dict)
    _finders: dict[tuple[str, str], Finder] = field(default_factory=dict)

    def make(self, planned: PlannedStage, shown_name: str) -> tuple[Stage, KeyStage]:
        """Make a stage, and the part of the key that belongs to it."""
        asked = self.asked[planned.system - 1]
        about_templates = planned.question in ABOUT_TEMPLATES
        items = self.template_items if about_templates else self.example_items
        shown = self._shown(planned, asked, items)
        if about_templates:
            answers: tuple[str, ...] = BINS
            truths = [asked.rates[item.template].bin for item in items]
        else:
            answers = tuple(str(block) for block in asked.system.model.partition.blocks)
            truths = [asked.answers[item.pair_id].label for item in items]
        stage = Stage(
            id=planned.id,
            title=self._worded(planned.title, shown_name),
            system=shown_name,
            question=planned.question,
            answers=answers,
            shows=planned.shows,
            instructions=tuple(self._worded(text, shown_name) for text in planned.instructions),
            items=tuple(StageItem(item.item, one.examples) for item, one in zip(items, shown, strict=True)),
            labels=self._labels(asked) if planned.shows is Shows.LABELS else (),
            templates=self._templates(planned, asked),
            feedback=planned.feedback,
        )
        pool = ""
        if planned.shows is Shows.NEIGHBOURS:
            pool = planned.pool or self.pool.source.name
        elif planned.shows is Shows.EXAMPLES:
            pool = self.pool.source.name
        right = [KeyAnswer(item.item, truth, one.pairs) for item, truth, one in zip(items, truths, shown, strict=True)]
        return stage, KeyStage(planned.id, asked.system.name, pool, tuple(right))

    def _worded(self, text: str, shown_name: str) -> str:
        return text.replace("{system}", shown_name).replace("{points}", str(self.options.points))

    def _shown(self, planned: PlannedStage, asked: AskedPool, items: Sequence[KeyItem]) -> list[Shown]:
        """Return the examples beside each item, explained."""
        if planned.shows is Shows.NEIGHBOURS:
            pairs = self._finder(planned, asked.system).near([self._pair(item) for item in items])
        elif planned.shows is Shows.EXAMPLES:
            options = self.options
            pairs = [
                related_examples(self.pool, item.template, options.related, options.neighbours, self.seed)
                for item in items
            ]
        else:
            return [Shown((), ())] * len(items)
        explainer = self._explainer(asked.system)
        shown: list[Shown] = []
        for number, some in enumerate(pairs, 1):
            shown.append(explainer.shown(some))
            self.tell(f"{asked.system.name}: explanations for {planned.id}", number, len(pairs))
        return shown

    def _pair(self, item: KeyItem) -> Pair:
        return next(pair for pair in self.drawn[item.template] if pair.id == item.pair_id)

    def _explainer(self, system: System) -> Explainer:
        known = self._explainers.get(system.name)
        if known is None:
            known = Explainer(system, LimeOptions(self.options.masks, self.seed), self.prepare)
            self._explainers[system.name] = known
        return known

    def _finder(self, planned: PlannedStage, system: System) -> Finder:
        key = system.name, planned.pool
        if key not in self._finders:
            if planned.pool == OWN_POOL:
                name, pairs = self.pool.source.name, self.pool.some(self.options.per_template, self.seed)
            else:
                name, pairs = planned.pool, list(self.sources[planned.pool].pairs())
            every = [pair for examples in self.drawn.values() for pair in examples]
            self._finders[key] = Finder.of(
                system, name, pairs, every, self.pool.varied, self.options.neighbours, self.prepare, self.tell
            )
        return self._finders[key]

    def _labels(self, asked: AskedPool) -> tuple[LabelAccuracy, ...]:
        counts = asked.label_rates(list(self.drawn))
        return tuple(
            LabelAccuracy(label, round(counts[label][0] / counts[label][1], 4), counts[label][1])
            for label in LETTERS
            if label in counts
        )

    def _templates(self, planned: PlannedStage, asked: AskedPool) -> tuple[TemplateAccuracy, ...]:
        remaining = [name for name in self.pool.examples if name not in self.drawn]
        if planned.shows is Shows.TEMPLATES:
            return tuple(self._template(asked, name, described=False) for name in remaining)
        if planned.shows is not Shows.CHOSEN:
            return ()
        names = chosen_templates(self.pool, list(self.drawn), remaining, self.options.chosen)
        return tuple(self._template(asked, name, described=True) for name in names)

    def _template(self, asked: AskedPool, name: str, *, described: bool) -> TemplateAccuracy:
        template, rate = self.pool.templates[name], asked.rates[name]
        golds = {str(pair.gold) for pair in self.pool.examples[name]}
        return TemplateAccuracy(
            readable(template),
            "".join(letter for letter in LETTERS if letter in golds),
            round(rate.correct / rate.n, 4),
            rate.n,
            describe(template) if described else "",
        )
