"""Templates as a source of pairs: examples with gold labels, and their drawn values as facets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from nliprobe.base.errors import UsageError
from nliprobe.base.hashing import digest
from nliprobe.base.registry import Spec
from nliprobe.task.labels import LabelSet
from nliprobe.task.pair import Facet, Pair
from nliprobe.task.sources import SOURCES, NamedSource
from nliprobe.templates.find import find_templates
from nliprobe.templates.render import Rendered
from nliprobe.templates.sample import BITS_32
from nliprobe.templates.suite import render_suite, wanted
from nliprobe.templates.template import FIRST, SECOND, Choice, Domain, Range, Template, Words

# To be increased when the same templates and seed give other examples than before.
VERSION = 2
# In the digest of templates whose draws changed since that version, so that the others keep theirs.
_DRAWN_ANEW = "drawn/3"


@dataclass(frozen=True)
class DrawParams:
    """The parameters: examples per template, the seed, capabilities or ids to keep, a placeholder for cells."""

    n: int | None = None
    seed: int = 0
    only: str = ""
    by: str = ""


class TemplateSource(NamedSource):
    """A source of the examples of templates, drawn by a seed."""

    seeded = True

    def __init__(self, name: str, templates: Sequence[Template], n: int | None = None, seed: int = 0) -> None:
        self._name = name
        self.templates = templates
        self.n = n
        self.seed = seed

    @classmethod
    def from_spec(cls, spec: Spec, roots: Sequence[Path]) -> TemplateSource:
        """Read the templates that a spec string names, with its parameters for drawing."""
        if cls.argument and not spec.argument:
            raise UsageError(f"'{spec.name}' needs a file or a folder, as in {spec.name}:my.yaml.")
        params = spec.build(DrawParams)
        only = [name for name in params.only.split("+") if name]
        templates = find_templates(spec.argument if cls.argument else spec.name, only, params.by)
        return cls(str(spec), templates, params.n, params.seed)

    @property
    def name(self) -> str:
        """The spec string, which says what is drawn: ``checklist?n=20``."""
        return self._name

    def files(self) -> list[Path]:
        """Return the template files."""
        return sorted({Path(template.place.file) for template in self.templates})

    def digest(self) -> str:
        """Return a hash of the templates, their lexicons, the seed and the numbers of examples."""
        parts = [str(VERSION), str(self.seed)]
        for template in self.templates:
            words = [domain for domain in template.domains.values() if isinstance(domain, Words)]
            parts += [template.id, str(wanted(template, self.n)), template.premise.text, template.hypothesis.text]
            parts += [template.cell] if template.cell else []
            parts += [_DRAWN_ANEW] if any(map(drawn_anew, template.domains.values())) else []
            parts += [f"{name}={domain!r}" for name, domain in template.domains.items() if domain not in words]
            parts += [f"{name}={formula.text}" for name, formula in template.lets.items()]
            parts += [formula.text for formula in template.where]
            parts += [f"{reading.label.text} {reading.capability}" for _, reading in template.readings]
            parts += [f"{domain.lexicon.digest()} {hash_places(domain)}" for domain in words]
        return digest(*parts)

    def pairs(self) -> Iterator[Pair]:
        """Yield every example, template by template."""
        corpus = self.name.partition("/")[0].partition("?")[0]
        for rendered in render_suite(self.templates, self.n, self.seed):
            yield from _pairs(rendered, corpus)


@SOURCES.register("checklist")
class Checklist(TemplateSource):
    """The checklist: examples from the core of the package's template library, by capability."""

    corpus_name = "checklist"
    title = "The checklist: the core of the library of templates"
    home = "the package itself"
    licence = "Apache-2.0"


@SOURCES.register("checklist-all")
class WholeChecklist(Checklist):
    """The whole checklist: examples from every template of the package's library."""

    corpus_name = "checklist-all"
    title = "The whole library of templates"


@SOURCES.register("checklist-readings")
class Readings(Checklist):
    """The templates of the library that have two readings: which of them does a system take?"""

    corpus_name = "checklist-readings"
    title = "The templates of the library that have two readings"


@SOURCES.register("checklist-paper")
class PaperChecklist(Checklist):
    """The templates of the library that realise one printed in the paper, whether they are in the core or not."""

    corpus_name = "checklist-paper"
    title = "The templates of the library that the paper prints"


@SOURCES.register("templates")
class TemplateFiles(TemplateSource):
    """Your own templates: examples from a template file or a folder of them."""

    corpus_name = "templates"
    title = "your own templates"
    home = "your own disk"
    licence = "yours"
    argument = "PATH"


def drawn_anew(domain: Domain) -> bool:
    """Tell whether a domain has values that were not drawn in version 2: empty choices and very large numbers."""
    if isinstance(domain, Choice):
        return "" in domain.options
    return isinstance(domain, Range) and len(domain) > BITS_32


def hash_places(domain: Words) -> str:
    """Return a hash of the entries that may be drawn."""
    return digest(",".join(map(str, domain.places)))


def _pairs(rendered: Rendered, corpus: str) -> Iterator[Pair]:
    template = rendered.template
    golds = {letter: LabelSet.of(letter) for letter in "ENC"}
    drawn = [[Facet(f"value:{name}", value) for value in column] for name, column in rendered.values.items()]
    drawn += [[Facet(f"gender:{name}", value) for value in column] for name, column in rendered.genders.items()]
    rows = list(zip(*drawn, strict=True)) if drawn else [()] * len(rendered)
    fixed = [Facet("capability", template.capability), Facet("template", template.id)]
    fixed += [Facet("tag", tag) for tag in (*template.tags, *(["doubtful"] if template.doubtful else []))]
    if template.variation is not None:
        fixed += [Facet("variation_of", template.variation.of), Facet("change", template.variation.change)]
    if template.second is not None:
        fixed.append(Facet("second_capability", template.second.capability))
    same = tuple(fixed)
    cell = f"{template.cell}/" if template.cell else ""
    seconds: Sequence[tuple[Facet, ...]] = [(Facet("second", label),) for label in rendered.labels.get(SECOND, ())]
    seconds = seconds or [()] * len(rendered)
    examples = zip(rendered.premises, rendered.hypotheses, rendered.labels[FIRST], seconds, rows, strict=True)
    for number, (premise, hypothesis, label, second, values) in enumerate(examples):
        facets = same + second + values
        yield Pair(
            f"{corpus}/{template.id}/{cell}{number}", premise, hypothesis, golds[label], template.id, facets=facets
        )
