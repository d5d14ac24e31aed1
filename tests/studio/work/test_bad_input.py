"""What no page of ours sends: it is a sentence, and changes nothing."""

from __future__ import annotations

from starlette.applications import Starlette
from tests.studio.both import per_task
from tests.studio.helpers import Client
from tests.studio.work.desks import CUP, EVERY, PAIR, come_in, hidden_fields, invitation, make_project, work

from nliprobe.people.records import Item, Json, Project
from nliprobe.people.store.drafting import LONGEST_DRAFT
from nliprobe.people.store.judging import read_judgements
from nliprobe.studio.context import Studio

SCRIPT = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>"
WRONG: dict[str, list[dict[str, object]]] = {
    "verify": [{}, {"label": "X"}, {"label": ""}, {"label": ["E", "N"]}, {"label": SCRIPT}],
    "judge": [{}, {"label": "whatever"}, {"label": "E", "odd": ["yes", "no"]}],
    "predict": [{}, {"label": "0"}],
    "settle": [{}, {"choice": "accept"}, {"choice": "Z"}],
    "evidence": [
        {},
        {"unit": "99"},
        {"unit": "-1"},
        {"unit": SCRIPT},
        {"unit": "0", "nothing": "yes"},
        {"nothing": ["yes", "yes"]},
        {"unit": "9" * 400},
    ],
    "write": [
        {"true": "a"},
        {"true": "a", "false": "A", "undecided": "b"},
        {"true": "x" * 501, "false": "b", "undecided": "c"},
        {"true": "\0", "false": "b", "undecided": "c"},
        {"true": "...", "false": "b", "undecided": "c"},
    ],
    "counterfactual": [
        {"row": ["0", "1", "2"], "values-0": "2,310 m", "values-1": "Lower Alps\nWest", "values-2": " 1871 "},
        {"row": ["0", "1", "7"]},
        {"row": ["0", "0", "1"]},
        {"row": ["0", "1", SCRIPT]},
        {"row": ["0", "1"], "values-0": "1 m"},
        {"row": ["0", "1", "2"], "values-0": ""},
        {"row": ["0", "1", "2"], "values-0": "x" * 1001},
        {"row": ["0", "1", "2", "n1"], "key-n1": "New", "values-n1": "row"},
        {"row": [f"n{number}" for number in range(300)]},
    ],
    "pick": [{}, {"bin": "0"}, {"bin": "6"}, {"bin": "two"}, {"bin": "²"}],
    "bid": [{}, {"points-1": "4"}, {"points-1": "6"}, {"points-1": "-5", "points-2": "10"}, {"points-1": "five"}],
}


@per_task
def test_what_is_no_answer_is_a_sentence_and_stays_in_the_form(task: str, app: Starlette, studio: Studio) -> None:
    project = make_project(studio, task)
    rater = come_in(app, invitation(studio, project))
    offer = hidden_fields(rater.show(work(project)))
    for wrong in WRONG[task]:
        fields = {"item": offer["item"], "request": offer["request"], "remark": SCRIPT, **wrong}
        page = rater.submit(f"{work(project)}/judge", 422, **fields).text
        assert 'id="wrong">' in page, wrong
        assert "<script>alert" not in page
        assert "<img src=x" not in page
        assert "&lt;script&gt;" in page, "the remark is still there"
        body = {"item": offer["item"], "request": offer["request"], "fields": wrong}
        error = rater.submit_json(f"{work(project)}/judge", body, 422).json()["error"]
        assert error.endswith(".")
        assert "secret" not in error
        checked = rater.submit_json(f"{work(project)}/check", body, status_of(task, wrong)).json()["error"]
        assert checked.endswith(".")
    assert read_judgements(studio.store, project.name) == []


def status_of(task: str, wrong: dict[str, object]) -> int:
    """A table that no form can have sent has no difference to show, either."""
    rows = wrong.get("row")
    broken = isinstance(rows, list) and (rows[-1] in ("7", SCRIPT) or rows[:2] == ["0", "0"])
    return 422 if task == "counterfactual" and broken else 200


