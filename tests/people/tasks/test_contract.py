"""What every task promises: nothing hidden is shown, and an answer has one form that any store can hold."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.people.tasks.specimens import specimens, wild

from nliprobe.base.errors import DataError, UsageError
from nliprobe.people.records import Item, Json
from nliprobe.people.tasks import TASKS, DeclaredTask, Task

every_task = pytest.mark.parametrize("name", TASKS.names())
SECRET = "sentinel-that-nobody-may-see"


def _keeps(task: Task, item: Item, answer: dict[str, Json]) -> dict[str, Json]:
    """Check an answer, and that its form is canonical; return it."""
    canonical = task.checked(item, answer)
    assert task.checked(item, canonical) == canonical
    text = json.dumps(canonical, allow_nan=False)
    assert json.loads(text) == canonical
    assert "\\u0000" not in text
    json.dumps(canonical, ensure_ascii=False).encode()
    vote = task.vote(canonical)
    assert vote is None or (isinstance(vote, str) and vote)
    assert task.agrees(canonical, canonical)
    return canonical


def _fault(action: Callable[[], object]) -> str | None:
    """Return the sentence that an action fails with, or None if it succeeds; any other error fails the test."""
    try:
        action()
    except DataError as error:
        sentence = str(error)
    else:
        return None
    assert sentence.endswith((".", "?"))
    assert len(sentence) < 1000
    sentence.encode()
    return sentence


@every_task
def test_answers_have_one_form(name: str) -> None:
    @settings(max_examples=25)
    @given(st.data())
    def check(data: st.DataObject) -> None:
        task, item, answer = data.draw(specimens(name))
        task.check_item(item)
        canonical = _keeps(task, item, answer)
        # What is known about an attention item is in the form in which answers are kept.
        task.check_item(replace(item, expected=canonical))

    check()


@every_task
def test_nothing_hidden_is_shown(name: str) -> None:
    @settings(max_examples=4)
    @given(st.data())
    def check(data: st.DataObject) -> None:
        task, item, answer = data.draw(specimens(name))
        secret = replace(
            item,
            hidden={"gold": SECRET, "deep": [{"x": SECRET}]},
            stratum=SECRET,
            batch=3,
            expected=task.checked(item, answer),
        )
        shown = task.shown(secret)
        assert SECRET not in json.dumps(shown)
        # What is hidden or expected has no influence on what is shown, in whatever form.
        assert shown == task.shown(replace(item, hidden={}, stratum="", batch=0, expected=None))
        assert json.loads(json.dumps(shown)) == shown
        assert isinstance(task, DeclaredTask)
        assert set(shown) <= {field.name for field in task.fields} | set(task.choices())

    check()


@every_task
def test_any_json_is_an_answer_or_a_sentence(name: str) -> None:
    @settings(max_examples=40)
    @given(st.data())
    def check(data: st.DataObject) -> None:
        task, item, answer = data.draw(specimens(name))
        # A whole answer of any form, or the right one with one value exchanged.
        key = data.draw(st.sampled_from(sorted(answer)))
        hostile = data.draw(st.one_of(wild, wild.map(lambda value: {**answer, key: value})))
        if _fault(lambda: task.checked(item, hostile)) is None:  # type: ignore[arg-type]
            _keeps(task, item, hostile)  # type: ignore[arg-type]

    check()


@every_task
def test_items_have_their_fields_and_no_others(name: str) -> None:
    @settings(max_examples=4)
    @given(st.data())
    def check(data: st.DataObject) -> None:
        task, item, _ = data.draw(specimens(name))
        assert isinstance(task, DeclaredTask)
        with pytest.raises(DataError, match="'glod', which means nothing here"):
            task.check_item(replace(item, content={**item.content, "glod": "E"}))
        needed = data.draw(st.sampled_from([field.name for field in task.fields if field.needed]))
        with pytest.raises(DataError, match=f"lacks the key '{needed}'"):
            task.check_item(replace(item, content={key: item.content[key] for key in item.content if key != needed}))
        with pytest.raises(DataError, match="expected answer of the item 'q1' is none"):
            task.check_item(replace(item, expected={"nothing": 1}))

    check()


@every_task
def test_any_content_is_an_item_or_a_sentence(name: str) -> None:
    @settings(max_examples=25)
    @given(st.data())
    def check(data: st.DataObject) -> None:
        task, item, _ = data.draw(specimens(name))
        key = data.draw(st.sampled_from(sorted(item.content)))
        changed = replace(item, content={**item.content, key: data.draw(wild)})
        if _fault(lambda: task.check_item(changed)) is None:
            json.dumps(task.shown(changed), ensure_ascii=False, allow_nan=False).encode()

    check()


@every_task
def test_an_option_that_nobody_knows_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="has no option 'partion'"):
        TASKS.get(name)({"partion": "E|NC"})


@every_task
def test_every_task_says_what_it_is_about_in_a_sentence(name: str) -> None:
    about = TASKS.get(name).about
    assert about[0].isupper()
    assert about.endswith(".")
    # It stands above every item, and what is suggested about a case is hidden from raters unless the owner shows it.
    assert "suggest" not in about
