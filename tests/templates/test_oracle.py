"""An oracle that reads the words and knows no label agrees with the library's labels."""

from __future__ import annotations

import dataclasses
from collections import Counter
from functools import cache

import pytest
from tests.templates.oracle.oracle import THEORIES, context_of, judge
from tests.templates.oracle.reading import Unread

from nliprobe.templates.expression import parse_expression
from nliprobe.templates.library import load_library
from nliprobe.templates.render import Rendered, render
from nliprobe.templates.template import Formula, Template

FEW, MANY = 15, 60
SEED = 20
# How many of the templates of a capability that has a theory are read at least; marks and parts of animals are not.
COVERAGE = 0.75


@cache
def examples(template_id: str, count: int = FEW) -> Rendered:
    return render(templates()[template_id], count, SEED)


@cache
def templates() -> dict[str, Template]:
    return {template.id: template for template in load_library() if template.capability in THEORIES}


@cache
def covered() -> tuple[str, ...]:
    """The templates whose first example the oracle reads."""
    return tuple(one for one in templates() if _reads(examples(one)))


def _reads(rendered: Rendered) -> bool:
    try:
        verdict(rendered, 0)
    except Unread:
        return False
    return True


def verdict(rendered: Rendered, row: int) -> str:
    theory = THEORIES[rendered.template.capability]
    return judge(theory, rendered.premises[row], rendered.hypotheses[row], context_of(rendered, row))


def disagreements(rendered: Rendered) -> list[str]:
    """What the oracle says otherwise, one line an example."""
    found = []
    for row, label in enumerate(rendered.labels["first"]):
        said = verdict(rendered, row)
        if said != label:
            pair = f"{rendered.premises[row]} → {rendered.hypotheses[row]}"
            found.append(f"{rendered.template.id}: {pair} The label is {label}, the oracle says {said}.")
    return found


@pytest.mark.parametrize("count", [FEW, pytest.param(MANY, marks=pytest.mark.results)])
@pytest.mark.parametrize("capability", sorted(THEORIES))
def test_the_oracle_agrees_on_every_example(capability: str, count: int) -> None:
    mine = [one for one in covered() if templates()[one].capability == capability]
    assert [line for one in mine for line in disagreements(examples(one, count))] == []


def test_the_oracle_covers_the_capabilities() -> None:
    read = Counter(templates()[one].capability for one in covered())
    there = Counter(template.capability for template in templates().values())
    unread = sorted(set(templates()) - set(covered()))
    assert read.total() >= 160, read
    assert len(read) >= 10, read
    assert {name for name in there if read[name] < COVERAGE * there[name]} == set(), (read, unread)


def test_each_template_has_examples_enough() -> None:
    few = {one: len(examples(one)) for one in covered() if len(examples(one)) < FEW}
    assert all(examples(one).exhausted for one in few), few


def test_the_oracle_gives_every_label_in_every_capability() -> None:
    given: dict[str, set[str]] = {}
    for one in covered():
        given.setdefault(templates()[one].capability, set()).add(verdict(examples(one), 0))
    assert given == {name: {"E", "N", "C"} for name in given}


def _turned(template: Template) -> Template:
    """A copy with every label wrong: E becomes N, N becomes C, C becomes E."""
    label = template.first.label
    text = f"'{label.text}'" if label.text in "ENC" else f"({label.text})"
    wrong = f"'N' if {text} == 'E' else 'C' if {text} == 'N' else 'E'"
    formula = Formula(wrong, parse_expression(wrong, label.place), label.place)
    return dataclasses.replace(template, first=dataclasses.replace(template.first, label=formula))


def test_the_oracle_objects_to_wrong_labels() -> None:
    for one in covered()[::7]:
        wrong = render(_turned(templates()[one]), 10, SEED)
        assert len(disagreements(wrong)) == len(wrong), one


def test_the_oracle_objects_to_exchanged_hypotheses() -> None:
    """The verdict comes from the words: the hypothesis of the denial makes the entailment a contradiction."""
    right, denied = examples("boolean.and-2-names"), examples("boolean.and-2-names-negated")
    mixed = dataclasses.replace(
        right,
        premises=denied.premises,
        hypotheses=denied.hypotheses,
        values=denied.values,
    )
    assert len(disagreements(mixed)) == len(mixed)