@per_task
def test_scripts_in_every_field_are_text(task: str, app: Starlette, studio: Studio) -> None:
    content: dict[str, Json] = {}
    for name, value in EVERY[task].contents[0].items():
        content[name] = poisoned(name, value)
    project = make_project(
        studio, task, items=[Item("i", content), Item("j", content)], title=SCRIPT, instructions=f"{SCRIPT}\n\n<b>x</b>"
    )
    link = invitation(studio, project)
    rater = come_in(app, f"{link}?worker={SCRIPT}")
    pages = [rater.show(f"{link}?worker={SCRIPT}"), rater.show(work(project))]
    fields = hidden_fields(pages[-1])
    sent: dict[str, object] = {name: EVERY[task].form[name] for name in EVERY[task].form}
    if task == "write":
        sent = {name: f"{name} {SCRIPT}" for name in sent}
    if task == "counterfactual":
        sent["values-0"] = SCRIPT
    draft: dict[str, object] = dict.fromkeys([*sent, "remark", SCRIPT], SCRIPT)
    rater.submit_json(f"{work(project)}/draft", {"item": fields["item"], "fields": draft})
    pages.append(rater.show(work(project)))
    pages.append(rater.submit(f"{work(project)}/check", 200, **{**fields, **sent}).text)
    pages.append(rater.submit(f"{work(project)}/judge", 200, **{**fields, **sent, "remark": SCRIPT}).text)
    pages.append(rater.show(f"{work(project)}/answers"))
    pages.append(rater.show(f"{work(project)}/answers/{fields['item']}"))
    pages.append(rater.show(f"{work(project)}/me"))
    for page in pages:
        assert "<script>alert" not in page
        assert "<img" not in page
        assert "<b>x" not in page
    assert len(read_judgements(studio.store, project.name)) == 1


