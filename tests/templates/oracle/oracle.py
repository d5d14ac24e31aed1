"""The oracle: the label of an example from its words alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tests.templates.oracle.counts import COUNT_GRAMMAR
from tests.templates.oracle.events import EVENT_GRAMMAR
from tests.templates.oracle.families import FAMILY_GRAMMAR, family_background, named_genders
from tests.templates.oracle.kinds import KIND_GRAMMAR, kind_background
from tests.templates.oracle.orders import ORDER_GRAMMAR
from tests.templates.oracle.quantities import QUANTITY_GRAMMAR
from tests.templates.oracle.quantities import background as quantity_background
from tests.templates.oracle.reading import Context, Grammar
from tests.templates.oracle.space import SPACE_GRAMMAR, space_background
from tests.templates.oracle.truth import TRUTH_GRAMMAR, one_country
from tests.templates.oracle.worlds import TRUE, Formula, decide

from nliprobe.templates.render import Rendered
from nliprobe.templates.template import Template, Words


class Theory(NamedTuple):
    """How the sentences of a capability are read, and what is known besides: of what was said, and of the words."""

    grammar: Grammar
    background: Callable[[Formula], Formula] = lambda said: TRUE
    known: Callable[[Context], Formula] = lambda context: TRUE


THEORIES = {
    "boolean": Theory(TRUTH_GRAMMAR, one_country),
    "negation": Theory(TRUTH_GRAMMAR),
    "conditional": Theory(TRUTH_GRAMMAR),
    "comparative": Theory(ORDER_GRAMMAR),
    "numerical": Theory(COUNT_GRAMMAR),
    "spatial": Theory(SPACE_GRAMMAR, space_background),
    "temporal": Theory(EVENT_GRAMMAR),
    "relational": Theory(FAMILY_GRAMMAR, family_background, named_genders),
    "taxonomic": Theory(KIND_GRAMMAR, kind_background),
    "quantifier": Theory(QUANTITY_GRAMMAR, quantity_background),
}


def judge(theory: Theory, premise: str, hypothesis: str, context: Context) -> str:
    """The label of a premise and a hypothesis."""
    given, claim = theory.grammar.read(premise, context), theory.grammar.read(hypothesis, context)
    return decide(given, claim, theory.background(given & claim) & theory.known(context))


def context_of(rendered: Rendered, row: int) -> Context:
    """The drawn entries of an example."""
    context = Context()
    for name, domain in rendered.template.domains.items():
        if isinstance(domain, Words):
            text = rendered.values[name][row]
            entry = next(entry for entry in domain.lexicon.entries if entry[0] == text)
            context.entries.append(dict(zip(domain.lexicon.fields, entry, strict=True)))
            context.words.setdefault(domain.family, []).append(text)
    return context


def theory_of(template: Template) -> Theory | None:
    """The theory of a template's first reading, where there is one."""
    return THEORIES.get(template.capability)
