"""Probes that change nothing that matters (inv.*) or move the answer in a known way (dir.*)."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.probes.test_probes import cases_of

from nliprobe.base.errors import UsageError
from nliprobe.language.lexicon import make_lexicon
from nliprobe.probes import _names, inv_gender, inv_names
from nliprobe.probes._names import Names
from nliprobe.probes._persons import Refused
from nliprobe.probes.dir_negate import NEGATED, NEGATED_UNSEEN
from nliprobe.probes.suite import Suite, build_probe
from nliprobe.task.case import Case, Certainty, Skip
from nliprobe.task.pair import Pair
from nliprobe.task.relations import SAME
from nliprobe.task.rule_forms import rule_text
from nliprobe.task.table import Row, Table
from nliprobe.testing._probes import RULES, Probing
from nliprobe.testing._rules import hold

ROWS = [
    ("Emily", "f"), ("Susan", "f"), ("Olga", "f"), ("Ines", "f"), ("Boris", "m"), ("Pavel", "m"), ("May", "f"),
    ("Alex", "f"), ("Alex", "m"),
]  # fmt: skip
NAMES = Names.of(make_lexicon("NAME", ["text", "gender", "region"], [(*row, "r") for row in ROWS]))


@pytest.fixture(autouse=True)
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests know few names, so that what is drawn can be listed."""
    for module in (inv_names, inv_gender):
        monkeypatch.setattr(module, "known_names", lambda: NAMES)


def only(spec: str, premise: str | Table, hypothesis: str, seed: int = 0) -> Case:
    (case,) = cases_of(spec, Pair("p", premise, hypothesis), seed)
    assert isinstance(case, Case), case
    return case


def reason(spec: str, premise: str | Table, hypothesis: str) -> str:
    (skip,) = cases_of(spec, Pair("p", premise, hypothesis))
    assert isinstance(skip, Skip), skip
    return skip.reason


def test_the_package_has_enough_names() -> None:
    names = _names.known_names()
    assert all(list(names.genders.values()).count(gender) >= 50 for gender in "fm")
    assert build_probe("inv.names").reads


SPECS = [
    "inv.names?n=2",
    "inv.gender",
    "inv.surface",
    "inv.surface?kind=quotes",
    "dir.negate",
    "dir.append?tolerance=0.2",
]
words = st.sampled_from(
    ["Emily", "Boris", "Susan's", "Alex", "Smith", "he", "his", "her", "The", "dog", "is", "not", "isn't", "won’t",
     "can", "and", "“no”", '"', "'s", ".", ". ", ",", "  ", "?", "-", "é", "5"]
)  # fmt: skip
sentences = st.lists(words, min_size=1, max_size=8).map(" ".join)
cells = st.lists(sentences, min_size=1, max_size=2).map(tuple)
some_tables = st.builds(
    Table, sentences, st.lists(st.builds(Row, st.sampled_from(["Note", "Born", "Emily"]), cells), min_size=1).map(tuple)
)
some_pairs = st.builds(Pair, sentences, st.one_of(sentences, some_tables), sentences)


@pytest.mark.parametrize("spec", SPECS)
@given(pair=some_pairs, other=some_pairs, seed=st.integers(0, 3))
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
def test_the_contract_is_kept_where_names_and_marks_abound(spec: str, pair: Pair, other: Pair, seed: int) -> None:
    hold("probe", spec, RULES, Probing(spec, seed, pair, [other], []))


# Names -----------------------------------------------------------------------------------------------------


@given(st.integers(0, 50))
def test_names_are_exchanged_alike_in_premise_and_hypothesis(seed: int) -> None:
    case = only("inv.names", "Emily's dog bit Boris. Then Emily ran.", "Boris was bitten by Emily's dog.", seed)
    first, second = case.hypothesis.split()[-2].removesuffix("'s"), case.hypothesis.split()[0]
    assert first in {"Susan", "Olga", "Ines"}
    assert second == "Pavel"
    assert case.premise == f"{first}'s dog bit Pavel. Then {first} ran."
    assert case.expects == SAME


def test_names_are_exchanged_in_cells_and_in_a_title_that_is_a_name() -> None:
    table = Table("Emily", (Row("Children", ("Boris, Susan and Zed", "Zed (b. 1950)")), Row("Town", ("Rom",))))
    case = only("inv.names", table, "Emily has more children than Boris.")
    assert isinstance(case.premise, Table)
    assert {case.premise.title, case.premise.rows[0].values[0].split()[1]} == {"Olga", "Ines"}
    assert case.hypothesis == f"{case.premise.title} has more children than Pavel."
    assert case.premise.rows[0].values[1] == "Zed (b. 1950)"
    # Three names, and one is left.
    two = Table("Emily", (Row("Sisters", ("Susan", "Olga")),))
    assert reason("inv.names", two, "Emily has sisters.") == "there are too few other names"


