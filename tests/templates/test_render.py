"""Templates: reading, drawing, rendering."""

from __future__ import annotations

import itertools
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nliprobe.templates.parse import parse_templates, read_templates
from nliprobe.templates.place import TemplateError
from nliprobe.templates.render import Rendered, render
from nliprobe.templates.template import Template

LEXICONS = """
lexicons:
  WHO: {fields: [text, gender], entries: [[Ana, f], [Bob, m], [Cleo, f], [Dan, m], [Eve, f]]}
  MAN: {from: WHO, if: "gender == 'm'"}
  JOB: {fields: [text, plural], entries: [[artist, artists], [umpire, umpires], [vet, vets]]}
"""


def one(body: str, lexicons: str = LEXICONS) -> Template:
    lines = "\n".join(f"    {line}" for line in body.strip().splitlines())
    text = f"capability: lexical\n{lexicons}\ntemplates:\n  - id: t.one\n    because: it is so\n{lines}\n"
    return parse_templates(text).templates[0]


def drawn(body: str, n: int = 1000, seed: int = 0) -> Rendered:
    return render(one(body), n, seed)


def test_a_small_space_is_gone_through_as_a_whole() -> None:
    found = drawn('premise: "{WHO1} likes {WHO2}."\nhypothesis: "{WHO2} is liked."\nlabel: E')
    assert found.exhausted
    names = ["Ana", "Bob", "Cleo", "Dan", "Eve"]
    assert sorted(found.premises) == sorted(f"{x} likes {y}." for x, y in itertools.permutations(names, 2))
    assert set(found.labels["first"]) == {"E"}
    assert found.genders["WHO1"][found.premises.index("Bob likes Ana.")] == "m"


def test_variables_over_one_lexicon_differ_whatever_they_are_called() -> None:
    found = drawn('premise: "{WHO} met {MAN} and {HOST}."\nhypothesis: "{MAN} came."\nlabel: E\ndraw: {HOST: WHO}')
    for who, man, host in zip(*(found.values[name] for name in ("WHO", "MAN", "HOST")), strict=True):
        assert len({who, man, host}) == 3
        assert man in ("Bob", "Dan")
    assert len(found) == 2 * 4 * 3


def test_capitals_articles_pronouns_and_alternations() -> None:
    body = """
premise: "{a(JOB)} came. {he(WHO)} was {glad/sad}. Then {plural(JOB)} left with {WHO}."
hypothesis: "{WHO} was {ALT1}; {{so}} 100%."
label: E
"""
    found = drawn(body)
    assert len(found) == 3 * 5 * 2
    assert "An artist came. She was sad. Then artists left with Cleo." in found.premises
    assert "Cleo was sad; {so} 100%." in found.hypotheses


def test_numbers_conditions_computed_values_and_labels() -> None:
    body = """
premise: "{WHO} had {N1} coins and lost {N2}."
hypothesis: "{WHO} has {LEFT} {agree(LEFT, 'coin', 'coins')}."
draw: {N1: 2..30, N2: 1..29, D: [0, 1]}
where: [N2 < N1, N1 - N2 - D >= 0]
let: {LEFT: N1 - N2 - D}
label: "'E' if D == 0 else 'C'"
"""
    found = drawn(body, 500)
    assert len(found) == 500
    rows = zip(*(map(int, found.values[name]) for name in ("N1", "N2", "D")), found.labels["first"], strict=True)
    for n1, n2, d, label in rows:
        assert n2 < n1
        assert label == ("E" if d == 0 else "C")
    assert any(text.endswith("has 1 coin.") for text in found.hypotheses)
    assert not any(text.endswith("has 1 coins.") for text in found.hypotheses)


def test_no_duplicates_and_the_same_for_a_seed() -> None:
    body = 'premise: "{WHO} has {N} {M}."\nhypothesis: "{WHO} has {N}."\nlabel: E\ndraw: {N: 1..900, M: 1..900}'
    found, again, other = drawn(body), drawn(body), drawn(body, seed=1)
    assert len(set(zip(found.premises, found.hypotheses, strict=True))) == len(found) == 1000
    assert found.premises == again.premises
    assert found.premises != other.premises
    assert not found.exhausted


