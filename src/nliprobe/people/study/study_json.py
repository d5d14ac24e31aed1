"""Reading ``study.json``, which people may write by hand: every fault is a sentence that names the key."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NoReturn, TypeVar

from nliprobe.base.fields import Fields
from nliprobe.people.study.records import (
    ABOUT_TEMPLATES,
    FeedbackQuestion,
    Item,
    LabelAccuracy,
    Practice,
    Question,
    ShownExample,
    Shows,
    Stage,
    StageItem,
    Study,
    TemplateAccuracy,
    Wording,
)
from nliprobe.task.pair import Span

T = TypeVar("T")


def read_study_fields(read: Fields) -> Study:
    """Read a study from the values of its file, and check that its parts fit together."""
    items = _named(read, "items", _item)
    stages = _named(read, "stages", _stage)
    if not stages:
        read.refuse("stages", "at least one stage")
    by_id = {item.id: item for item in items}
    for place, stage in enumerate(stages):
        _check_items(read, place, stage, by_id)
    practice = read.inner_or_none("practice")
    return Study(
        title=read.text("title"),
        landing=read.texts("landing"),
        consent=read.text("consent"),
        practice=None if practice is None else _practice(practice),
        points=read.count("points", 1),
        orders=_orders(read, [stage.id for stage in stages]),
        items=items,
        stages=stages,
        feedback=_named(read, "feedback", _feedback),
    )


def _named(read: Fields, key: str, one: Callable[[Fields], T]) -> tuple[T, ...]:
    """Return a list of records whose ids are all different."""
    entries = read.each(key)
    ids = [entry.text("id") for entry in entries]
    for place, name in enumerate(ids):
        if not name.strip() or name in ids[:place]:
            entries[place].refuse("id", "a name that no other entry has")
    return tuple(one(entry) for entry in entries)


def _check_items(read: Fields, place: int, stage: Stage, items: dict[str, Item]) -> None:
    listed = [entry.item for entry in stage.items]
    about = stage.question in ABOUT_TEMPLATES
    for number, name in enumerate(listed):
        where = read.each("stages")[place].each("items")[number]
        if name not in items:
            where.refuse("item", "the id of an item of the study")
        if name in listed[:number]:
            where.refuse("item", "an item that the stage does not have already")
        if (items[name].wording is not None) != about:
            kind = "a template, with its wording" if about else "an example, without a template's wording"
            where.refuse("item", f"{kind}, because the stage asks for '{stage.question}'")
    if not listed:
        read.each("stages")[place].refuse("items", "at least one item")
    for number, question in enumerate(stage.feedback):
        if question.id in listed:
            read.each("stages")[place].each("feedback")[number].refuse("id", "a name that no item of the stage has")


def _orders(read: Fields, stages: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    value = read.values.get("orders")
    fits = isinstance(value, list) and value and all(isinstance(order, list) for order in value)
    if not fits or not isinstance(value, list) or any(sorted(map(str, order)) != sorted(stages) for order in value):
        read.refuse("orders", "a list of orders, each of which names every stage once")
    return tuple(tuple(map(str, order)) for order in value)


def _stage(read: Fields) -> Stage:
    answers = read.texts("answers")
    if len(answers) < 2 or len(set(answers)) < len(answers):
        read.refuse("answers", "at least two different answers")
    return Stage(
        id=read.text("id"),
        title=read.text("title"),
        system=read.text("system"),
        question=read.parsed("question", Question, ", ".join(Question)),
        answers=answers,
        shows=read.parsed("shows", Shows, ", ".join(Shows)),
        instructions=read.texts("instructions"),
        items=tuple(StageItem(one.text("item"), _examples(one)) for one in read.each("items")),
        labels=tuple(
            LabelAccuracy(one.text("label"), _share(one, "accuracy"), one.count("n")) for one in read.each("labels")
        ),
        templates=tuple(map(_template, read.each("templates"))),
        feedback=_named(read, "feedback", _feedback),
    )


def _template(read: Fields) -> TemplateAccuracy:
    return TemplateAccuracy(
        _wording(read.inner("wording")),
        read.text("label"),
        _share(read, "accuracy"),
        read.count("n"),
        read.text("about"),
    )


def _item(read: Fields) -> Item:
    wording = read.inner_or_none("wording")
    return Item(
        read.text("id"),
        read.text("premise"),
        read.text("hypothesis"),
        None if wording is None else _wording(wording),
    )


def _wording(read: Fields) -> Wording:
    return Wording(read.text("premise"), read.text("hypothesis"))


def _practice(read: Fields) -> Practice:
    return Practice(
        read.text("premise"),
        read.text("hypothesis"),
        _examples(read),
        read.text("solution"),
        read.text("because"),
    )


def _examples(read: Fields) -> tuple[ShownExample, ...]:
    return tuple(
        ShownExample(
            one.text("premise"),
            one.text("hypothesis"),
            _spans(one, "premise_marks", len(one.text("premise"))),
            _spans(one, "hypothesis_marks", len(one.text("hypothesis"))),
            one.text("label"),
        )
        for one in read.each("examples")
    )


def _feedback(read: Fields) -> FeedbackQuestion:
    # Files of earlier versions do not have it.
    names_stages = read.values.get("names_stages", False)
    if not isinstance(names_stages, bool):
        read.refuse("names_stages", "true or false")
    return FeedbackQuestion(read.text("id"), read.text("ask"), read.texts("answers"), names_stages)


def _spans(read: Fields, key: str, length: int) -> tuple[Span, ...]:
    value = read.values.get(key)
    if not isinstance(value, list):
        _refuse_spans(read, key)
    spans: list[Span] = []
    for pair in value:
        whole = isinstance(pair, list) and len(pair) == 2 and all(type(end) is int for end in pair)
        if not whole or not 0 <= pair[0] < pair[1] <= length:
            _refuse_spans(read, key)
        spans.append((pair[0], pair[1]))
    return tuple(spans)


def _refuse_spans(read: Fields, key: str) -> NoReturn:
    read.refuse(key, "a list of places in the text, each with its start and its end")


def _share(read: Fields, key: str) -> float:
    value = read.values.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        read.refuse(key, "a share from 0 to 1")
    return float(value)
