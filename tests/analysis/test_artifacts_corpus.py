"""Artifacts of corpora: planted words are found, noise is not, and the published ones are there."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.analysis.schemas import load_schema, validate

import nliprobe.analysis.artifacts.documents as shapes
from nliprobe.analysis.artifacts.corpus import artifacts_document, corpus_artifacts
from nliprobe.analysis.artifacts.documents import CorpusArtifacts
from nliprobe.analysis.artifacts.words import WordChoice
from nliprobe.task.labels import THREE_WAY, LabelSet, Partition
from nliprobe.task.pair import Pair, Premise
from nliprobe.task.sources import open_source
from nliprobe.task.table import Row, Table


@dataclass
class Held:
    """Pairs in memory as a source."""

    held: Sequence[Pair]
    partition: Partition = THREE_WAY
    name: str = "held"

    def digest(self) -> str:
        return "d"

    def pairs(self) -> Iterator[Pair]:
        yield from self.held


def pair(number: int, hypothesis: str, gold: str | None, premise: Premise = "a premise", group: str = "") -> Pair:
    return Pair(f"p{number}", premise, hypothesis, None if gold is None else LabelSet.of(gold), group)


def drawn(seed: int, n: int, planted: float = 0.0, labels: str = "ENC") -> list[Pair]:
    """Pairs of random words; with a probability, a pair of C says nobody."""
    draw = random.Random(seed)
    pairs = []
    for number in range(n):
        gold = draw.choice(labels)
        words = [draw.choice("abcdefghij") for _ in range(draw.randint(2, 6))]
        if gold == "C" and draw.random() < planted:
            words.append("Nobody")
        pairs.append(pair(number, " ".join(words), gold, " ".join(draw.choice("abcxyz") for _ in range(5))))
    return pairs


def described(pairs: Sequence[Pair], choice: WordChoice | None = None, partition: str = "E|N|C") -> CorpusArtifacts:
    return corpus_artifacts(Held(pairs, Partition.parse(partition)), choice or WordChoice())


def rounded(content: object) -> object:
    """A document without the last digits, in which sums in another order differ."""
    if isinstance(content, dict):
        return {key: rounded(value) for key, value in content.items()}
    if isinstance(content, list):
        return [rounded(value) for value in content]
    return round(content, 9) if isinstance(content, float) else content


def test_a_planted_word_is_found() -> None:
    found = described(drawn(1, 900, planted=0.3))
    first = found["words"]["C"][0]
    assert (first["word"], first["points"], first["probability"]) == ("nobody", True, 1.0)
    assert first["with_label"] == first["count"]
    assert first["share"] == first["count"] / found["support"]["C"]
    assert not any(entry["points"] for label in "EN" for entry in found["words"][label])


def test_words_that_say_nothing_do_not_point() -> None:
    """Forty corpora of noise: a word may point by chance in one of twenty of them, not more."""
    wrong = 0
    for seed in range(40):
        found = described(drawn(seed, 300))
        wrong += any(entry["points"] for entries in found["words"].values() for entry in entries)
        assert all(abs(entry["pmi"]) < 0.2 for entries in found["words"].values() for entry in entries)
    assert wrong <= 5


def test_a_word_counts_once_per_hypothesis() -> None:
    pairs = [pair(n, "no no no" if n % 2 else "yes", "C" if n % 2 else "E") for n in range(60)]
    found = described(pairs, WordChoice(min_count=5), "E|C")
    assert [(entry["word"], entry["count"]) for entry in found["words"]["C"]] == [("no", 30)]
    assert found["features"]["hypothesis_length"]["labels"]["C"]["median"] == 3


def test_rare_words_are_left_out() -> None:
    pairs = drawn(2, 300) + [pair(1000 + n, "rare", "C") for n in range(19)]
    assert "rare" not in [entry["word"] for entry in described(pairs)["words"]["C"]]
    assert described(pairs, WordChoice(min_count=19))["words"]["C"][0]["word"] == "rare"


def test_lengths_and_overlap_predict() -> None:
    draw = random.Random(3)
    pairs = []
    for number in range(600):
        gold = draw.choice("EC")
        # Entailed hypotheses repeat the premise and are short.
        text = "alpha beta" if gold == "E" else "one two three four five"
        pairs.append(pair(number, text, gold, "alpha beta gamma"))
    found = described(pairs, partition="E|C")
    names: tuple[shapes.Feature, ...] = ("hypothesis_length", "overlap")
    for name in names:
        prediction = found["features"][name]["prediction"]
        assert prediction is not None
        assert prediction["accuracy"] == 1
        assert prediction["gain_ci95"] is not None
        assert prediction["gain_ci95"][0] > 0.4
    assert [(item["low"], item["labels"]) for item in found["features"]["overlap"]["bins"]] == [
        (0.0, {"E": 0, "C": found["support"]["C"]}),
        (1.0, {"E": found["support"]["E"], "C": 0}),
    ]
    constant = found["features"]["premise_length"]["prediction"]
    assert constant is not None
    assert constant["gain"] <= 0


def test_pairs_of_a_group_do_not_answer_for_each_other() -> None:
    """Every group has a length of its own and one label: what looks like prediction is memory."""
    pairs = []
    for group in range(60):
        gold = random.Random(group).choice("EC")
        pairs += [pair(10 * group + n, "w " * (group + 1), gold, group=f"g{group}") for n in range(10)]
    prediction = described(pairs, partition="E|C")["features"]["hypothesis_length"]["prediction"]
    assert prediction is not None
    assert prediction["gain_ci95"] is not None
    assert prediction["gain_ci95"][0] < 0


def test_gains_are_over_the_best_constant_in_hindsight() -> None:
    """With balanced labels, the most frequent label of the other folds is the rarer one here."""
    found = described(drawn(7, 300))
    prediction = found["features"]["hypothesis_length"]["prediction"]
    assert prediction is not None
    assert found["constant"] is not None
    assert prediction["constant"] == pytest.approx(found["constant"]["accuracy"])
    assert prediction["gain"] == pytest.approx(prediction["accuracy"] - prediction["constant"])


@settings(max_examples=20)
@given(st.integers(0, 1000), st.randoms(use_true_random=False))
def test_the_order_of_pairs_does_not_matter(seed: int, shuffle: random.Random) -> None:
    pairs = drawn(seed, 150, planted=0.3)
    mixed = list(pairs)
    shuffle.shuffle(mixed)
    assert rounded(described(mixed)) == rounded(described(pairs))


@settings(max_examples=20)
@given(st.integers(0, 1000))
def test_a_word_in_every_hypothesis_says_nothing(seed: int) -> None:
    pairs = drawn(seed, 200, planted=0.5)
    more = [pair(n, f"{each.hypothesis} always", str(each.gold)) for n, each in enumerate(pairs)]
    before, after = described(pairs), described(more)
    for label in "ENC":
        listed = [(entry["word"], entry["pmi"]) for entry in after["words"][label] if entry["word"] != "always"]
        assert listed == [(entry["word"], entry["pmi"]) for entry in before["words"][label]]
        assert all(abs(e["pmi"]) < 1e-9 for e in after["words"][label] if e["word"] == "always")


def test_tables_count_their_cells() -> None:
    table = Table("Ada Lovelace", (Row("Born", ("10 December 1815", "London")),))
    found = described([pair(n, "Ada was born in London", "EC"[n % 2], table) for n in range(40)], partition="E|C")
    assert found["features"]["premise_length"]["labels"]["E"]["median"] == 7
    assert found["features"]["overlap"]["labels"]["E"]["median"] == pytest.approx(3 / 5)


def test_what_is_left_out_is_counted() -> None:
    pairs = [pair(0, "x", None), pair(1, "x", "NC"), pair(2, "", "E"), pair(3, "🙂 …", "C"), pair(4, "y", "N")]
    found = described(pairs)
    assert (found["pairs"], found["unlabelled"], found["ambiguous"], found["n"], found["wordless"]) == (5, 1, 1, 3, 2)
    assert found["features"]["overlap"]["labels"].keys() == {"N"}
    assert any("Too few pairs" in note for note in found["notes"])
    assert any("20 hypotheses" in note for note in found["notes"])


@pytest.mark.parametrize(
    ("golds", "words"),
    [
        ([], "No pair has a gold label"),
        ([None], "No pair has a gold label"),
        (["E"] * 30, "All pairs have the label E"),
    ],
)
def test_corpora_without_anything_to_tell_apart(golds: list[str | None], words: str) -> None:
    found = described([pair(n, "a man", gold) for n, gold in enumerate(golds)])
    assert any(words in note for note in found["notes"])
    assert not any(found["words"].values())
    validate("data-artifacts", artifacts_document([Held([])], WordChoice()))


def test_two_labels_of_which_one_is_two() -> None:
    found = described(drawn(4, 400, planted=0.9), partition="E|NC")
    assert set(found["words"]) == {"E", "NC"}
    assert found["words"]["NC"][0]["word"] == "nobody"
    assert found["words"]["NC"][0]["points"]


def test_a_corpus_without_neutral_says_so() -> None:
    found = described([pair(n, "a man", "EC"[n % 2]) for n in range(300)])
    assert "No pair has the label N." in found["notes"]
    assert found["words"]["N"] == []
    assert found["chance"] == 0.5


def test_few_groups_carry_nothing() -> None:
    pairs = [pair(n, "nobody" if n % 2 else "man", "C" if n % 2 else "E", group=f"g{n % 3}") for n in range(600)]
    found = described(pairs, partition="E|C")
    assert found["words"]["C"][0]["ci95"] is None
    assert not found["words"]["C"][0]["points"]
    assert any("share 3 groups" in note for note in found["notes"])


def test_a_long_premise_and_identical_texts() -> None:
    pairs = [pair(0, "same", "E", "same"), pair(1, "same", "N", "word " * 3000), pair(2, "same", "C", "")]
    found = described(pairs)
    assert found["features"]["premise_length"]["labels"]["N"]["median"] == 3000
    assert found["features"]["overlap"]["labels"]["E"]["median"] == 1


def test_the_document_keeps_its_schema() -> None:
    validate("data-artifacts", artifacts_document([Held(drawn(1, 300, planted=0.5))], WordChoice()))


@pytest.mark.parametrize(
    ("place", "kind"),
    [
        ("", shapes.CorpusArtifactsDocument),
        ("corpus", shapes.CorpusArtifacts),
        ("word", shapes.WordEntry),
        ("feature", shapes.FeatureEntry),
        ("quartiles", shapes.Quartiles),
        ("bin", shapes.FeatureBin),
        ("prediction", shapes.BinnedPrediction),
    ],
)
def test_schema_names_the_fields_of_the_types(place: str, kind: type) -> None:
    schema = load_schema("data-artifacts")
    part = schema["$defs"][place] if place else schema
    assert list(part["properties"]) == list(kind.__annotations__)


# Words that Gururangan et al. (2018), Table 4, name for SNLI, and others that the seed names. "favorite" (neutral) is
# named there, too, but is not among the first twenty of these 99,890 of their 550,152 pairs.
PUBLISHED = {
    "E": "outdoors least instrument outside animal",
    "N": "tall first competition sad",
    "C": "nobody sleeping no tv cat",
}


def test_published_artifacts_of_snli(data: Path) -> None:
    found = corpus_artifacts(open_source("snli/train-100k", data), WordChoice())
    assert found["n"] == 99_890
    for label, words in PUBLISHED.items():
        listed = {entry["word"]: entry for entry in found["words"][label]}
        assert set(words.split()) <= set(listed)
        assert all(listed[word]["points"] for word in words.split())
    assert "favorite" not in {entry["word"] for entry in found["words"]["N"]}
    assert [entry["word"] for entry in found["words"]["C"]][:5] == ["sleeping", "nobody", "no", "cat", "bed"]
