"""Which item a rater gets is what the rule says, computed here from all rows, one after the other."""

from __future__ import annotations

import tempfile
from pathlib import Path
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, text

from nliprobe.base.seeds import draws
from nliprobe.people.records import Item, Project
from nliprobe.people.store import choosing, open_store
from nliprobe.people.store.choosing import choose_item
from nliprobe.people.store.database import Database
from nliprobe.people.store.handing_out import next_item
from nliprobe.people.store.judging import judge_item, skip_item
from nliprobe.people.store.projects import create_project
from nliprobe.people.store.raters import join_project, leave_project

RATERS = ("a", "b", "c", "d")
STEPS = ("judge", "judge", "skip", "leave", "keep")


def naive_choice(connection: Connection, project: Project, rater: str) -> str | None:
    """The rule of choosing.py in plain words, without attention items."""
    rows = connection.execute(text("SELECT name, stratum, batch, place, wanted, taken FROM items")).all()
    had = {
        (row.rater, row.item): row.state
        for row in connection.execute(text("SELECT rater, item, state FROM work WHERE state <> 'returned'"))
    }
    done = {one: sum(who == one and state != "skipped" for (who, _), state in had.items()) for one in RATERS}
    if project.most_per_rater is not None and done[rater] >= project.most_per_rater:
        return None
    strata = [row.stratum for row in rows]
    mine = [row.stratum for row in rows if (rater, row.name) in had]
    turn = draws(project.seed, "turn", rater).randrange(len(rows))

    def key(row: object) -> tuple[object, ...]:
        elsewhere = 0
        if project.most_per_rater is not None:
            seen = [one for one in RATERS if (one, row.name) in had]  # type: ignore[attr-defined]
            elsewhere = sum(project.most_per_rater - done[one] for one in seen if done[one])
        share = mine.count(row.stratum) / strata.count(row.stratum)  # type: ignore[attr-defined]
        return row.batch, share, row.taken, -elsewhere, (row.place + turn) % len(rows)  # type: ignore[attr-defined]

    new = [row for row in rows if (rater, row.name) not in had]
    free = [row for row in new if row.taken < row.wanted and row.batch < project.batches_open]
    if not free:
        return None
    best = min(key(row)[:3] for row in free)
    alike = sorted((row for row in free if key(row)[:3] == best), key=lambda row: row.place)
    start = (len(rows) - turn) % len(rows)
    sides = [[row for row in alike if (row.place >= start) is behind] for behind in (True, False)]
    return str(min([row for side in sides for row in side[: choosing._COMPARED]], key=key).name)


def choose(store: Database, project: Project, rater: str) -> str | None:
    """What is chosen, checked against the rule."""

    def both(connection: Connection) -> str | None:
        chosen = choose_item(connection, project, rater)
        assert chosen == naive_choice(connection, project, rater)
        return chosen

    return store.read(both)


@pytest.mark.parametrize("compared", [1, choosing._COMPARED])
@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from("xyz"), st.integers(0, 1)), min_size=1, max_size=8),
    st.integers(1, 3),
    st.none() | st.integers(1, 5),
    st.integers(1, 2),
    st.integers(0, 3),
    st.lists(st.tuples(st.sampled_from(RATERS), st.sampled_from(STEPS)), max_size=25),
)
def test_the_chosen_item_is_that_of_the_rule(
    compared: int,
    shapes: list[tuple[str, int]],
    wanted: int,
    most: int | None,
    batches: int,
    seed: int,
    steps: list[tuple[str, str]],
) -> None:
    content = {"premise": "A dog barks.", "hypothesis": "It is loud."}
    things = [Item(f"q{n}", content, stratum=stratum, batch=batch) for n, (stratum, batch) in enumerate(shapes)]
    rules = Project("p", "verify", raters_per_item=wanted, most_per_rater=most, batches_open=batches, seed=seed)
    with (
        mock.patch.object(choosing, "_COMPARED", compared),
        tempfile.TemporaryDirectory() as folder,
        open_store(Path(folder) / "people.sqlite") as store,
    ):
        create_project(store, rules, things)
        for rater in RATERS:
            join_project(store, "p", rater)
        for number, (rater, step) in enumerate(steps):
            chosen = choose(store, rules, rater)
            offer = next_item(store, "p", rater)
            if offer is None:
                continue
            assert offer.again or offer.item.name == chosen
            if step == "judge":
                judge_item(store, "p", rater, offer.item.name, {"label": "E"}, request=str(number))
            elif step == "skip":
                skip_item(store, "p", rater, offer.item.name, "no")
            elif step == "leave":
                leave_project(store, "p", rater)
