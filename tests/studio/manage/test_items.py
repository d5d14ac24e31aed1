"""Items of a project: what was said about them, their lists, and what the owner decides."""

from __future__ import annotations

import re
from html import unescape

import pytest
from tests.studio.both import pytest_generate_tests as pytest_generate_tests
from tests.studio.helpers import Client
from tests.studio.manage.made import SCRIPT, make, told, work

from nliprobe.people.records import Json, JudgementState
from nliprobe.people.store.adjudicating import adjudicate, disagreements, read_adjudications
from nliprobe.people.store.handing_out import next_item
from nliprobe.people.store.judging import judge_item, read_judgements
from nliprobe.people.store.looking import Which, count_items, list_items, read_item_numbers
from nliprobe.people.store.projects import read_items
from nliprobe.people.store.raters import join_project
from nliprobe.people.tasks.premises import premise_of
from nliprobe.studio.context import Studio
from nliprobe.studio.manage.words import about
from nliprobe.task.table import Table


def test_an_item_shows_what_was_said_with_its_history(owner: Client, studio: Studio) -> None:
    home = make(studio.store)
    work(studio.store)
    every = read_judgements(studio.store, "labels", all_states=True)
    revised = next(one.item for one in every if one.state is JudgementState.REVISED)
    page = owner.show(f"{home}/items/{read_item_numbers(studio.store, 'labels')[revised]}")
    assert "<b>revised</b>" in page
    assert "revision 1" in page
    assert "instructions 1" in page
    flagged = list_items(studio.store, "labels", Which.FLAGGED, first=0, most=9)
    assert len(flagged) == 1
    page = owner.show(f"{home}/items/{flagged[0].number}")
    assert "flagged, “odd &lt;script&gt;" in page


def test_items_are_listed_page_by_page(owner: Client, studio: Studio) -> None:
    home = make(studio.store, most_items=120, raters_per_item=1)
    assert "Page 1 of 3" in owner.show(f"{home}/items")
    assert "item 119" in owner.show(f"{home}/items?page=3")
    assert "item 0<" not in owner.show(f"{home}/items?page=2")
    work(studio.store, raters=1, most=7)
    assert count_items(studio.store, "labels", Which.OPEN) == 113
    assert "113 items" in owner.show(f"{home}/items?which=open")


def test_a_list_says_what_items_are_about(owner: Client, studio: Studio) -> None:
    home = make(studio.store)
    listed = unescape(owner.show(f"{home}/items"))
    for item in read_items(studio.store, "labels"):
        assert str(item.content["hypothesis"])[:150] in listed
    tables = make(studio.store, "tables", "write")
    [first, *_] = read_items(studio.store, "tables")
    premise = premise_of(first.content["premise"])
    assert isinstance(premise, Table)
    assert f"{premise.title}: {premise.keys[0]}, {premise.keys[1]}" in unescape(owner.show(f"{tables}/items"))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ({"premise": "p", "hypothesis": "h" * 300}, f"{'h' * 200}…"),
        ({"template": "{A} is {B}."}, "{A} is {B}."),
        ({"premise": "A text."}, "A text."),
        ({"premise": {"title": "Cup", "columns": ["who", "won"], "rows": [["", ["Ann", "1"]]]}}, "Cup: who, won"),
        ({"premise": {"title": "", "rows": [["Height", ["1 m"]]]}}, "Height"),
    ],
)
def test_what_an_item_is_about(content: dict[str, Json], said: str) -> None:
    assert about(content) == said


