from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nliprobe.base.errors import DataError, UsageError
from nliprobe.task.labels import ANY, LETTERS, THREE_WAY, LabelMap, LabelSet, Partition
from nliprobe.testing.strategies import label_sets

partitions = st.sampled_from([Partition.parse(text) for text in ("E|N|C", "E|NC", "E|C", "EN|C", "N|C", "ENC", "E")])


@given(label_sets, label_sets)
def test_label_sets_are_sets(left: LabelSet, right: LabelSet) -> None:
    assert set(left & right) == set(left) & set(right)
    assert set(left | right) == set(left) | set(right)
    assert (left <= right) == (set(left) <= set(right))
    assert len(left) == len(set(left))
    assert LabelSet.of(str(left)) is left
    assert [letter for letter in LETTERS if letter in left] == list(left)


def test_label_set_rejects_other_letters() -> None:
    with pytest.raises(ValueError, match="'X' is not one of the labels"):
        LabelSet.of("EX")


@pytest.mark.parametrize(
    ("spelling", "letters"),
    [
        ("entailment", "E"), ("E", "E"), ("e", "E"), ("ENTAILMENT", "E"), ("entails", "E"), ("SUPPORTS", "E"),
        ("supports", "E"), ("yes", "E"), ("True", "E"), ("neutral", "N"), ("n", "N"), ("NOT ENOUGH INFO", "N"),
        ("not enough info", "N"), ("NEI", "N"), ("unknown", "N"), ("contradiction", "C"), ("c", "C"),
        ("REFUTES", "C"), ("refuted", "C"), ("no", "C"), ("contradicts", "C"), ("non-entailment", "NC"),
        ("not_entailment", "NC"), ("not entailment", "NC"), ("Non-Entailment", "NC"),
    ],
)  # fmt: skip
def test_label_map_reads_every_public_spelling(spelling: str, letters: str) -> None:
    assert LabelMap().read(spelling) == LabelSet.of(letters)


@pytest.mark.parametrize("spelling", ["-", "", "-1", -1, None])
def test_label_map_reads_unlabelled(spelling: object) -> None:
    assert LabelMap().read(spelling) is None


def test_label_map_reads_declared_codes() -> None:
    codes = LabelMap.parse("entailment,neutral,contradiction")
    assert [str(codes.read(value)) for value in (0, "1", 2.0, "2.0")] == ["E", "N", "C", "C"]
    assert [str(item) for item in codes.order()] == ["E", "N", "C"]
    assert str(LabelMap.parse("1:E;0:C").read(0)) == "C"
    assert str(LabelMap.parse("1:entailment,0:not_entailment").read("0")) == "NC"


def test_label_map_never_guesses_codes() -> None:
    with pytest.raises(DataError, match="is a code: declare what codes mean"):
        LabelMap().read(0)
    with pytest.raises(DataError, match="unknown label 'entialment'"):
        LabelMap().read("entialment")
    with pytest.raises(UsageError, match="'x' in the label map"):
        LabelMap.parse("entailment,x")
    with pytest.raises(UsageError, match="gives '0' twice"):
        LabelMap.parse("0:E;0:C")
    with pytest.raises(UsageError, match="codes 0, 1, 2"):
        LabelMap.parse("1:E;2:C").order()


@given(partitions, partitions)
def test_partition_join_is_the_common_coarsening(left: Partition, right: Partition) -> None:
    join = left.join(right)
    assert join == right.join(left)
    assert join.join(left) == join
    assert join.labels == left.labels | right.labels
    for block in left.blocks + right.blocks:
        assert any(block <= coarse for coarse in join.blocks)


@given(partitions, label_sets)
def test_partition_coarsen_grows_and_is_idempotent(partition: Partition, labels: LabelSet) -> None:
    coarse = partition.coarsen(labels)
    assert labels <= coarse
    assert partition.coarsen(coarse) == coarse


@pytest.mark.parametrize(
    ("corpus", "model", "answer", "gold", "right"),
    [
        ("E|N|C", "E|N|C", "N", "N", True),
        ("E|N|C", "E|N|C", "N", "C", False),
        ("E|NC", "E|N|C", "N", "NC", True),
        ("E|NC", "E|N|C", "C", "NC", True),
        ("E|NC", "E|N|C", "E", "NC", False),
        ("E|N|C", "E|NC", "NC", "C", True),
        ("E|N|C", "E|NC", "NC", "E", False),
        ("E|C", "E|N|C", "N", "C", False),
        ("E|C", "E|NC", "NC", "C", True),
        ("E|NC", "E|C", "C", "NC", True),
        ("E|N|C", "E|C", "C", "N", False),
    ],
)
def test_partition_agrees_in_the_coarser_one(corpus: str, model: str, answer: str, gold: str, right: bool) -> None:
    join = Partition.parse(corpus).join(Partition.parse(model))
    assert join.agrees(LabelSet.of(answer), LabelSet.of(gold)) is right


@given(label_sets)
def test_partition_without_an_answer_is_never_right(gold: LabelSet) -> None:
    assert not THREE_WAY.agrees(LabelSet.of(""), gold)
    assert THREE_WAY.agrees(ANY, ANY)


@pytest.mark.parametrize("text", ["E|EN", "E||N", "X", ""])
def test_partition_parse_rejects(text: str) -> None:
    with pytest.raises(ValueError):
        Partition.parse(text)
