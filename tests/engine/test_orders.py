"""The order in which inputs are asked: the longest first, or premise by premise where a model wants that."""

from __future__ import annotations

from itertools import groupby

from hypothesis import given
from hypothesis import strategies as st
from tests.engine.fakes import Hasher, system

from nliprobe.engine.stages import Question, by_length, by_premise, look_up
from nliprobe.task.case import Input

INPUTS = st.lists(
    st.tuples(st.sampled_from(["", "a", "a b", "ab", "b"]), st.text(max_size=3), st.sampled_from(["", "json"])),
    max_size=20,
    unique=True,
).map(lambda items: [Input(f"{n:024x}", (p[:1], p[1:]), h, form=f) for n, (p, h, f) in enumerate(items)])


class Patient(Hasher):
    order = "premise"


@given(INPUTS, st.randoms())
def test_premises_stay_together_whatever_the_order_before(inputs: list[Input], random: object) -> None:
    ordered = by_premise(inputs)
    assert sorted(ordered) == sorted(inputs)
    groups = [key for key, _ in groupby(ordered, key=lambda item: (item.form, item.premise))]
    assert len(groups) == len(set(groups))
    shuffled = list(inputs)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert by_premise(shuffled) == ordered


@given(INPUTS)
def test_a_model_is_asked_in_the_order_it_wants(inputs: list[Input]) -> None:
    question = Question(0, [], [], {}, inputs)
    assert look_up(system(Hasher()), question, {}, None).missing == by_length(inputs)
    assert look_up(system(Patient()), question, {}, None).missing == by_premise(inputs)
