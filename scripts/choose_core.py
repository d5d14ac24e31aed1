"""Chooses the templates of the checklist that is asked by default: 194 readings, 184,100 examples.

The library has several times as many. Taken are all templates that realise one printed in the paper, then, up to the
number of each capability, templates in the order of the library such that labels stay balanced and a variation comes
with what it varies. ``python scripts/choose_core.py`` writes ``src/nliprobe/templates/library/core.txt``.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from nliprobe.language.capabilities import capabilities
from nliprobe.templates.library import library_folder, load_library
from nliprobe.templates.render import render
from nliprobe.templates.template import Template

# As the public list weighs them; 183 of 1,000 examples and 11 of 100 (knowledge) make the paper's 184 thousand.
WANTED = {
    "boolean": 24, "comparative": 22, "temporal": 22, "numerical": 16, "spatial": 16, "presupposition": 12,
    "implicature": 12, "quantifier": 10, "coreference": 8, "lexical": 8, "causal": 8, "syntactic": 7, "negation": 7,
    "conditional": 6, "relational": 5, "taxonomic": 5, "world": 6,
}  # fmt: skip


def printed(template: Template) -> bool:
    return any(tag.startswith("paper:") for tag in template.tags)


def choose(templates: list[Template]) -> list[str]:
    by_id = {template.id: template for template in templates}
    chosen: dict[str, Template] = {}
    counts: Counter[str] = Counter()
    labels: Counter[tuple[str, str]] = Counter()

    def fits(template: Template) -> bool:
        more = Counter(reading.capability for _, reading in template.readings)
        return all(counts[name] + n <= WANTED.get(name, 0) for name, n in more.items())

    def take(template: Template) -> None:
        chosen[template.id] = template
        for _, reading in template.readings:
            counts[reading.capability] += 1
            labels[reading.capability, reading.label.text] += 1

    def rich(template: Template) -> bool:
        enough = capabilities()[template.capability].examples
        return len(render(template, enough)) == enough

    for template in templates:
        if printed(template) and fits(template) and rich(template):
            take(template)
    for capability in WANTED:
        while counts[capability] < WANTED[capability]:
            open_ = [
                one for one in templates
                if one.capability == capability and one.id not in chosen and fits(one) and rich(one)
            ]  # fmt: skip
            if not open_:
                break
            # The rarest label first; among those, what varies a template that is in, then the order of the library.
            take(
                min(
                    open_,
                    key=lambda one: (
                        labels[one.capability, one.label],
                        one.variation is None or one.variation.of not in chosen,
                        one.variation is not None and one.variation.of not in by_id,
                    ),
                )
            )
    missing = {name: WANTED[name] - counts[name] for name in WANTED if counts[name] != WANTED[name]}
    if missing:
        raise SystemExit(f"These capabilities lack templates: {missing}")
    return [template.id for template in templates if template.id in chosen]


def main() -> None:
    templates = list(load_library())
    path = library_folder() / "core.txt"
    path.write_text("".join(f"{name}\n" for name in choose(templates)), encoding="utf-8")
    print(f"{sum(WANTED.values())} readings of {len(Path(path).read_text().split())} templates written to {path.name}")


if __name__ == "__main__":
    main()
