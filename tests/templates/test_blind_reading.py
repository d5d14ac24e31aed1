"""Readings of the core by somebody who saw no labels: complete, told in the manual, and heeded."""

from __future__ import annotations

import csv
import re
from collections import Counter
from pathlib import Path

import pytest

from nliprobe.templates.library import load_core
from nliprobe.templates.render import render
from nliprobe.templates.template import Template

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize(
    ("file", "each", "told"),
    [
        ("core_blind.csv", 3, "| 0 | 16 (2.7 %) in 8 templates | 24 (4.1 %) in 14 templates |"),
        ("core_blind_2.csv", 2, "| 0 | 2 (0.5 %) in 1 template | 1 (0.3 %) in 1 template |"),
    ],
)
def test_examples_of_every_core_template_were_read_blind(file: str, each: int, told: str) -> None:
    with (DOCS / "review" / file).open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert Counter(row["template"] for row in rows) == dict.fromkeys((one.id for one in load_core()), each)
    labels = {one.id: set(render(one, 60).labels["first"]) for one in load_core()}
    assert [row["example_id"] for row in rows if row["label"] not in labels[row["template"]]] == []
    wrong = [row for row in rows if row["verdict"] == "wrong" or row["read_label"] != row["label"]]
    doubtful = [row for row in rows if row["verdict"] == "doubtful"]
    odd = [row for row in rows if row["odd"] == "yes"]
    assert len(wrong) <= 0.01 * len(rows)
    assert len(doubtful) <= 0.03 * len(rows)
    assert [row["example_id"] for row in [*wrong, *doubtful, *odd] if row["mended"] != "yes"] == []
    cells = [str(len(wrong)), *(_share(some, len(rows)) for some in (doubtful, odd))]
    assert f"| {' | '.join(cells)} |" == told
    assert told in (DOCS / "reference" / "templates.md").read_text(encoding="utf-8")


def _share(rows: list[dict[str, str]], n: int) -> str:
    templates = len({row["template"] for row in rows})
    return f"{len(rows)} ({100 * len(rows) / n:.1f} %) in {templates} template{'s' * (templates > 1)}"


# What the reader doubted or found odd, by template: none of it is drawn again.
MENDED = {
    "boolean.and-three-adjectives": "at once|hungry|colour-blind",
    "boolean.adjective-but-not": "tone-deaf|allergic|bald",
    "boolean.adjective-but-not-second": "allergic|bald|busy",
    "boolean.or-adjectives": "suntanned|computer-literate",
    "boolean.asked-for-only": r"\blie\b",
    "causal.thanks-to-other": r"\bonly\b",
    "causal.because-fact": "laundry|watered|ashamed",
    "conditional.nobody-else-only-if": r"\bhas\b",
    "coreference.person-not": "likes|sandal|bowl|shovel",
    "temporal.while-how-long": "museum|concert",
    "coreference.thing": "envelope|sandal|glove|napkin",
    "implicature.at-least": "glove|canoe|sock",
    "spatial.near-chain": "next to",
    "syntactic.passive-swapped": "follow",
    "taxonomic.class-to-member": "Lettuce|Kohlrabi",
    "taxonomic.class-to-member-denied": "lettuce|kohlrabi",
    "taxonomic.marks-to-class": "drew|has feathers[.]",
    "taxonomic.marks-to-other-class": "drew",
    "world.physics-wrong": "music",
}
SAYS_SO = {
    "lexical.two-animals-drawn": " also drew ", "coreference.definite-action": ", too[.]$",
    "taxonomic.sibling": " also ",
    "spatial.queue-directly": " somewhere (behind|in front of) ",
}  # fmt: skip


def test_what_a_blind_reader_doubted_is_not_drawn_again() -> None:
    by_id = {template.id: template for template in load_core()}
    for name, bad in MENDED.items():
        rendered = render(by_id[name], 100, 4)
        assert [text for text in [*rendered.premises, *rendered.hypotheses] if re.search(bad, text)] == [], name
    for name, good in SAYS_SO.items():
        rendered = render(by_id[name], 100, 4)
        texts = zip(rendered.premises, rendered.hypotheses, strict=True)
        assert [pair for pair in texts if not re.search(good, " ".join(pair))] == [], name
    for premise, text in zip(*_numbers(by_id["quantifier.at-least-exactly"]), strict=True):
        assert premise <= text <= premise + 4
    marks = render(by_id["taxonomic.marks-to-other-class"], 100, 4)
    pairs = zip(marks.premises, marks.hypotheses, strict=True)
    assert [pair for pair in pairs if "feathers" in pair[0] and "reptile" in pair[1]] == []


def _numbers(template: Template) -> tuple[list[int], list[int]]:
    rendered = render(template, 100, 4)
    premises, hypotheses = (
        [int(number) for text in texts for number in re.findall(r"\d+", text)]
        for texts in (rendered.premises, rendered.hypotheses)
    )
    return premises, hypotheses
