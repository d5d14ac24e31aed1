"""What a study shows beside its questions: examples with marked words, similar ones, and related templates."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from nliprobe.analysis.checklist.wording import TemplateWording, other_words, placeholders
from nliprobe.api.study_pool import Tell, TemplatePool
from nliprobe.api.study_wording import in_plain_words
from nliprobe.base.errors import DataError
from nliprobe.base.seeds import draws
from nliprobe.explain.kept import kept_explanation
from nliprobe.explain.lime import LimeOptions
from nliprobe.explain.neighbours import NeighbourPool, family_of
from nliprobe.explain.vectors import pair_vectors
from nliprobe.language.capabilities import capabilities
from nliprobe.models.system import System
from nliprobe.people.study.key import ShownPair
from nliprobe.people.study.records import ShownExample, Wording
from nliprobe.task.explanation import Weighed
from nliprobe.task.pair import Pair, Span
from nliprobe.templates.template import Template


class Shown(NamedTuple):
    """Examples as participants see them, and which pairs they are."""

    examples: tuple[ShownExample, ...]
    pairs: tuple[ShownPair, ...]


@dataclass
class Explainer:
    """Explains the answers of one system: marks the words they rest on, and finds similar pairs.

    Attributes:
        system: whose answers.
        options: how much is asked for one explanation.
        prepare: trains or loads its model.
    """

    system: System
    options: LimeOptions
    prepare: Callable[[System], None]
    _known: dict[str, tuple[ShownExample, ShownPair]] = field(default_factory=dict)

    def shown(self, pairs: Sequence[Pair]) -> Shown:
        """Return pairs with the words marked on which the system's answers rest."""
        both = [self._one(pair) for pair in pairs]
        return Shown(tuple(example for example, _ in both), tuple(pair for _, pair in both))

    def _one(self, pair: Pair) -> tuple[ShownExample, ShownPair]:
        if pair.id not in self._known:
            made = kept_explanation(self.system, pair, self.options, self.prepare)
            top = [] if made["words"] is None else made["words"]["top"]
            example = ShownExample(
                made["premise"],
                made["hypothesis"],
                _spans(top, "premise"),
                _spans(top, "hypothesis"),
                made["label"],
            )
            template = dict(pair.facets).get("template", "")
            gold = "" if pair.gold is None else str(pair.gold)
            self._known[pair.id] = example, ShownPair(pair.id, template, gold, made["label"])
        return self._known[pair.id]


def _spans(top: Sequence[Weighed], part: str) -> tuple[Span, ...]:
    found = [item["span"] for item in top if item["part"] == part and item["span"] is not None]
    return tuple(sorted((span[0], span[1]) for span in found))


@dataclass(frozen=True)
class Finder:
    """Finds the pairs of a pool that a system itself finds most similar."""

    system: System
    name: str
    pool: NeighbourPool
    count: int
    prepare: Callable[[System], None]

    @classmethod
    def of(
        cls,
        system: System,
        name: str,
        pairs: Sequence[Pair],
        asked: Sequence[Pair],
        varied: Mapping[str, str],
        count: int,
        prepare: Callable[[System], None],
        tell: Tell,
    ) -> Finder:
        """Read the pairs of a pool as the system does; what is asked about is nobody's neighbour.

        Args:
            system: whose vectors decide.
            name: of the pool.
            pairs: among which neighbours are found.
            asked: the examples that participants are asked about.
            varied: the template that each template varies.
            count: how many neighbours.
            prepare: trains or loads the model.
            tell: is told how many vectors are made.
        """
        import numpy as np

        done = 0

        def count_vectors(number: int) -> None:
            nonlocal done
            done += number
            tell(f"{system.name}: vectors of {name}", done, len(pairs))

        # All vectors are made and kept, whatever is asked about, so that another study finds them.
        pool = NeighbourPool.of(system, pairs, prepare, count_vectors)
        own = {system.reader.read_pair(pair).id for pair in asked}
        kept = [place for place, item in enumerate(pool.inputs) if item.id not in own]
        free = replace(
            pool,
            pairs=[pool.pairs[place] for place in kept],
            inputs=[pool.inputs[place] for place in kept],
            vectors=pool.vectors[kept],
            varied=varied,
            families=np.array([family_of(pool.pairs[place], varied) for place in kept], dtype=np.str_),
        )
        return cls(system, name, free, count, prepare)

    def near(self, asked: Sequence[Pair]) -> list[list[Pair]]:
        """Return the nearest pairs of each example: none of its own template, or of that template's variations."""
        inputs = [self.system.reader.read_pair(pair) for pair in asked]
        vectors = pair_vectors(self.system, inputs, self.prepare)
        found: list[list[Pair]] = []
        for pair, item, vector in zip(asked, inputs, vectors, strict=True):
            near = self.pool.neighbours(pair, item, vector, self.count)
            if not near:
                raise DataError(
                    f"{self.name} has no pair that is neither asked about nor of the same template as {pair.id}, so "
                    "that nothing similar can be shown: name a larger pool."
                )
            found.append([each.pair for each in near])
        return found


def readable(template: Template) -> Wording:
    """Return the wording of a template for people who do not know the language of templates."""
    return Wording(in_plain_words(template.premise.text), in_plain_words(template.hypothesis.text))


def describe(template: Template) -> str:
    """Say in a sentence or two what a template tests, and why its label is right."""
    known = capabilities().get(template.capability)
    about = template.capability if known is None else known.title
    return f"{about}: {template.first.because}".strip()


def related(pool: TemplatePool, template: str, among: Sequence[str]) -> list[str]:
    """Sort templates by how much they have in common with one: the capability, then placeholders and words."""
    own = pool.templates[template]
    words = _words(own)

    def likeness(name: str) -> float:
        other = pool.templates[name]
        theirs = _words(other)
        shared = len(words & theirs) / max(1, len(words | theirs))
        return shared + (own.capability == other.capability)

    return sorted(among, key=lambda name: (-likeness(name), name))


def chosen_templates(pool: TemplatePool, asked: Sequence[str], among: Sequence[str], count: int) -> list[str]:
    """Choose templates related to those that are asked about, in turn for each of them, until there are enough."""
    lists = [related(pool, name, among) for name in asked]
    chosen: list[str] = []
    while len(chosen) < min(count, len(among)):
        for ranked in lists:
            new = next((name for name in ranked if name not in chosen), None)
            if new is not None and len(chosen) < count:
                chosen.append(new)
    return chosen


def related_examples(pool: TemplatePool, template: str, templates: int, examples: int, seed: int) -> list[Pair]:
    """Draw examples of the templates most related to one, none of them of its family; as evenly as possible."""
    others = [name for name in pool.examples if pool.families[name] != pool.families[template]]
    nearest = related(pool, template, others)[:templates]
    drawn: list[Pair] = []
    for place, name in enumerate(nearest):
        share = examples // len(nearest) + (place < examples % len(nearest))
        pairs = pool.examples[name]
        drawn += draws(seed, "study related", template, name).sample(pairs, min(share, len(pairs)))
    return drawn


def _words(template: Template) -> set[str]:
    wording = TemplateWording(
        template.id, template.capability, template.premise.text, template.hypothesis.text, template.label
    )
    return {*placeholders(wording), *other_words(wording)}
