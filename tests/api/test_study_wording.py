"""Templates as participants of a study read them: without the language of templates."""

from __future__ import annotations

import re

import pytest

from nliprobe.api.study_wording import in_plain_words
from nliprobe.templates.find import find_templates


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("{NAME} saw {a(ANIMAL)}.", "{NAME} saw a/an {ANIMAL}."),
        ("{cap(a(FRUIT.class))} is {A(COLOUR)}.", "A/An {FRUIT.class} is A/An {COLOUR}."),
        ("{cap(plural(FRUIT))} and {he(NAME1)}", "{FRUIT.plural} and {he/she}"),
        ("{join(A, B, C)}, {join_or(A, B)}, {join(A)}", "{A}, {B} and {C}, {A} or {B}, {A}"),
        ("{words(N1 + N2)} {agree(N1, 'hour', 'hours')}", "{N1 + N2} {hour/hours}"),
        ("{agree(N, THING.text, THING.plural)}", "{THING}"),
        ("{DIR: left/right}, {X.past}, {{as it is}}", "{DIR: left/right}, {X.past}, {{as it is}}"),
        ("{turn(D, TURN)} {a(one(X))}", "{turn(D, TURN)} {a(one(X))}"),
    ],
)
def test_functions_are_written_out(written: str, read: str) -> None:
    assert in_plain_words(written) == read


def test_no_template_of_the_package_shows_a_function() -> None:
    for template in find_templates("checklist-all"):
        for text in (template.premise.text, template.hypothesis.text):
            assert not re.search(r"\{[^{}]*\(", in_plain_words(text)), template.id