def test_a_billion_draws_are_never_laid_out() -> None:
    draw = "{A: 1..99999, B: 1..99999, C: 1..99999, D: 1..9}"
    body = f'premise: "{{A}} {{B}} {{C}} {{D}}."\nhypothesis: "{{A}}."\nlabel: E\ndraw: {draw}'
    assert len(drawn(body)) == 1000


def test_uniform_over_the_values() -> None:
    body = 'premise: "{WHO1} and {WHO2} have {N}."\nhypothesis: "{WHO1}."\nlabel: E\ndraw: {N: 1..99999}'
    found = drawn(body, 20_000)
    for name in ("WHO1", "WHO2"):
        for who in ("Ana", "Bob", "Cleo", "Dan", "Eve"):
            assert 3700 < found.values[name].count(who) < 4300


def test_weights() -> None:
    body = """
premise: "{WHO} has {N} {MOOD}."
hypothesis: "{WHO}."
label: E
draw: {N: 1..99999, MOOD: {of: [rare, common], weights: [1, 9]}}
"""
    found = drawn(body, 5000)
    assert 4350 < found.values["MOOD"].count("common") < 4650


def test_two_readings_have_their_own_labels_and_capabilities() -> None:
    body = """
premise: "Some of {WHO1}, {WHO2} came."
hypothesis: "All came."
label: N
second: {label: C, capability: implicature, because: some means not all}
human: {label: C, confidence: 0.8}
variation: {of: t.other, change: some becomes all}
tags: [scalar, "paper:table9"]
"""
    template = one(body)
    found = render(template, 10)
    assert (set(found.labels["first"]), set(found.labels["second"])) == ({"N"}, {"C"})
    assert [(name, reading.capability) for name, reading in template.readings] == [
        ("first", "lexical"), ("second", "implicature"),
    ]  # fmt: skip
    assert template.human is not None
    assert template.human.confidence == 0.8
    assert template.tags == ("scalar", "paper:table9")


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ('premise: "{WHOM} left."\nhypothesis: "x."\nlabel: E', "no lexicon or value WHOM. Did you mean 'WHO'"),
        ('premise: "{WHO left."\nhypothesis: "x."\nlabel: E', "a '{' is never closed"),
        ('premise: "WHO} left."\nhypothesis: "x."\nlabel: E', "a '}' has no '{'"),
        ('premise: "{WHO{X}}."\nhypothesis: "x."\nlabel: E', "is inside another placeholder"),
        ('premise: "{WHO.size} left."\nhypothesis: "x."\nlabel: E', "has no field 'size'"),
        ('premise: "{WHO} left."\nhypothesis: "x."\nlabel: X', "the label should be E, N, C or an expression"),
        ('premise: "{WHO} left."\nhypothesis: "x."\nlabel: "WHO + WHO"', "the label came out as 'AnaAna'"),
        ('premise: "{WHO} left."\nhypothesis: "x."\nlabel: E\nwhere: "1 > 2"', "no draw satisfies its conditions"),
        ('premise: "{WHO} left."\nhypothesis: "x."\nlabel: E\nwhere: "WHO"', "is not a condition"),
        ('premise: "{N} left."\nhypothesis: "x."\nlabel: E\ndraw: {N: 9..2}', "N has no value: 9 is above 2"),
        ('premise: "{N} left."\nhypothesis: "x."\nlabel: E\ndraw: {N: []}', "nothing to draw from"),
        ('premise: "{N} left."\nhypothesis: "x."\nlabel: E\ndraw: {N: [a, a]}', "offered twice"),
        ('premise: "{N} left."\nhypothesis: "x."\nlabel: E\ndraw: {N: NOWHERE}', "there is no lexicon NOWHERE"),
        ('premise: "{N} left."\nhypothesis: "x."\nlabel: E\ndraw: {N: "WHO if 1 == 2"}', "no entry of WHO"),
        ('premise: "{WHO} left."\nhypothesis: "x."\nlabel: E\ndraw: {N: 1..2}', "N is drawn and never used"),
        ('premise: "{WHO} left."\nhypothesis: "x."\nlabel: E\ncolour: red', "a template has no key 'colour'"),
        ('premise: "{a/a} left."\nhypothesis: "x."\nlabel: E', "offers a choice twice"),
        ('premise: "{WHO} left."\nhypothesis: ""\nlabel: E', "the hypothesis is empty"),
        ('premise: [x]\nhypothesis: "x."\nlabel: E', "premise should be a text"),
        ('premise: "{WHO} left."\nhypothesis: "x."\nlabel: E\nhuman: {label: Q}', "human should be 'doubtful'"),
    ],
)  # fmt: skip
def test_bad_templates_are_named_with_file_template_line_and_column(body: str, message: str) -> None:
    with pytest.raises(TemplateError) as error:
        render(one(body), 10)
    assert message in str(error.value)
    assert "template, line " in str(error.value)
    assert ", column " in str(error.value)


