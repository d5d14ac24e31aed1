"""Texts in plain letters are cut by patterns of their own, which must cut them as the general ones do."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from nliprobe.language.numbers._tokens import cut
from nliprobe.language.words import plain_words, word_spans

ASCII = st.text(st.characters(max_codepoint=127)) | st.text("aB1.,'-_/ $%")
# After it a text has other letters, and all of it is cut by the general pattern.
OTHER = " é"


@given(ASCII)
def test_words_are_those_of_the_general_pattern(text: str) -> None:
    spans = word_spans(text)
    assert spans == word_spans(text + OTHER)[:-1]
    assert [word for word, _, _ in spans] == plain_words(text) == plain_words(text + OTHER)[:-1]


@given(ASCII)
def test_tokens_are_those_of_the_general_pattern(text: str) -> None:
    assert cut(text) == cut(text + OTHER)[:-1]