def test_a_list_that_became_shorter_shows_its_last_page(
    owner: Client, studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = make(studio.store)
    work(studio.store)
    for module in ("items", "deciding", "history"):
        monkeypatch.setattr(f"nliprobe.studio.manage.{module}._PER_PAGE", 4)
    assert "Page 3 of 3" in owner.show(f"{home}/items?page=9")
    found = disagreements(studio.store, "labels")
    pages = -(-len(found) // 4)
    assert f"Page {pages} of {pages}" in owner.show(f"{home}/disagreements?page={pages}")
    for one in found[4:]:
        adjudicate(studio.store, "labels", one.item.name, {"label": "N"})
    assert owner.show(f"{home}/disagreements?page={pages}").count("?then=next") == 4
    last = re.search(r"Page (\d+) of (\d+)", owner.show(f"{home}/log?page=999"))
    assert last is not None
    assert last[1] == last[2]


def test_disagreements_are_decided_most_split_first(owner: Client, studio: Studio) -> None:
    home = make(studio.store)
    work(studio.store)
    found = disagreements(studio.store, "labels")
    numbers = read_item_numbers(studio.store, "labels")
    page = owner.show(f"{home}/disagreements")
    shown = [int(number) for number in re.findall(r"/items/(\d+)\?then=next", page)]
    assert shown == [numbers[one.item.name] for one in found]
    first = f"{home}/items/{shown[0]}"
    refused = owner.submit(first, 422, reason=f"because {SCRIPT}", then="next").text
    assert "Nothing is chosen" in refused
    assert "Decide and go on" in refused, "the way to the next one is not lost"
    assert 'value="because &lt;script&gt;' in refused
    assert "expected one" in owner.submit(first, 422, label=["E", "N"]).text
    assert "E, N or C" in owner.submit(first, 422, label=SCRIPT).text
    assert read_adjudications(studio.store, "labels") == []
    answer = owner.submit(first, label="N", reason=f"see {SCRIPT}", then="next")
    assert f"/items/{shown[1]}" in str(answer.url), "the next one follows"
    assert f"{len(found) - 1} are open" in owner.show(f"{home}/disagreements")
    owner.submit(first, label="C")
    assert [one.answer for one in read_adjudications(studio.store, "labels")] == [{"label": "C"}]
    page = owner.show(first)
    assert "see &lt;script&gt;" in page
    assert "replaced" in page
    assert told(studio)[-2:] == ["adjudicated", "adjudicated"]


def test_evidence_is_decided_by_rows(owner: Client, studio: Studio) -> None:
    home = make(studio.store, "ev", "evidence")
    work(studio.store, "ev", "evidence")
    number = read_item_numbers(studio.store, "ev")[disagreements(studio.store, "ev")[0].item.name]
    assert "of 3" in owner.show(f"{home}/items/{number}")
    refused = owner.submit(f"{home}/items/{number}", 422, evidence=["1.", "99."], outside="no").text
    assert 'value="1." checked' in refused
    assert 'value="no" checked' in refused
    # What is missing is said where it is to be chosen, which may be many rows below, and has the focus.
    refused = owner.submit(f"{home}/items/{number}", 422, evidence=["1."]).text
    assert re.findall(r'name="(\w+)" value="[^"]*"[^>]* autofocus', refused) == ["outside"]
    assert refused.index('value="1." checked') < refused.index("Nothing is chosen") < refused.index('name="outside"')
    owner.submit(f"{home}/items/{number}", evidence=["1.", "3."], outside="yes")
    [decided] = read_adjudications(studio.store, "ev")
    assert decided.answer == {"units": [0, 2], "outside": True}
    owner.submit(f"{home}/items/{number}", outside="no")
    assert read_adjudications(studio.store, "ev")[0].answer == {"units": [], "outside": False}
    assert 'value="no" checked' in owner.show(f"{home}/items/{number}")


def test_rows_that_raters_marked_are_told_apart_and_texts_have_no_gold_label(owner: Client, studio: Studio) -> None:
    home = make(studio.store, "ev", "evidence", raters_per_item=2)
    for rater, units in (("ann", [0, 1]), ("ben", [1, 2])):
        join_project(studio.store, "ev", rater)
        while (offered := next_item(studio.store, "ev", rater)) is not None:
            said: dict[str, Json] = {"units": [*units], "outside": False}
            judge_item(studio.store, "ev", rater, offered.item.name, said, request=offered.item.name)
    assert "1 × rows 1, 2; 1 × rows 2, 3" in owner.show(f"{home}/disagreements")
    home = make(studio.store, "texts", "write")
    work(studio.store, "texts", "write")
    page = owner.show(f"{home}/items/0")
    assert "3 count." in page
    assert "In the data it is" not in page


def test_attention_items_and_written_texts_are_not_decided(owner: Client, studio: Studio) -> None:
    home = make(studio.store, attention=["builtin/sentences-dev"], attention_every=3)
    number = list_items(studio.store, "labels", Which.ATTENTION, first=0, most=1)[0].number
    assert "Decide" not in owner.show(f"{home}/items/{number}")
    owner.submit(f"{home}/items/{number}", 422, label="E")
    home = make(studio.store, "texts", "write")
    assert "there is nothing to decide" in owner.show(f"{home}/disagreements")
    owner.submit(f"{home}/items/0", 422, label="E")
