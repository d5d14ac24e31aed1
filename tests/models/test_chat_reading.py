"""Reading labels from what chat models write: a label is read, or there is none; it is never guessed."""

from __future__ import annotations

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from nliprobe.models.written_label import read_label

WORDS = ("entailment", "neutral", "contradiction")
WORD = st.sampled_from(WORDS)
AROUND = st.text(alphabet=" \n*_`\"'.:!()[]", max_size=6)
PIECES = (
    "not",
    "no",
    "non-",
    "isn't",
    "the answer is",
    "Answer:",
    "is",
    "an",
    "a",
    "more like",
    "label:",
    "maybe",
    ".",
)
BEFORE = st.lists(st.sampled_from(PIECES), max_size=4).map(" ".join).map(lambda text: text and text + " ")
AFTER = st.sampled_from(
    ["", ".", "?", " or not", ", I think", "\nor not", "\n\nBecause it says so.", "s", "-like", " is wrong"]
)
CASE = st.sampled_from([str.lower, str.upper, str.title, str.swapcase])


def word(text: str, after: str = "") -> str | None:
    return read_label(text, WORDS, after).word


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("entailment", "entailment"),
        (" Neutral.\n", "neutral"),
        ("**CONTRADICTION**", "contradiction"),
        ("Answer: neutral", "neutral"),
        ("The answer is: **neutral**.", "neutral"),
        ("Label: entailment", "entailment"),
        ("### Final answer\n\nentailment", "entailment"),
        ("“neutral”", "neutral"),
        ("- neutral", "neutral"),
        ("neutral\n\nThe premise does not say so.", "neutral"),
        ('{"label": "neutral"}', "neutral"),
        ('{"reason": "not entailment", "label": "Neutral "}', "neutral"),
        ('```json\n{"label": "neutral"}\n```', "neutral"),
        ("<think>entailment? no, contradiction</think>neutral", "neutral"),
        ("hm, entailment</think>\n\nAnswer: neutral", "neutral"),
        ("<think>a</think><think>b</think> neutral", "neutral"),
    ],
)
def test_a_label_is_read(text: str, label: str) -> None:
    assert word(text) == label


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  \n",
        "The answer is not entailment.",
        "not entailment",
        "non-entailment",
        "nonentailment",
        "entailments",
        "entail",
        "entailment or neutral",
        "entailment, neutral",
        "entailment/neutral",
        "entailment?",
        "neutral\nOr rather: contradiction.",
        "neutral\nNo, not neutral.",
        "Is it entailment",
        "It is an entailment.",
        "The premise entails the hypothesis.",
        "I'm sorry, I can't help with that.",
        "yes",
        "E",
        "1",
        "{}",
        '{"label": null}',
        '{"label": ["neutral"]}',
        '{"label": "not entailment"}',
        '{"answer": "neutral"}',
        '{"label": "neutral", "label": "entailment"}',
        '{"label": "neutral"',
        '{"label": "neutral"} or not',
        "[" * 100_000,
        '{"a":' * 100_000,
        "<think>neutral",
        "neutral <think> no",
        "<think>a</think>",
        "≠ neutral",
        "¬entailment",
        " " * 200_000 + "?",
        "* " * 100_000 + "neutral?",
    ],
)
def test_what_is_not_a_label_is_none(text: str) -> None:
    read = read_label(text, WORDS)
    assert read.word is None
    assert read.problem


@given(AROUND, WORD, CASE, AROUND)
def test_a_word_is_read_whatever_is_around_it(before: str, label: str, case: object, after: str) -> None:
    written = case(label)  # type: ignore[operator]
    text = before + written + after
    read = read_label(text, WORDS)
    assert read.word == label
    assert text[read.start : read.start + len(label)] == written


@given(BEFORE | st.text(max_size=60), WORD, AFTER | st.text(max_size=60))
@example("not ", "entailment", "")
@example("", "neutral", "\nneutral")
def test_a_label_is_never_read_from_words_around_it(before: str, label: str, after: str) -> None:
    read = read_label(before + label + after, WORDS)
    if read.word is not None and "{" not in before and "</" not in (before + after).casefold():
        rest = before.casefold()
        for allowed in ("the", "my", "final", "correct", "right", "answer", "label", "relation", "is"):
            rest = rest.replace(allowed, "")
        assert not any(character.isalnum() for character in rest)
        assert not any(character.isalnum() for character in after.partition("\n")[0])


@given(st.text())
def test_whatever_is_read_is_there(text: str) -> None:
    read = read_label(text, WORDS)
    assert (read.word is None) == bool(read.problem)
    assert read.word is None or read.word in text.casefold()


@given(st.lists(WORD, min_size=2, max_size=4, unique=True), st.sampled_from([" ", ", ", " or ", "\n", "\n\n", " not "]))
def test_two_labels_are_none(labels: list[str], between: str) -> None:
    assert word(between.join(labels)) is None


@given(WORD, st.dictionaries(st.text(), st.none() | st.text() | st.integers(), max_size=3), st.booleans())
def test_the_label_of_an_object(label: str, more: dict[str, object], fenced: bool) -> None:
    content = json.dumps({**more, "label": label}, indent=1)
    text = f"```json\n{content}\n```" if fenced else content
    read = read_label(text, WORDS)
    assert read.word == label
    assert read.start == -1 or text[read.start :].startswith(label)


def test_the_answer_after_a_mark() -> None:
    assert word("It may be entailment, or not. ANSWER: neutral", "Answer:") == "neutral"
    assert word("Answer: entailment? Hm. Answer: neutral.", "Answer:") == "neutral"
    assert word("neutral", "Answer:") is None
    assert word("Answer: not neutral", "Answer:") is None
    assert word("<think>Answer: neutral</think>", "Answer:") is None
    assert word('Answer: {"label": "neutral"}', "Answer:") == "neutral"


def test_words_of_ones_own() -> None:
    words = ("not entailment", "entailment")
    assert read_label("Not entailment.", words).word == "not entailment"
    assert read_label("entailment", words).word == "entailment"
    assert read_label("is not entailment", words).word is None
    assert read_label("C++ (a)", ("C++", "C")).word is None
    assert read_label("C++", ("C", "C++")).word == "C++"
