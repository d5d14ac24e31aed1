"""Words that can be replaced by their opposite: the pairs are WordNet's or marked, and the words around them decide."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nliprobe.language import opposites, wordnet
from nliprobe.language.opposites import OURS, WORDNET, Entry, entries, opposites_digest, opposites_in


def after(text: str) -> list[str]:
    """What the words of a text that can be replaced are replaced by."""
    return [item.after for item in opposites_in(text)]


def are_antonyms(word: str, other: str, part: wordnet.Pos) -> bool:
    left, right = ({form, wordnet.lemma(form, part) or form} for form in (word, other))
    return any(
        two in map(str.lower, wordnet.antonyms(one, part)) or one in map(str.lower, wordnet.antonyms(two, part))
        for one in left
        for two in right
    )


@pytest.mark.parametrize("entry", entries(), ids=lambda entry: f"{entry.word}-{entry.antonym}-{entry.part}")
def test_a_pair_is_one_of_wordnet_or_a_form_of_one_or_marked_as_ours(entry: Entry) -> None:
    if entry.source == WORDNET:
        assert are_antonyms(entry.word, entry.antonym, entry.part)
    elif entry.source != OURS:
        base, other = entry.source.split("/")
        assert are_antonyms(base, other, entry.part)
        assert entry.word[:1] == base[:1]
        assert entry.antonym[:1] == other[:1]
    assert entry.word != entry.antonym
    assert bool(entry.places) != bool(entry.frames)
    assert entry.places <= {"is", "a", "the", "his", "count", "group", "adv"}


def test_most_pairs_are_those_of_wordnet() -> None:
    sources = [entry.source for entry in entries()]
    assert len(sources) > 400
    assert sources.count(OURS) < len(sources) / 8
    assert len({(entry.word, entry.antonym, entry.part, entry.before) for entry in entries()}) == len(sources)


@pytest.mark.parametrize(
    ("text", "opposite"),
    [
        ("The street was narrow.", "wide"),
        ("It 's good.", "bad"),
        ("It's really good that she came.", "bad"),
        ("He seems happy with it.", "unhappy"),
        ("That is a good idea.", "bad"),
        ("She has a very expensive car.", "cheap"),
        ("He dismounted and was smaller than the rest.", "larger"),
        ("A man is walking along the street.", "woman"),
        ("A smiling young man was walking along.", "woman"),
        ("A group of girls play football.", "boys"),
        ("Two women are sitting on a bench.", "men"),
        ("Two dogs run in the background.", "foreground"),
        ("There was an increase in prices.", "decrease"),
        ("His brother went away.", "sister"),
        ("They were waiting outside.", "inside"),
        ("He lived in the early 1990s.", "late"),
        ("He raised his left hand.", "right"),
        ("The room, which was clean, had two beds.", "dirty"),
        ("He was not hungry, but he was happy.", "unhappy"),
        ('"That was a good game and a long day," he said.', "bad"),
    ],
)
def test_a_word_is_replaced_where_part_and_sense_are_clear(text: str, opposite: str) -> None:
    assert opposite in after(text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("He was not happy.", "denied"),
        ("He wasn't happy.", "denied"),
        ("He was never rich.", "denied"),
        ("Was the street narrow?", "a question"),
        ("If the street is narrow, we turn.", "a condition"),
        ("The street may be narrow.", "possible"),
        ("It is hot or humid.", "an alternative"),
        ("Some rooms were clean.", "some others may not be"),
        ("People who are happy live longer.", "about a kind"),
        ("Good teachers are patient people.", "about a kind"),
        ("A good teacher knows the names.", "about a kind"),
        ("The rich countries gain from trade.", "about a kind"),
        ("There is a good restaurant in the village.", "there may be a bad one too"),
        ("It is hard for a boy to sit still.", "about a kind"),
        ("A man and a woman are talking.", "the opposite is there already"),
        ("A man is talking to another man.", "the word comes twice"),
        ("A man is walking with his dog.", "a pronoun shows the gender"),
        ("A man with a beard is singing.", "the gender shows"),
        ("His wife was waiting.", "a pronoun shows the gender"),
        ("He read A Good Man Is Hard to Find.", "a title"),
        ("They saw the White House.", "a name"),
        ('They watched "the long day" together.', "a short quotation"),
        ("It was a good-natured dog.", "a hyphen"),
        ("The man/boy was running.", "a part of something"),
        ("You had better go right now.", "an idiom"),
        ("He spent a good deal of money.", "an idiom"),
        ("To be fair, it rained.", "an idiom"),
        ("That is as good as new.", "compared"),
        ("It was a more important question.", "compared"),
        ("Give a generous gift to the school.", "an imperative"),
        ("Her four children were playing.", "children of a person"),
        ("The boy scout was walking.", "a compound"),
        ("An adult person was walking.", "a compound"),
        ("A long dark-haired man was walking with his dog.", "a word for the hair"),
        ("There are attractive forces.", "there may be others"),
        ("They like goals that are rational.", "about some goals"),
        ("We saw the old wooden houses.", "there may be others"),
        ("Well, right, I mean, like, back then over there.", "words of speech"),
        ("", "empty"),
        (" \n\t", "empty"),
    ],
)
def test_a_word_stays_where_its_opposite_would_not_contradict_it(text: str, why: str) -> None:
    assert after(text) == [], why


def test_what_is_sure_needs_nothing_but_the_same_event() -> None:
    assert [item.sure for item in opposites_in("The street was narrow.")] == [True]
    assert [item.sure for item in opposites_in("They crossed the narrow street.")] == [False]


def test_articles_agree_with_the_opposite() -> None:
    (item,) = opposites_in("An old car was parked there.")
    assert (item.after, item.article) == ("new", (0, 2, "A"))
    (item,) = opposites_in("It was a significant sight.")
    assert (item.after, item.article) == ("insignificant", (7, 8, "an"))
    (item,) = opposites_in("It was a big car.")
    assert item.article is None


words = st.sampled_from(
    ["A", "a", "an", "the", "two", "man", "woman", "good", "old", "narrow", "happy", "car", "is", "was", "very",
     "walking", "of", "not", "his", "outside", "increase", "in", "the background", "good-natured", "Man", ",", ".", "?",
     '"', "“", "-", "\n", "é", "🙂", "רחוב", "شارع", "\u200f", "\x00", "'s", "left", "1990s", "early"]
)  # fmt: skip
texts = st.one_of(st.lists(words, max_size=14).map(" ".join), st.text(max_size=30))


@given(text=texts)
@settings(max_examples=300, deadline=None)
def test_spans_are_whole_words_in_lower_case_outside_compounds(text: str) -> None:
    items = opposites_in(text)
    assert items == opposites_in(text)
    assert items == sorted(items, key=lambda item: item.start)
    for item in items:
        word = text[item.start : item.stop]
        assert word == item.entry.word
        assert item.after == item.entry.antonym
        assert len(re.findall(rf"(?<![\w'’-]){re.escape(word)}(?![\w'’-])", text)) >= 1
        assert not re.search(r"[\w/'’-]$", text[: item.start])
        assert not re.match(r"[\w/'’-]", text[item.stop :])
        if item.article:
            start, stop, needed = item.article
            assert text[start:stop].lower() in ("a", "an")
            assert needed.lower() in ("a", "an")
            assert needed.lower() != text[start:stop].lower()
            assert not text[stop : item.start].strip()


def test_a_long_premise_is_read() -> None:
    text = " ".join(f"Number{place} was seen and the road{place} was long, it was here." for place in range(400))
    assert opposites_in(text) == []
    assert after(f"{text} The street was narrow.") == ["wide"]


def test_the_digest_depends_on_the_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    before = opposites_digest()
    assert before == opposites_digest()
    monkeypatch.setattr(opposites, "_table", lambda: "text")
    assert opposites_digest() != before
