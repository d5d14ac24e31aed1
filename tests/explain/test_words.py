"""Words of texts, and texts without them."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from nliprobe.explain.words import MOST_WORDS, Words

TEXTS = st.text(st.sampled_from("ab'’-é ., 東京ひ\n\t\u200f"), max_size=60)


@given(TEXTS)
def test_a_text_with_all_its_words_is_the_text(text: str) -> None:
    words = Words.of(text)
    assert words.without([True] * len(words)) == text


@given(TEXTS)
def test_nothing_is_left_of_words_but_signs(text: str) -> None:
    words = Words.of(text)
    left = words.without([False] * len(words))
    assert not any(character.isalnum() for character in left)
    assert [sign for sign in text if not sign.isalnum() and not sign.isspace() and sign not in "'’-"] == [
        sign for sign in left if not sign.isspace() and sign not in "'’-"
    ]


def test_one_word_goes_with_its_space() -> None:
    words = Words.of("The cat sat on the mat.")
    assert words.without([True, False, True, True, True, True]) == "The sat on the mat."
    assert words.without([True, True, True, True, True, False]) == "The cat sat on the ."


def test_each_ideograph_is_a_word() -> None:
    words = Words.of("東京 is big")
    assert [words.text[slice(*span)] for span in words.spans] == ["東", "京", "is", "big"]


def test_a_long_text_is_taken_out_in_stretches() -> None:
    text = " ".join(f"word{number}" for number in range(3 * MOST_WORDS))
    words = Words.of(text)
    assert (len(words), words.together) == (MOST_WORDS, 3)
    kept = [True] * MOST_WORDS
    kept[1] = False
    assert words.without(kept) == text.replace("word3 word4 word5 ", "")
    assert Words.of("word " * MOST_WORDS).together == 1


@given(st.lists(TEXTS, max_size=6), st.data())
def test_segments_keep_their_borders(segments: list[str], data: st.DataObject) -> None:
    words = Words.of(*segments)
    row = st.lists(st.booleans(), min_size=len(words), max_size=len(words))
    masks = np.array([[True] * len(words), *data.draw(st.lists(row, max_size=4))], dtype=np.bool_)
    whole = Words.of(words.text)
    for left, one, mask in zip(words.masked(masks), whole.masked(masks), masks, strict=True):
        assert "".join(left) == "".join(one), "what is left does not depend on segments"
        assert all(left)
        if mask.all():
            assert left == tuple(filter(None, segments))


@given(st.lists(TEXTS, max_size=6), st.data())
def test_short_segments_leave_the_same_texts(segments: list[str], data: st.DataObject) -> None:
    words = Words.of(*segments)
    short = words.in_short_segments()
    assert (short.text, short.spans) == (words.text, words.spans)
    row = st.lists(st.booleans(), min_size=len(words), max_size=len(words))
    masks = np.array(data.draw(st.lists(row, min_size=1, max_size=4)), dtype=np.bool_)
    assert ["".join(one) for one in short.masked(masks)] == ["".join(one) for one in words.masked(masks)]


def test_long_segments_are_cut_where_there_is_a_space() -> None:
    river = "The river/sea is wide and/or long, but it is not very deep."
    words = Words.of("Few words stay together. ", river, " So", " it is")
    assert words.in_short_segments().segments == (
        "Few words stay together. ", "The river/sea is ", "wide and/or long, ", "but it is not ", "very deep.", " So",
        " it is",
    )  # fmt: skip


def test_words_go_from_their_own_segments() -> None:
    words = Words.of("The river is long.", " The sea is", " ", "wide", ".")
    kept = np.ones((3, len(words)), dtype=np.bool_)
    kept[1, [1, 5]] = False
    kept[2, [4, 5, 6, 7]] = False
    assert words.masked(kept) == [
        ("The river is long.", " The sea is", " ", "wide", "."),
        ("The is long.", " The is", " ", "wide", "."),
        ("The river is long.", " ", "."),
    ]
