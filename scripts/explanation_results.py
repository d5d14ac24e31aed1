"""Fills the blocks of ``docs/results/explanations.md`` from ``benchmarks/results/explanations.json``.

See ``scripts/explanation_measure.py`` for how that file is made.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from math import comb
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

import numpy as np

from nliprobe.papers.blocks import fill_page, markdown_table
from nliprobe.stats.grouped import Counts, mean_difference_interval, share_interval
from nliprobe.stats.intervals import wilson
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


def named_share(system: Found, is_one: Callable[[Word], bool], *, wrong: bool = False) -> Share:
    """Return which share of the named words are of a kind, beside the share of all words of the same pairs.

    Args:
        system: what was measured.
        is_one: whether a word is of the kind.
        wrong: whether only wrong answers count.
    """
    hits: Counter[str] = Counter()
    sizes: Counter[str] = Counter()
    random = []
    for template, item in items(system):
        if wrong and item["label"] == item["gold"]:
            continue
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
        home, said, golds = system["snli"], Counter[str](), Counter[str]()
        for part in system["answers"].values():
            said.update(part["answers"])
            golds.update(part["golds"])
        answer, often = said.most_common(1)[0]
        label, count = golds.most_common(1)[0]
        low, high = wilson(home["right"], home["n"]) or (0.0, 1.0)
        blind = system["without_premise"]
        rows.append(
            [
                f"`{name}`: {system['what']}",
                f"{100 * home['right'] / home['n']:.1f} [{100 * low:.1f}, {100 * high:.1f}]",
                f"{100 * home['constant'] / home['n']:.1f}",
                right_share(system["answers"]),
                f"{label} {100 * count / golds.total():.0f}",
                "–" if blind is None else right_share(blind),
                f"{answer} {100 * often / said.total():.0f}",
            ]
        )
    head = [
        "% right", "SNLI dev", "best constant", "these templates", "best constant", "twin without premise",
        "most frequent answer, %",
    ]  # fmt: skip
    return markdown_table(head, rows)


def right_share(answers: Found) -> str:
    right, sizes = (np.array([part[name] for part in answers.values()], dtype=np.int64) for name in ("right", "n"))
    return interval_words(right, sizes)


def interval_words(hits: Counts, sizes: Counts) -> str:
    low, high = share_interval(hits, sizes) or (0.0, 1.0)
    return f"{100 * hits.sum() / sizes.sum():.0f} [{100 * low:.0f}, {100 * high:.0f}]"


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


def named_block(*, wrong: bool = False) -> str:
    known = results()["systems"]
    rows = [
        [
            what,
            *(
                cell
                for system in known.values()
                for cell in named_share(system, is_one, wrong=wrong).cell().split(" | ")
            ),
        ]
        for what, is_one in KINDS.items()
    ]
    head = ["% of the named words that are", *(text for name in known for text in (f"`{name}`", "random words"))]
    return markdown_table(head, rows)


# Words on which a label turns, by their template.
TURNING = (
    ("or", "boolean.or-adjectives"),
    ("if", "conditional.denying-the-antecedent"),
    ("not", "conditional.denying-the-antecedent"),
    ("neither", "boolean.or-adjectives-neither"),
    ("than", "comparative.swapped"),
    ("than", "comparative.transitive-swapped"),
    ("than", "comparative.two-below"),
    ("exactly", "comparative.exactly-as"),
)


def turning_block() -> str:
    known = results()["systems"]
    rows = []
    for text, template in TURNING:
        cells = []
        chance = 0.0
        for system in known.values():
            made = system["explanations"][template]
            times = sum(any(words(item)[place].text.lower() == text for place in item["named"]) for item in made)
            cells.append(f"{times} of {len(made)}")
            chance = fmean(any_of_three(words(item), text) for item in made)
        rows.append([f"*{text}*", example_of(known, template), *cells, f"{10 * chance:.1f}"])
    head = ["", "in", *(f"`{name}`" for name in known), "random words"]
    return markdown_table(head, rows, texts=2)


def any_of_three(listed: Sequence[Word], text: str) -> float:
    """Return how probable it is that one of three random words is this one."""
    others = sum(word.text.lower() != text for word in listed)
    return 1 - comb(others, 3) / comb(len(listed), 3)


def example_of(known: Found, template: str) -> str:
    first = next(iter(known.values()))["explanations"][template][0]
    return f"*{first['premise']} {first['hypothesis']}* ({first['gold']})"


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
        for system in found["systems"].values():
            made, part = system["explanations"][template], system["answers"][template]
            answer, often = max(part["answers"].items(), key=lambda one: one[1])
            cells += [f"{answer} {100 * often / part['n']:.0f} %", first_words(made)]
        rows.append([example_of(found["systems"], template), *cells])
    head = ["", *(text for name in found["systems"] for text in (f"`{name}` answers", "first word"))]
    return markdown_table(head, rows, texts=len(head))


def neighbours_block() -> str:
    rows = []
    for name, system in results()["systems"].items():
        *near, pool = system["neighbours"]
        cells = []
        for mine, theirs in (("label", "labels"), ("gold", "golds")):
            counts = dict(pool[theirs])
            hits, sizes, random = Counter[str](), Counter[str](), []
            for (template, item), each in zip(items(system), near, strict=True):
                hits[template] += each[theirs].count(item[mine])
                sizes[template] += len(each[theirs])
                random.append(counts.get(item[mine], 0) / sum(counts.values()))
            cells += [interval_words(*columns(hits, sizes)), f"{100 * fmean(random):.0f}"]
        rows.append([f"`{name}`, {sum(dict(pool['golds']).values()):,} pairs", *cells])
    head = ["% of the neighbours with", "the same answer", "random pairs", "the same gold label", "random pairs"]
    return markdown_table(head, rows)


BLOCKS: dict[str, Callable[[], str]] = {
    "systems": systems_block,
    "faithful": faithful_block,
    "named": named_block,
    "wrong": lambda: named_block(wrong=True),
    "turning": turning_block,
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
