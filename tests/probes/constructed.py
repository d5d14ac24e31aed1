"""A small world in which every label follows from one unit, and models whose faults in it are known.

Tables and passages say what things have ("Arvon has the metal zinc."); a hypothesis repeats one such fact, changes
its value, or names a property that is not there. So the gold label, the evidence, and what each model must get wrong
are known.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from nliprobe.task.evidence import Evidence
from nliprobe.task.labels import LabelSet
from nliprobe.task.pair import Pair
from nliprobe.task.table import Row, Table
from nliprobe.task.units import Sentences

# Titles and keys do not occur in one another's sentences, so that sentences of other passages are always foreign.
TITLES = (
    "Arvon",
    "Belmar",
    "Corsk",
    "Dorwin",
    "Eldane",
    "Farrow",
    "Gandle",
    "Hestor",
    "Ilmarn",
    "Jostel",
    "Kervan",
    "Lodrin",
)
KEYS = ("Animal", "Color", "Dance", "Flower", "Gem", "Herb", "Insect", "Metal", "Planet", "River", "Spice", "Tree")
HELD = 9
# Tables never say this, so a changed value cannot become true by an edit.
FALSE = "quartzite"
TOKENS = 40

Facts = list[tuple[str, list[str]]]
Answer = Callable[[str, str], str]


def _value(key: str, number: int) -> str:
    return f"{key.lower()}{number}"


def _facts(index: int) -> Facts:
    draw = random.Random(index)
    keys = sorted(draw.sample(KEYS, HELD))
    return [(key, [_value(key, number) for number in draw.sample(range(20), 3)]) for key in keys]


def claim(title: str, key: str, value: str) -> str:
    return f"{title} has the {key} {value}."


def _claims(title: str, facts: Facts) -> list[tuple[str, str, tuple[int, ...]]]:
    """Return a true and a false hypothesis about every fact, and one about what is not there."""
    held = {key for key, _ in facts}
    absent = next(key for key in KEYS if key not in held)
    made: list[tuple[str, str, tuple[int, ...]]] = [(claim(title, absent, _value(absent, 3)), "N", ())]
    for place, (key, values) in enumerate(facts):
        made.append((claim(title, key, values[0]), "E", (place,)))
        made.append((claim(title, key, FALSE), "C", (place,)))
    return made


def table_pairs() -> list[Pair]:
    """Return pairs over infoboxes of one category; every row has three values."""
    made = []
    for index, title in enumerate(TITLES):
        facts = _facts(index)
        table = Table(title, tuple(Row(key, tuple(values)) for key, values in facts), "Thing")
        for number, (hypothesis, label, units) in enumerate(_claims(title, facts)):
            name = f"tables/{title}-{number}"
            made.append(Pair(name, table, hypothesis, LabelSet.of(label), title, Evidence(units)))
    return made


def executable_pairs() -> list[Pair]:
    """Return the pairs over infoboxes with the program of each hypothesis."""
    made = []
    for pair in table_pairs():
        match = _CLAIM.fullmatch(pair.hypothesis)
        assert match is not None
        made.append(replace(pair, program=f'"{match[3]}" in items("{match[2]}")'))
    return made


def passage_pairs(*, twice: bool = False) -> list[Pair]:
    """Return pairs over passages of one sentence per fact, or of two, each of which suffices alone."""
    made = []
    for index, title in enumerate(TITLES):
        facts = [(key, values[:1]) for key, values in _facts(index)]
        sentences = [claim(title, key, values[0]) for key, values in facts]
        passage = Sentences.of(sentences + [f"Surely {sentence}" for sentence in sentences] if twice else sentences)
        for number, (hypothesis, label, units) in enumerate(_claims(title, facts)):
            name = f"{'twice' if twice else 'passages'}/{title}-{number}"
            marks = Evidence((*units, *(unit + HELD for unit in units if twice)), alone=twice)
            made.append(
                Pair(name, passage.premise, hypothesis, LabelSet.of(label), title, marks, sentences=passage.spans)
            )
    return made


_CLAIM = re.compile(r"(\w+) has the (\w+) ([^.]+)\.")


def read(premise: str) -> tuple[list[str], Facts]:
    """Read a premise, or what is left of it, into the title of each fact and the facts, in order.

    A passage has sentences; a table is written as ``title ; key : value , value ; …`` (``struct``).
    """
    if " : " not in premise:
        claims = _CLAIM.findall(premise)
        return [title for title, _, _ in claims], [(key, [value]) for _, key, value in claims]
    facts: Facts = []
    for piece in premise.split(" ; "):
        key, colon, values = piece.partition(" : ")
        if colon and key.strip().lower() != "title":
            facts.append((key.strip(), [value.strip() for value in values.split(",")]))
    return [], facts


def judge(titles: Sequence[str], facts: Facts, hypothesis: str) -> str:
    """Execute a hypothesis over facts: closed world inside a fact, open world between facts."""
    match = _CLAIM.fullmatch(hypothesis)
    assert match is not None, hypothesis
    title, key, value = match.groups()
    for place, (held, values) in enumerate(facts):
        if held == key and (not titles or titles[place] == title):
            return "E" if value in values else "C"
    return "N"


def perfect(premise: str, hypothesis: str) -> str:
    """Read all facts and use the one that the hypothesis is about."""
    return judge(*read(premise), hypothesis)


def ignores_premise(_premise: str, hypothesis: str) -> str:
    """Answer by the words of the hypothesis, whatever the premise says; the title plays no part."""
    match = _CLAIM.fullmatch(hypothesis)
    assert match is not None
    _, key, value = match.groups()
    return "C" if value == FALSE else "EN"[len(key) % 2]


def first_unit(premise: str, hypothesis: str) -> str:
    """Read the first fact only."""
    titles, facts = read(premise)
    return judge(titles[:1], facts[:1], hypothesis)


def last_tokens(premise: str, hypothesis: str) -> str:
    """Read the last 40 tokens only."""
    return judge(*read(" ".join(premise.split()[-TOKENS:])), hypothesis)


def order(premise: str, hypothesis: str) -> str:
    """Take the opposite for true if the facts are not in alphabetical order."""
    titles, facts = read(premise)
    label = judge(titles, facts, hypothesis)
    keys = [key for key, _ in facts]
    return label if keys == sorted(keys) else {"E": "C", "C": "E", "N": "N"}[label]


def contradicts_insertion(premise: str, hypothesis: str) -> str:
    """Contradict whatever has more facts than the premises of this world."""
    titles, facts = read(premise)
    return "C" if len(facts) > HELD else judge(titles, facts, hypothesis)


MODELS: dict[str, Answer] = {
    "perfect": perfect,
    "ignores the premise": ignores_premise,
    "first unit": first_unit,
    "last tokens": last_tokens,
    "order": order,
    "contradicts insertion": contradicts_insertion,
}
