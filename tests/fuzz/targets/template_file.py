"""Template files: read, checked, and drawn from."""

from __future__ import annotations

from pathlib import Path

from tests.fuzz.harness import Target

from nliprobe.templates.library import library_folder, template_paths
from nliprobe.templates.lint import lint
from nliprobe.templates.parse import read_templates
from nliprobe.templates.render import render
from nliprobe.templates.source import TemplateSource

_OWN = """
capability: lexical
about: everything that a file can hold
lexicons:
  WHO: {fields: [text, gender], entries: [[Ana, f], [Bob, m], [Cleo, f]]}
  MAN: {from: WHO, if: "gender == 'm'"}
  DISH: [soup, stew, pie]
templates:
  - id: own.one
    premise: "{WHO} is {not/} in {MOOD}; {words(N)} of {N * M - 3} {plural(DISH)}, {he(WHO)} said."
    hypothesis: "{WHO} had {LEFT} {agree(LEFT, 'coin', 'coins')}."
    draw: {N: 2..30, M: -5..1000000000000, MOOD: {of: [glad, sad], weights: [3, 1]}}
    where: [N + M > 0, "MOOD in ['glad', 'sad']"]
    let: {LEFT: N * M % 7 + abs(M), SUM: "max(N, M) // 3"}
    label: "'E' if LEFT > SUM else 'N' if not N == 3 else 'C'"
    because: it is so
    second: {label: N, because: another reading}
    human: {label: E, confidence: 0.9}
    variation: {of: own.two, change: words}
    tags: [a, b]
  - id: own.two
    premise: &same "{a(DISH)} for {MAN}, {join(DISH, MAN)} at {clock(N)}."
    hypothesis: *same
    draw: {N: [1, 2, 3]}
    label: E
    because: the same text
"""


def _seeds() -> list[bytes]:
    seeds = [_OWN]
    for path in template_paths(library_folder()):
        head, *templates = path.read_text(encoding="utf-8").split("\n  - id:")
        # Three templates of each file, from different parts of it.
        seeds.append("\n  - id:".join([head, *templates[:: max(1, len(templates) // 3)][:3]]))
    return [seed.encode() for seed in seeds]


def _run(data: bytes, folder: Path) -> None:
    path = folder / "t.yaml"
    path.write_bytes(data)
    templates = read_templates(path).templates
    for finding in lint(templates, sample=50):
        str(finding).encode()
    TemplateSource("templates", templates, 5).digest()
    for template in templates:
        rendered = render(template, 5)
        for text in (*rendered.premises, *rendered.hypotheses):
            assert text
            text.encode()


TARGET = Target("template_file", _seeds, _run)
