"""Words of any script."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nliprobe.language.script_words import script_words
from nliprobe.language.words import lower_words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", []),
        ("🙂🙃 …", []),
        ("A naïve café’s x-ray", ["a", "naïve", "café's", "x-ray"]),
        ("هذا كتابٌ جديد.", ["هذا", "كتابٌ", "جديد"]),
        ("זהו סֵפֶר", ["זהו", "סֵפֶר"]),
        ("می‌خواهم بروم", ["می‌خواهم", "بروم"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("a 👩‍🚀 astronaut", ["a", "astronaut"]),
        ("a_b c\u200fd", ["a", "b", "c", "d"]),
    ],
)
def test_words(text: str, words: list[str]) -> None:
    assert script_words(text) == words


def test_composed_and_decomposed_letters_are_the_same_word() -> None:
    assert script_words(unicodedata.normalize("NFD", "Café élan")) == script_words("Café élan")


@given(st.text(st.characters(max_codepoint=127)))
def test_english_is_as_everywhere(text: str) -> None:
    assert script_words(text) == lower_words(text)


@given(st.text())
def test_words_survive_their_own_reading(text: str) -> None:
    words = script_words(text)
    assert all(words)
    assert not any(character.isspace() for word in words for character in word)
    assert script_words(" ".join(words)) == words
