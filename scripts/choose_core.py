"""Chooses the templates of the checklist that is asked by default: 194 templates, 183,200 examples.

The library has several times as many. A template is eligible if its label is beyond reasonable doubt, if it can give
enough distinct examples, and if it has no second reading. Of these, each capability gets its number, beginning with the
templates of the paper that people judged, such that

- labels stay balanced, so that no constant answer does well,
- no premise comes more than three times, and no phenomenon fills more than a third of a capability,
- no text is asked twice,
- and a variation comes with what it varies, where that is possible.

``python scripts/choose_core.py`` writes ``src/nliprobe/templates/library/core.txt`` and prints the shares of labels.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

from nliprobe.language.capabilities import capabilities
from nliprobe.templates.library import library_folder, load_library
from nliprobe.templates.render import Rendered, render
from nliprobe.templates.template import Template

# The public list of 363 templates has 62 boolean, 60 temporal, 54 comparative … but 3 relational, 3 taxonomic and 2
# world templates. We keep its proportions, except that every capability has at least six templates, two per label:
# with fewer, neither a constant answer nor an interval over templates says anything.
WANTED = {
    "boolean": 29, "temporal": 28, "comparative": 26, "numerical": 15, "spatial": 14, "presupposition": 10,
    "implicature": 9, "quantifier": 8, "coreference": 7, "lexical": 6, "causal": 6, "syntactic": 6, "negation": 6,
    "conditional": 6, "relational": 6, "taxonomic": 6, "world": 6,
}  # fmt: skip
# A premise may come with three hypotheses, one per label.
SAME_PREMISE = 3
# People agreed on these templates of the paper, so they come first.
AGREED = 0.8
# Right, but not what anybody would say.
ODD = {
    "coreference.thing-made": "nobody would say that a person was made in a factory",
    "coreference.person-born": "nobody would say that a thing was born",
    "negation.triple": "three negations are a riddle",
    "causal.exchange-passed-on": "nobody passes on a kidney",
    "conditional.whenever-wider": "hard to read",
    "conditional.whenever-narrower": "hard to read",
}
_KIND = re.compile(r"^(paper|table\d+|covers|names):|^(free|two|three|four|group|quantity|computed-label)$")


@dataclass
class Choice:
    """What has been chosen so far."""

    rendered: dict[str, Rendered] = field(default_factory=dict)
    premises: Counter[str] = field(default_factory=Counter)
    kinds: Counter[tuple[str, str]] = field(default_factory=Counter)
    counts: Counter[str] = field(default_factory=Counter)
    labels: Counter[tuple[str, str]] = field(default_factory=Counter)
    texts: set[tuple[str, str]] = field(default_factory=set)

    def fits(self, template: Template, drawn: Rendered) -> bool:
        """Tell whether a template can be taken without breaking a rule."""
        name = template.capability
        return (
            self.counts[name] < WANTED[name]
            and self.premises[premise_of(template)] < SAME_PREMISE
            and self.kinds[name, kind_of(template)] < max(2, WANTED[name] // 3)
            and self.texts.isdisjoint(texts_of(drawn))
        )

    def take(self, template: Template, drawn: Rendered) -> None:
        """Choose a template."""
        self.rendered[template.id] = drawn
        self.premises[premise_of(template)] += 1
        self.kinds[template.capability, kind_of(template)] += 1
        self.counts[template.capability] += 1
        self.texts |= texts_of(drawn)
        for label in drawn.labels["first"]:
            self.labels[template.capability, label] += 1

    def crowd(self, template: Template, drawn: Rendered) -> float:
        """Return how common the labels of a template already are in its capability, in templates."""
        mine = Counter(drawn.labels["first"])
        seen = sum(count * self.labels[template.capability, label] for label, count in mine.items())
        return round(seen / mine.total() / len(drawn), 1)


def premise_of(template: Template) -> str:
    """Return the premise without the numbers of placeholders; a list of names is one name."""
    text = re.sub(r"\d", "", " ".join(template.premise.text.split()))
    return re.sub(r"(\w+)(?:, \1)+", r"\1", text)


def kind_of(template: Template) -> str:
    """Return the phenomenon of a template: the first of its tags that names one."""
    return next((tag for tag in template.tags if not _KIND.search(tag)), template.id)


def texts_of(drawn: Rendered) -> set[tuple[str, str]]:
    """Return the distinct examples."""
    return set(zip(drawn.premises, drawn.hypotheses, strict=True))


def eligible(template: Template) -> Rendered | None:
    """Draw the examples of a template, or return None if it should not be in the core."""
    if template.doubtful or template.second or template.id in ODD or "ambiguous" in template.tags:
        return None
    enough = capabilities()[template.capability].examples
    drawn = render(template, enough)
    return drawn if len(drawn) == enough else None


def choose(templates: list[Template]) -> Choice:
    """Choose the core among the templates of the library."""
    drawn = {template.id: one for template in templates if (one := eligible(template)) is not None}
    chosen = Choice()
    for template in templates:
        agreed = template.human is not None and template.human.confidence >= AGREED
        if agreed and template.id in drawn and chosen.fits(template, drawn[template.id]):
            chosen.take(template, drawn[template.id])
    for capability in WANTED:
        while chosen.counts[capability] < WANTED[capability]:
            open_ = [
                one for one in templates
                if one.capability == capability and one.id in drawn and one.id not in chosen.rendered
                and chosen.fits(one, drawn[one.id])
            ]  # fmt: skip
            if not open_:
                raise SystemExit(f"'{capability}' lacks templates: {chosen.counts[capability]} are eligible.")
            best = min(open_, key=lambda one: _cost(one, drawn[one.id], chosen))
            chosen.take(best, drawn[best.id])
    return chosen


def _cost(template: Template, drawn: Rendered, chosen: Choice) -> tuple[float, int, bool, bool]:
    """Rank by: the rarest label, the rarest phenomenon, printed, varies what is in."""
    varied = template.variation is not None and template.variation.of in chosen.rendered
    printed = any(tag.startswith("paper:") for tag in template.tags)
    return (
        chosen.crowd(template, drawn),
        chosen.kinds[template.capability, kind_of(template)],
        not printed,
        not varied,
    )


def main() -> None:
    """Write the core and print what constant answers would get."""
    templates = list(load_library())
    chosen = choose(templates)
    path = library_folder() / "core.txt"
    path.write_text("".join(f"{one.id}\n" for one in templates if one.id in chosen.rendered), encoding="utf-8")
    for name in [*WANTED, ""]:
        mine = {key: n for key, n in chosen.labels.items() if name in (key[0], "")}
        counts = {label: sum(n for (_, one), n in mine.items() if one == label) for label in "ENC"}
        shares = "  ".join(f"{label} {count / sum(counts.values()):5.1%}" for label, count in counts.items())
        print(f"{name or 'all':16}{WANTED.get(name, sum(WANTED.values())):4}  {shares}")


if __name__ == "__main__":
    main()
