"""Perturbations of numbers, times and quantifiers, judged by what the changed hypothesis says about the table."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nliprobe.probes.suite import build_probe
from nliprobe.task.case import Case, Certainty, Skip
from nliprobe.task.labels import LabelSet
from nliprobe.task.pair import Pair, Premise
from nliprobe.task.table import Row, Table

KINDS = ("number", "temporal", "quantifier")


def cases_of(kind: str, premise: Premise, hypothesis: str, label: str) -> list[Case]:
    probe = build_probe(f"hypothesis.{kind}")
    pair = Pair("c/s/1", premise, hypothesis, LabelSet.of(label))
    return [case for case in probe.cases(pair, None) if isinstance(case, Case)]


def told(kind: str, premise: Premise, hypothesis: str, label: str) -> dict[str, str]:
    """Return the changed hypotheses with what is expected of them: ``C certain``."""
    cases = cases_of(kind, premise, hypothesis, label)
    return {case.hypothesis: f"{case.gold} {case.certainty.value}" for case in cases}


def certain(kind: str, premise: Premise, hypothesis: str, label: str) -> dict[str, str]:
    made = cases_of(kind, premise, hypothesis, label)
    return {case.hypothesis: str(case.gold) for case in made if case.certainty is Certainty.CERTAIN}


COMPARED: dict[str, Callable[[int, int], bool]] = {
    "over": lambda value, number: value > number,
    "more than": lambda value, number: value > number,
    "at least": lambda value, number: value >= number,
    "under": lambda value, number: value < number,
    "fewer than": lambda value, number: value < number,
    "at most": lambda value, number: value <= number,
    "no more than": lambda value, number: value <= number,
    "up to": lambda value, number: value <= number,
    "exactly": lambda value, number: value == number,
    "": lambda value, number: value == number,
}


@given(st.sampled_from(list(COMPARED)), st.integers(2, 99), st.integers(2, 99), st.booleans())
@settings(max_examples=400)
def test_certain_numbers_are_what_the_cell_makes_of_them(word: str, value: int, number: int, denied: bool) -> None:
    table = Table("Kestrel Hut", (Row("Beds", (str(value),)), Row("Built", ("1924",))))
    verb = "does not have" if denied else "has"
    hypothesis = " ".join(f"Kestrel Hut {verb} {word} {number} beds.".split())

    def label_of(text: str) -> str:
        said = int(re.findall(r"\d+", text)[0])
        return "E" if COMPARED[word](value, said) != denied else "C"

    label = label_of(hypothesis)
    made = certain("number", table, hypothesis, label)
    assert made
    assert made == {text: label_of(text) for text in made}


DATES: dict[str, Callable[[int, int], bool]] = {
    "before": lambda value, year: value < year,
    "after": lambda value, year: value > year,
    "in": lambda value, year: value == year,
    "no later than": lambda value, year: value <= year,
}


@given(st.sampled_from(list(DATES)), st.integers(1100, 2015), st.integers(1100, 2015), st.booleans())
@settings(max_examples=300)
def test_certain_years_are_what_the_cell_makes_of_them(word: str, value: int, year: int, full: bool) -> None:
    founded = f"3 May {value}" if full else str(value)
    table = Table("Kestrel Club", (Row("Founded", (founded,)), Row("Colours", ("Red",))))
    hypothesis = f"Kestrel Club was founded {word} {year}."

    def label_of(text: str) -> str:
        return "E" if DATES[word](value, int(re.findall(r"\d{3,4}", text)[0])) else "C"

    label = label_of(hypothesis)
    made = certain("temporal", table, hypothesis, label)
    assert made
    assert made == {text: label_of(text) for text in made}


@given(st.sampled_from(["over", "under", "less than", "more than"]), st.integers(20, 400), st.integers(1, 6))
def test_certain_running_times_compare_hours_with_minutes(word: str, minutes: int, hours: int) -> None:
    table = Table("Glass Mountain", (Row("Running time", (f"{minutes} minutes",)), Row("Country", ("Iceland",))))
    above = word in ("over", "more than")

    def label_of(text: str) -> str:
        said = 60 * int(re.findall(r"\d+", text)[0])
        return "E" if (minutes > said if above else minutes < said) else "C"

    hypothesis = f"Glass Mountain is {word} {hours} hours long."
    label = label_of(hypothesis)
    made = certain("temporal", table, hypothesis, label)
    assert made == {text: label_of(text) for text in made}


SEASON_OF = {12: "winter", 1: "winter", 2: "winter", 3: "spring", 4: "spring", 5: "spring", 6: "summer", 7: "summer",
             8: "summer", 9: "fall", 10: "fall", 11: "fall"}  # fmt: skip


@given(st.integers(1, 12).filter(lambda month: month % 3), st.sampled_from(["winter", "spring", "summer", "fall"]))
def test_certain_seasons_are_those_of_the_month(month: int, season: str) -> None:
    table = Table("Ann Lee", (Row("Born", (f"1950-{month:02}-11",)), Row("Occupation", ("Singer",))))
    label = "E" if SEASON_OF[month] == season else "C"
    made = certain("temporal", table, f"Ann Lee was born in the {season}.", label)
    assert made
    for text, expected in made.items():
        assert expected == ("E" if text.endswith(f" {SEASON_OF[month]}.") else "C")


COUNTED: dict[str, Callable[[int], bool]] = {
    "no": lambda count: count == 0,
    "only one": lambda count: count == 1,
    "at least one": lambda count: count >= 1,
    "more than one": lambda count: count > 1,
    "multiple": lambda count: count > 1,
    "at least two": lambda count: count > 1,
    "fewer than two": lambda count: count < 2,
}


@given(st.sampled_from(["only one", "more than one", "multiple"]), st.integers(1, 9))
def test_certain_quantifiers_are_what_the_list_makes_of_them(word: str, count: int) -> None:
    table = Table("Larkspur", (Row("Labels", tuple(f"Label{'abcdefghi'[place]}" for place in range(count))),))
    noun = "labels" if word == "multiple" else "label"
    label = "E" if COUNTED[word](count) else "C"
    made = certain("quantifier", table, f"Larkspur has been on {word} {noun}.", label)
    assert made
    for text, expected in made.items():
        after = text.removeprefix("Larkspur has been on ").rpartition(" ")[0]
        if after in COUNTED:
            assert expected == ("E" if COUNTED[after](count) else "C")


HUT = Table(
    "Kestrel Hut",
    (
        Row("Beds", ("48",)),
        Row("Opened", ("12 June 1924",)),
        Row("Elevation", ("2,340 m (7,680 ft)",)),
        Row("Summer staff", ("9",)),
        Row("Winter staff", ("4",)),
        Row("Years active", ("1924-present",)),
    ),
)


@pytest.mark.parametrize(
    ("hypothesis", "label"),
    [
        ("Kestrel Hut has over 60 beds.", "E"),  # the cell refutes the label
        ("Kestrel Hut has over 40 beds or a cellar.", "E"),  # an alternative
        ("Kestrel Hut has a staff of 6 people.", "C"),  # two rows
        ("Kestrel Hut may have 48 beds.", "E"),  # only possible
        ("Kestrel Hut opened 3 years before the war.", "E"),  # a distance to something else
        ("If Kestrel Hut has 48 beds, it is large.", "E"),
        ("Kestrel Hut has 12 windows.", "E"),  # no row speaks about it
        ("Ben Nevis Hut in Scotland never had 48 beds and no cook.", "C"),
    ],
)
def test_what_the_table_does_not_settle_is_not_certain(hypothesis: str, label: str) -> None:
    made = told("number", HUT, hypothesis, label) | told("temporal", HUT, hypothesis, label)
    assert made
    assert not [text for text, expected in made.items() if expected.endswith(" certain")]


def test_a_false_number_is_corrected_only_where_nothing_else_may_be_false() -> None:
    assert certain("number", HUT, "Kestrel Hut has 30 beds.", "C")["Kestrel Hut has 48 beds."] == "E"
    made = told("number", HUT, "Kestrel Hut has 30 beds and a golden roof.", "C")
    assert made["Kestrel Hut has 50 beds and a golden roof."] == "C certain"
    assert "E certain" not in made.values()


def test_directions_are_those_of_the_label() -> None:
    table = Table("Glass Mountain", (Row("Budget", ("$40 million",)),))
    assert told("number", table, "Nobody saw over 40 yaks there.", "E") == {
        "Nobody saw over 60 yaks there.": "C needs a person",
        "Nobody saw over 20 yaks there.": "E likely",
    }
    assert told("number", table, "The camp had over 40 yaks.", "C")["The camp had over 60 yaks."] == "C likely"
    assert told("number", table, "The camp had under 40 yaks.", "C")["The camp had under 20 yaks."] == "C likely"


def test_a_title_is_no_part_of_the_statement() -> None:
    table = Table("Maybe 1984", (Row("Released", ("3 May 1971",)),))
    made = certain("temporal", table, "Maybe 1984 was released in 1971.", "E")
    assert made == {"Maybe 1984 was released in 1961.": "C", "Maybe 1984 was released in 1981.": "C"}


def test_the_present_is_open_unless_an_age_dates_the_table() -> None:
    band = Table("Larkspur", (Row("Years active", ("2000-present",)),))
    # Whether these are 25 years depends on who reads it, and when.
    assert "E" not in certain("temporal", band, "Larkspur has been active for over 25 years.", "C").values()
    singer = Table("Ann Lee", (Row("Born", ("May 4, 1980 (age 38)",)), Row("Years active", ("2000-present",))))
    assert "E" in certain("temporal", singer, "Ann Lee has been active for over 25 years.", "C").values()


def test_dates_before_1000_and_before_christ() -> None:
    table = Table("Old Port", (Row("Founded", ("331 BC",)), Row("Country", ("Egypt",))))
    made = certain("temporal", table, "Old Port was founded in 331 BC.", "E")
    assert made == {"Old Port was founded in 341 BC.": "C", "Old Port was founded in 321 BC.": "C"}
    made = certain("temporal", table, "Old Port was founded before 100 BC.", "E")
    assert made
    for text, expected in made.items():
        assert expected == ("E" if int(re.findall(r"\d+", text)[0]) < 331 else "C")


def test_two_numbers_with_one_governing_word_are_changed_one_by_one() -> None:
    made = cases_of("number", HUT, "Kestrel Hut has over 40 beds and 20 tables.", "E")
    assert {case.hypothesis for case in made if case.certainty is Certainty.CERTAIN} == {
        "Kestrel Hut has over 60 beds and 20 tables.",
        "Kestrel Hut has over 20 beds and 20 tables.",
        "Kestrel Hut has over 24 beds and 20 tables.",
        "Kestrel Hut has over 96 beds and 20 tables.",
    }
    assert all("over 40 beds" in case.hypothesis for case in made if case.certainty is not Certainty.CERTAIN)


def test_ranges_move_past_the_cell_and_words_after_a_number_govern_it() -> None:
    assert certain("number", HUT, "Kestrel Hut has between 40 and 50 beds.", "E") == {
        "Kestrel Hut has between 100 and 110 beds.": "C",
        "Kestrel Hut has between 10 and 20 beds.": "C",
    }
    made = certain("temporal", HUT, "Kestrel Hut opened between 1920 and 1930.", "E")
    assert made == {
        "Kestrel Hut opened between 1905 and 1915.": "C",
        "Kestrel Hut opened between 1935 and 1945.": "C",
    }
    made = certain("number", HUT, "Kestrel Hut has 40 or more beds.", "E")
    assert (made["Kestrel Hut has 60 or more beds."], made["Kestrel Hut has 20 or more beds."]) == ("C", "E")


def test_numbers_in_words_and_capitals() -> None:
    made = certain("number", HUT, "KESTREL HUT HAS FORTY-EIGHT BEDS.", "E")
    assert made
    assert set(made.values()) == {"C"}
    assert certain("number", HUT, "Kestrel Hut has over forty beds.", "E")["Kestrel Hut has over twenty beds."] == "E"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("label", ["E", "C"])
@pytest.mark.parametrize(
    "hypothesis",
    ["", " ", ".", "1", "$", "over", "over 5", "no", "in the spring of", "all " * 2000, "over 40 beds and " * 600,
     "in the spring of 1950, " * 500, "🦅 48 beds\x00\n", "٤٨ beds", "9" * 400 + " beds", "-5 to -3 beds"],
)  # fmt: skip
def test_odd_hypotheses_do_no_harm(kind: str, label: str, hypothesis: str) -> None:
    probe = build_probe(f"hypothesis.{kind}")
    for premise in (HUT, "Two men see 48 beds in 1950.", ""):
        items = list(probe.cases(Pair("c/s/1", premise, hypothesis, LabelSet.of(label)), None))
        assert items
        assert all(isinstance(item, Case | Skip) for item in items)


@given(st.text(max_size=80), st.text(max_size=30), st.text(max_size=30), st.sampled_from("EC"))
def test_any_text_and_any_row_do_no_harm(hypothesis: str, key: str, value: str, label: str) -> None:
    table = Table("Kestrel Hut", (Row(key, (value,)), Row("Beds", (value, "48"))))
    for kind in KINDS:
        for case in cases_of(kind, table, hypothesis, label):
            assert case.hypothesis != hypothesis


def test_texts_as_premises_give_few_certain_cases() -> None:
    premise = "Two men and a woman watch three dogs."
    assert certain("number", premise, "Two men are there.", "E") == {
        "Three men are there.": "C",
        "Four men are there.": "C",
    }
    # Who sees three dogs sees two of them as well.
    assert "Two dogs are there." not in certain("number", premise, "Three dogs are there.", "E")
    assert not certain("number", "Two men watch a man.", "Two men are there.", "E")
    assert not certain("number", premise, "Three people are there.", "E")
    assert certain("quantifier", premise, "All dogs are watched.", "E") == {
        "Some dogs are watched.": "E",
        "Most dogs are watched.": "E",
    }
    assert certain("quantifier", premise, "Some dogs are asleep.", "C") == {
        "Most dogs are asleep.": "C",
        "All dogs are asleep.": "C",
    }
    assert not certain("quantifier", premise, "All cats are watched.", "E")


def test_neutral_and_unlabelled_pairs_are_left_alone() -> None:
    probe = build_probe("hypothesis.number")
    for gold in (None, LabelSet.of("N"), LabelSet.of("NC")):
        [skip] = probe.cases(Pair("c/s/1", HUT, "Kestrel Hut has 48 beds.", gold), None)
        assert isinstance(skip, Skip)


def test_cases_say_what_was_done() -> None:
    [case, *_] = cases_of("number", HUT, "Kestrel Hut has over 40 beds.", "E")
    assert {facet.name: facet.value for facet in case.facets} == {
        "rule": "over-raised",
        "effect": "flip",
        "kind": "number",
    }
    [edit] = case.edits
    assert (edit.before, edit.after) == ("40 beds", "60 beds")


def test_effect_and_n_choose() -> None:
    pair = Pair("c/s/1", HUT, "Kestrel Hut has over 40 beds.", LabelSet.of("E"))
    kept = list(build_probe("hypothesis.number?effect=preserve").cases(pair, None))
    assert {str(case.gold) for case in kept if isinstance(case, Case)} == {"E"}
    assert len(list(build_probe("hypothesis.number?n=1").cases(pair, None))) == 1
