from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nliprobe.base.errors import DataError, ModelError, NliprobeError, UsageError
from nliprobe.base.registry import Spec
from nliprobe.models import MODELS
from nliprobe.models.base import Example
from nliprobe.models.learnable import learnable
from nliprobe.models.majority import FILE, Majority
from nliprobe.task.case import Input, Prediction
from nliprobe.task.labels import SETS, E, LabelSet

ASKED = [Input("a", (), "h"), Input("b", ("p",), "h")]


def examples(golds: str) -> list[Example]:
    return [Example(Input("", (), "h"), LabelSet.of(letters)) for letters in golds.split()]


def trained(golds: str) -> Majority:
    model = Majority()
    model.fit(examples(golds))
    return model


@pytest.mark.parametrize(
    ("golds", "answer", "partition"),
    [
        ("E N N C", "N", "E|N|C"),
        ("C N E", "E", "E|N|C"),
        ("C C N N E", "N", "E|N|C"),
        ("E NC NC", "NC", "E|NC"),
        ("E C C", "C", "E|C"),
        ("E N C NC NC NC", "E", "E|N|C"),
        ("C", "C", "E|N|C"),
    ],
)
def test_majority_answers_the_most_frequent_label(golds: str, answer: str, partition: str) -> None:
    model = trained(golds)
    assert model.predict(ASKED) == [Prediction(LabelSet.of(answer))] * 2
    assert str(model.partition) == partition
    assert model.predict([]) == []


@given(st.lists(st.sampled_from(SETS), min_size=1))
def test_learnable_classes_are_disjoint_and_all_used(golds: list[LabelSet]) -> None:
    given_examples = [Example(Input("", (), "h"), gold) for gold in golds]
    try:
        classes, usable = learnable(given_examples)
    except DataError:
        assert not any(len(gold) == 1 for gold in golds)
        return
    assert sum(len(block) for block in classes) == len(
        "".join(sorted({letter for block in classes for letter in block}))
    )
    assert {example.gold for example in usable} == set(classes)
    assert all(gold in classes for gold in golds if len(gold) == 1)


@given(st.lists(st.sampled_from("ENC"), min_size=1))
def test_majority_survives_a_folder(tmp_path_factory: pytest.TempPathFactory, golds: list[str]) -> None:
    folder = tmp_path_factory.mktemp("model")
    model, again = trained(" ".join(golds)), Majority()
    model.save(folder)
    again.load(folder)
    assert again.predict(ASKED) == model.predict(ASKED)
    assert again.partition == model.partition


def test_majority_must_be_trained() -> None:
    with pytest.raises(ModelError, match="has not been trained"):
        Majority().predict(ASKED)
    with pytest.raises(DataError, match="nothing to learn from: none of 2 training pairs"):
        Majority().fit(examples("EN NC"))
    with pytest.raises(DataError, match="nothing to learn from"):
        Majority().fit([])


def test_majority_is_found_by_name_and_takes_no_parameters() -> None:
    model = MODELS.get("majority").from_spec(Spec.parse("majority"), None)
    assert isinstance(model, Majority)
    assert model.fingerprint() == Majority().fingerprint()
    with pytest.raises(UsageError, match="takes no parameters"):
        Majority.from_spec(Spec.parse("majority?n=1"), None)


@pytest.mark.parametrize(
    "content",
    ["", "[]", "{}", '{"counts": {}}', '{"counts": {"X": 1}}', '{"counts": {"E": -1}}', '{"counts": {"E": "1"}}', "{"],
)
def test_majority_refuses_a_damaged_folder(tmp_path: Path, content: str) -> None:
    (tmp_path / FILE).write_text(content, encoding="utf-8")
    with pytest.raises(NliprobeError, match=FILE):
        Majority().load(tmp_path)


def test_majority_refuses_a_missing_folder(tmp_path: Path) -> None:
    with pytest.raises(NliprobeError, match="Cannot read"):
        Majority().load(tmp_path / "nothing")


def test_majority_ignores_gold_sets_that_share_a_label() -> None:
    assert trained("NC NC NC E N").predict(ASKED)[0].label == E
