"""The words that a network knows."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from nliprobe.base.errors import DataError
from nliprobe.language.tokens import tokens
from nliprobe.language.vectors import Vectors
from nliprobe.models.vocabulary import BUCKETS, EMPTY, PADDING, Vocabulary

FIRST = 2 + BUCKETS
texts = st.lists(st.text(max_size=30), max_size=8)


@pytest.fixture
def vectors(tmp_path: Path) -> Vectors:
    path = tmp_path / "tiny.txt"
    path.write_text("the 1 2 3\ndog 4 5 6\nunseen 7 8 9\nx-ray 1 1 1\n")
    return Vectors(path)


def test_words_of_the_texts_come_first_and_vectors_fill_up(vectors: Vectors) -> None:
    given_texts = ["the dog, the cat", "the cat barks"]
    vocabulary = Vocabulary.learn(given_texts, vectors, 10)
    assert vocabulary.words == ("the", "cat", "dog", "unseen", "x-ray"), "'barks' occurs once and has no vector"
    assert Vocabulary.learn(given_texts, vectors, 2).words == ("the", "cat")
    assert vocabulary.without_vector == 4 / 8, "a comma, two cats, and the word for what dogs do"
    assert Vocabulary.learn(given_texts, None, 10).without_vector is None
    assert Vocabulary.learn([], vectors, 10).without_vector is None
    assert Vocabulary.learn(given_texts, None, 10).words == ("the", "cat"), "without vectors a word must occur twice"
    assert [vocabulary.word(number) for number in (PADDING, EMPTY, FIRST - 1, FIRST)] == [None, None, None, "the"]


def test_vectors_are_given_or_random_of_the_same_spread(vectors: Vectors) -> None:
    vocabulary = Vocabulary.learn(["the cat", "the cat"], vectors, 10)
    table = vocabulary.vectors(vectors, 3, seed=1)
    assert table.shape == (len(vocabulary), 3)
    assert table.dtype == np.float32
    assert not table[PADDING].any()
    assert table[vocabulary.number("dog")].tolist() == [4, 5, 6]
    assert table[vocabulary.number("cat")].any()
    assert (table == vocabulary.vectors(vectors, 3, seed=1)).all()
    assert (table != vocabulary.vectors(vectors, 3, seed=2))[vocabulary.number("cat")].any()
    assert Vocabulary([]).vectors(None, 5, seed=0).shape == (FIRST, 5)


def test_an_unknown_compound_falls_into_its_parts(vectors: Vectors) -> None:
    vocabulary = Vocabulary.learn(["the dog"], vectors, 10)
    number = vocabulary.number
    assert vocabulary.read_text("X-ray dog-the", 9) == ([number("x-ray"), number("dog"), number("the")], False)
    assert vocabulary.read_text("the dog the", 2) == ([number("the"), number("dog")], True)
    assert vocabulary.read_text("", 2) == ([EMPTY], False)
    assert vocabulary.read_text("-", 2) == ([number("-")], False)


@given(texts, st.text(max_size=60), st.integers(1, 20))
@example(["\ud800 \ud800"], "\ud800", 3)
@example(["\x85 \x85 a\u2028b a\u2028b"], "\x1c", 3)
def test_any_text_has_numbers_within_range(learnt: list[str], text: str, longest: int) -> None:
    vocabulary = Vocabulary.learn(learnt, None, 50)
    numbers, cut = vocabulary.read_text(text, longest)
    assert 1 <= len(numbers) <= longest
    assert all(0 < number < len(vocabulary) for number in numbers)
    assert vocabulary.read_text(text, longest) == (numbers, cut)
    assert cut == (len(vocabulary.read_text(text, 10_000)[0]) > longest)
    with TemporaryDirectory() as folder:
        vocabulary.keep(Path(folder))
        again = Vocabulary.read(Path(folder))
    assert again.words == vocabulary.words
    assert again.read_text(text, longest) == (numbers, cut), "the folder gives the same numbers"


@given(texts)
def test_the_order_of_texts_does_not_matter(learnt: list[str]) -> None:
    assert Vocabulary.learn(learnt, None, 50).words == Vocabulary.learn(reversed(learnt), None, 50).words
    assert set(Vocabulary.learn(learnt, None, 50).words) <= {token for text in learnt for token in tokens(text)}


def test_words_that_cannot_be_read_are_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="does not hold the words of this network"):
        Vocabulary.read(tmp_path)
    (tmp_path / "words.txt").write_bytes(b"dog\n\xff\n")
    with pytest.raises(DataError, match=r"words.txt does not hold the words .* Train it again"):
        Vocabulary.read(tmp_path)
