"""What a front end may send to participants: declared fields, and nothing that gives the answer away."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from typing import get_type_hints

import pytest
from tests.people.studied import EXAMPLE_ITEMS, SECRET, TEMPLATE_ITEMS, TEMPLATES, small_study

from nliprobe.base.errors import NotFoundError
from nliprobe.people.study.orders import Counterbalance, item_order, order_of, stage_orders
from nliprobe.people.study.plan import DEFAULT, read_phases, read_plan
from nliprobe.people.study.records import ABOUT_TEMPLATES, FeedbackQuestion, TemplateAccuracy, Wording
from nliprobe.people.study.shown import (
    ClientExample,
    ClientItem,
    ClientStage,
    ClientStudy,
    shown_item,
    shown_stage,
    shown_study,
)

# What no participant may read, in any key or value; pools and pairs would name templates.
HIDDEN = (SECRET, "another-secret", *TEMPLATES, "secret-pool", "secret/", "gold", "truth", "prediction", "capability")


def test_an_item_has_exactly_the_declared_fields() -> None:
    study, _ = small_study()
    for stage in study.stages:
        for entry in stage.items:
            sent = json.loads(json.dumps(shown_item(study, stage.id, entry.item)))
            assert set(sent) == set(get_type_hints(ClientItem))
            assert all(set(one) == set(get_type_hints(ClientExample)) for one in sent["examples"])
        assert set(shown_stage(study, stage.id)) == set(get_type_hints(ClientStage))
    assert set(shown_study(study)) == set(get_type_hints(ClientStudy))


def test_nothing_that_is_sent_names_what_is_hidden() -> None:
    study, _ = small_study()
    sent = [json.dumps(shown_study(study))]
    for stage in study.stages:
        sent.append(json.dumps(shown_stage(study, stage.id)))
        sent += [json.dumps(shown_item(study, stage.id, entry.item)) for entry in stage.items]
    for text in sent:
        assert not [word for word in HIDDEN if word in text.casefold()]


def test_questions_about_examples_say_nothing_about_templates() -> None:
    study, _ = small_study()
    # Even if somebody writes templates into the file by hand.
    told = TemplateAccuracy(Wording("{A} barks.", "{A} is loud."), "E", 0.5, 10, "")
    stages = tuple(replace(stage, templates=(told,)) if stage.id == "B1" else stage for stage in study.stages)
    study = replace(study, stages=stages)
    text = json.dumps([shown_stage(study, "B1"), *(shown_item(study, "B1", item) for item in EXAMPLE_ITEMS)])
    assert "{A}" not in text
    assert '"wording": null' in text
    assert "template" not in text.replace('"templates": []', "")
    assert shown_item(study, "bids", "t1")["wording"] == {"premise": "{NAME} barks.", "hypothesis": "{NAME} is loud."}


def test_participants_know_stages_by_their_titles_and_places() -> None:
    study, _ = small_study()
    [asked] = shown_study(study)["feedback"]
    assert (asked["answers"], asked["says"]) == (["B1", "R2"], ["Labels", "Labels"])
    [asked] = shown_study(study, ("R2", "bids", "B1", "picks"))["feedback"]
    assert (asked["answers"], asked["says"]) == (["R2", "B1"], ["Part 1: Labels", "Part 3: Labels"])
    # Answers of other questions may look like ids of stages.
    scale = FeedbackQuestion("hard", "How hard was it?", ("B1", "1", "2"))
    [shown] = shown_study(replace(study, feedback=(scale,)), ("R2", "bids", "B1", "picks"))["feedback"]
    assert shown["answers"] == shown["says"] == ["B1", "1", "2"]


def test_any_stage_of_the_plan_may_come_first() -> None:
    for phase in read_phases(DEFAULT):
        plan = read_plan([phase], 2)
        for stage in plan.stages:
            said = " ".join(stage.instructions)
            assert "before" not in f"{said} {stage.title}"
            assert ("words in braces stand for" in said) == (stage.question in ABOUT_TEMPLATES), stage.id
        [easier, _] = plan.feedback
        assert easier.names_stages
        assert {stage.id for stage in plan.stages} < set(easier.answers)


def test_what_is_asked() -> None:
    study, _ = small_study()
    bid, pick, label = (
        shown_item(study, stage, item) for stage, item in (("bids", "t1"), ("picks", "t1"), ("B1", "q01"))
    )
    assert (bid["points"], pick["points"], label["points"]) == (5, None, None)
    assert label["says"] == ["entailment", "neutral", "contradiction"]
    assert pick["says"][0] == "0-20 %"
    assert "System X" in label["ask"]
    practice = shown_study(study)["practice"]
    assert practice is not None
    assert "Because it is." not in json.dumps(practice)
    with pytest.raises(NotFoundError, match="no item 'q99'"):
        shown_item(study, "B1", "q99")
    with pytest.raises(NotFoundError, match=r"no stage 'B3'\. Available: B1"):
        shown_stage(study, "B3")


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 6, 9])
@pytest.mark.parametrize("by", list(Counterbalance))
def test_orders_are_balanced(count: int, by: Counterbalance) -> None:
    stages = [f"s{number}" for number in range(count)]
    orders = stage_orders(stages, by)
    assert all(sorted(order) == stages for order in orders)
    assert orders[0][0] == "s0"
    if by is Counterbalance.NONE or count == 1:
        assert orders == (tuple(stages),)
        return
    times = len(orders) // count
    for place in range(count):
        assert sorted(order[place] for order in orders) == sorted(stages * times)
    if by is Counterbalance.LATIN:
        followed = [pair for order in orders for pair in pairwise(order)]
        assert len({followed.count(pair) for pair in followed}) == 1
        assert len(set(followed)) == count * (count - 1)


def test_participants_take_orders_in_turn_and_items_in_an_order_of_their_own() -> None:
    study, _ = small_study()
    assert [order_of(study, number)[0] for number in range(1, 6)] == ["bids", "picks", "B1", "R2", "bids"]
    assert order_of(study, 2) == ("picks", "B1", "R2", "bids")
    orders = {tuple(item_order(study, stage, number)) for stage in ("B1", "R2") for number in range(1, 5)}
    assert len(orders) == 8
    assert all(sorted(order) == list(EXAMPLE_ITEMS) for order in orders)
    assert item_order(study, "B1", 1) == item_order(study, "B1", 1)
    assert sorted(item_order(study, "bids", 1)) == list(TEMPLATE_ITEMS)
    with pytest.raises(ValueError, match="numbered from 1"):
        order_of(study, 0)
