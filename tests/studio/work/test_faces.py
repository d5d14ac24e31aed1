"""Every task from the invitation to the answer, with forms alone."""

from __future__ import annotations

import re

from starlette.applications import Starlette
from tests.studio.both import per_task
from tests.studio.work.desks import EVERY, come_in, hidden_fields, invitation, judge, make_project, work

from nliprobe.people.records import Item, Json
from nliprobe.people.store.judging import read_judgements
from nliprobe.studio.context import Studio


@per_task
def test_a_form_becomes_the_answer_of_the_task(task: str, app: Starlette, studio: Studio) -> None:
    project = make_project(studio, task)
    client = come_in(app, invitation(studio, project))
    for _ in EVERY[task].contents:
        judge(client, project)
    kept = read_judgements(studio.store, project.name)
    assert [one.answer for one in kept] == [EVERY[task].answer] * len(EVERY[task].contents)


@per_task
def test_an_answer_is_revised_from_the_form_that_shows_it(task: str, app: Starlette, studio: Studio) -> None:
    project = make_project(studio, task)
    client = come_in(app, invitation(studio, project))
    judge(client, project, remark="my words")
    address = client.show(f"{work(project)}/answers").partition('<li><a href="')[2].partition('"')[0]
    text = client.show(address)
    assert "my words" in text
    assert 'name="revise" value="yes"' in text
    client.submit(f"{work(project)}/judge", 200, **{**hidden_fields(text), **EVERY[task].form})
    every = read_judgements(studio.store, project.name, all_states=True)
    assert [(one.revision, one.state) for one in every] == [(0, "revised"), (1, "counts")]
    assert "revised 1 time" in client.show(f"{work(project)}/answers")


def test_what_belongs_to_no_sentence_is_shown_beside_them(app: Starlette, studio: Studio) -> None:
    text = "HEAD  It rained 👩‍🔬. ** We left. (Reuters)"
    spans: Json = [[text.index("It"), text.index(" **")], [text.index("We"), text.index(" (R")]]
    item = Item("i", {"premise": text, "hypothesis": "x", "sentences": spans})
    project = make_project(studio, "evidence", items=[item])
    page = come_in(app, invitation(studio, project)).show(work(project))
    assert re.findall(r'<li class="between text">(.*?)</li>', page) == ["HEAD", "**", "(Reuters)"]
    assert re.findall(r'<label for="unit-\d" class="text">(.*?)</label>', page) == ["It rained 👩‍🔬.", "We left."]


def test_an_explanation_shows_its_marked_words(app: Starlette, studio: Studio) -> None:
    project = make_project(studio, "predict", items=[Item("i", EVERY["predict"].contents[0])])
    page = come_in(app, invitation(studio, project)).show(work(project))
    assert "It <mark>rained all day. We left early.</mark></p>" in page
    assert "label: E" in page
    assert '<dt class="text">weights</dt>' in page


def test_people_read_what_is_wrong_without_json_and_programs_with_it(app: Starlette, studio: Studio) -> None:
    project = make_project(studio, "write")
    rater = come_in(app, invitation(studio, project))
    item = hidden_fields(rater.show(work(project)))["item"]
    answer = {"true": "It is high.", "false": "It is high.", "undecided": "It is cold."}
    asked = {"item": item, "request": "one"}
    wrong = rater.submit_json(f"{work(project)}/judge", {**asked, "fields": answer}, 422).json()["error"]
    assert wrong == '"One that must be false": expected another sentence than under "One that must be true".'
    assert rater.submit_json(f"{work(project)}/check", {**asked, "fields": answer}).json()["error"] == wrong
    wrong = rater.submit_json(f"{work(project)}/judge", {**asked, "answer": answer}, 422).json()["error"]
    assert wrong == "The answer has \"It is high.\" under 'false': expected another sentence than under 'true'."


def test_a_book_that_is_pasted_into_a_row_is_cut_off(app: Starlette, studio: Studio) -> None:
    project = make_project(studio, "counterfactual")
    rater = come_in(app, invitation(studio, project))
    # Two values at most, and fifty more, of 1,000 characters each.
    assert rater.show(work(project)).count('maxlength="52000"') == 3
