"""Compute the numbers of ``docs/results/checklist.md`` and of the README from the shipped answers.

A page holds marked blocks, ``<!-- checklist NAME: begin -->`` to ``<!-- checklist NAME: end -->``. They are written
from the answers (``python scripts/checklist_results.py``), and a test compares them. If there are no answers to the
templates as they are now, the blocks say so and how to measure: no old number stands as a present one.
"""

from __future__ import annotations

import math
import textwrap
from collections import Counter
from collections.abc import Callable, Sequence
from statistics import fmean, stdev
from typing import NamedTuple

from nliprobe.analysis.checklist.bins import bin_counts
from nliprobe.analysis.checklist.capabilities import in_order
from nliprobe.papers.blocks import block_pattern, fill_page
from nliprobe.papers.checklist._gold import ChecklistGold, Scores, scores, suite
from nliprobe.papers.checklist.answers_file import (
    HYPOTHESIS_ONLY,
    MEASURE,
    READINGS,
    WITH_PREMISE,
    NotMeasuredError,
    shipped_answers,
)
from nliprobe.task.labels import LETTERS, NAMES

BLOCK = block_pattern("checklist")
# The half width of a 95 % interval in standard errors, with about 200 templates.
_NORMAL = 1.97
_PASSED, _FAILED = 80.0, 20.0
# Surprises that the page shows.
SHOWN = 8


class _Model(NamedTuple):
    """One model with what is said of it."""

    title: str
    scores: Scores
    balanced: list[float]


def fill_blocks(text: str) -> str:
    """Return a page with every marked block computed anew; other text stays as it is."""
    return fill_page(text, "checklist", block)


def block(name: str) -> str:
    """Return the text of one block, or what stands in its place while the answers are to other templates."""
    make, pending = _BLOCKS[name]
    try:
        return make()
    except NotMeasuredError:
        return pending


def _models() -> list[_Model]:
    return [
        _Model(title, scored, _balanced(scored))
        for title, name in (("with the premise", WITH_PREMISE), ("hypothesis only", HYPOTHESIS_ONLY))
        for scored in [scores(name)]
    ]


def _balanced(scored: Scores) -> list[float]:
    """Return the accuracy with labels weighted alike, a number per seed."""
    asked = suite()
    per_seed = []
    for letters in scored.answers.to(asked.digest, len(asked.gold)):
        right = Counter(gold for gold, answer in zip(asked.gold, letters, strict=True) if gold == answer)
        per_seed.append(fmean(100 * right[label] / asked.gold.count(label) for label in LETTERS))
    return per_seed


def _constant(gold: str) -> tuple[str, float]:
    """Return the best constant answer and its accuracy in percent."""
    label = max(LETTERS, key=gold.count)
    return label, 100 * gold.count(label) / len(gold)


def _headline() -> str:
    full, blind = _models()
    label, share = _constant(suite().gold)
    return (
        f"right on {fmean(full.scores.answers.benchmark('snli/dev')):.0f} % of SNLI, a corpus of sentence pairs, and "
        f"on [{fmean(full.scores.overall):.0f} % of the checklist](docs/results/checklist.md), where always answering "
        f"*{NAMES[label]}* gets {share:.0f} % and the same model trained without premises "
        f"{fmean(blind.scores.overall):.0f} %"
    )


