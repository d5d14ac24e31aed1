"""Tokens as word vectors have them."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from nliprobe.language.tokens import tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" \t\n\u2028", []),
        ("Dogs don't run; they can't.", ["dogs", "do", "n't", "run", ";", "they", "ca", "n't", "."]),
        ("The dog’s toy, we've", ["the", "dog", "'s", "toy", ",", "we", "'ve"]),
        ("the dogs' 'toy'", ["the", "dogs", "'", "'", "toy", "'"]),
        ("U.S. e.g. Mr.", ["u.s", ".", "e.g", ".", "mr", "."]),
        ("3,000.5 at 10:30 for $5, 50%", ["3,000.5", "at", "10:30", "for", "$", "5", ",", "50", "%"]),
        ("X-ray--like foo-", ["x-ray", "-", "-", "like", "foo", "-"]),
        ("a_b 4x4", ["a", "_", "b", "4", "x", "4"]),
        ("Москва — столица", ["москва", "—", "столица"]),
        ("الكَلبُ يجري", ["الكَلبُ", "يجري"]),
        ("किताब मेज़ पर है।", ["किताब", "मेज़", "पर", "है", "।"]),
        ("می‌خواهم بروم", ["می‌خواهم", "بروم"]),
        ("İstanbul", ["i̇stanbul"]),
        ("🐕 runs", ["🐕", "runs"]),
    ],
)
def test_tokens_of_a_text(text: str, expected: list[str]) -> None:
    assert tokens(text) == [unicodedata.normalize("NFC", token) for token in expected]


@given(st.text())
@example("\ud800 \x00\r\n")
def test_tokens_are_the_text_without_spaces(text: str) -> None:
    found = tokens(text)
    assert not [token for token in found if not token or re.search(r"\s", token)], "no token holds a line break"
    lower = unicodedata.normalize("NFC", text.lower().replace("’", "'"))
    assert "".join(found) == "".join(lower.split()), "nothing is lost, and nothing is added"
    assert tokens(text) == found


@given(st.text(st.characters(categories=["L", "Nd", "P", "Z", "M"])))
def test_composed_and_decomposed_letters_are_the_same_tokens(text: str) -> None:
    assert tokens(unicodedata.normalize("NFD", text.lower())) == tokens(unicodedata.normalize("NFC", text.lower()))
