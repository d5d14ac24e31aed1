"""The linter finds what it should, and nothing in good templates."""

from __future__ import annotations

import pytest

from nliprobe.templates.lint import lint, sentence_problems
from nliprobe.templates.parse import parse_templates

HEAD = """
capability: lexical
lexicons:
  WHO: [Ana, Bob, Cleo, Dan, Eve, Fay, Gus, Hal, Ida, Jan, Kim, Leo]
  JOB: [artist, vet, umpire]
templates:
"""


def template(name: str, premise: str, hypothesis: str, label: str = "E", more: str = "") -> str:
    quoted = label if label in "ENC" else f'"{label}"'
    return f'  - {{id: {name}, premise: "{premise}", hypothesis: "{hypothesis}", label: {quoted}, because: so{more}}}\n'


def problems(*bodies: str) -> list[str]:
    return [str(finding) for finding in lint(parse_templates(HEAD + "".join(bodies)).templates)]


def test_a_good_template_has_nothing() -> None:
    assert problems(template("a.a", "{WHO1} likes {WHO2}.", "{WHO2} is liked by {WHO1}.")) == []


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            template("a.a", "{WHO1} met {WHO2}.", "{WHO3} left."),
            "has WHO3, which the premise never binds",
        ),
        (
            template("a.a", "{WHO1} met {WHO2}.", "{WHO1} left.", "'E' if 1 < 2 else 'C'"),
            "label C is never reached",
        ),
        (template("a.a", "{WHO1} is a {JOB}, {WHO2}.", "{WHO1} left."), "has an article before a value; write a"),
        (template("a.a", "{WHO1} is a {JOB}, {WHO2}.", "{WHO1} left."), "says 'a artist'"),
        (template("a.a", "{WHO1} met  {WHO2}.", "{WHO1} left."), "has two spaces together"),
        (template("a.a", "{WHO1} met met {WHO2}.", "{WHO1} left."), "says a word twice"),
        (template("a.a", "{WHO1} met {WHO2}.", "{WHO1} left"), "does not end like a sentence"),
        (template("a.a", "{WHO1} met {WHO2}. then {WHO1} left.", "{WHO1} left."), "begins a sentence with a small"),
        (template("a.a", "{WHO1} left.", "{WHO1} left."), "has only 12 distinct examples"),
        (template("a.a", "{WHO1} met {WHO2}.", "{WHO1} left.", more=", capability: magic"), "tests 'magic'"),
        (
            template("a.a", "{WHO1} met {WHO2}.", "{WHO1} left.", more=", variation: {of: a.z, change: x}"),
            "varies 'a.z', which is not here",
        ),
        (template("a.a", "{WHO1} met {WHO2}.", "{WHO1} left.", more=', where: "1 > 2"'), "no draw satisfies"),
    ],
)
def test_what_is_found(body: str, message: str) -> None:
    assert any(message in line for line in problems(body))


def test_templates_that_differ_only_by_name() -> None:
    first = template("a.a", "{WHO1} met {WHO2}.", "{WHO1} left.")
    found = problems(first, first.replace("a.a", "a.b"))
    assert any("is the same as a.a under another name" in line for line in found)
    other = template("a.b", "{WHO1} met {WHO2}.", "{WHO1} left.", "C")
    assert problems(first, other) == []


def test_the_tag_free_and_neutral_labels_may_bring_something_new() -> None:
    assert problems(template("a.a", "{WHO1} met {WHO2}.", "{WHO3} left.", "N")) == []
    assert problems(template("a.a", "{WHO1} met {WHO2}.", "{WHO3} left.", more=", tags: [free]")) == []


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("An engineer came.", 0),
        ("A engineer came.", 1),
        ("An hour passed.", 0),
        ("A hour passed.", 1),
        ("The the end.", 1),
        ("He had had enough.", 0),
        ("Ana left .", 1),
        ("Ana left..", 1),
        ("ana left.", 1),
        ("Ana said: no. Then 3 left.", 0),
    ],
)
def test_sentences_by_rule(text: str, wrong: int) -> None:
    assert len(list(sentence_problems(text))) == wrong