def poisoned(name: str, value: Json) -> Json:
    """The same content with a script in each of its texts."""
    if name in ("wanted", "suggested", "category"):
        return value
    if isinstance(value, str):
        return value + SCRIPT
    if isinstance(value, dict):
        return {key: poisoned(key, inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [poisoned("", inner) for inner in value]
    return value


def test_ten_megabytes_are_refused(rater: Client, project: Project, studio: Studio) -> None:
    fields = hidden_fields(rater.show(work(project)))
    huge = "x" * 10_000_000
    for action in ("judge", "draft", "check", "skip", "pause", "withdraw"):
        answer = rater.post(
            f"{work(project)}/{action}", data={**fields, "remark": huge, "form_token": rater.form_token}
        )
        assert answer.status_code == 413
    assert rater.post(f"{work(project)}/join", data={"token": huge}).status_code == 413
    rater.submit_json(f"{work(project)}/draft", {"item": fields["item"], "fields": {"x": "y" * LONGEST_DRAFT}}, 422)
    rater.submit(f"{work(project)}/judge", 422, **fields, label="E", remark="x" * 5001)
    assert read_judgements(studio.store, project.name) == []


def test_another_s_item_is_not_there(app: Starlette, studio: Studio) -> None:
    project = make_project(studio, raters_per_item=1, count=6)
    mine, other = (come_in(app, invitation(studio, project)) for _ in range(2))
    theirs = hidden_fields(other.show(work(project)))
    for item in (theirs["item"], "secret-name-0", "0" * 20, "", "x" * 5000, "%00"):
        for action in ("judge", "draft", "check", "skip"):
            answer = mine.submit(f"{work(project)}/{action}", 404, item=item, request="r", label="E", reason="x")
            assert "not given to you" in answer.text
        assert mine.get(f"{work(project)}/answers/{item or 'x'}").status_code == 404
    mine.submit(f"{work(project)}/judge", 422, request="r", label="E")
    assert read_judgements(studio.store, project.name) == []
    # The item that the rater has is no earlier answer.
    own = hidden_fields(mine.show(work(project)))
    assert "nothing to revise" in mine.show(f"{work(project)}/answers/{own['item']}", 422)


def test_requests_without_a_key_or_form_are_refused(rater: Client, project: Project, studio: Studio) -> None:
    fields = hidden_fields(rater.show(work(project)))
    address = f"{work(project)}/judge"
    for wrong in ({"request": ""}, {"request": "x" * 300}, {"request": "a\nb"}, {"request": ["a", "b"]}):
        rater.submit(address, 422, **{**fields, **wrong, "label": "E"})
    rater.submit(address, 422, item=fields["item"], label="E")
    for body in ({"fields": 7}, {"answer": 7}, {"answer": {"label": "E", "more": 1}}, {"fields": {"label": {"a": 1}}}):
        rater.submit_json(address, {"item": fields["item"], "request": "r", **body}, 422)
    assert rater.post(address, data=fields | {"label": "E", "form_token": "0" * 40}).status_code == 403
    assert rater.post(address, json={"item": fields["item"]}).status_code == 403
    assert rater.post(address, content=b"[1", headers={"content-type": "application/json"}).status_code == 422
    assert read_judgements(studio.store, project.name) == []


def test_a_table_of_columns_is_edited_cell_by_cell(app: Starlette, studio: Studio) -> None:
    items = [Item("i", {**PAIR, "premise": CUP, "wanted": "C"})]
    project = make_project(studio, "counterfactual", items=items, options={"edits": "rows"})
    rater = come_in(app, invitation(studio, project))
    fields: dict[str, object] = {**hidden_fields(rater.show(work(project)))}
    fields |= {"row": ["0", "1", "n1"], "values-0": ["Ann", "3"], "values-1": ["Ben", "2"], "gone-1": "yes"}
    rater.submit(f"{work(project)}/judge", 422, **{**fields, "values-n1": ["Cem"]})
    rater.submit(f"{work(project)}/judge", 200, **{**fields, "values-n1": ["Cem", "2"]})
    [kept] = read_judgements(studio.store, project.name)
    rows: Json = [["", ["Ann", "3"]], ["", ["Cem", "2"]]]
    assert kept.answer["table"] == CUP | {"rows": rows}
    page = rater.show(f"{work(project)}/answers/{fields['item']}")
    assert 'name="values-0" value="3"' in page


def test_rows_are_added_and_removed_where_the_project_lets_them(app: Starlette, studio: Studio) -> None:
    project = make_project(studio, "counterfactual", options={"edits": "rows"})
    rater = come_in(app, invitation(studio, project))
    fields: dict[str, object] = {**hidden_fields(rater.show(work(project)))}
    fields |= {"row": ["0", "1", "2", "n1", "n2"], "gone-1": "yes", "key-n1": "Country", "values-n1": "A\n\nB"}
    body = {"item": fields["item"], "fields": {k: v for k, v in fields.items() if k not in ("item", "request", "seen")}}
    live = rater.submit_json(f"{work(project)}/check", body).json()
    assert live["error"] == ""
    assert [(line["name"], line["change"]) for line in live["lines"]] == [
        ("Height", "same"),
        ("Range", "removed"),
        ("First ascent", "same"),
        ("Country", "added"),
    ]
    rater.submit(f"{work(project)}/judge", 200, **fields)
    [kept] = read_judgements(studio.store, project.name)
    table = kept.answer["table"]
    assert isinstance(table, dict)
    assert table["rows"] == [["Height", ["2,310 m"]], ["First ascent", ["1871"]], ["Country", ["A", "B"]]]
    page = rater.show(f"{work(project)}/answers/{fields['item']}")
    assert 'value="Country"' in page
    assert 'name="gone-1" value="yes" checked' in page
    rater.submit(f"{work(project)}/judge", 200, **{**fields, "revise": "yes", "request": "new", "values-n1": "C"})
    assert "Range removed; Country added" in rater.show(f"{work(project)}/answers")
