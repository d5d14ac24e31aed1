"""What was found is marked where it stands, in any script; what is marked is what the index takes for a word."""

from __future__ import annotations

import unicodedata

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nliprobe.analysis.browse.words import Term, marked, plain, plain_words, terms


@pytest.mark.parametrize(
    ("text", "typed", "expected"),
    [
        ("东京是日本的首都,不是本日。", "日本", "东京是[日本]的首都,不是本日。"),
        ("हिन्दी भाषा है", "हिन्दी", "[हिन्दी] भाषा है"),
        ("ภาษาไทยง่าย", "ไทย", "ภาษา[ไทย]ง่าย"),
        ("مُحَمَّد رسول", "محمد", "[مُحَمَّد] رسول"),
        ("서울은 큰 도시다", "도시다", "서울은 큰 [도시다]"),
        ("e\u0301lan vital", "élan", "[e\u0301lan] vital"),
        ("A new York, in New York.", '"new york"', "A [new] [York], in [New] [York]."),
        ("A new coat in York", "york new", "A [new] coat in [York]"),
        ("½ cup", "2", "[½] cup"),
        ("nothing here", "", "nothing here"),
    ],
)
def test_what_was_found_is_marked(text: str, typed: str, expected: str) -> None:
    pieces = list(marked(text, terms(typed)))
    assert "".join(f"[{piece}]" if found else piece for piece, found in pieces) == expected


@given(st.text(max_size=60))
def test_every_word_of_a_text_is_found_in_it(text: str) -> None:
    words = plain_words([text])[0]
    whole = Term(tuple(words), text)
    assert all(any(found for _, found in marked(text, [Term((word,), word)])) for word in words)
    assert not words or any(found for _, found in marked(text, [whole]))


@pytest.mark.parametrize("text", ["0\U000113e10", "ni\U0001b132hon", "a\U00011db0b", "\U0002ebf0\U0002ebf1"])
def test_signs_of_a_newer_unicode_are_taken_apart_as_the_index_does(text: str) -> None:
    for word in plain_words([text])[0]:
        assert any(found for _, found in marked(text, [Term((word,), word)]))


def test_every_sign_is_taken_apart_as_the_index_does() -> None:
    # Python and the index may know different versions of Unicode. Those without a meaning in both part words.
    signs = [sign for code in range(0x110000) if unicodedata.category(sign := chr(code)) not in ("Cn", "Cs", "Co")]
    for sign, text in zip(signs, plain(pl.Series(signs).map_elements("a{}b".format, pl.String)).to_list(), strict=True):
        words = text.split()
        shown = f"a{sign}b"
        assert all(any(found for _, found in marked(shown, [Term((word,), word)])) for word in words), shown
