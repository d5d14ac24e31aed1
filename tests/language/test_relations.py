"""Relations of words: known pairs, the algebra of the features, and each pair again from what WordNet says about it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Hashable, Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nliprobe.base.errors import DataError
from nliprobe.base.hashing import digest_file
from nliprobe.language import wordnet
from nliprobe.language._relation_graph import UNRELATED
from nliprobe.language._wordnet_sources import PARTS, Pos
from nliprobe.language.relations import FEATURES, WordRelations, feature_table

SEEDS = """
dog dogs cat wolf animal horse man men woman women boy girl child kid people person player guitar piano instrument car
automobile vehicle truck tall short big small large wet dry hot cold red blue colour happy sad run running walk walked
sit stand sleep wake eat drink play win lose buy sell give take see saw look up down inside outside indoors early late
street road beach ocean house building food bread water wine beer shirt hat dress music song ball game day night king
"""
UP, DOWN = FEATURES.index("hypernymy"), FEATURES.index("hyponymy")


@pytest.fixture(autouse=True, scope="module")
def built_in() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("NLIPROBE_WORDNET", raising=False)
        yield


@cache
def vocabulary() -> tuple[str, ...]:
    """Words with much to say about each other: some, and single words near them."""
    near = [
        other
        for word in SEEDS.split()
        for others in (wordnet.hypernyms(word, depth=8), wordnet.synonyms(word), wordnet.antonyms(word))
        for other in others
    ]
    words = dict.fromkeys([*SEEDS.split(), *near, "zyzzyva", "he", "in", "the", "luther", "monday", "tuesday"])
    return tuple(word for word in words if " " not in word and word == word.lower())


@cache
def relations() -> WordRelations:
    return WordRelations.learn(vocabulary())


def related(first: str, second: str) -> dict[str, float]:
    """Return the features of two words that are not zero."""
    places = [np.array([vocabulary().index(word)]) for word in (first, second)]
    [row] = relations().features(*places)
    return {name: float(value) for name, value in zip(FEATURES, row, strict=True) if value}


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("car", "automobile", {"synonymy": 1}),
        ("tall", "short", {"antonymy": 1}),
        ("dog", "canine", {"hypernymy": 7 / 8}),
        # A dog is a domestic animal, which is an animal.
        ("dog", "animal", {"hypernymy": 6 / 8}),
        ("animal", "dog", {"hyponymy": 6 / 8}),
        ("dog", "wolf", {"co-hyponymy": 1}),
        # The canine and the feline are carnivores: dog and cat share what lies two steps above.
        ("dog", "cat", {}),
        ("men", "women", {"antonymy": 1, "co-hyponymy": 1}),
        ("men", "people", {"hypernymy": 7 / 8, "co-hyponymy": 1}),
        ("up", "down", {"antonymy": 1}),
        ("monday", "tuesday", {"co-hyponymy": 1}),
    ],
)
def test_known_pairs(first: str, second: str, expected: dict[str, float]) -> None:
    assert related(first, second) == expected


def test_a_word_is_a_synonym_of_itself_and_of_its_other_forms_and_nothing_else() -> None:
    for first, second in (("dog", "dog"), ("dogs", "dog"), ("men", "man"), ("saw", "see"), ("running", "run")):
        assert related(first, second) == {"synonymy": 1}


def test_function_words_names_of_other_words_and_unknown_words_relate_to_nothing() -> None:
    for word in ("he", "in", "the", "zyzzyva"):
        assert related(word, word) == {}
    assert related("king", "luther") == {}, "both are names of Martin Luther King"
    assert related("luther", "luther") == {"synonymy": 1}, "it means nothing else"


def test_what_is_no_word_relates_to_nothing() -> None:
    every = np.arange(-1, len(vocabulary()))
    codes = relations().codes(every[:, None], every[None, :])
    assert codes.shape == (len(every), len(every))
    assert not codes[0].any()
    assert not codes[:, 0].any()
    assert codes.any()
    assert relations().codes(np.empty((3, 0), dtype=np.int64), np.empty((3, 0), dtype=np.int64)).shape == (3, 0)


def test_features_without_a_relation_are_zero_and_those_of_a_code_are_shares() -> None:
    assert feature_table().shape[1] == len(FEATURES)
    assert not feature_table()[0].any()
    assert (feature_table() >= 0).all()
    assert (feature_table() <= 1).all()
    with pytest.raises(ValueError, match="read-only"):
        feature_table()[0] = 1


def test_relations_turn_around() -> None:
    """Hypernymy of two words is the hyponymy of the same words in the other order; the rest holds both ways."""
    every = np.arange(len(vocabulary()))
    features = relations().features(every[:, None], every[None, :])
    around = features.transpose(1, 0, 2).copy()
    around[..., [UP, DOWN]] = around[..., [DOWN, UP]]
    assert (features == around).all()
    synonyms, siblings = features[..., 0] > 0, features[..., FEATURES.index("co-hyponymy")] > 0
    assert not (synonyms & siblings).any()
    assert (features[..., UP] > 0).sum() > 500, "otherwise nothing is compared"


# Each pair again, word by word.


@cache
def bases(word: str) -> frozenset[tuple[Pos, str]]:
    forms = {(pos, form) for pos in PARTS for form in wordnet.lemmas(word, pos)}
    return frozenset(forms | ({("noun", "person")} if word == "people" else set()))


@cache
def parents(pos: Pos, form: str) -> frozenset[Hashable]:
    source = wordnet.source()
    return frozenset(up for key in source.senses(form, pos) for up in source.synset(key).hypernyms)


def is_common(word: str) -> bool:
    """Tell whether a word is no function word, and no meaning of it a name."""
    source = wordnet.source()
    return (
        word not in UNRELATED
        and bool(bases(word))
        and all(form in source.synset(key).words for pos, form in bases(word) for key in source.senses(form, pos))
    )


def expected(first: str, second: str) -> list[float]:
    same = bool(bases(first) & bases(second))
    both = [(pos, one, two) for pos, one in bases(first) for other, two in bases(second) if other == pos]
    synonyms = same or any(two in wordnet.synonyms(one, pos) for pos, one, two in both)
    opposites = any(two in wordnet.antonyms(one, pos) or one in wordnet.antonyms(two, pos) for pos, one, two in both)

    def steps(low: str, high: str, pos: Pos) -> int:
        return next((n for n in range(1, 8) if high in wordnet.hypernyms(low, pos, depth=n)), 8)

    up = 8 if same else min((steps(one, two, pos) for pos, one, two in both), default=8)
    down = 8 if same else min((steps(two, one, pos) for pos, one, two in both), default=8)
    siblings = not synonyms and any(parents(pos, one) & parents(pos, two) for pos, one, two in both)
    return [float(synonyms), float(opposites), 1 - up / 8, 1 - down / 8, float(siblings)]


COMMON_AND_KNOWN = st.deferred(lambda: st.sampled_from([n for n, word in enumerate(vocabulary()) if is_common(word)]))


@given(COMMON_AND_KNOWN, COMMON_AND_KNOWN)
def test_features_are_what_wordnet_says_about_two_words(first: int, second: int) -> None:
    [row] = relations().features(np.array([first]), np.array([second]))
    assert row.tolist() == expected(vocabulary()[first], vocabulary()[second])


def test_features_of_related_words_are_what_wordnet_says() -> None:
    """Most pairs drawn at random are unrelated, so some of the others are looked at, too."""
    draw = np.random.default_rng(5)
    common = np.array([number for number, word in enumerate(vocabulary()) if is_common(word)])
    codes = relations().codes(common[:, None], common[None, :])
    rows, columns = np.nonzero(codes)
    chosen = draw.permutation(len(rows))[:400]
    assert len(chosen) == 400
    assert len({int(code) for code in codes[rows[chosen], columns[chosen]]}) > 15, "of many kinds"
    for row, column in zip(common[rows[chosen]], common[columns[chosen]], strict=True):
        [features] = relations().features(np.array([row]), np.array([column]))
        first, second = vocabulary()[row], vocabulary()[column]
        assert features.tolist() == expected(first, second), (first, second)


# What is kept.


def test_the_order_of_words_changes_nothing() -> None:
    words = vocabulary()
    backwards = WordRelations.learn(words[::-1])
    places = np.arange(len(words))
    turned = len(words) - 1 - places
    one = relations().codes(places[:, None], places[None, :])
    assert (one == backwards.codes(turned[:, None], turned[None, :])).all()


def test_what_was_kept_says_the_same_without_wordnet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "relations.safetensors"
    relations().keep(path)
    monkeypatch.setattr(wordnet, "source", lambda: pytest.fail("WordNet was asked"))
    again = WordRelations.read(path)
    every = np.arange(len(vocabulary()))
    assert len(again) == len(vocabulary())
    assert (again.codes(every[:, None], every) == relations().codes(every[:, None], every)).all()


def test_the_file_does_not_depend_on_the_order_of_hashes(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from nliprobe.language.relations import WordRelations;"
        "WordRelations.learn(sys.argv[2:]).keep(Path(sys.argv[1]))"
    )
    paths = [tmp_path / f"{seed}.safetensors" for seed in (1, 2)]
    for seed, path in enumerate(paths, 1):
        environment = os.environ | {"PYTHONHASHSEED": str(seed)}
        subprocess.run([sys.executable, "-c", code, str(path), *vocabulary()], env=environment, check=True)
    assert len({digest_file(path) for path in paths}) == 1


@pytest.mark.parametrize("words", [(), ("zyzzyva",), ("the", "he")])
def test_without_words_that_wordnet_has_nothing_is_related(words: tuple[str, ...], tmp_path: Path) -> None:
    made = WordRelations.learn(words)
    made.keep(tmp_path / "none.safetensors")
    again = WordRelations.read(tmp_path / "none.safetensors")
    every = np.arange(-1, len(words))
    assert len(again) == len(words)
    assert not again.codes(every[:, None], every[None, :]).any()


def test_a_file_that_is_none_is_refused(tmp_path: Path) -> None:
    from safetensors.numpy import save_file

    path = tmp_path / "relations.safetensors"
    with pytest.raises(DataError, match="does not hold the relations of words"):
        WordRelations.read(path)
    relations().keep(path)
    path.write_bytes(path.read_bytes()[:-10])
    with pytest.raises(DataError, match="does not hold the relations of words"):
        WordRelations.read(path)
    good = relations().arrays
    for changed in (
        {"senses": good["senses"].astype(np.float32)},
        {"above": good["above"][:, :2].copy()},
        {"words": np.array([1], dtype=np.int32)},
        {"opposites": good["opposites"] - 1000},
    ):
        save_file(good | changed, path)
        with pytest.raises(DataError, match=r"relations of words: .* Train the network again"):
            WordRelations.read(path)
