from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.engine.doctors import GOLD, TWO_WAY, Ruled, Simulated, examined, gold_of
from tests.engine.fakes import Hasher, Source, system

from nliprobe.base.errors import ModelError
from nliprobe.engine.ask import Caches
from nliprobe.engine.doctor.examine import examine_system
from nliprobe.engine.doctor.habits import misfits
from nliprobe.engine.doctor.orders import best_order, corrected_map
from nliprobe.engine.doctor.pairs import SENTENCES, TABLES, every_pair, first_pairs, kind_of, more_pairs
from nliprobe.models.system import System
from nliprobe.task.case import Input, Prediction
from nliprobe.task.labels import THREE_WAY, LabelMap, LabelSet, Partition
from nliprobe.task.pair import Pair
from nliprobe.task.table import Table

NAMES = {"E": "entailment", "N": "neutral", "C": "contradiction"}


@pytest.mark.parametrize("kind", [SENTENCES, TABLES])
@pytest.mark.parametrize("partition", [THREE_WAY, *TWO_WAY], ids=str)
def test_pairs_are_balanced_in_every_partition_and_not_told_apart_by_length(kind: str, partition: Partition) -> None:
    first, more = first_pairs(partition, kind), more_pairs(partition, kind)
    for pairs, each in ((first, 10), ((*first, *more), 24)):
        blocks = [str(partition.coarsen(pair.gold)) for pair in pairs if pair.gold is not None]
        assert Counter(blocks) == {str(block): each for block in partition.blocks}
        assert misfits([len(pair.hypothesis) for pair in pairs], blocks) > len(pairs) // 5
    letters = Counter(str(pair.gold) for pair in first)
    assert letters == ({"E": 10, "N": 5, "C": 5} if str(partition) == "E|NC" else dict.fromkeys(letters, 10))
    every = every_pair(kind)
    assert {*first, *more} <= {*every}
    assert len({(str(pair.premise), pair.hypothesis) for pair in every}) == len(every) == 72
    assert all(isinstance(pair.premise, Table) == (kind == TABLES) for pair in every)


@pytest.mark.parametrize("order", list(permutations("ENC")))
@pytest.mark.parametrize("accuracy", [0.85, 0.95, 1.0])
def test_doctor_stops_every_wrong_order_and_passes_the_right_one(order: tuple[str, ...], accuracy: float) -> None:
    said = dict(zip("ENC", order, strict=True))
    verdict = examined(Simulated(accuracy, said=said), "fake?labels=entailment,neutral,contradiction")
    if order == ("E", "N", "C"):
        assert (verdict.status, verdict.findings, verdict.n) == ("ok", (), 30)
        return
    assert (verdict.status, verdict.n) == ("permuted", 72)
    meant = {there: here for here, there in said.items()}
    # The model calls code 0 "entailment"; the right map names what it means by that.
    assert verdict.labels == ",".join(NAMES[meant[letter]] for letter in "ENC")
    assert f"labels={verdict.labels}" in verdict.findings[0]
    fixed = LabelMap.parse(verdict.labels)
    assert [str(fixed.read(code)) for code in range(3)] == [meant[letter] for letter in "ENC"]


@pytest.mark.parametrize("partition", TWO_WAY, ids=str)
def test_doctor_of_a_two_way_model(partition: Partition) -> None:
    blocks = [str(block) for block in partition.blocks]

    def right(item: Input) -> str:
        return str(partition.coarsen(LabelSet.of(gold_of(item))))

    def turned(item: Input) -> str:
        return blocks[1 - blocks.index(right(item))] if right(item) in blocks else blocks[0]

    names = ["entailment", "not_entailment" if blocks[1] == "NC" else "contradiction"]
    good = examined(Ruled(right, partition), f"fake?labels={','.join(names)}")
    assert (good.status, good.right, good.n, good.partition) == ("ok", 20, 20, str(partition))
    wrong = examined(Ruled(turned, partition), f"fake?labels={','.join(names)}")
    assert (wrong.status, wrong.labels, wrong.right_then) == ("permuted", ",".join(names[::-1]), 48)


@pytest.mark.parametrize("partition", [THREE_WAY, *TWO_WAY], ids=str)
def test_a_constant_answer_is_never_called_permuted(partition: Partition) -> None:
    for block in partition.blocks:
        verdict = examined(Ruled(lambda item, block=block: str(block), partition))  # type: ignore[misc]
        assert (verdict.status, verdict.habits) == ("weak", ("constant",))
        assert verdict.findings[-1].startswith(f"It answers {block} to every pair: ")
        assert f"and a constant answer {verdict.right}" in verdict.findings[0]


@given(st.lists(st.sampled_from("ENC"), min_size=8, max_size=60), st.sampled_from("ENC"))
def test_no_gold_labels_make_a_constant_answer_look_permuted(gold: list[str], answer: str) -> None:
    pairs = [Pair(str(number), "p", "h", LabelSet.of(letter)) for number, letter in enumerate(gold)]
    for partition in (THREE_WAY, *TWO_WAY):
        assert not best_order(pairs, [LabelSet.of(answer)] * len(pairs), partition).is_wrong


