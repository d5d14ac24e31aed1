"""The examples of templates behind a study, with what each system answers to them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from nliprobe.analysis.checklist.bins import bin_of
from nliprobe.base.errors import DataError, UsageError, option
from nliprobe.base.seeds import draws
from nliprobe.engine.ask import Caches, ask_known
from nliprobe.explain.neighbours import family_of
from nliprobe.models.system import System
from nliprobe.people.study.key import TemplateRate
from nliprobe.stats.intervals import wilson
from nliprobe.task.case import Prediction, Status
from nliprobe.task.labels import LabelSet
from nliprobe.task.pair import Pair
from nliprobe.task.source import PairSource
from nliprobe.templates.library import load_library
from nliprobe.templates.source import TemplateSource
from nliprobe.templates.template import Template

# Examples that are asked at once; after so many the progress moves, and answers are in the cache.
_AT_ONCE = 4096
Tell = Callable[[str, int, int], None]


class Answer(NamedTuple):
    """What a system answers to an example, and whether that is right; no label where it did not answer."""

    label: str
    right: bool


@dataclass(frozen=True)
class TemplatePool:
    """Templates with their examples; one with two readings has no place in a study, because two labels are right.

    Attributes:
        source: where the examples come from.
        templates: the templates by their ids.
        examples: their examples.
        varied: the template that each template varies, also of the library's other templates.
        families: the first template of each template's family.
    """

    source: PairSource
    templates: dict[str, Template]
    examples: dict[str, list[Pair]]
    varied: dict[str, str]
    families: dict[str, str]

    @classmethod
    def of(cls, source: PairSource) -> TemplatePool:
        """Draw the examples of a source.

        Raises:
            UsageError: it has no templates.
        """
        if not isinstance(source, TemplateSource):
            raise UsageError(
                f"A study is about templates, but {source.name} has none: name checklist?n=100 or templates:PATH "
                f"with {option('on')}."
            )
        templates = {one.id: one for one in source.templates if one.second is None}
        examples: dict[str, list[Pair]] = {name: [] for name in templates}
        for pair in source.pairs():
            if pair.group in examples:
                examples[pair.group].append(pair)
        examples = {name: pairs for name, pairs in examples.items() if pairs}
        if not examples:
            raise DataError(f"{source.name} holds no template with one reading and an example.")
        # A variation of a variation belongs to the family even if the one between them has no place in the source.
        varied = {one.id: one.variation.of for one in (*load_library(), *source.templates) if one.variation is not None}
        families = {name: family_of(pairs[0], varied) for name, pairs in examples.items()}
        return cls(source, templates, examples, varied, families)

    @cached_property
    def pairs(self) -> list[Pair]:
        """All examples, template by template."""
        return [pair for pairs in self.examples.values() for pair in pairs]

    def some(self, count: int, seed: int) -> list[Pair]:
        """Return at most so many examples per template, drawn by a seed."""
        chosen: list[Pair] = []
        for name, pairs in self.examples.items():
            chosen += pairs if len(pairs) <= count else draws(seed, "study pool", name).sample(pairs, count)
        return chosen


@dataclass(frozen=True)
class AskedPool:
    """The answers of one system to all examples of a pool, by the ids of pairs."""

    pool: TemplatePool
    system: System
    answers: dict[str, Answer]

    @classmethod
    def of(
        cls, pool: TemplatePool, system: System, caches: Caches, prepare: Callable[[System], None], tell: Tell
    ) -> AskedPool:
        """Ask a system about all examples; what it answered before comes from the cache."""
        partition = system.model.partition.join(pool.source.partition)
        answers: dict[str, Answer] = {}
        for start in range(0, len(pool.pairs), _AT_ONCE):
            some = pool.pairs[start : start + _AT_ONCE]
            inputs = [system.reader.read_pair(pair) for pair in some]
            predictions = ask_known(system, inputs, caches.of(system), prepare)
            for pair, prediction in zip(some, predictions, strict=True):
                label = _label(prediction)
                right = label is not None and pair.gold is not None and partition.agrees(label, pair.gold)
                answers[pair.id] = Answer("" if label is None else str(label), right)
            tell(f"{system.name}: answers", min(start + _AT_ONCE, len(pool.pairs)), len(pool.pairs))
        return cls(pool, system, answers)

    @cached_property
    def rates(self) -> dict[str, TemplateRate]:
        """How often the system is right about each template."""
        return {name: self._rate(pairs) for name, pairs in self.pool.examples.items()}

    def label_rates(self, left_out: Sequence[str]) -> dict[str, tuple[int, int]]:
        """Count right answers and examples by gold label, over all templates but some."""
        counts: dict[str, tuple[int, int]] = {}
        for name, pairs in self.pool.examples.items():
            if name in left_out:
                continue
            for pair in pairs:
                right, n = counts.get(str(pair.gold), (0, 0))
                counts[str(pair.gold)] = right + self.answers[pair.id].right, n + 1
        return counts

    def _rate(self, pairs: Sequence[Pair]) -> TemplateRate:
        correct = sum(self.answers[pair.id].right for pair in pairs)
        interval = wilson(correct, len(pairs))
        ends = None if interval is None else (round(interval.low, 6), round(interval.high, 6))
        return TemplateRate(self.system.name, correct, len(pairs), ends, bin_of(correct / len(pairs)))


def _label(prediction: Prediction) -> LabelSet | None:
    return prediction.label if prediction.status is Status.OK else None