def _overview() -> str:
    asked = suite()
    label, share = _constant(asked.gold)
    rows = [
        "| mean ± standard deviation of 3 seeds | checklist | labels weighted alike | SNLI dev | MultiNLI dev | "
        "templates passed / unsure / failed |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for model in _models():
        bins = [bin_counts("", (rate / 100 for rate in seed.values())) for seed in model.scores.templates]
        verdicts = " / ".join(f"{fmean(one[kind] for one in bins):.0f}" for kind in ("passed", "unsure", "failed"))
        marks = [model.scores.answers.benchmark(name) for name in ("snli/dev", "multinli/dev-matched")]
        cells = [_over(model.scores.overall), _over(model.balanced), *map(_over, marks), verdicts]
        rows.append(f"| {model.title} | {' | '.join(cells)} |")
    rows.append(f"| always *{NAMES[label]}*, the best constant answer | {share:.1f} | {100 / 3:.1f} | | | |")
    counts = ", ".join(f"{NAMES[one]} {100 * asked.gold.count(one) / len(asked.gold):.1f} %" for one in LETTERS)
    about = (
        f"The checklist has {len(asked.gold):,} examples of {len(asked.entries)} templates: {counts}. With templates "
        f"as the unit, the 95 % interval of the first number is ± {_reach(_models()[0].scores):.1f} points."
    )
    return "\n\n" + "\n".join(rows) + f"\n\n{about}\n\n"


def _over(numbers: Sequence[float]) -> str:
    return f"{fmean(numbers):.1f} ± {stdev(numbers):.1f}"


def _reach(scored: Scores) -> float:
    means = [fmean(seed[name] for seed in scored.templates) for name in scored.templates[0]]
    return _NORMAL * stdev(means) / math.sqrt(len(means))


def _capabilities() -> str:
    asked, models = suite(), _models()
    rows = [
        "| capability | templates | best constant | with the premise | hypothesis only |",
        "| --- | ---: | --- | ---: | ---: |",
    ]
    for name in in_order(entry.capability for entry in asked.entries):
        inside = [entry for entry in asked.entries if entry.capability == name]
        label, share = _constant("".join(asked.gold[entry.start : entry.stop] for entry in inside))
        means = [model.scores.mean([entry.id for entry in inside]).number for model in models]
        cells = " | ".join(f"{mean:.1f}" for mean in means)
        rows.append(f"| {name} | {len(inside)} | {label} {share:.1f} | {cells} |")
    return "\n\n" + "\n".join(rows) + "\n\n"


class Surprise(NamedTuple):
    """A template that is passed and a variation of it that is failed, or the other way round."""

    gap: float
    passed: str
    failed: str


def surprises() -> list[Surprise]:
    """Return the pairs of templates of which the model passes one and fails the other, the widest gap first."""
    from nliprobe.templates.library import load_core

    mean = _means(scores(WITH_PREMISE))
    pairs: list[Surprise] = []
    for template in load_core():
        of = template.variation.of if template.variation else ""
        if of not in mean:
            continue
        good, bad = sorted((template.id, of), key=lambda name: -mean[name])
        if mean[good] > _PASSED and mean[bad] < _FAILED:
            pairs.append(Surprise(mean[bad] - mean[good], good, bad))
    return sorted(pairs)


def _means(scored: Scores) -> dict[str, float]:
    """Return the accuracy of each template, as the mean over seeds."""
    return {name: fmean(seed[name] for seed in scored.templates) for name in scored.templates[0]}


def _variations() -> str:
    """Show templates that are passed beside variations of them that are failed."""
    asked, pairs = suite(), surprises()
    mean, control = (_means(model.scores) for model in _models())
    rows = ["| it passes | right | it fails | right |", "| --- | --- | --- | --- |"]
    for _, good, bad in pairs[:SHOWN]:
        cells = [f"{_example(asked, name)} | {mean[name]:.0f} ({control[name]:.0f})" for name in (good, bad)]
        rows.append(f"| {' | '.join(cells)} |")
    about = (
        f"{len(pairs)} templates are passed while a variation of them is failed, or the other way round. The widest "
        "gaps, in percent right; in brackets the control without premises:"
    )
    return f"\n\n{about}\n\n" + "\n".join(rows) + "\n\n"


def _example(asked: ChecklistGold, name: str) -> str:
    premise, hypothesis = asked.examples[name]
    return f"*{premise} {hypothesis}* ({asked.gold[asked.entry(name).start]})"


def _readings() -> str:
    asked = suite(READINGS)
    rows = ["| | first reading | second reading | neither |", "| --- | ---: | ---: | ---: |"]
    places = [place for place, pair in enumerate(zip(asked.gold, asked.second, strict=True)) if pair[0] != pair[1]]
    for title, name in (("with the premise", WITH_PREMISE), ("hypothesis only", HYPOTHESIS_ONLY)):
        shares = []
        for letters in shipped_answers(name).to(asked.digest, len(asked.gold), READINGS):
            first = sum(letters[place] == asked.gold[place] for place in places)
            second = sum(letters[place] == asked.second[place] for place in places)
            shares.append([100 * count / len(places) for count in (first, second, len(places) - first - second)])
        rows.append(f"| {title} | {' | '.join(_over(column) for column in zip(*shares, strict=True))} |")
    about = (
        f"{len(asked.entries)} templates of the library have two readings, such as *some* that may be all and *some* "
        f"that means not all. They are in no accuracy. Of {len(places):,} examples, in percent:"
    )
    return f"\n\n{about}\n\n" + "\n".join(rows) + "\n\n"


def _published() -> str:
    entries, scored = suite().entries, scores(WITH_PREMISE)
    names = (
        "negation",
        "boolean",
        "comparative",
        "temporal",
        "numerical",
        "coreference",
        "presupposition",
        "implicature",
    )
    groups = [
        [entry.id for entry in entries],
        *([one.id for one in entries if one.capability == name] for name in names),
    ]
    means = " | ".join(f"{scored.mean(group).number:.1f}" for group in groups)
    return f"\n\n| mean over templates | all | {' | '.join(names)} |\n|{' --- |' * 10}\n| MiniLM | {means} |\n\n"


_TO_COME = "\n\n" + textwrap.fill(f"*Not measured on this core. To measure it: {MEASURE}.*", 120) + "\n\n"
_BLOCKS: dict[str, tuple[Callable[[], str], str]] = {
    "headline": (
        _headline,
        "not measured yet on [the checklist](docs/results/checklist.md) as it is now",
    ),
    "overview": (_overview, _TO_COME),
    "capabilities": (_capabilities, _TO_COME),
    "variations": (_variations, _TO_COME),
    "readings": (_readings, _TO_COME),
    "published": (_published, _TO_COME),
}
