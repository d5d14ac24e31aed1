from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nliprobe.base.errors import DataError, ModelError
from nliprobe.models.answers import (
    NO_ANSWER,
    AnswerReader,
    Scores,
    are_probabilities,
    check_predictions,
    partition_of,
    partition_seen,
)
from nliprobe.task.case import Input, Prediction, Shares, Status
from nliprobe.task.labels import NAMES, C, E, LabelMap, LabelSet, N

NC = LabelSet.of("NC")
CEN = LabelMap.parse("contradiction,entailment,neutral")
ENC = LabelMap.parse("entailment,neutral,contradiction")
TWO_WAY = LabelMap.parse("entailment,not_entailment")
logits = st.lists(st.floats(-1e6, 1e6), min_size=3, max_size=3)


def shares(prediction: Prediction) -> tuple[float, float, float]:
    assert prediction.probabilities is not None
    e, n, c = prediction.probabilities
    assert e is not None
    assert n is not None
    assert c is not None
    return e, n, c


@pytest.mark.parametrize(
    ("answer", "label"),
    [("entailment", E), ("NEUTRAL", N), ("c", C), ("not_entailment", NC), (True, E), (np.str_("refuted"), C), (C, C)],
)
def test_reader_takes_labels_in_any_spelling(answer: object, label: LabelSet) -> None:
    assert AnswerReader(None).read(answer) == Prediction(label)


@pytest.mark.parametrize("answer", [None, "-", "", -1, {"label": None}, {"logits": None}, LabelSet.of("")])
def test_reader_takes_nothing_as_no_answer(answer: object) -> None:
    assert AnswerReader(None).read(answer) == NO_ANSWER
    assert NO_ANSWER.status is Status.NO_ANSWER


@pytest.mark.parametrize("code", [1, 1.0, "1", np.int64(1), np.float32(1)])
def test_reader_takes_codes_by_the_label_map(code: object) -> None:
    assert AnswerReader(CEN).read(code).label == E
    with pytest.raises(DataError, match="declare what codes mean"):
        AnswerReader(None).read(code)


@given(logits, st.sampled_from(list(permutations("ENC"))))
def test_reader_sorts_logits_by_the_label_order(values: list[float], order: tuple[str, ...]) -> None:
    reader = AnswerReader(LabelMap.parse(",".join(NAMES[letter] for letter in order)))
    prediction = reader.scores(values, Scores.LOGITS)
    by_letter = dict(zip(order, values, strict=True))
    weights = [math.exp(by_letter[letter] - max(values)) for letter in "ENC"]
    assert shares(prediction) == pytest.approx([weight / sum(weights) for weight in weights])
    assert sum(shares(prediction)) == pytest.approx(1)
    assert by_letter[str(prediction.label)] == max(values)
    check_predictions([Input("i", (), "h")], [prediction], "m")


@given(logits, st.sampled_from(list(permutations("ENC"))))
def test_reader_answers_the_same_by_name_as_by_order(values: list[float], order: tuple[str, ...]) -> None:
    by_order = AnswerReader(LabelMap.parse(",".join(order))).scores(values, Scores.LOGITS)
    by_name = AnswerReader(None).scores(dict(zip(order, values, strict=True)), Scores.LOGITS)
    assert by_order == by_name


@given(logits.map(lambda values: [abs(value) + 1e-3 for value in values]))
def test_reader_keeps_probabilities_as_they_are(values: list[float]) -> None:
    whole = [value / sum(values) for value in values]
    for kind in (Scores.PROBABILITIES, Scores.EITHER):
        assert shares(AnswerReader(ENC).scores(whole, kind)) == pytest.approx(whole)


