"""Templates that would take forever, or all memory, end in a sentence; so do numbers and texts that nobody can mean."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.helpers import nliprobe, nliprobe_json
from tests.templates.test_render import one

from nliprobe.base.errors import UsageError
from nliprobe.templates.lint import lint
from nliprobe.templates.place import TemplateError
from nliprobe.templates.render import render
from nliprobe.templates.source import TemplateSource
from nliprobe.templates.suite import render_suite


def body(premise: str = "It is {N}.", label: str = "E", draw: str = "{N: 1..9}", more: str = "") -> str:
    return f'premise: "{premise}"\nhypothesis: "It is so."\nlabel: "{label}"\ndraw: {draw}\n{more}'


def doubling(first: str, formula: str, lets: int = 39) -> str:
    lines = [f"  L{n}: {formula.replace('X', f'L{n - 1}')}" for n in range(1, lets + 1)]
    return body(f"It is {{L{lets}}} {{N}}.", more="\n".join(["let:", f"  L0: {first}", *lines]))


def test_weights_with_fewer_examples_than_asked_give_them_all() -> None:
    found = render(one(body("It is {M} {N}.", draw="{N: [1, 2], M: {of: [a, b], weights: [1, 99]}}")), 200)
    assert sorted(found.premises) == ["It is a 1.", "It is a 2.", "It is b 1.", "It is b 2."]
    assert found.exhausted


def test_an_option_of_hardly_any_weight_is_found_all_the_same() -> None:
    found = render(one(body("It is {M}.", draw="{M: {of: [a, b], weights: [1, 4294967295]}}")), 5)
    assert set(found.premises) == {"It is a.", "It is b."}


@pytest.mark.parametrize(
    "draw", ["{N: 1..999999999}", "{N: {of: [1, 2, 3, 4, 5], weights: [5, 1, 1, 1, 1]}, M: 1..99999}"]
)
def test_many_draws_that_give_few_texts_end(draw: str) -> None:
    template = one(body("It is {N % 3}.", draw=draw, more="where: M > 0" if "M" in draw else ""))
    found = render(template, 1000)
    assert (len(found), found.exhausted) == (3, False)
    assert 10_000 <= found.drawn < 30_000
    [finding] = lint([template])
    assert "draws gave only 3 distinct examples; there may be others." in finding.problem


def test_a_large_demand_is_given_up_as_well() -> None:
    # 5,000 texts in a space of five hundred million draws, 400,000 wanted: the last are too dear.
    found = render(one(body("It is {N % 5000}.", draw="{N: 1..500000000}")), 400_000)
    assert 4_900 < len(found) <= 5_000
    assert found.drawn < 1_000_000


def test_the_verbs_say_how_many_were_found(tmp_path: Path) -> None:
    path = tmp_path / "t.yaml"
    text = body("It is {N % 3}.", draw="{N: 1..999999999}")
    lines = "\n".join(f"    {line}" for line in text.splitlines())
    path.write_text(f"capability: lexical\ntemplates:\n  - id: t.one\n    because: b\n{lines}\n")
    done = nliprobe("generate", str(path), "--n", "200", "-o", str(tmp_path / "x.jsonl"))
    assert "t.one: 10,240 draws gave only 3 distinct examples." in done.stdout
    document = nliprobe_json("generate", str(path), "--n", "200", "-o", str(tmp_path / "x.jsonl"))
    [counts] = document["templates"]
    assert (counts["asked"], counts["distinct"], counts["exhausted"]) == (200, 3, False)
    assert counts["drawn"] > 10_000
    assert "draws gave only 3 distinct" in nliprobe("validate", str(path)).stdout


def test_no_draw_says_how_many_were_tried() -> None:
    with pytest.raises(TemplateError, match=r"none of 1\d,\d\d\d draws satisfies its conditions"):
        render(one(body(draw="{N: 1..999999999}", more="where: N < 0")), 5)
    with pytest.raises(TemplateError, match="no draw satisfies its conditions"):
        render(one(body(more="where: N < 0")), 5)


def test_draws_from_a_huge_range_cover_it() -> None:
    found = render(one(body(draw="{N: 1..1000000000000}")), 2000)
    numbers = [int(text) for text in found.values["N"]]
    # 32 random bits reached only the first 0.4 % of it.
    for part in range(4):
        assert 400 < sum(part * 250_000_000_000 < number <= (part + 1) * 250_000_000_000 for number in numbers) < 600


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (doubling("\"'aaaaaaaa'\"", "X + X"), "L10 can become too long: an example has at most 10,000 characters"),
        (doubling("\"'aaaaaaaa'\"", "join(X, X, X, X)"), "L5 can become too long"),
        (doubling("\"'a'\"", "cap(X) + X"), "can become too long"),
        (body("{A: a/b} " * 120), "is offered twice"),
        (body("{N} " + "{a/b} " * 120), "has 121 variables; at most 100 are drawn"),
        (body("{N} " * 1001), "has 1,002 names, constants and operators in its expressions; at most 1,000"),
        (body("{N} " + "x" * 9_990), "an example can have 10,0\\d\\d characters; at most 10,000"),
        (body("x" * 10_001), "this has 10,001 characters; a text of a template file has at most 10,000"),
        (body(label="'E' if " + "not " * 2000 + "N < 2 else 'C'"), "nested more than 60 deep"),
        (body(label="'E' if " + "-" * 5000 + "N < 2 else 'C'"), "nested more than 60 deep"),
        (body(label="'E' if " + "N < 2 and " * 300 + "N < 2 else 'C'"), "operators"),
        (body("It is {" + "1+" * 1200 + "N}."), "this has 2,401 names, constants and operators"),
        (body("It is {" + "1+" * 300 + "N}."), "has more than 200 operators in a row"),
        (body(label="'E' if N in [" + "1," * 1200 + "1] else 'C'"), "names, constants and operators"),
        (body("It is {" + "9" * 101 + " + N}."), "a number has 101 digits; at most 100 are read"),
        (body(draw="{N: 1.." + "9" * 5000 + "}"), "the numbers of N are too large: both should be below 4,611,686,018"),
        (body(draw="{N: -99999999999999999999..1}"), "the numbers of N are too large"),
        (body(draw="{N: [1, " + "9" * 101 + "]}"), "a number has 101 digits"),
        (body(draw="{N: {of: [1, 2], weights: [99999999999999999999, 1]}}"), "should be 4,294,967,296 together"),
        (body(draw="{N: {of: [1, 2], weights: [²³, 1]}}"), "should be whole numbers above 0"),
        (body(draw="{N: {of: [1, 2], weights: [1, 0]}}"), "should be whole numbers above 0"),
        (body("It is \\0 {N}."), "this has a NUL character"),
        ("x: " + "[" * 99 + "]" * 99, "nested more than 50 deep"),
    ],
)  # fmt: skip
def test_what_is_too_large_is_refused_when_it_is_read(text: str, message: str) -> None:
    with pytest.raises(TemplateError, match=message) as error:
        one(text)
    assert len(str(error.value)) < 2000


def test_numbers_that_grow_without_end_are_named() -> None:
    with pytest.raises(TemplateError, match=r"in 'L\d \* L\d': a number has more than 100 digits"):
        render(one(doubling("3", "X * X")), 5)


def test_a_number_of_examples_nobody_can_hold_is_refused() -> None:
    for n in (0, -5, 10**12):
        with pytest.raises(UsageError, match=f"should be from 1 to 1,000,000, not {n:,}"):
            list(render_suite([one(body())], n))


def test_the_digest_knows_of_draws_that_changed() -> None:
    def digest(draw: str) -> str:
        return TemplateSource("templates", [one(body(draw=draw), "")], 5).digest()

    # The digests of version 2: the first template still gives the same examples, the other does not.
    assert digest("{N: 1..4294967296}") == "36e0b1ff483b823df371d844"
    assert digest("{N: 1..4294967297}") != "38f300fc399422afb069c4a4"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"text\tplural\nbox\n", "line 2: expected 2 fields"),
        (b"text\n" + b"x" * 200_000 + b"\n", "characters; at most 10,000 are written"),
        (b"text\na\0b\n", "a NUL character"),
        (b"\xff\xfe", "cannot be read"),
    ],
)
def test_lexicon_files(content: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / "words.tsv").write_bytes(content)
    lexicons = f"lexicons: {{W: {{file: '{tmp_path}/words.tsv'}}}}"
    with pytest.raises(TemplateError, match=message):
        one('premise: "{W} left."\nhypothesis: "x."\nlabel: E', lexicons)


def test_a_lexicon_file_without_end_is_refused() -> None:
    with pytest.raises(TemplateError, match="/dev/zero is larger than 20 MB"):
        one('premise: "{W} left."\nhypothesis: "x."\nlabel: E', "lexicons: {W: {file: /dev/zero}}")
