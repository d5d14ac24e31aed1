"""Fills the blocks of ``docs/results/explanations.md`` from ``benchmarks/results/explanations.json``.

See ``scripts/explanation_measure.py`` for how that file is made.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

import numpy as np

from nliprobe.papers.blocks import fill_page, markdown_table
from nliprobe.stats.grouped import mean_difference_interval, share_interval
from scripts.explanation_measure import RESULT

PAGE = Path(__file__).parents[1] / "docs" / "results" / "explanations.md"
Found = dict[str, Any]


class Word(NamedTuple):
    """A word of an explained pair: its text, what it is, and whether the other text has it, too."""

    part: str
    text: str
    kind: str
    weight: float
    shared: bool


class Share(NamedTuple):
    """A share with its interval over templates, and what random words get."""

    share: float
    low: float
    high: float
    random: float

    def cell(self) -> str:
        return f"{100 * self.share:.0f} [{100 * self.low:.0f}, {100 * self.high:.0f}] | {100 * self.random:.0f}"


def results() -> Found:
    found: Found = json.loads(RESULT.read_text(encoding="utf-8"))
    return found


def words(item: Found) -> list[Word]:
    said = {part: {text.lower() for side, text, *_ in item["words"] if side == part} for part in "ph"}
    other = {"p": "h", "h": "p"}
    return [
        Word(part, text, kind, weight, text.lower() in said[other[part]]) for part, text, kind, weight in item["words"]
    ]


def items(system: Found) -> Iterator[tuple[str, Found]]:
    for template, made in system["explanations"].items():
        for item in made:
            yield template, item


def named_share(system: Found, is_one: Callable[[Word], bool]) -> Share:
    """Return which share of the named words are of a kind, beside the share of all words of the same pairs."""
    hits: Counter[str] = Counter()
    sizes: Counter[str] = Counter()
    random = []
    for template, item in items(system):
        listed = words(item)
        hits[template] += sum(is_one(listed[place]) for place in item["named"])
        sizes[template] += len(item["named"])
        if item["named"]:
            random += [fmean(map(is_one, listed))] * len(item["named"])
    low, high = share_interval(*columns(hits, sizes)) or (0.0, 1.0)
    return Share(sum(hits.values()) / sum(sizes.values()), low, high, fmean(random))


def columns(*counts: Counter[str]) -> list[Any]:
    names = list(counts[-1])
    return [np.array([count[name] for name in names], dtype=np.int64) for count in counts]


def changed(system: Found) -> tuple[float, float, float, float, float]:
    """Return how often the answer changes without the named words, without random ones, and the difference."""
    own: Counter[str] = Counter()
    sizes: Counter[str] = Counter()
    gaps: dict[str, float] = {}
    random = []
    for template, item in items(system):
        if item["steps"] is None:
            continue
        turned = item["steps"][-1] != item["label"]
        own[template] += turned
        sizes[template] += 1
        gaps[template] = gaps.get(template, 0.0) + turned - item["random_changed"]
        random.append(item["random_changed"])
    _, number = columns(own, sizes)
    low, high = mean_difference_interval(np.array([gaps[name] for name in sizes]), number) or (-1.0, 1.0)
    total = sum(sizes.values())
    return sum(own.values()) / total, fmean(random), sum(gaps.values()) / total, low, high


def systems_block() -> str:
    rows = []
    for name, system in results()["systems"].items():
        made = list(items(system))
        home = system["snli"]
        right = sum(part["right"] for part in system["answers"].values())
        asked = sum(part["n"] for part in system["answers"].values())
        constant = Counter[str]()
        for part in system["answers"].values():
            constant.update(part["answers"])
        answer, often = constant.most_common(1)[0]
        rows.append(
            [
                f"`{name}`: {system['what']}",
                f"{100 * home['right'] / home['n']:.1f} ({100 * home['constant'] / home['n']:.1f})",
                f"{100 * right / asked:.0f}",
                f"{answer} {100 * often / asked:.0f} %",
                f"{len(made)}",
                f"{system['seconds'] / len(made):.1f}",
            ]
        )
    head = [
        "", "SNLI dev, 1,000 pairs (best constant)", "right on these templates", "most frequent answer there",
        "explanations", "seconds each",
    ]  # fmt: skip
    return markdown_table(head, rows)


def faithful_block() -> str:
    rows = []
    for name, system in results()["systems"].items():
        own, random, gap, low, high = changed(system)
        fits = [item["fit"] for _, item in items(system) if item["fit"] is not None]
        rows.append(
            [
                f"`{name}`",
                f"{100 * fmean(fits):.0f} %",
                f"{100 * own:.0f} %",
                f"{100 * random:.0f} %",
                f"{100 * gap:+.0f} [{100 * low:+.0f}, {100 * high:+.0f}]".replace("-", "−"),
            ]
        )
    head = ["", "fit", "the answer changes without the 3 named words", "without 3 random words", "difference, points"]
    return markdown_table(head, rows)


KINDS: dict[str, Callable[[Word], bool]] = {
    "in the premise": lambda word: word.part == "p",
    "a name or another value that was drawn": lambda word: word.kind != "wording",
    "such a value that stands in both texts": lambda word: word.kind != "wording" and word.shared,
    "wording of the template (*or*, *not*, *than* …)": lambda word: word.kind == "wording",
}


def named_block() -> str:
    known = results()["systems"]
    rows = [
        [what, *(cell for system in known.values() for cell in named_share(system, is_one).cell().split(" | "))]
        for what, is_one in KINDS.items()
    ]
    head = ["% of the named words that are", *(text for name in known for text in (f"`{name}`", "random words"))]
    return markdown_table(head, rows)


def first_words(made: Sequence[Found]) -> str:
    """Write which word comes first most often: the wording itself, or what kind of value it is, and in which text."""
    seen: Counter[str] = Counter()
    for item in made:
        if item["named"]:
            word = words(item)[item["named"][0]]
            what = (
                f"*{word.text.lower()}*"
                if word.kind == "wording"
                else {"name": "a name", "drawn": "a value"}[word.kind]
            )
            seen[f"{what} in the {'premise' if word.part == 'p' else 'hypothesis'}"] += 1
        else:
            seen["nothing"] += 1
    text, times = seen.most_common(1)[0]
    return f"{text} ({times} of {len(made)})"


def templates_block() -> str:
    found = results()
    names = list(dict.fromkeys(name for pair in found["surprises"] for name in pair))
    rows = []
    for template in names:
        cells = []
        example = ""
        for system in found["systems"].values():
            made, part = system["explanations"][template], system["answers"][template]
            answer, often = max(part["answers"].items(), key=lambda one: one[1])
            example = f"*{made[0]['premise']} {made[0]['hypothesis']}* ({made[0]['gold']})"
            cells += [f"{answer} {100 * often / part['n']:.0f} %", first_words(made)]
        rows.append([example, *cells])
    head = ["", *(text for name in found["systems"] for text in (f"`{name}` answers", "first word"))]
    return markdown_table(head, rows, texts=len(head))


def neighbours_block() -> str:
    found = results()
    rows = []
    for name, system in found["systems"].items():
        *near, pool = system["neighbours"]
        labels, golds = dict(pool["labels"]), dict(pool["golds"])
        total = sum(labels.values())
        own = [item for made in system["explanations"].values() for item in made]
        same_answer = [label == item["label"] for item, each in zip(own, near, strict=True) for label in each["labels"]]
        same_gold = [gold == item["gold"] for item, each in zip(own, near, strict=True) for gold in each["golds"]]
        rows.append(
            [
                f"`{name}`",
                f"{100 * fmean(same_answer):.0f} %",
                f"{100 * fmean(labels.get(item['label'], 0) / total for item in own):.0f} %",
                f"{100 * fmean(same_gold):.0f} %",
                f"{100 * fmean(golds.get(item['gold'], 0) / total for item in own):.0f} %",
            ]
        )
    head = [
        "", "neighbours with the same answer of the model", "random pairs of the pool",
        "neighbours with the same gold label", "random pairs of the pool",
    ]  # fmt: skip
    return markdown_table(head, rows)


BLOCKS: dict[str, Callable[[], str]] = {
    "systems": systems_block,
    "faithful": faithful_block,
    "named": named_block,
    "templates": templates_block,
    "neighbours": neighbours_block,
}


def filled(text: str) -> str:
    """Return the page with its blocks computed anew."""
    return fill_page(text, "explanations", lambda name: BLOCKS[name]())


def main() -> None:
    """Write the page."""
    text = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(filled(text), encoding="utf-8")
    print(f"{PAGE.name} {'written' if filled(text) != text else 'is up to date'}")


if __name__ == "__main__":
    main()
