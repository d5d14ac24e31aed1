"""Triples about quantities: entailment by a wider number, the same swapped, contradiction by another number."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nliprobe.language.english import number_words
from nliprobe.language.numbers import find_numbers
from nliprobe.probes._quantities import NO_NUMBER, NO_QUANTITY, NOT_PLAIN, SCOPE, quantity_of
from nliprobe.probes.suite import build_probe
from nliprobe.task.case import Case, Skip
from nliprobe.task.edits import apply_edits
from nliprobe.task.pair import Pair
from nliprobe.task.source import Pool
from nliprobe.task.table import Row, Table

RELEASED = Path("nli_stress/multinli_0.9_quant_hard.txt")
# How many of the 2,532 released premises have a quantity that can be widened.
MADE = 689


def made(sentence: str, seed: int = 0, *, pair_id: str = "p", of: str = "premise") -> list[Case]:
    pair = Pair(pair_id, sentence, "Something else.") if of == "premise" else Pair(pair_id, "Other.", sentence)
    items = list(build_probe(f"stress.numerical?of={of}", seed).cases(pair, None))
    return [item for item in items if isinstance(item, Case)]


def check_triple(sentence: str, cases: list[Case]) -> None:
    """Check labels, texts and numbers of a triple by reading its texts anew."""
    wide, swapped, other = cases
    assert [str(case.gold) for case in cases] == ["E", "N", "C"]
    assert wide.premise == sentence
    assert (swapped.premise, swapped.hypothesis) == (wide.hypothesis, wide.premise)
    assert other.premise == sentence
    quantity = quantity_of(sentence)
    assert not isinstance(quantity, str)
    assert quantity.value is not None
    start, stop = quantity.phrase[0], quantity.stop
    before, after = sentence[:start], sentence[stop:]
    for case in (wide, other):
        assert case.hypothesis.startswith(before)
        assert case.hypothesis.endswith(after)
        phrase = case.hypothesis[len(before) : len(case.hypothesis) - len(after)]
        match = re.fullmatch(r"(?i)(more than|less than)?\s*(?:[$£€¥]\s?)?(.+)", phrase, re.DOTALL)
        assert match is not None
        # The number is read back from a neutral sentence, because the rest of this one may say what kind it is.
        [number] = find_numbers(f"They saw {match[2]} things")
        assert number.value is not None
        name = (match[1] or "").lower()
        if case is wide:
            assert number.value < quantity.value if name == "more than" else number.value > quantity.value
            assert name
        else:
            assert (number.value == quantity.value) == bool(name)
        assert number.value != 1
        assert case.bases == ()
        assert {facet.name for facet in case.facets} == {"quantity", "written", "form"}
        assert ("form", name or "other number") in case.facets
        assert apply_edits(case.source.premise, case.source.hypothesis, case.edits) == (case.premise, case.hypothesis)


@pytest.mark.parametrize(
    "sentence",
    [
        "There are three dogs.",
        "Two men are sitting on a bench.",
        "A man and 3 boys play.",
        "He paid $ 1,500 for it.",
        "Many left, and 20% of the staff stayed.",
        "It rained for twenty-five days.",
        "They drove 5.5 miles.",
        "She raised £1.5 million.",
        "Five of them saw it.",
        "two dogs run",
        "12 people came.",
        "مرحبا 👩‍🚀 saw 3 dogs",
    ],
)
@pytest.mark.parametrize("of", ["premise", "hypothesis"])
def test_a_quantity_gives_a_triple(sentence: str, of: str) -> None:
    for seed in range(5):
        check_triple(sentence, made(sentence, seed, of=of))


def test_the_exact_texts_of_a_triple() -> None:
    assert [(case.premise, case.hypothesis) for case in made("Two men walk 3 dogs.")] == [
        ("Two men walk 3 dogs.", "Less than nine men walk 3 dogs."),
        ("Less than nine men walk 3 dogs.", "Two men walk 3 dogs."),
        ("Two men walk 3 dogs.", "Six men walk 3 dogs."),
    ]


@given(st.integers(2, 999_999), st.booleans(), st.integers(0, 10**6))
def test_any_number_gives_a_right_triple(value: int, in_words: bool, seed: int) -> None:
    written = number_words(value) if in_words else f"{value:,}"
    sentence = f"They counted {written} birds."
    check_triple(sentence, made(sentence, seed))


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        ("A man walks.", NO_NUMBER),
        ("Apollo 11 landed in 1969.", NO_QUANTITY),
        ("It is on page 3.", NO_QUANTITY),
        ("More than 5 men walk.", NOT_PLAIN),
        ("The two men walk.", NOT_PLAIN),
        ("His 5 dogs run.", NOT_PLAIN),
        ("Oregon 's 16 offices are open.", NOT_PLAIN),
        ("A 5-year-old boy runs.", NOT_PLAIN),
        ("A 6 year old boy runs.", NOT_PLAIN),
        ("One man walks.", NOT_PLAIN),
        ("Five to ten men walk.", NOT_PLAIN),
        ("Five or six men walk.", NOT_PLAIN),
        ("They sell 100, 50 and 25 pound bags.", NOT_PLAIN),
        ("They won 51 of 52 seats.", NOT_PLAIN),
        ("It is 3 times older.", NOT_PLAIN),
        ("She has 4 more dogs.", NOT_PLAIN),
        ("Prices rose 300%.", NOT_PLAIN),
        ("Within 5 days it was over.", NOT_PLAIN),
        ("They watched Seven Samurai.", NOT_PLAIN),
        ("$400 pays for it.", NOT_PLAIN),
        ("The bottom two items fell.", NOT_PLAIN),
        ("The first of two studies is new.", NOT_PLAIN),
        ("Time and cost are two limits.", NOT_PLAIN),
        ("It is 54 km (33 miles) away.", NOT_PLAIN),
        ("No dog has 5 legs.", SCOPE),
        ("They did not see 5 dogs.", SCOPE),
        ("If 5 men come, we leave.", SCOPE),
        ("Did you see 5 men?", SCOPE),
        ("Everybody with 5 dogs left.", SCOPE),
        ("All men with 5 dogs left.", SCOPE),
        ("She saw 5 men, fewer than before.", SCOPE),
        ("He earns 5 dollars per day.", SCOPE),
        ("Each of them has 5 dogs.", SCOPE),
        ("He might see 5 dogs.", SCOPE),
        ("Two men, one in red, run.", SCOPE),
        ("Please bring 5 dogs.", SCOPE),
        ("Take five steps.", SCOPE),
        ("We kept 60 percent and sold the rest.", SCOPE),
        ("The latest case that involved two men was new.", SCOPE),
        ("She told him to make six meals.", SCOPE),
        ("Gifts of $40 help.", SCOPE),
        ("Five children, two boys and three girls, sit.", SCOPE),
        ("Two children, a boy and a girl, run.", SCOPE),
        ("Two men and two women run.", SCOPE),
    ],
)
def test_other_sentences_are_skipped_with_a_reason(sentence: str, reason: str) -> None:
    assert quantity_of(sentence) == reason


def test_only_the_sentence_of_the_quantity_counts() -> None:
    assert len(made("He did not stay. Two men left.")) == 3


def test_tables_empty_and_repeated_sentences_are_skipped() -> None:
    probe = build_probe("stress.numerical")
    table = Table("T", (Row("Age", ("5 years",)),))
    pairs = [Pair("a", table, "h"), Pair("b", " ", "Two men run."), Pair("d", "Two men run.", "h", group="g")]
    pool = Pool({"g": "Two men run."}, owners={"g": "c"})
    items = [item for pair in pairs for item in probe.cases(pair, pool)]
    assert [item.reason.partition(",")[0] for item in items if isinstance(item, Skip)] == [
        "the premise is a table",
        "the sentence is empty",
        "the sentence was used for an earlier pair",
    ]


def test_a_premise_that_is_its_hypothesis_and_a_long_one() -> None:
    check_triple("Two men run.", made("Two men run."))
    [swapped_only] = [Pair("p", "Two men run.", "Two men run.")]
    assert len(list(build_probe("stress.numerical").cases(swapped_only, None))) == 3
    long = "and then five dogs or 3 cats ran, " * 600
    assert quantity_of(long) == SCOPE


def test_draws_depend_on_seed_and_pair() -> None:
    texts = {made("Five men walk.", seed)[0].hypothesis for seed in range(30)}
    assert len(texts) > 4
    assert made("Five men walk.", 3) == made("Five men walk.", 3)
    others = {made("Five men walk.", pair_id=str(number))[2].hypothesis for number in range(40)}
    assert {"More than five men walk.", "Less than five men walk."} < others


def test_the_direction_tells_nothing_about_the_label() -> None:
    # "More than one" needs a singular, so two is only ever widened upwards; a contradiction goes the same ways.
    texts = [case.hypothesis for seed in range(60) for case in made("Two men walk.", seed)]
    assert not any("More than" in text for text in texts)
    assert "Less than two men walk." in texts
    assert not any("three" in text for text in texts if text.startswith("Less"))


def test_the_released_premises_give_triples_of_the_released_form(data: Path) -> None:
    rows = [line.split("\t") for line in (data / RELEASED).read_text(encoding="utf-8").splitlines()[1:]]
    count = 0
    for index in range(0, len(rows), 3):
        (label, premise, wide), swapped, (_, same, _other) = rows[index : index + 3]
        assert (label, swapped[1:], same) == ("entailment", [wide, premise], premise)
        cases = made(premise, pair_id=str(index))
        if cases:
            check_triple(premise, cases)
            count += 1
    assert count == MADE