def test_n_gives_different_names_only() -> None:
    found = cases_of("inv.names?n=9", Pair("p", "Emily sat.", "Emily sat down."))
    assert {case.premise for case in found if isinstance(case, Case)} == {"Susan sat.", "Olga sat.", "Ines sat."}
    with pytest.raises(UsageError, match="at least 1"):
        build_probe("inv.names?n=0")


@pytest.mark.parametrize(
    "text",
    [
        "Emily Smith sat.", "Anna Emily sat.", "St. Emily sat.", "Dr. Emily sat.", "J. Emily sat.", "Emily-Ann sat.",
        "the Emily sank.", "The Emily sank.", "Emily 3 sank.", "Lake Emily froze.", "Emily & Co paid.",
        "Emily's Diner shut.", "Emily, Queen of Spain, sat.", "Boris von Emily sat.",
    ],
)  # fmt: skip
def test_longer_names_are_left_alone(text: str) -> None:
    assert reason("inv.names", text, "Somebody sat.") == "a name may be part of a longer name"
    with pytest.raises(Refused):
        list(NAMES.find(text))


@pytest.mark.parametrize(
    "text",
    [
        "When Emily sat, it fell.",
        "It fell. Emily sat.",
        "We met Tom. Emily sat.",
        "So did Emily, Tom and Ann.",
        "“Emily sat.”",
    ],
)
def test_names_that_stand_alone_are_found(text: str) -> None:
    assert [text[found.start : found.stop] for found in NAMES.find(text)] == ["Emily"]


def test_reasons_against_names() -> None:
    assert reason("inv.names", "A man sat.", "May sat with Alex.") == "no known first name occurs"
    assert reason("inv.names", "Emily sat.", "Her name is Emily.") == "the hypothesis may be about the name itself"
    keyed = Table("t", (Row("Emily", ("1",)), Row("Winner", ("Emily",))))
    assert reason("inv.names", keyed, "Emily won.") == "a name stands in a key or column of the table"
    titled = Table("Emily with a Pearl", (Row("Year", ("1650",)),))
    assert reason("inv.names", titled, "It is old.") == "a cell with a name holds more than names"


# Gender ----------------------------------------------------------------------------------------------------


def test_gender_takes_pronouns_along() -> None:
    case = only("inv.gender", "Boris lost his keys. He blamed himself.", "Boris had keys; they were his.")
    name = case.hypothesis.split()[0]
    assert name in {"Emily", "Susan", "Olga", "Ines"}
    assert case.premise == f"{name} lost her keys. She blamed herself."
    assert case.hypothesis == f"{name} had keys; they were hers."
    case = only("inv.gender", "Emily sat. They saw her in town.", "They saw her.")
    assert str(case.premise).endswith("They saw him in town.")


@pytest.mark.parametrize(
    ("premise", "why"),
    [
        ("Emily took her dog.", "'her' may stand for 'him' or for 'his'"),
        ("Emily met Boris.", "names of both genders occur"),
        ("Emily is a mother.", "another word tells the gender"),
        ("The saleswoman saw Emily.", "another word tells the gender"),
        ("Emily left and he stayed.", "pronouns of the other gender occur"),
        ("A dog ran.", "no known first name occurs"),
        ("Emily met Xena. She left.", "a pronoun may belong to somebody else"),
        ("Xena met Emily. She left.", "a pronoun may belong to somebody else"),
        ("May met Emily. She left.", "a pronoun may belong to somebody else"),
    ],
)
def test_reasons_against_gender(premise: str, why: str) -> None:
    assert reason("inv.gender", premise, "Something happened.") == why


# Surface ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("contraction", "It is not red and does not move.", "It isn't red and doesn't move."),
        ("contraction", "It isn't red, and won’t be.", "It is not red, and will not be."),
        ("contraction", "She cannot go.", "She can't go."),
        ("contraction", "Will not she go? It is not.", None),
        ("contraction", "It is a knot.", None),
        ("stop", "It is red.", "It is red"),
        ("stop", "It is red. ", "It is red "),
        ("stop", "It is red", "It is red."),
        ("stop", "It is in the U.S.", None),
        ("stop", "It is by Acme Inc.", None),
        ("stop", "It is...", None),
        ("stop", "Is it red?", None),
        ("quotes", 'He said "no" and didn\'t go.', "He said “no” and didn’t go."),
        ("quotes", "He said “no” and didn’t go.", 'He said "no" and didn\'t go.'),
        ("quotes", "It  is red.", "It is red."),
        ("quotes", 'It is 5" long and 3" wide.', None),
    ],
)
def test_surface(kind: str, text: str, expected: str | None) -> None:
    if expected is None:
        assert reason(f"inv.surface?kind={kind}", "premise", text).startswith("there is nothing")
    else:
        assert only(f"inv.surface?kind={kind}", "premise", text).hypothesis == expected