def test_a_hard_corpus_is_no_evidence_of_another_order() -> None:
    # Adversarial pairs: 40 % right of thousands is significantly below chance, but no sign of exchanged labels.
    pairs = [Pair(str(n), "p", "h", LabelSet.of("E" if n % 2 else "NC")) for n in range(10_000)]
    answers = [
        pair.gold if n % 5 < 2 else LabelSet.of("NC" if str(pair.gold) == "E" else "E") for n, pair in enumerate(pairs)
    ]
    order = best_order(pairs, answers, Partition.parse("E|NC"))
    assert order.p_chance < 1e-9
    assert order.p_declared < 1e-9
    assert not order.is_wrong


def test_unequal_labels_do_not_hide_a_wrong_order() -> None:
    pairs = [Pair(str(n), "p", "h", LabelSet.of("E" if n % 5 else "NC")) for n in range(1000)]
    flipped = [LabelSet.of("NC" if str(pair.gold) == "E" else "E") for pair in pairs]
    order = best_order(pairs, flipped, Partition.parse("E|NC"))
    assert (order.declared, order.best, order.guessed, order.is_wrong) == (0, 1000, 0.8, True)


def test_more_is_asked_only_in_doubt() -> None:
    sure, doubtful = Simulated(0.95), Simulated(1.0, said={"E": "C", "C": "E"})
    assert examined(sure).asked == len(sure.asked) == 30 + 15 + 14
    assert examined(doubtful).asked == len(doubtful.asked) == 72 + 15 + 14
    two_way = Ruled(lambda item: "E" if gold_of(item) == "E" else "NC", TWO_WAY[0])
    assert examined(two_way).asked == len(two_way.asked) == 20 + 15 + 14


def test_doctor_does_not_ask_a_system_without_premise() -> None:
    model = Hasher()
    verdict = examine_system(system(model, "fake?premise=none"), [], lambda made: None, Caches())
    assert verdict.status == "not asked"
    assert model.asked == []


def test_a_model_that_learns_is_judged_by_what_it_has_learnt() -> None:
    class Learner(Ruled):
        trainable = True

    model = Learner(lambda item: "E" if gold_of(item) == "E" else "NC")

    def learn(made: System) -> None:
        model._partition = TWO_WAY[0]

    verdict = examine_system(system(model), [Source()], learn, Caches(), [Source()])
    assert (verdict.partition, verdict.n, verdict.premises) == ("E|NC", 20, "tables")


class Sentences(Source):
    """A split of sentences."""

    def pairs(self) -> Iterator[Pair]:
        yield Pair("fake/1", "A dog runs.", "An animal runs.", LabelSet.of("E"))


def test_a_system_is_asked_about_premises_like_those_it_reads() -> None:
    assert kind_of([Source()]) == TABLES
    assert kind_of([Source(), Sentences()]) == SENTENCES
    assert kind_of([]) is None
    for sources, kind in (([Source()], TABLES), ([Sentences()], SENTENCES), ([Source(), Sentences()], SENTENCES)):
        model = Ruled(lambda item: "E")
        assert examine_system(system(model), sources, lambda made: None, Caches()).premises == kind


def test_a_system_that_fails_on_sentences_is_asked_about_tables() -> None:
    class TableReader(Hasher):
        def predict(self, inputs: Sequence[Input]) -> Sequence[Prediction]:
            if any(not item.premise.startswith("{") for item in inputs):
                raise ValueError("that is no table")
            return [Prediction(LabelSet.of("E")) for item in inputs]

    reader = system(TableReader(None), "fake?represent=json")
    verdict = examine_system(reader, [], lambda made: None, Caches())
    assert (verdict.status, verdict.premises) == ("weak", "tables")

    class Broken(TableReader):
        def predict(self, inputs: Sequence[Input]) -> Sequence[Prediction]:
            raise ValueError("the disk is full")

    with pytest.raises(ModelError, match="the disk is full"):
        examine_system(system(Broken(None)), [], lambda made: None, Caches())


def test_corrected_map_is_written_as_the_user_wrote_it() -> None:
    turned = {LabelSet.of("E"): LabelSet.of("C"), LabelSet.of("C"): LabelSet.of("E")}
    assert corrected_map("0:E;1:N;2:C", turned) == "0:contradiction;1:neutral;2:entailment"
    assert corrected_map("", turned) == "entailment:contradiction;contradiction:entailment"


def test_best_order_of_unanswered_pairs_changes_nothing() -> None:
    pairs = every_pair()
    order = best_order(pairs, [None] * len(pairs), THREE_WAY)
    assert (order.declared, order.best) == (0, 0)
    assert not order.is_wrong
    assert order.is_weak
    assert not best_order([], [], THREE_WAY).is_wrong


def test_every_pair_has_a_label_of_its_own() -> None:
    assert Counter(GOLD.values()) == {"E": 24, "N": 24, "C": 24}