@pytest.mark.parametrize(
    ("lexicons", "message"),
    [
        ("lexicons: {WHO: {from: MAN}, MAN: {from: WHO}}", "WHO → MAN → WHO are made from one another"),
        ("lexicons: {WHO: []}", "The lexicon WHO is empty"),
        ("lexicons: {WHO: {fields: [text, x], entries: [[a]]}}", "has 1 fields, expected 2"),
        ("lexicons: {WHO: {fields: [x], entries: [[a]]}}", "should be 'text'"),
        ("lexicons: {who: [a]}", "a lexicon's name is in capitals"),
        ("lexicons: {WHO: {file: nowhere.tsv}}", "cannot be read"),
        ("lexicons: {WHO: {size: 3}}", "has no key 'size'"),
    ],
)
def test_bad_lexicons_are_named(lexicons: str, message: str) -> None:
    with pytest.raises(TemplateError) as error:
        one('premise: "{WHO} left."\nhypothesis: "x."\nlabel: E', lexicons)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file is empty"),
        ("a: [", "this is not YAML"),
        ("capability: x", "needs the key 'templates'"),
        ("- a", "should be a mapping"),
        ("capability: x\ntemplates: 3", "templates should be a list"),
        ("capability: x\ncapability: y\ntemplates: []", "given twice"),
        (
            "capability: x\ntemplates:\n  - id: T\n    premise: a\n    hypothesis: a\n    label: E\n    because: b",
            "an id has",
        ),
        ("a: &x [*x]", "alias refers to a value that contains it"),
        ("\t- x", "this is not YAML"),
    ],
)
def test_files_that_are_no_templates(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "t.yaml"
    path.write_text(text)
    with pytest.raises(TemplateError, match=message) as error:
        read_templates(path)
    assert str(path) in str(error.value)


def test_positions_point_at_the_fault(tmp_path: Path) -> None:
    path = tmp_path / "t.yaml"
    body = '    premise: "Hello {foo(1)}."\n    hypothesis: h.\n    label: E\n    because: b\n'
    path.write_text(f"capability: x\ntemplates:\n  - id: a.b\n{body}")
    with pytest.raises(TemplateError) as error:
        read_templates(path)
    assert (error.value.place.line, error.value.place.column) == (4, 22)
    assert "template a.b" in str(error.value)


def test_unicode_names() -> None:
    lexicons = "lexicons: {WHO: [Zoë, 志明, Ángel, Øyvind, أحمد]}"
    found = render(one('premise: "{WHO1} met {WHO2}."\nhypothesis: "{WHO2} met {WHO1}."\nlabel: E', lexicons), 99)
    assert len(found) == 20
    assert "志明 met أحمد." in found.premises


@given(st.integers(1, 40), st.integers(0, 5))
def test_never_more_than_asked_and_always_distinct(n: int, seed: int) -> None:
    found = drawn('premise: "{WHO1}, {WHO2}, {N}."\nhypothesis: "{WHO1}."\nlabel: E\ndraw: {N: 1..3}', n, seed)
    assert len(found) == min(n, 60)
    assert len(set(found.premises)) == len(found)


GOLDEN = "import hashlib; from tests.templates.test_render import drawn; " \
    "f = drawn('premise: \"{WHO1} {N} {x/y}.\"\\nhypothesis: \"{WHO1}.\"\\nlabel: E\\ndraw: {N: 1..99999}', 3000); " \
    "print(hashlib.sha256('|'.join(f.premises).encode()).hexdigest()[:16])"  # fmt: skip


def test_the_same_bytes_in_another_process_with_another_hash_seed() -> None:
    seen = set()
    for number in ("0", "7"):
        done = subprocess.run(
            [sys.executable, "-c", GOLDEN], capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": number},
            cwd=Path(__file__).parents[2],
        )  # fmt: skip
        seen.add(done.stdout.strip())
    assert seen == {"f10345fcb2ccdb95"}
