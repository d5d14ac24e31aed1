"""The algebra of governing words, checked against what the words mean for every value that a cell may have."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nliprobe.language.cells.records import Date
from nliprobe.probes._claims import RAISING_LEADS_TO, Relation, Stretch, claim
from nliprobe.probes._governing import AFTER, BEFORE, Part, governor_of
from nliprobe.probes._seasons import SEASONS, season_of, season_truth

NUMBERS = st.integers(-50, 50)


def holds(relation: Relation, number: int, value: int) -> bool:
    """Say what a governing word means, without stretches."""
    return {
        Relation.ABOVE: value > number,
        Relation.AT_LEAST: value >= number,
        Relation.BELOW: value < number,
        Relation.AT_MOST: value <= number,
        Relation.EXACT: value == number,
    }[relation]


PLAIN = st.sampled_from([Relation.ABOVE, Relation.AT_LEAST, Relation.BELOW, Relation.AT_MOST, Relation.EXACT])


def point(value: int) -> Stretch:
    return Stretch(value, value)


@given(PLAIN, NUMBERS, NUMBERS, st.booleans())
def test_a_claim_is_true_where_its_word_is(relation: Relation, number: int, value: int, denied: bool) -> None:
    made = claim(relation, number, number)._replace(denied=denied)
    assert made.truth([point(value)]) is (holds(relation, number, value) != denied)


@given(PLAIN, NUMBERS, NUMBERS, NUMBERS, st.booleans())
def test_an_open_cell_decides_only_where_all_its_values_agree(
    relation: Relation, number: int, one: int, other: int, denied: bool
) -> None:
    low, high = sorted([one, other])
    truths = {holds(relation, number, value) != denied for value in range(low, high + 1)}
    truth = claim(relation, number, number)._replace(denied=denied).truth([Stretch(low, high)])
    assert truth is (truths.pop() if len(truths) == 1 else None)


@given(
    st.sampled_from([one for one in RAISING_LEADS_TO if one not in (Relation.SINCE, Relation.UNTIL)]),
    NUMBERS,
    st.integers(1, 40),
    st.booleans(),
)
def test_moves_in_the_direction_of_the_label_keep_it_for_every_value(
    relation: Relation, number: int, step: int, denied: bool
) -> None:
    for value in range(-120, 121):
        label = "E" if holds(relation, number, value) != denied else "C"
        for moved in (number + step, number - step):
            leads_to = RAISING_LEADS_TO[relation]
            if (moved > number) is denied:
                leads_to = "C" if leads_to == "E" else "E"
            if leads_to == label:
                after = claim(relation, moved, moved)._replace(denied=denied).truth([point(value)])
                assert after is (label == "E")


@given(st.sampled_from(list(Relation)), NUMBERS, st.integers(0, 9), st.integers(0, 5), NUMBERS)
def test_what_is_surely_true_is_never_surely_false(
    relation: Relation, low: int, width: int, rounding: int, value: int
) -> None:
    made = claim(relation, low, low + width, Fraction(rounding))
    assert made.hull.covers(made.core)
    truth = made.truth([point(value)])
    denied = made._replace(denied=True).truth([point(value)])
    assert (truth is None and denied is None) or truth is not denied


def test_several_values_decide_only_together() -> None:
    made = claim(Relation.ABOVE, 10, 10)
    assert made.truth([point(11), point(20)]) is True
    assert made.truth([point(9), point(11)]) is None
    assert made.truth([]) is None


def test_since_is_true_of_its_year_and_open_before_it() -> None:
    made = claim(Relation.SINCE, 1991, 1991)
    assert [made.truth([point(year)]) for year in (1985, 1991, 1995)] == [None, True, False]
    made = claim(Relation.UNTIL, 2001, 2001)
    assert [made.truth([point(year)]) for year in (1999, 2001, 2005)] == [False, True, None]


def test_rounded_and_vague_numbers_leave_a_rim_open() -> None:
    about = claim(Relation.ABOUT, 100, 100)
    assert [about.truth([point(value)]) for value in (101, 115, 140)] == [True, None, False]
    nearly = claim(Relation.NEARLY, 100, 100)
    assert [nearly.truth([point(value)]) for value in (95, 80, 50, 120)] == [True, None, False, False]
    over = claim(Relation.JUST_ABOVE, 100, 100)
    assert [over.truth([point(value)]) for value in (105, 120, 99, 140)] == [True, None, False, False]
    rounded = claim(Relation.EXACT, 2760, 2760, 60)
    assert [rounded.truth([point(value)]) for value in (2766, 2800, 2900)] == [True, None, False]


@given(NUMBERS, st.integers(0, 9), NUMBERS, st.integers(0, 9))
def test_stretches_cover_and_meet_as_their_values_do(low: int, size: int, other: int, width: int) -> None:
    one, two = Stretch(low, low + size), Stretch(other, other + width)
    values, others = set(range(low, low + size + 1)), set(range(other, other + width + 1))
    assert one.covers(two) is (others <= values)
    assert one.meets(two) is two.meets(one) is (not values.isdisjoint(others))


GOVERNING = [
    (phrase, relation)
    for relation, text in BEFORE.items()
    for phrase in text.split("|")
    if phrase not in ("or", "since", "ever since", "until", "till", "up until", "through", "by")
]


@pytest.mark.parametrize(("phrase", "relation"), GOVERNING)
def test_every_governing_word_is_found(phrase: str, relation: Relation) -> None:
    text = f"The hut has {phrase} 40 beds"
    assert governor_of(text, text.index("40"), text.index("40") + 2, date=False).relation is relation


@pytest.mark.parametrize(
    ("phrase", "relation"), [(one, relation) for relation, text in AFTER.items() for one in text.split("|")]
)
def test_every_governing_word_after_a_number_is_found(phrase: str, relation: Relation) -> None:
    text = f"The hut has 40 {phrase}."
    assert governor_of(text, 12, 14, date=False).relation is relation


@pytest.mark.parametrize(
    ("text", "mention", "relation", "part", "sure"),
    [
        ("It was built since 1990", "1990", Relation.SINCE, Part.WHOLE, True),
        ("It was built by 1990", "1990", Relation.AT_MOST, Part.WHOLE, True),
        ("It was built in the early 1990s", "1990s", Relation.EXACT, Part.EARLY, True),
        ("It was built in the latter half of the 19th century", "19th", Relation.EXACT, Part.LAST_HALF, True),
        ("It was built before the turn of the 20th century", "20th", Relation.BELOW, Part.OPEN, True),
        ("It was painted over two years", "two", Relation.ABOVE, Part.WHOLE, False),
        ("It has run for over two years", "two", Relation.ABOVE, Part.WHOLE, True),
        ("It was recorded under four labels", "four", Relation.BELOW, Part.WHOLE, False),
        ("He died before he was 30", "30", Relation.BELOW, Part.WHOLE, True),
        ("It has over a 2 hour run time", "2", Relation.ABOVE, Part.WHOLE, True),
        ("Over, 40 beds", "40", Relation.EXACT, Part.WHOLE, True),
        ("40 beds", "40", Relation.EXACT, Part.WHOLE, True),
    ],
)
def test_governing_words_in_their_sentence(text: str, mention: str, relation: Relation, part: Part, sure: bool) -> None:
    start = text.index(mention)
    is_date = part is not Part.WHOLE or "built" in text
    governor = governor_of(text, start, start + len(mention), date=is_date)
    assert (governor.relation, governor.part, governor.sure) == (relation, part, sure)


@given(st.integers(1, 12), st.integers(1, 28))
def test_a_day_is_in_one_season_and_surely_not_in_the_opposite_one(month: int, day: int) -> None:
    date = Date(1950, month, day)
    truths = {season: season_truth(season, date) for season in SEASONS}
    assert truths["fall"] is truths["autumn"]
    assert sum(truths[season] is True for season in SEASONS[:4]) == (season_of(date) is not None)
    assert sum(truths[season] is False for season in SEASONS[:4]) >= 2


def test_seasons_of_dates_without_a_month_are_open() -> None:
    assert season_truth("winter", Date(1950)) is None
    assert season_of(Date(1950)) is None
    assert season_truth("winter", Date(1950, 12, 5)) is None
    assert season_truth("winter", Date(1950, 12, 28)) is True
