"""Drafts, disagreements and what the owner decides about them; events and the secret of a store."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.people.store.labelled import attention, items, project

from nliprobe.api.people_export import export_project
from nliprobe.base.errors import DataError, NotFoundError
from nliprobe.people.counted import Counted
from nliprobe.people.records import Item, Json, Judgement, Project
from nliprobe.people.store.adjudicating import adjudicate, disagreements, read_adjudications, split_of
from nliprobe.people.store.database import Database
from nliprobe.people.store.drafting import keep_draft, read_draft
from nliprobe.people.store.events import read_events, record_event
from nliprobe.people.store.handing_out import next_item
from nliprobe.people.store.judging import judge_item
from nliprobe.people.store.progress import read_log
from nliprobe.people.store.projects import create_project
from nliprobe.people.store.raters import join_project, withdraw_rater
from nliprobe.people.store.secret import studio_secret
from nliprobe.people.tasks import TASKS
from nliprobe.task.sources import open_source


def judged(store: Database, **said: str) -> None:
    """Let raters say a letter about each item; they get the items in an order of their own."""
    for rater, labels in said.items():
        join_project(store, "p", rater)
        while (offer := next_item(store, "p", rater)) is not None:
            label = "C" if offer.item.expected else labels[int(offer.item.name[1:])]
            judge_item(store, "p", rater, offer.item.name, {"label": label}, request=offer.item.name)


def test_a_draft_is_kept_until_the_item_is_judged(opened: Callable[[], Database]) -> None:
    store = opened()
    create_project(store, project(), items(1))
    join_project(store, "p", "a")
    with pytest.raises(DataError, match="was not given to 'a'"):
        keep_draft(store, "p", "a", "q0000", {"label": "E"})
    next_item(store, "p", "a")
    assert read_draft(store, "p", "a", "q0000") is None
    keep_draft(store, "p", "a", "q0000", {"label": "E"})
    keep_draft(store, "p", "a", "q0000", {"label": "N", "text": "\0 é \ud800"})
    assert read_draft(opened(), "p", "a", "q0000") == {"label": "N", "text": "\0 é \ud800"}
    assert read_draft(store, "p", "b", "q0000") is None
    with pytest.raises(DataError, match="at most 500,000"):
        keep_draft(store, "p", "a", "q0000", {"text": "x" * 500_001})
    judge_item(store, "p", "a", "q0000", {"label": "N"}, request="1")
    assert read_draft(store, "p", "a", "q0000") is None
    keep_draft(store, "p", "a", "q0000", {"label": "C"})
    withdraw_rater(store, "p", "a")
    assert read_draft(store, "p", "a", "q0000") is None


def test_the_most_split_items_come_first(store: Database) -> None:
    create_project(store, project(raters_per_item=3, attention_every=2), [*items(4), *attention(2)])
    judged(store, a="EEEN", b="EENC", c="ENCE")
    found = disagreements(store, "p")
    assert [(one.item.name, round(one.split, 3)) for one in found] == [("q0002", 1), ("q0003", 1), ("q0001", 0.667)]
    assert [one.rater for one in found[2].judgements] == ["a", "b", "c"]
    assert found[0].decided is None


def test_decisions_are_kept_and_the_newest_counts(store: Database) -> None:
    create_project(store, project(raters_per_item=2), [*items(2), *attention(1)])
    judged(store, a="EE", b="EN")
    assert adjudicate(store, "p", "q0001", {"label": "neutral"}, reason="as the text says").answer == {"label": "N"}
    adjudicate(store, "p", "q0001", {"label": "C"})
    adjudicate(store, "p", "q0001", {"label": "C"})
    assert [one.answer for one in read_adjudications(store, "p")] == [{"label": "C"}]
    assert [one.reason for one in read_adjudications(store, "p", history=True)] == ["as the text says", ""]
    [found] = disagreements(store, "p")
    assert found.decided is not None
    assert found.decided.answer == {"label": "C"}
    assert [entry.what for entry in read_log(store, "p")].count("adjudicated") == 2
    with pytest.raises(DataError, match="label"):
        adjudicate(store, "p", "q0001", {"label": "sideways"})
    with pytest.raises(DataError, match="attention item"):
        adjudicate(store, "p", "a000", {"label": "C"})
    with pytest.raises(NotFoundError, match="no item 'x'"):
        adjudicate(store, "p", "x", {"label": "C"})


def test_exports_prefer_what_the_owner_decided_and_say_so(store: Database, place: str, tmp_path: Path) -> None:
    create_project(store, project(raters_per_item=2), items(3))
    judged(store, a="EEE", b="ENE")
    first = export_project(place, "p", tmp_path / "first.jsonl", form="corpus")
    assert (first.written, first.left_out, first.adjudicated) == (2, {"no majority": 1}, 0)
    adjudicate(store, "p", "q0001", {"label": "C"})
    done = export_project(place, "p", tmp_path / "corpus.jsonl", form="corpus")
    assert (done.written, done.left_out, done.adjudicated) == (3, {}, 1)
    rows = [json.loads(line) for line in (tmp_path / "corpus.jsonl").read_text().splitlines()]
    assert [(row["label"], row["votes"], row["adjudicated"]) for row in rows] == [
        ("E", 2, "no"),
        ("C", 0, "yes"),
        ("E", 2, "no"),
    ]
    assert [str(pair.gold) for pair in open_source(done.spec).pairs()] == ["E", "C", "E"]
    ratings = export_project(place, "p", tmp_path / "ratings.csv")
    assert (ratings.written, ratings.adjudicated) == (6, 1), "a decision is no rating"
    assert (tmp_path / "ratings.csv").read_text().splitlines()[0].endswith("adjudicated")


def test_decisions_about_evidence_are_exported(store: Database, place: str, tmp_path: Path) -> None:
    text: dict[str, Json] = {
        "premise": "One. Two. Three.",
        "hypothesis": "It is so.",
        "sentences": [[0, 4], [5, 9], [10, 16]],
    }
    things = [Item(f"q{number}", text, {"gold": "E"}) for number in range(2)]
    create_project(store, Project("p", "evidence", raters_per_item=2), things)
    for rater, units in (("a", [0]), ("b", [0, 1])):
        join_project(store, "p", rater)
        while (offer := next_item(store, "p", rater)) is not None:
            said: dict[str, Json] = {"units": list(units), "outside": False}
            judge_item(store, "p", rater, offer.item.name, said, request=offer.item.name)
    assert [round(one.split, 3) for one in disagreements(store, "p")] == [0.25, 0.25]
    adjudicate(store, "p", "q1", {"units": [2], "outside": True})
    done = export_project(place, "p", tmp_path / "marked.jsonl", form="corpus")
    assert (done.written, done.left_out, done.adjudicated) == (1, {"fewer than 3 raters": 1}, 1)
    [pair] = open_source(done.spec).pairs()
    assert pair.evidence is not None
    assert (pair.evidence.units, pair.evidence.outside) == ((2,), True)
    export_project(place, "p", tmp_path / "marks.csv")
    lines = (tmp_path / "marks.csv").read_text().splitlines()
    assert [line.rsplit(",", 1)[1] for line in lines] == ["adjudicated", "", "", "0011", "0011"]


@given(st.lists(st.sampled_from("ENC"), min_size=1, max_size=6))
def test_raters_are_split_if_they_differ(labels: list[str]) -> None:
    item = items(1)[0]
    found = [Counted(item, Judgement(item.name, f"r{n}", {"label": label}, 0.0)) for n, label in enumerate(labels)]
    split = split_of(TASKS.get("verify")({}), found)
    assert (split == 0) == (len(set(labels)) == 1)
    assert (split == 1) == (len(labels) > 1 and len(set(labels)) == len(labels))


def test_written_texts_are_no_disagreement(store: Database) -> None:
    create_project(store, Project("p", "write", raters_per_item=2), [Item("q", {"premise": "A dog barks."})])
    for rater in ("a", "b"):
        join_project(store, "p", rater)
        assert next_item(store, "p", rater) is not None
        said = {"true": f"{rater} is loud.", "undecided": f"{rater} is brown.", "false": f"{rater} is silent."}
        judge_item(store, "p", rater, "q", said, request="1")
    assert disagreements(store, "p") == []


def test_events_are_kept_in_order(opened: Callable[[], Database]) -> None:
    store = opened()
    record_event(store, "owner", "signed in")
    record_event(store, "owner", "tried a system", system="small", pairs=2)
    assert [(one.who, one.what, one.about) for one in read_events(opened())] == [
        ("owner", "tried a system", {"system": "small", "pairs": 2}),
        ("owner", "signed in", {}),
    ]
    assert [one.what for one in read_events(store, most=1)] == ["tried a system"]


def test_the_secret_of_a_store_is_made_once(opened: Callable[[], Database]) -> None:
    found: list[bytes] = []
    threads = [threading.Thread(target=lambda: found.append(studio_secret(opened()))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(found)) == 1
    assert len(found) == 4
    assert len(found[0]) == 32