def test_reader_takes_bare_numbers_for_what_they_look_like() -> None:
    assert shares(AnswerReader(ENC).read([0.2, 0.5, 0.3])) == pytest.approx((0.2, 0.5, 0.3))
    assert shares(AnswerReader(ENC).read(np.array([0.2, 0.5, 0.3], dtype=np.float16))) == pytest.approx(
        (0.2, 0.5, 0.3), abs=1e-3
    )
    assert shares(AnswerReader(ENC).read([2.0, 5.0, 3.0]))[1] == pytest.approx(0.8438, abs=1e-4)
    assert shares(AnswerReader(ENC).read([np.float32(0.25), np.float32(0.5), np.float32(0.25)])) == (0.25, 0.5, 0.25)


def test_reader_rounds_probabilities_that_are_a_little_off() -> None:
    prediction = AnswerReader(ENC).scores([-0.0004, 1.0002, 0.0004], Scores.PROBABILITIES)
    assert min(shares(prediction)) == 0
    assert sum(shares(prediction)) == pytest.approx(1, abs=1e-9)


def test_reader_gives_ties_to_the_first_of_e_n_c() -> None:
    assert AnswerReader(CEN).scores([1.0, 1.0, 0.0], Scores.LOGITS).label == E
    assert AnswerReader(CEN).scores([1.0, 0.0, 1.0], Scores.LOGITS).label == N


def test_reader_gives_blocks_and_the_probability_of_single_labels_for_a_two_way_model() -> None:
    reader = AnswerReader(TWO_WAY)
    assert reader.scores([0.1, 0.9], Scores.PROBABILITIES) == Prediction(NC, (0.1, None, None))
    label, probabilities, *_ = reader.scores([3.0, -1.0], Scores.LOGITS)
    assert label == E
    assert probabilities is not None
    assert probabilities[0] == pytest.approx(1 / (1 + math.exp(-4)))
    assert probabilities[1:] == (None, None)
    assert reader.label("1") == Prediction(NC, None)
    supported = AnswerReader(LabelMap.parse("refuted,supported"))
    assert supported.scores([0.1, 0.9], Scores.PROBABILITIES) == Prediction(E, (0.9, None, 0.1))


@pytest.mark.parametrize(
    ("shares", "usable"),
    [
        ((0.3, None, None), True),
        ((0.3, None, 0.7), True),
        ((None, None, 1.0), True),
        ((None, None, None), False),
        ((1.3, None, None), False),
        ((0.6, None, 0.6), False),
        ((math.nan, None, None), False),
        ((0.3, 0.3, 0.3), False),
    ],
)
def test_a_two_way_model_has_fewer_probabilities(shares: Shares, usable: bool) -> None:
    assert are_probabilities(shares) is usable


def test_reader_joins_label_scores_and_raw_of_a_record() -> None:
    record = {"label": "N", "probabilities": {"E": 0.2, "N": 0.5, "C": 0.3}, "raw": "Maybe so."}
    assert AnswerReader(None).read(record) == Prediction(N, (0.2, 0.5, 0.3), raw="Maybe so.")
    # A tie in the scores is broken by the label next to them.
    assert AnswerReader(ENC).read({"label": "C", "logits": [1, 0, 1]}).label == C


@pytest.mark.parametrize(
    ("labels", "answer", "message"),
    [
        (None, "perhaps not", "unknown label 'perhaps not'"),
        (None, [1.0, 2.0, 3.0], "declare their order"),
        (LabelMap.parse("a:E;b:C"), [1.0, 2.0], "have no order"),
        (ENC, [1.0, 2.0], "there are 2 scores, but the label order names 3 labels"),
        (ENC, [], "there are 0 scores"),
        (ENC, [1.0, math.nan, 2.0], "finite numbers, but one is nan"),
        (ENC, [1.0, math.inf, 2.0], "finite numbers, but one is inf"),
        (ENC, [1, 10**400, 2], "finite numbers, but one is inf"),
        (ENC, ["a", "b", "c"], "should be numbers, but one is 'a'"),
        (ENC, [True, False, False], "should be numbers, but one is True"),
        (ENC, math.nan, "unknown label nan"),
        (ENC, {"probs": [0.5, 0.5, 0.5]}, "not probabilities"),
        (ENC, {"probs": [1.5, -0.5, 0.0]}, "not probabilities"),
        (ENC, {"logits": 3.0}, "should be a list of numbers, not 3.0"),
        (ENC, {"logits": "1 2 3"}, "should be a list of numbers"),
        (ENC, {"label": ["E"]}, "should be a word or a code"),
        (ENC, {"answer": "E"}, "there is no answer: expected one of the fields label"),
        (
            ENC,
            {"label": "E", "logits": [0, 0, 5]},
            "the label next to them is E, but the highest of the logits .* C",
        ),
        (None, {"probs": {"E": 0.5, "entailment": 0.5}}, "two or three different labels"),
        (None, {"probs": {"-": 0.5, "E": 0.5}}, "which is not a label"),
        (LabelMap.parse("E,N,N"), [1.0, 2.0, 3.0], "two or three different labels"),
        (None, object(), "should be a list of numbers"),
    ],
)
def test_reader_refuses_what_makes_no_sense(labels: LabelMap | None, answer: object, message: str) -> None:
    with pytest.raises(DataError, match=message):
        AnswerReader(labels).read(answer)


