"""A suite of templates as a corpus: pairs with gold labels and everything that is known of them as facets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nliprobe.base.hashing import digest
from nliprobe.task.labels import LabelSet
from nliprobe.task.pair import Facet, Pair
from nliprobe.task.partitions import THREE_WAY, Partition
from nliprobe.templates.render import Rendered
from nliprobe.templates.suite import reading_id, render_suite, wanted
from nliprobe.templates.template import Template, Words

# Raised when the same templates and seed would give other examples.
VERSION = 1


@dataclass(frozen=True)
class TemplateSource:
    """The examples of templates, drawn by a seed."""

    name: str
    templates: Sequence[Template]
    n: int | None = None
    seed: int = 0

    @property
    def partition(self) -> Partition:
        """Labels are told apart three ways."""
        return THREE_WAY

    def digest(self) -> str:
        """A hash of the templates, the lexicons they draw from, the seed and the numbers of examples."""
        parts = [str(VERSION), str(self.seed)]
        for template in self.templates:
            words = [domain for domain in template.domains.values() if isinstance(domain, Words)]
            parts += [template.id, str(wanted(template, self.n)), template.premise.text, template.hypothesis.text]
            parts += [template.cell] if template.cell else []
            parts += [f"{name}={domain!r}" for name, domain in template.domains.items() if domain not in words]
            parts += [f"{name}={formula.text}" for name, formula in template.lets.items()]
            parts += [formula.text for formula in template.where]
            parts += [f"{reading.label.text} {reading.capability}" for _, reading in template.readings]
            parts += [f"{domain.lexicon.digest()} {hash_places(domain)}" for domain in words]
        return digest(*parts)

    def pairs(self) -> Iterator[Pair]:
        """Every example, template by template."""
        corpus = self.name.partition("/")[0].partition("?")[0]
        for rendered in render_suite(self.templates, self.n, self.seed):
            yield from _pairs(rendered, corpus)


def hash_places(domain: Words) -> str:
    """A hash of which entries may be drawn."""
    return digest(",".join(map(str, domain.places)))


def _pairs(rendered: Rendered, corpus: str) -> Iterator[Pair]:
    template = rendered.template
    golds = {letter: LabelSet.of(letter) for letter in "ENC"}
    drawn = [[Facet(f"value:{name}", value) for value in column] for name, column in rendered.values.items()]
    drawn += [[Facet(f"gender:{name}", value) for value in column] for name, column in rendered.genders.items()]
    rows = list(zip(*drawn, strict=True)) if drawn else [()] * len(rendered)
    for name, reading in template.readings:
        identity = reading_id(template, name)
        fixed = [Facet("capability", reading.capability), Facet("template", identity), Facet("reading", name)]
        fixed += [Facet("tag", tag) for tag in template.tags]
        if template.variation is not None:
            fixed += [Facet("variation_of", template.variation.of), Facet("change", template.variation.change)]
        same = tuple(fixed)
        cell = f"{template.cell}/" if template.cell else ""
        examples = zip(rendered.premises, rendered.hypotheses, rendered.labels[name], rows, strict=True)
        for number, (premise, hypothesis, label, values) in enumerate(examples):
            yield Pair(
                f"{corpus}/{identity}/{cell}{number}", premise, hypothesis, golds[label], identity, facets=same + values
            )
