"""Many judgements that come in together: nothing wrong is kept, and nobody waits for all of them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.people.store.conftest import Clock
from tests.people.store.labelled import items, project

from nliprobe.base.errors import DataError, NotFoundError
from nliprobe.people.records import Judgement
from nliprobe.people.store.database import Database
from nliprobe.people.store.handing_out import next_item
from nliprobe.people.store.judging import read_judgements
from nliprobe.people.store.progress import miscounted
from nliprobe.people.store.projects import create_project
from nliprobe.people.store.raters import block_rater, join_project, read_raters
from nliprobe.people.store.sheets import add_judgements, lend_items


def brought(rater: str, answers: dict[str, str]) -> list[Judgement]:
    return [Judgement(name, rater, {"label": label}, 1.0, None) for name, label in answers.items()]


def test_people_go_on_while_many_are_brought_in(store: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    create_project(store, project(raters_per_item=2), items(6))
    monkeypatch.setattr("nliprobe.people.store.sheets._AT_ONCE", 2)
    many = brought("b", dict.fromkeys((item.name for item in items(6)), "E"))
    seen = []

    def clock() -> float:
        # Each part asks for the time when it begins: what earlier ones kept is there, for everybody.
        seen.append(len(read_judgements(store, "p")))
        return 1.0

    object.__setattr__(store, "clock", clock)
    assert add_judgements(store, "p", many) == (6, 0, 0)
    assert seen == [0, 2, 4]
    assert add_judgements(store, "p", many) == (0, 6, 0)
    assert miscounted(store, "p") == []


def test_one_that_is_wrong_refuses_all(store: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    create_project(store, project(raters_per_item=2), items(4))
    join_project(store, "p", "gone")
    block_rater(store, "p", "gone", "guesses")
    monkeypatch.setattr("nliprobe.people.store.sheets._AT_ONCE", 1)
    good = brought("b", {"q0000": "E", "q0001": "N"})
    for wrong, why in (
        (brought("b", {"q0003": "no label"}), "label"),
        (brought("b", {"q0009": "E"}), "no item 'q0009'"),
        (brought("b", {"q0000": "C"}), "something else"),  # in the same file
        (brought("gone", {"q0003": "E"}), "has ended the work"),
        (brought(" x ", {"q0003": "E"}), "cannot be the name"),
    ):
        with pytest.raises((DataError, NotFoundError), match=why):
            add_judgements(store, "p", good + wrong)
        assert read_judgements(store, "p") == []
    assert add_judgements(store, "p", good + good) == (2, 2, 0)
    with pytest.raises(DataError, match="something else"):
        add_judgements(store, "p", brought("b", {"q0002": "E", "q0001": "C"}))
    assert len(read_judgements(store, "p")) == 2


def test_a_sheet_that_is_written_again_keeps_its_items_as_long_as_a_new_one(
    opened: Callable[[], Database], clock: Clock
) -> None:
    create_project(opened(), project(raters_per_item=1), items(2))
    join_project(opened(), "p", "a")
    assert next_item(opened(), "p", "a") is not None, "in the browser, for half an hour"
    for _ in range(2):
        assert len(lend_items(opened(), "p", "a", 2, 3600)) == 2
        clock.now += 3000
        with pytest.raises(DataError, match="nothing left to judge for b"):
            lend_items(opened(), "p", "b", 2, 3600)
    assert [rater.name for rater in read_raters(opened(), "p")] == ["a"]
    assert miscounted(opened(), "p") == []