@pytest.mark.parametrize(
    ("labels", "partition"),
    [
        ("entailment,neutral,contradiction", "E|N|C"),
        ("entailment,not_entailment", "E|NC"),
        ("1:E;0:C", "E|C"),
        ("sure:E", "E|N|C"),
        ("0:E;1:N;2:C;3:NC", "E|N|C"),
        ("1:C;2:C;3:N;4:E;5:E", "E|N|C"),
    ],
)
def test_partition_of_a_label_map(labels: str, partition: str) -> None:
    assert str(partition_of(LabelMap.parse(labels))) == partition


@pytest.mark.parametrize(
    ("answers", "partition"),
    [("", "E|N|C"), ("E", "E|N|C"), ("E C", "E|N|C"), ("E NC", "E|NC"), ("NC", "E|NC"), ("E N C NC", "E|N|C")],
)
def test_partition_of_the_answers_seen(answers: str, partition: str) -> None:
    assert str(partition_seen(LabelSet.of(letters) for letters in answers.split())) == partition


def test_partition_of_no_label_map_is_three_way() -> None:
    assert str(partition_of(None)) == "E|N|C"


GOOD = Prediction(E, (1.0, 0.0, 0.0))
INPUTS = [Input("i1", (), "h", "snli/dev/1"), Input("i2", (), "h")]


def test_check_accepts_good_answers() -> None:
    check_predictions(INPUTS, [GOOD, NO_ANSWER], "m")
    check_predictions(INPUTS, [Prediction(NC), Prediction(None, None, Status.FAILED, "?")], "m")
    check_predictions([], [], "m")


@pytest.mark.parametrize(
    ("predictions", "message"),
    [
        ([GOOD], "The model m gave too few answers: 1 for 2 inputs"),
        ([GOOD] * 3, "too many answers: 3 for 2 inputs"),
        ([Prediction(None), GOOD], "'snli/dev/1': its status is ok, but its label is None"),
        ([Prediction(LabelSet.of("")), GOOD], "its status is ok, but its label is"),
        ([GOOD, Prediction(E, None, Status.NO_ANSWER)], "'i2': its status is 'no answer', but it has the label E"),
        ([GOOD, Prediction(E, (math.nan, 0.0, 0.0))], "not probabilities"),
        ([GOOD, Prediction(E, (math.inf, 0.0, 0.0))], "not probabilities"),
        ([GOOD, Prediction(E, (0.5, 0.0, 0.0))], "not probabilities"),
        ([GOOD, Prediction(E, (1.5, -0.5, 0.0))], "not probabilities"),
        ([GOOD, Prediction(E, (0.5, 0.5))], "2 probabilities instead of 3"),  # type: ignore[arg-type]
        ([GOOD, "entailment"], "should be a Prediction, not 'entailment'"),
    ],
)
def test_check_names_what_is_wrong(predictions: list[Prediction], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        check_predictions(INPUTS, predictions, "m")
