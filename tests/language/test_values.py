"""The values of real infobox cells: what is cut, what is left whole, and that nothing is lost."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nliprobe.language.values import split_cell, value_places


def values(cell: str, key: str = "") -> list[str]:
    return [cell[start:stop] for start, stop in split_cell(cell, key)]


@pytest.mark.parametrize(
    ("key", "cell", "expected"),
    [
        # Lists as infoboxes write them.
        ("Genre", "Rock, pop, soul", ["Rock", "pop", "soul"]),
        ("Occupation", "Actor, writer and producer", ["Actor", "writer", "producer"]),
        ("Occupation", "Actor, writer, and producer", ["Actor", "writer", "producer"]),
        ("Starring", "Ann Lee , Bob Ray", ["Ann Lee", "Bob Ray"]),
        ("Languages", "English, Hindi", ["English", "Hindi"]),
        ("Labels", "Nuclear Blast, Century Media & Spinefarm", ["Nuclear Blast", "Century Media", "Spinefarm"]),
        ("Written by", "Jo Bloom (story, draft) , Ken Kolb", ["Jo Bloom (story, draft)", "Ken Kolb"]),
        ("Written by", "Jo Bloom (story, draft), Ken Kolb (play)", ["Jo Bloom (story, draft)", "Ken Kolb (play)"]),
        ("Communities", "Richmond Hill; Markham", ["Richmond Hill", "Markham"]),
        ("Symptoms", "• Fever\n• Cough", ["Fever", "Cough"]),
        ("Members", "Ann Lee\nBob Ray", ["Ann Lee", "Bob Ray"]),
        ("Members", "Ann Lee · Bob Ray", ["Ann Lee", "Bob Ray"]),
        ("Genre", "Rock / pop", ["Rock", "pop"]),
        ("Acts", "Isles &amp; Glaciers; Emarosa", ["Isles &amp; Glaciers", "Emarosa"]),
        ("Directors", "Jan Hellman (Chair, Founder),Jens Holm, Claes Berg", ["Jan Hellman (Chair, Founder)", "Jens Holm", "Claes Berg"]),  # noqa: E501
        ("Country", "England , Wales , Isle of Man", ["England", "Wales", "Isle of Man"]),
        ("Borders", "Switzerland, Germany, Spain", ["Switzerland", "Germany", "Spain"]),
        ("Produced by", "Sammy Davis, Jr., Dean Martin", ["Sammy Davis, Jr.", "Dean Martin"]),
        # One value, whatever its marks.
        ("Name", "Smith, Jr.", None),
        ("Company", "Acme, Inc.", None),
        ("Origin", "Paris, France", None),
        ("Setting", "Kent, Ohio, U.S.", None),
        ("Released", "May 5, 1990", None),
        ("Population", "1,200", None),
        ("Founded", "1980; 39 years ago (1980)", None),
        ("Colors", "Orange and Black", None),
        ("Breeder", "Stanley Estate and Stud", None),
        ("Based on", "Goldfinger , by Ian Fleming", None),
        ("Chief", "Roy Gori, president of the board", None),
        ("Staff", "Roy Gori, president", None),
        ("Born", "Ann Lee , May 5, 1990 , Paris", None),
        ("Type", "4-door sedan/saloon", None),
        ("Spouse", "Ann Lee ( m. 1965; div. 1980)", None),
        ("Album", "Isles &amp; Glaciers", None),
        ("Acts", "Sony (New York, London", None),
        ("Coordinates", "48.8 / 2.3; 48.9", None),
        ("Plot", "A man goes to town to buy a horse; he never comes back again", None),
    ],
)  # fmt: skip
def test_cells_are_cut_where_they_certainly_hold_several_values(
    key: str, cell: str, expected: list[str] | None
) -> None:
    assert values(cell, key) == (expected or [cell])


@given(
    st.text(st.sampled_from("ab AB,;&/|()\n•·019.-and"), max_size=40), st.sampled_from(["", "Genre", "Born", "Origin"])
)
def test_nothing_is_lost_and_every_value_can_be_replaced(cell: str, key: str) -> None:
    spans = split_cell(cell, key)
    pieces: list[str] = []
    done = 0
    for start, stop in spans:
        assert done <= start < stop <= len(cell)
        assert cell[start:stop] == cell[start:stop].strip()
        pieces += [cell[done:start], cell[start:stop]]
        done = stop
    assert "".join([*pieces, cell[done:]]) == cell
    between = [cell[left[1] : right[0]] for left, right in pairwise(spans)]
    assert all(gap.strip() or "\n" in gap for gap in between), "values are apart"


@given(
    st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=20), min_size=1, max_size=5),
    st.text(max_size=9),
)
def test_places_lie_in_their_cells_in_order(cells: list[str], key: str) -> None:
    places = value_places(key, cells)
    assert list(places) == sorted(places)
    assert all(0 <= start < stop <= len(cells[cell]) for cell, start, stop in places)


@pytest.mark.parametrize(
    ("key", "cells", "count"),
    [
        ("Parents", [" Will Keen ", "María Ache"], 2),
        ("Born", ["May 5, 1990", "Paris, France"], 1),
        ("Studio", ["Enemy Dojo (Calabasas", "California)"], 1),
        ("Alternative names", ["Borsch", " borsht"], 2),
        ("Labels", ["Island", " ", ""], 1),
        ("Labels", ["", " "], 0),
        ("Labels", [], 0),
    ],
)
def test_lists_are_taken_as_given_unless_they_were_cut_inside_a_value(key: str, cells: list[str], count: int) -> None:
    assert len(value_places(key, cells)) == count
