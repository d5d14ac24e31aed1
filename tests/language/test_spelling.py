"""Misspellings: exactly one slip in a plain word, and never another word."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nliprobe.language.spelling import (
    FUNCTION_WORDS,
    NEIGHBOURS,
    Misspelling,
    is_content_word,
    is_word,
    misspelled,
    plain_words,
)

small = st.text("abcdefghijklmnopqrstuvwxyz", min_size=4, max_size=12)


def spelled(text: str) -> list[str]:
    return [text[start:stop] for start, stop in plain_words(text)]


@given(small, st.integers(0, 20))
def test_a_swap_exchanges_two_neighbours(word: str, seed: int) -> None:
    wrong = misspelled(word, Misspelling.SWAP, Random(seed))
    if wrong is None:
        return
    first, second = (place for place in range(len(word)) if word[place] != wrong[place])
    assert second == first + 1
    assert (wrong[first], wrong[second]) == (word[second], word[first])
    assert not is_word(wrong)


@given(small, st.integers(0, 20))
def test_a_key_is_replaced_by_the_one_beside_it(word: str, seed: int) -> None:
    wrong = misspelled(word, Misspelling.KEYBOARD, Random(seed))
    assert wrong is not None
    assert len(wrong) == len(word)
    (place,) = (place for place in range(len(word)) if word[place] != wrong[place])
    assert wrong[place] in NEIGHBOURS[word[place]]
    assert not is_word(wrong)


def test_neighbours_are_the_keys_left_and_right() -> None:
    assert (NEIGHBOURS["a"], NEIGHBOURS["g"], NEIGHBOURS["p"], NEIGHBOURS["m"]) == ("s", "fh", "o", "n")
    assert all(key in NEIGHBOURS[other] for key, others in NEIGHBOURS.items() for other in others)


@pytest.mark.parametrize(
    ("word", "other"),
    [
        ("form", "from"), ("trial", "trail"), ("quiet", "quite"), ("united", "untied"), ("used", "sued"),
        ("care", "acre"), ("casual", "causal"), ("lines", "liens"), ("jets", "jest"), ("sign", "sing"),
    ],
)  # fmt: skip
def test_no_other_word_comes_out_of_a_swap(word: str, other: str) -> None:
    drawn = {misspelled(word, Misspelling.SWAP, Random(seed)) for seed in range(60)}
    assert other not in drawn
    assert drawn != {None}


def test_no_other_word_comes_out_of_the_keyboard() -> None:
    drawn = {misspelled("dead", Misspelling.KEYBOARD, Random(seed)) for seed in range(200)}
    assert "deaf" not in drawn
    assert "dwad" in drawn


def test_a_word_without_a_misspelling_gives_none() -> None:
    assert misspelled("aaaa", Misspelling.SWAP, Random(0)) is None


def test_first_letters_move_as_in_the_released_set() -> None:
    assert "odgs" in {misspelled("dogs", Misspelling.SWAP, Random(seed)) for seed in range(50)}


@pytest.mark.parametrize(
    "text",
    [
        "Their friends’ dog-house", "Emily", "emily", "LARGE", "three dozen", "twentieth", "fish", "don't", "isn’t",
        "www.flowers.com", "@flowers", "#flowers", "flowers@home", "cats/dogs", "snake_case", "café", "cafe\u0301",
        "straße", "naïvely", "run3ner", "rose\u200dgarden", "𝔣𝔩𝔬𝔴𝔢𝔯", "flower\u0301s", "собака", "כלבים", "القاهرة",
        "cat", "paris", "they would have been", "",
    ],
)  # fmt: skip
def test_other_words_are_left_alone(text: str) -> None:
    assert spelled(text) in ([], ["fish"])
    assert not is_content_word("their")


def test_plain_words_are_found_between_other_scripts_and_emoji() -> None:
    assert spelled("The dogs (brown) 👩‍🔬 כלבים, sleeping; “quietly”.") == ["dogs", "brown", "sleeping", "quietly"]
    assert spelled("The flowers.") == ["flowers"]


def test_function_words_are_words_but_no_content_words() -> None:
    for word in FUNCTION_WORDS:
        assert is_word(word)
        assert not is_content_word(word)
