"""Sentences that say what others say, and more."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nliprobe.language.specific import more_specific

_KNOWN = "man dog walks sleeping red house tree on near with garden people boys rides bicycle"
WORDS = st.sampled_from(_KNOWN.split())


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        # The examples of the seed.
        ("I bought books", "I bought 5 books"),
        ("I bought books", "I bought books on history"),
        ("I bought books", "I bought books in the bookstore near campus"),
        ("A dog runs home.", "The puppy ran home."),
        ("People walk in the rain.", "Two men walk in the rain."),
        ("A man sits on a bench.", "A man is sitting on a bench, reading."),
    ],
)
def test_says_more(premise: str, hypothesis: str) -> None:
    assert more_specific(premise, hypothesis)


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        ("A man sits on a bench.", "A man sits on a bench."),  # nothing is added
        ("A man sits on a bench.", "The man is sitting on the bench."),
        ("A man sits on a bench.", "A tall man sits."),  # a word is lost
        ("A man sits on a bench.", "A man sits under a bench outside."),
        ("A dog bites a man.", "A man bites a dog outside."),  # in another order
        ("The puppy ran home.", "A dog runs home again."),  # less specific
        ("People walk in the rain.", "A man walks in the rain."),  # one is not several
        ("I bought books.", "I never bought books here."),
        ("Every dog barks loudly.", "Every brown dog barks loudly."),
        ("Nobody slept there yesterday.", "Nobody slept well there yesterday."),
        ("He doesn't like fish.", "He doesn't like raw fish."),
        ("A man swims home.", "A man tries to swim home."),
        ("Did he buy books?", "Did he buy five books?"),
        ("Case studies.", "Case studies are useful."),  # a heading
        ("", "A man sits."),
        ("A man sits on a bench.", ""),
        ("", ""),
    ],
)
def test_does_not_say_more(premise: str, hypothesis: str) -> None:
    assert not more_specific(premise, hypothesis)


def test_other_scripts_and_signs_are_words_like_others() -> None:
    assert more_specific("\N{GRINNING FACE} שלום עולם איש", "\N{GRINNING FACE} שלום עולם איש גדול")
    assert not more_specific("\N{GRINNING FACE}", "\N{GRINNING FACE} \N{DOG}")


@given(st.lists(WORDS, min_size=3), WORDS, st.data())
def test_a_word_more_says_more_and_one_less_does_not(words: list[str], added: str, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(words)))
    longer = [*words[:place], added, *words[place:]]
    assert more_specific(" ".join(words), " ".join(longer))
    assert not more_specific(" ".join(longer), " ".join(words))
    assert not more_specific(" ".join(words), " ".join(words))


def test_long_premises_are_compared_word_by_word() -> None:
    words = [f"word{number}" for number in range(3000)]
    assert more_specific(" ".join(words), " ".join(["first", *words]))
    assert not more_specific(" ".join(words), "a man sits")