def test_surface_changes_cells_and_names_its_kind() -> None:
    table = Table("The  End", (Row("Motto", ("We don't",)),))
    found = {
        case.facets[0].value: case
        for case in cases_of("inv.surface", Pair("p", table, "It ended."))
        if isinstance(case, Case)
    }
    assert set(found) == {"contraction", "stop", "quotes"}
    quotes = found["quotes"].premise
    assert isinstance(quotes, Table)
    assert (quotes.title, quotes.rows[0].values) == ("The End", ("We don’t",))
    assert found["stop"].premise == table
    with pytest.raises(UsageError, match="Did you mean 'quotes'"):
        build_probe("inv.surface?kind=quote")


# Negation --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The dog is asleep.", "The dog is not asleep."),
        ("The bridge was opened in 1920", "The bridge was not opened in 1920"),
        ("The dog can swim.", "The dog cannot swim."),
        ("The town has been a port.", "The town has not been a port."),
    ],
)
def test_negation(text: str, expected: str) -> None:
    case = only("dir.negate", "The dog and the bridge of the town.", text)
    assert case.hypothesis == expected
    assert case.certainty == Certainty.CERTAIN
    assert case.expects is not None
    assert rule_text(case.expects) == "E>NC N>ENC C>EN and (if base_in EC then monotone base not_up)"


def test_negation_of_what_the_premise_does_not_speak_of_may_stay_a_contradiction() -> None:
    case = only("dir.negate", "A cat ran.", "The dog is asleep.")
    assert case.expects == NEGATED_UNSEEN
    table = Table("Acme", (Row("Owner", ("Bell",)),))
    assert only("dir.negate", table, "Acme is large.").expects == NEGATED


@pytest.mark.parametrize(
    ("text", "certainty"),
    [
        ("A dog is asleep.", Certainty.LIKELY),
        ("Dogs are asleep.", Certainty.LIKELY),
        ("Two dogs are wet.", Certainty.LIKELY),
        ("Acme is large.", Certainty.CERTAIN),
        ("Bell Labs is large.", Certainty.CERTAIN),
        ("He is large.", Certainty.CERTAIN),
    ],
)
def test_indefinite_subjects_are_only_likely(text: str, certainty: Certainty) -> None:
    assert only("dir.negate", "It seems that Acme and Bell Labs met two dogs.", text).certainty == certainty


@pytest.mark.parametrize(
    "text",
    [
        "The dog is not asleep.", "All dogs are asleep.", "The dog is asleep and the cat is awake.", "The dog sleeps.",
        "The dog, which is old, sleeps.", "Is the dog asleep?", "The dog isn't asleep.", "There is a dog.", "is",
        "The dog that was old is asleep.", "He said it was so.", "The dog is only tired.", "The dog has a bone.",
        "The dog must be asleep.", "The dog is", "It is so. He is old.", "Nobody is here.",
    ],
)  # fmt: skip
def test_intricate_sentences_are_not_negated(text: str) -> None:
    assert reason("dir.negate", "premise", text)


# Appending -------------------------------------------------------------------------------------------------


def test_append_to_text_and_table() -> None:
    case = only("dir.append?tolerance=0.2", "A dog ran", "A dog moved.")
    assert str(case.premise).startswith("A dog ran. ")
    assert case.expects is not None
    assert rule_text(case.expects) == "same_label and close 0.2"
    table = Table("t", (Row("Note", ("x",)),))
    edited = only("dir.append", table, "It is red.").premise
    assert isinstance(edited, Table)
    assert edited.keys == ("Note", "Remark")
    full = Table("t", (Row("Note", ("x",)), Row("Remark", ("x",))))
    assert "already" in reason("dir.append", full, "It is red.")
    grid = Table("t", (Row("", ("1",)),), "", ("n",))
    assert "counts" in reason("dir.append", grid, "It is red.")
    with pytest.raises(UsageError, match="from 0 to 1"):
        build_probe("dir.append?tolerance=2")


def test_append_says_nothing_that_the_hypothesis_speaks_of() -> None:
    for seed in range(20):
        premise = str(only("dir.append", "A dog ran.", "What is true happens to things.", seed).premise)
        assert not {"true", "happens", "Things"} & set(premise.replace(".", "").split())
    every = "What happens is true: things are so, everything is itself, something they not whatever."
    assert reason("dir.append", "A dog ran.", every).startswith("the hypothesis uses the words")


def test_the_names_known_are_part_of_the_suite(monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.probes.test_probes import Source

    def suite_hash() -> str:
        return Suite.build([Source(())], ["inv.names", "swap"]).hash

    first = suite_hash()
    monkeypatch.setattr(inv_names, "known_names", lambda: Names({"Ann": "f"}, {"Ann": "f"}, ("Ann",), (), "other"))
    assert suite_hash() != first
