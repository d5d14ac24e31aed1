"""Sentences that lean on others are told from those that stand by themselves, cautiously."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nliprobe.language import reference
from nliprobe.language.content import content_words

LEANING = (
    "He was born in 1900 in Ulm.",
    "However, the bridge was never built.",
    "This film won three awards.",
    "The latter was sold to Acme in 1999.",
    "In addition, the club owns a stadium.",
    "In 1990 she moved to Rome with friends.",
    "The first song was called One.",
    "Many people liked such films at the time.",
    "Did the people of Ulm like it?",
    "Never.",
    "Both were sold at the market.",
    "Smith said he won the race.",
    "then the train left the station.",
    "The award made him famous all over Europe.",
    "Some of them came back later.",
)
STANDING = (
    "Paris is the capital of France.",
    "Ann Smith told the press that she won the race.",
    "Ines Kovac won the tournament with eight points.",
    "There are four churches in Ulm.",
    "Rye bread contains less gluten than wheat bread.",
    "In 1990 Marta Oliveira moved to Rome.",
)


@pytest.mark.parametrize("sentence", LEANING)
def test_a_sentence_that_points_back_leans(sentence: str) -> None:
    assert reference.leans_back(sentence)


@pytest.mark.parametrize("sentence", STANDING)
def test_a_sentence_that_names_what_it_is_about_stands(sentence: str) -> None:
    assert not reference.leans_back(sentence)


def test_definite_beginnings_are_told_from_names() -> None:
    assert reference.is_definite("The film was shot in Rome.")
    assert reference.is_definite("Its capital is Rome.")
    assert not reference.is_definite("The Alps are high.")
    assert not reference.is_definite("A film was shot in Rome.")


def test_corrections_take_back() -> None:
    assert reference.takes_back("The report was false.")
    assert reference.takes_back("No player came except Ann.")
    assert not reference.takes_back("The report was long.")


def test_turns_begin_with_their_speaker() -> None:
    assert reference.is_turn("Project Manager: Okay .")
    assert not reference.is_turn("The rule that nobody knew was this: run.")


def test_stories_and_steps_have_an_order_and_descriptions_have_none() -> None:
    assert reference.narrates(["Tom dropped the cup.", "The cup broke."])
    assert reference.narrates(["Ann is tall.", "Later Ann was small."])
    assert reference.narrates(["1. Take a cup.", "2. Fill it."])
    assert not reference.narrates(["Rome is in Italy.", "Rome has many churches.", "Rome was founded by Romulus."])


def test_hypotheses_about_the_text_and_those_that_count() -> None:
    assert reference.is_about_the_text("The author does not mention Rome.")
    assert not reference.is_about_the_text("Rome is old.")
    for counting in (
        "Ann wrote only one book.",
        "Ann wrote more than 4 books.",
        "Ann wrote two short books.",
        "Ann never wrote.",
    ):
        assert reference.is_about_everything(counting)
    assert not reference.is_about_everything("Ann wrote a book.")


def test_what_is_reported_is_not_said() -> None:
    assert reference.reports("Lee claimed that the sea was rising.")
    assert reference.reports('"The sea is rising".')
    assert not reference.reports("Rain water for the garden is collected in three tanks.")


@given(st.text(st.characters()))
def test_any_text_is_judged(text: str) -> None:
    for judge in (
        reference.leans_back,
        reference.is_definite,
        reference.takes_back,
        reference.is_turn,
        reference.reports,
    ):
        assert judge(text) in (True, False)
    assert reference.narrates([text, text]) in (True, False)
    assert all(content_words(text))


def test_words_are_compared_without_their_endings() -> None:
    assert content_words("The oceans are warming.") == content_words("Warmed ocean")
    assert not content_words("He was there and it is so.")
