"""The built-in WordNet: known facts, the algebra of its relations, and odd questions."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nliprobe.base.errors import UsageError
from nliprobe.language import wordnet
from nliprobe.language._wordnet_file import FileSource
from nliprobe.language._wordnet_sources import PARTS, Antonym, Pos
from nliprobe.language.wordnet import antonyms, hypernyms, is_a, lemma, lemmas, similar, synonyms

BUILTIN = FileSource()


@pytest.fixture(autouse=True)
def built_in(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv("NLIPROBE_WORDNET", raising=False)
    wordnet._opened.cache_clear()
    yield
    wordnet._opened.cache_clear()


def words_of(pos: Pos) -> list[str]:
    return [line.partition("\t")[0] for line in BUILTIN._part(pos).words]


NOUNS = words_of("noun")
WORDS: list[tuple[str, Pos]] = [(word, pos) for pos in PARTS for word in words_of(pos)]
some_word = st.sampled_from(WORDS)
any_text = st.one_of(
    st.text(), st.text(alphabet=st.characters()), st.sampled_from(["", " ", "_", "\t", "a\tb", "|", ">"])
)


def keys(word: str, pos: Pos) -> tuple[Hashable, ...]:
    return BUILTIN.senses(word, pos)


def above(key: Hashable) -> set[Hashable]:
    """Everything above a synset, found without the code under test."""
    found: set[Hashable] = set()
    todo = [key]
    while todo:
        new = set(BUILTIN.synset(todo.pop()).hypernyms) - found
        found |= new
        todo += new
    return found


# Known facts.


def test_synonyms_by_part_of_speech_and_sense() -> None:
    assert "glad" in synonyms("happy", "adj")
    assert synonyms("car", "noun", senses=1) == ("auto", "automobile", "machine", "motorcar")
    assert synonyms("dog", "verb") == (
        "chase",
        "chase after",
        "trail",
        "tail",
        "tag",
        "give chase",
        "go after",
        "track",
    )
    assert set(synonyms("dog", "noun")) | set(synonyms("dog", "verb")) == set(synonyms("dog"))
    assert synonyms("usa", senses=1)[0] == "United States"


def test_senses_come_by_frequency() -> None:
    assert synonyms("bank", "noun", senses=1) == ()
    assert synonyms("bank", "noun", senses=2)[0] == "depository financial institution"
    assert hypernyms("bank", "noun", senses=1) == ("slope", "incline", "side")
    assert synonyms("dog", "noun", senses=1) == ("domestic dog", "Canis familiaris")


@pytest.mark.parametrize(
    ("word", "opposite", "pos"),
    [("tall", "short", "adj"), ("man", "woman", "noun"), ("rise", "fall", "verb"), ("quickly", "slowly", "adv")],
)
def test_antonyms_both_ways(word: str, opposite: str, pos: Pos) -> None:
    assert opposite in antonyms(word, pos)
    assert word in antonyms(opposite, pos)


def test_antonyms_are_of_the_word_and_not_of_its_synonyms() -> None:
    assert "adult male" in synonyms("man", "noun")
    assert antonyms("adult male", "noun") == ()
    assert antonyms("glad", "adj") == ("sad",)


def test_hypernyms_go_up_step_by_step() -> None:
    assert hypernyms("dog", "noun", senses=1) == ("canine", "canid", "domestic animal", "domesticated animal")
    chain = hypernyms("dog", "noun", depth=30, senses=1)
    assert [word for word in chain if word in ("canine", "carnivore", "mammal", "vertebrate", "entity")] == [
        "canine",
        "carnivore",
        "mammal",
        "vertebrate",
        "entity",
    ]
    assert chain[-1] == "entity"
    assert hypernyms("entity", "noun") == ()
    assert hypernyms("happy", "adj") == ()


def test_names_are_instances() -> None:
    assert hypernyms("Paris", "noun", senses=1) == ("national capital",)
    assert is_a("paris", "city")
    assert not is_a("city", "paris")


def test_kinds() -> None:
    assert is_a("dog", "animal")
    assert is_a("daisy", "flower")
    assert is_a("sprint", "move", "verb")
    assert is_a("car", "automobile")
    assert not is_a("dog", "cat")
    # For WordNet 3.0 a rose is a shrub, a wine and a colour.
    assert not is_a("rose", "flower")
    assert is_a("rose", "plant", senses=1)
    # A dog is a person only in its third sense.
    assert is_a("dog", "person")
    assert not is_a("dog", "person", senses=1)


def test_a_cycle_among_verbs_ends() -> None:
    assert "inhibit" in hypernyms("restrain", "verb", depth=1_000_000)
    assert "restrain" in hypernyms("inhibit", "verb", depth=1_000_000)
    assert is_a("restrain", "inhibit", "verb")
    assert is_a("inhibit", "restrain", "verb")
    assert not is_a("restrain", "eat", "verb")


def test_similar_adjectives() -> None:
    assert "felicitous" in similar("happy")
    assert similar("dog") == ()


@pytest.mark.parametrize(
    ("word", "pos", "base"),
    [
        ("geese", "noun", "goose"),
        ("Wolves", "noun", "wolf"),
        ("churches", "noun", "church"),
        ("policemen", "noun", "policeman"),
        ("glasses", "noun", "glasses"),
        ("mothers-in-law", "noun", "mother-in-law"),
        ("hot_dogs", "noun", "hot dog"),
        ("ran", "verb", "run"),
        ("tries", "verb", "try"),
        ("hoping", "verb", "hope"),
        ("happier", "adj", "happy"),
        ("tallest", "adj", "tall"),
        ("better", "adv", "better"),
        ("geese", "verb", None),
        ("s", "adj", None),
        ("xyzzys", "noun", None),
    ],
)
def test_base_forms(word: str, pos: Pos, base: str | None) -> None:
    assert lemma(word, pos) == base
    assert lemmas(word, pos)[:1] == (() if base is None else (base,))


def test_a_word_may_have_several_base_forms() -> None:
    assert lemmas("men", "noun") == ("men", "man")
    assert lemmas("saw", "verb") == ("saw", "see")
    assert lemmas("zyzzyva", "verb") == ()
    with pytest.raises(UsageError, match="no part of speech"):
        lemmas("men", "nouns")  # type: ignore[arg-type]


def test_lookups_do_not_inflect() -> None:
    assert synonyms("cars", "noun") == ()
    assert synonyms("CAR") == synonyms(" car ") == synonyms("car")
    assert synonyms("hot_dog") == synonyms("hot  dog") != ()


# The algebra.


def test_antonymy_is_symmetric_but_for_a_few_verbs() -> None:
    odd = set()
    for pos in PARTS:
        pairs = {
            pair
            for word in words_of(pos)
            for key in keys(word, pos)
            if (synset := BUILTIN.synset(key)).antonyms
            for pair in synset.antonyms
        }
        assert pairs
        odd |= {(pos, *pair) for pair in pairs if Antonym(pair.opposite, pair.word) not in pairs}
    # Lexicographers of WordNet 3.0 gave these one direction only.
    assert odd == {
        ("verb", "have", "lack"),
        ("verb", "miss", "have"),
        ("verb", "legalise", "outlaw"),
        ("verb", "centralise", "decentralise"),
        ("verb", "decentralize", "centralise"),
    }


@given(some_word)
def test_synonyms_are_mutual(entry: tuple[str, Pos]) -> None:
    word, pos = entry
    assert keys(word, pos)
    for other in synonyms(word, pos):
        assert word in {name.lower() for name in synonyms(other, pos)}


@given(some_word)
def test_every_sense_holds_its_word(entry: tuple[str, Pos]) -> None:
    word, pos = entry
    assert all(word in {name.lower() for name in BUILTIN.synset(key).words} for key in keys(word, pos))
    assert len(set(keys(word, pos))) == len(keys(word, pos))
    assert lemma(word, pos) == word


@given(st.sampled_from(NOUNS))
def test_kinds_are_transitive_by_sense(word: str) -> None:
    for key in keys(word, "noun"):
        over = above(key)
        assert key not in over
        assert all(above(higher) <= over for higher in over)
        for higher in over:
            assert is_a(word, BUILTIN.synset(higher).words[0])


@given(st.sampled_from(NOUNS), st.integers(1, 25))
def test_hypernyms_of_more_steps_begin_with_those_of_fewer(word: str, depth: int) -> None:
    near, far = hypernyms(word, "noun", depth=depth), hypernyms(word, "noun", depth=depth + 1)
    assert far[: len(near)] == near
    assert all(is_a(word, other) for other in near)


@given(some_word, st.integers(1, 6))
def test_more_senses_only_add(entry: tuple[str, Pos], senses: int) -> None:
    word, pos = entry
    for ask in (synonyms, antonyms):
        few, more = ask(word, pos, senses), ask(word, pos, senses + 1)
        assert more[: len(few)] == few
        assert ask(word, pos)[: len(more)] == more


@given(st.sampled_from(words_of("adj")))
def test_similarity_is_mutual(word: str) -> None:
    for key in keys(word, "adj"):
        assert all(key in BUILTIN.synset(other).similar for other in BUILTIN.synset(key).similar)


# Odd questions.


@given(any_text)
def test_any_text_is_answered(text: str) -> None:
    for found in (synonyms(text), antonyms(text), hypernyms(text, depth=3), similar(text)):
        assert isinstance(found, tuple)
        assert wordnet._plain(text) not in {word.lower() for word in found}
    assert is_a(text, "entity") or not keys(wordnet._plain(text), "noun")
    assert all(lemma(text, pos) is None or keys(str(lemma(text, pos)), pos) for pos in PARTS)


@pytest.mark.parametrize("word", ["", " ", "\ud800", "dog\t1", "dog|cat", "ß", "İstanbul", "狗", "a" * 1_000_000, "\0"])
def test_unknown_words_have_nothing(word: str) -> None:
    assert synonyms(word) == antonyms(word) == hypernyms(word) == similar(word) == ()
    assert not is_a(word, word)
    assert not is_a("dog", word)
    assert lemma(word, "noun") is None


def test_wrong_arguments_are_sentences() -> None:
    with pytest.raises(UsageError, match=r"no part of speech 'nuon'\. Did you mean 'noun'"):
        synonyms("dog", "nuon")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="no part of speech 'n'"):
        lemma("dog", "n")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="senses should be 1 or more, but is 0"):
        synonyms("dog", senses=0)
    with pytest.raises(UsageError, match="depth should be 1 or more, but is -1"):
        hypernyms("dog", depth=-1)
