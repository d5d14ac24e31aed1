"""Sums over n-grams, of many texts at once, against the plain definition: count the n-grams of each joined text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.typing import NDArray

from nliprobe.models import _additive
from nliprobe.models._additive import AdditiveScorer, Parts
from nliprobe.models._ngrams import ngrams, tokens, whole

# Words that meet at borders, signs, all kinds of whitespace, and letters whose lower case depends on what follows.
ALPHABET = "aab BΣς'’-_.,1İ \n\t\x1e\u2028\u00a0"
segments = st.lists(st.text(st.sampled_from(ALPHABET), max_size=6), max_size=8)
anything = st.lists(st.text(max_size=8), max_size=6)
texts = st.lists(st.one_of(segments, anything), max_size=5)


class Plain:
    """Random weights for most n-grams of texts, so that some are known and some are not."""

    def __init__(self, asked: Sequence[Sequence[str]]) -> None:
        names = sorted({name for pieces in asked for name in ngrams(tokens("".join(pieces)))})
        known = [name for index, name in enumerate(names) if index % 5 != 4]
        self.vocabulary = {name: index for index, name in enumerate(known)}
        self.weights = np.random.default_rng(len(names)).normal(size=(len(known), 3))

    def scores(self, text: str) -> NDArray[np.float64]:
        total = np.zeros(3)
        for name, count in Counter(ngrams(tokens(text))).items():
            if name in self.vocabulary:
                total += count * self.weights[self.vocabulary[name]]
        return total


@given(texts)
@example([["a ", " ", " b"], ["a", " \n", "", "b ", "c"], [" ", " a", "-", "b"]])
@example([["a b ", "c"], [], [""], ["a b ", "c"]])
def test_scores_are_those_of_the_joined_texts(asked: list[list[str]]) -> None:
    plain = Plain(asked)
    scorer = AdditiveScorer(plain.vocabulary, plain.weights)
    expected = np.array([plain.scores("".join(pieces)) for pieces in asked]).reshape(len(asked), 3)
    first = scorer.scores(asked)
    np.testing.assert_allclose(first, expected, atol=1e-12)
    assert (scorer.scores(asked) == first).all(), "the second time from what is kept"
    alone = [AdditiveScorer(plain.vocabulary, plain.weights).scores([pieces])[0] for pieces in asked]
    assert (np.array(alone).reshape(first.shape) == first).all(), "to the last digit, whatever is asked beside it"


def test_more_texts_than_are_scored_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_additive, "AT_ONCE", 3)
    asked = [["a " * number, "b c"] for number in range(10)]
    plain = Plain(asked)
    scores = AdditiveScorer(plain.vocabulary, plain.weights).scores(asked)
    np.testing.assert_allclose(scores, [plain.scores("".join(pieces)) for pieces in asked], atol=1e-12)


@given(st.one_of(segments, anything))
def test_whole_keeps_the_text_and_cuts_at_whitespace_only(pieces: list[str]) -> None:
    parts = whole(pieces)
    assert "".join(parts) == "".join(pieces)
    assert all(tokens(part) for part in parts) or len(parts) == 1
    assert [word for part in parts for word in tokens(part)] == tokens("".join(pieces))


@given(st.text())
def test_tokens_hold_everything_but_whitespace(text: str) -> None:
    words = tokens(text)
    assert not any(character.isspace() for word in words for character in word)
    assert bool(words) == bool(text.strip())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Don't self-release it.", ["don't", "self-release", "it", "."]),
        ("It’s 42:39 (1-2)", ["it’s", "42", ":", "39", "(", "1-2", ")"]),
        ("İzmir", ["i̇zmir"]),
        (" \n", []),
    ],
)
def test_tokens_are_lower_cased_words_and_signs(text: str, words: list[str]) -> None:
    assert tokens(text) == words


def test_scorer_reads_each_distinct_part_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def counted(name: str) -> None:
        method = getattr(AdditiveScorer, name)

        def reading(scorer: AdditiveScorer, parts: Sequence[str]) -> Parts:
            read.extend(parts)
            made: Parts = method(scorer, parts)
            return made

        monkeypatch.setattr(AdditiveScorer, name, reading)

    counted("_read_segments")
    counted("_read_stretches")
    scorer = AdditiveScorer({"a": 0}, np.ones((1, 3)))
    for _ in range(5):
        assert (scorer.scores([("a b. ", "c a. ", "a b. "), ("c a. ",)]) == [[3.0] * 3, [1.0] * 3]).all()
    assert sorted(read) == ["a", "a b. ", "a.", "b.", "c", "c a. "]


def test_scorer_forgets_when_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_additive, "CACHED_TEXTS", 7)
    monkeypatch.setattr(_additive, "CACHED_PAIRS", 5)
    asked = [[f"a {number} ", f"a {number + 1} "] for number in range(50)]
    plain = Plain(asked)
    scorer = AdditiveScorer(plain.vocabulary, plain.weights)
    for pieces in asked:
        np.testing.assert_allclose(scorer.scores([pieces]), [plain.scores("".join(pieces))], atol=1e-12)
        # What one call asks is there until the next.
        assert max(len(scorer._segments), len(scorer._stretches)) <= 7 + 3
        assert len(scorer._pairs) <= 5 + 3
