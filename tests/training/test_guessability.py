"""How far labels can be guessed: folds that tear nothing apart, chance where nothing can be guessed, planted words."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.task.test_views import Listed

from nliprobe.base.errors import DataError
from nliprobe.corpora.evidence.counts import share_of
from nliprobe.task.labels import LabelSet, Partition
from nliprobe.task.pair import Pair
from nliprobe.task.table import table_from_mapping
from nliprobe.training.folds import deal_folds, fold_groups
from nliprobe.training.guessability import EMPTY, OPEN, UNLABELLED, Guessability, guessability
from nliprobe.training.guessers import MEMBERS, features

WORDS = [
    *["a", "dog", "runs", "in", "the", "park", "while", "two", "men", "play", "near", "some", "old", "water", "under"],
    *["grey", "clouds", "and", "birds", "sit", "on", "trees"],
]
MARKS = {"E": "outdoors", "N": "tall", "C": "nobody"}


class TwoWay(Listed):
    @property
    def partition(self) -> Partition:
        return Partition.parse("E|NC")


def corpus(groups: int, *, marked: bool, labels: Sequence[str] = "ENC", seed: int = 1, name: str = "c/dev") -> Listed:
    """Groups of one pair per label, whose hypotheses are random words, with one that gives the label away if marked."""
    draw = random.Random(seed)
    pairs = []
    for group in range(groups):
        for label in labels:
            words = draw.choices(WORDS, k=draw.randint(4, 9))
            # One in ten pairs lacks the word, so that even the best guesser is wrong at times.
            if marked and draw.random() < 0.9:
                words.insert(draw.randint(0, len(words)), MARKS[label[0]])
            gold = LabelSet.of(label)
            pairs.append(Pair(f"{name}/{group}{label}", f"premise {group}", " ".join(words), gold, f"g{group}"))
    return Listed(pairs, name)


def accuracy(result: Guessability) -> float:
    return sum(guess.guessable for guess in result.guesses) / len(result.guesses)


@given(
    st.lists(st.tuples(st.integers(0, 6), st.integers(0, 9)), min_size=1, max_size=60),
    st.integers(2, 5),
    st.integers(0, 9),
)
def test_folds_never_tear_a_group_or_a_premise_apart(drawn: list[tuple[int, int]], folds: int, seed: int) -> None:
    pairs = [
        Pair(str(k), f"premise {premise}", "h", group=f"g{group}" if group else "")
        for k, (group, premise) in enumerate(drawn)
    ]
    names = fold_groups(pairs)
    dealt = deal_folds(names, folds, seed)
    by_group, by_premise = defaultdict(set), defaultdict(set)
    for pair, name in zip(pairs, names, strict=True):
        by_premise[pair.premise].add(dealt[name])
        if pair.group:
            by_group[pair.group].add(dealt[name])
    assert all(len(which) == 1 for which in [*by_group.values(), *by_premise.values()])
    sizes = [list(dealt.values()).count(fold) for fold in range(folds)]
    assert max(sizes) - min(sizes) <= 1


@given(
    st.lists(st.tuples(st.integers(0, 6), st.integers(0, 9)), min_size=1, max_size=40),
    st.randoms(use_true_random=False),
)
def test_folds_depend_on_groups_only(drawn: list[tuple[int, int]], draw: random.Random) -> None:
    pairs = [Pair(str(k), f"premise {premise}", "h", group=f"g{group}") for k, (group, premise) in enumerate(drawn)]
    mixed = list(pairs)
    draw.shuffle(mixed)
    by_id = dict(zip([pair.id for pair in pairs], fold_groups(pairs), strict=True))
    assert dict(zip([pair.id for pair in mixed], fold_groups(mixed), strict=True)) == by_id


@settings(max_examples=3)
@given(st.randoms(use_true_random=False))
def test_the_order_of_pairs_does_not_matter(draw: random.Random) -> None:
    whole = corpus(40, marked=True)
    mixed = list(whole.pairs())
    draw.shuffle(mixed)
    scores = {guess.pair_id: guess for guess in guessability(whole).guesses}
    again = guessability(Listed(mixed, "c/dev"))
    assert {guess.pair_id: guess for guess in again.guesses} == scores
    assert [guess.pair_id for guess in again.guesses] == [pair.id for pair in mixed]


def test_a_planted_word_is_found_by_every_member() -> None:
    result = guessability(corpus(150, marked=True))
    assert accuracy(result) > 0.85
    for place in range(len(MEMBERS)):
        assert sum(guess.right[place] for guess in result.guesses) / len(result.guesses) > 0.8
    sure = [guess for guess in result.guesses if guess.guessable]
    assert sum(guess.score for guess in sure) / len(sure) > 0.5
    assert all(0 <= guess.score <= 1 for guess in result.guesses)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_labels_without_relation_to_words_are_guessed_by_chance(seed: int) -> None:
    result = guessability(corpus(300, marked=False, seed=seed), seed=seed)
    right = [guess.guessable for guess in result.guesses]
    interval = share_of(right, [guess.group for guess in result.guesses]).ci95
    assert interval is not None
    # Each label is right a third of the time; the interval of one in twenty draws lies beside that, so it is widened.
    assert interval.low - 0.02 <= 1 / 3 <= interval.high + 0.02


def test_the_seed_decides_the_folds() -> None:
    whole = corpus(40, marked=True)
    assert guessability(whole, seed=0).guesses == guessability(whole, seed=0).guesses
    assert guessability(whole, seed=0).guesses != guessability(whole, seed=1).guesses


def test_what_cannot_be_guessed_is_counted_and_skipped() -> None:
    pairs = list(corpus(30, marked=True).pairs())
    odd = [
        Pair("c/dev/u", "p", "h", None),
        Pair("c/dev/o", "p", "h", LabelSet.of("NC")),
        Pair("c/dev/e", "p", "  ", LabelSet.of("E")),
    ]
    result = guessability(Listed([*odd, *pairs], "c/dev"))
    assert result.skipped == {UNLABELLED: 1, OPEN: 1, EMPTY: 1}
    assert (result.pairs, len(result.guesses)) == (93, 90)


def test_two_labels_and_tables_and_long_texts() -> None:
    pairs = []
    for group in range(40):
        table = table_from_mapping({"title": [f"T{group}"], "k": ["v"]})
        pairs += [
            Pair(f"t/{group}E", table, "It is outdoors. " * (1500 if group == 3 else 1), LabelSet.of("E"), f"T{group}"),
            Pair(f"t/{group}C", table, f"Nobody is in {group}. 🙂 אבג", LabelSet.of("C"), f"T{group}"),
        ]
    result = guessability(Listed(pairs, "t"))
    assert [str(label) for label in result.labels] == ["E", "C"]
    assert accuracy(result) > 0.95
    assert guessability(TwoWay(list(corpus(40, marked=True, labels=["E", "NC"]).pairs()), "c/dev")).labels == (
        LabelSet.of("E"),
        LabelSet.of("NC"),
    )


def test_hypotheses_that_share_nothing_are_no_error() -> None:
    pairs = [Pair(f"s/{k}", f"p{k}", chr(0x4E00 + k), LabelSet.of("EC"[k % 2])) for k in range(60)]
    assert len(guessability(Listed(pairs, "s")).guesses) == 60
    assert features(["x"], ["y"]).words.shape[0] == 1


def test_the_ensemble_learns_elsewhere() -> None:
    train = corpus(200, marked=True, seed=5, name="c/train")
    asked = corpus(10, marked=True)
    result = guessability(asked, [train])
    assert accuracy(result) > 0.8
    assert result.folds is None
    assert result.training is not None
    assert (result.training.corpora, result.training.pairs, result.training.shared) == (("c/train",), 600, 0)


def test_pairs_of_the_corpus_are_not_learnt_from() -> None:
    asked = corpus(30, marked=True)
    copied = [
        Pair(f"x/{k}", f"PREMISE  {pair.group[1:]}.", f"{pair.hypothesis} .", pair.gold)
        for k, pair in enumerate(asked.pairs())
    ]
    more = list(corpus(50, marked=True, seed=9, name="y").pairs())
    more = [Pair(pair.id, f"other {pair.premise}", pair.hypothesis, pair.gold, pair.group) for pair in more]
    result = guessability(asked, [Listed(copied, "x"), Listed([*more, Pair("y/u", "p", "h")], "y")])
    assert result.training is not None
    assert (result.training.pairs, result.training.shared, dict(result.training.skipped)) == (150, 90, {UNLABELLED: 1})
    with pytest.raises(DataError, match=r"x can teach too few pairs .*\(E 0, N 0, C 0\).*90 pairs are also in c/dev"):
        guessability(asked, [Listed(copied, "x")])


def test_a_coarser_corpus_learns_from_a_finer_one() -> None:
    asked = TwoWay(list(corpus(10, marked=True, labels=["E", "NC"]).pairs()), "c/dev")
    result = guessability(asked, [corpus(100, marked=True, seed=4, name="c/train")])
    assert [str(label) for label in result.labels] == ["E", "NC"]
    pairs = [pair for pair in corpus(10, marked=True).pairs() if str(pair.gold) != "N"]
    without = guessability(Listed(pairs, "c/dev"), [corpus(100, marked=True, seed=4, name="c/train")])
    assert without.training is not None
    assert (without.training.other, without.training.pairs) == (100, 200)


def test_too_little_to_learn_from_is_an_error() -> None:
    with pytest.raises(
        DataError, match=r"c/dev has too few pairs .*\(E 19, N 19, C 19\): at least 20 per label are needed"
    ):
        guessability(corpus(19, marked=True))
    with pytest.raises(DataError, match=r"of two or more labels, the pairs have only E"):
        guessability(corpus(50, marked=True, labels="E"))
    with pytest.raises(DataError, match=r"the pairs have none"):
        guessability(Listed([Pair("a", "p", "h")], "a"))
    one_premise = [Pair(pair.id, "p", pair.hypothesis, pair.gold) for pair in corpus(50, marked=True).pairs()]
    with pytest.raises(DataError, match=r"share 1 premises, too few for 5 folds"):
        guessability(Listed(one_premise, "c/dev"))
    apart = [Pair(f"{k}", f"p{min(k, 25)}", "h", LabelSet.of("E" if k < 25 else "C")) for k in range(50)]
    with pytest.raises(DataError, match=r"without the pairs of one fold, all others have one label"):
        guessability(Listed(apart, "a"), folds=2)


def test_progress_counts_to_the_end() -> None:
    steps: list[tuple[int, int]] = []
    guessability(corpus(30, marked=True), folds=3, progress=lambda done, total: steps.append((done, total)))
    assert steps == [(done, 9) for done in range(10)]
