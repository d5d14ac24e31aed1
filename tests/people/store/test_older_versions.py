"""A store that an earlier version wrote is brought up to date, and everything in it is kept."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import sqlalchemy
from sqlalchemy import inspect, text
from tests.people.store.labelled import items, project
from tests.people.studied import small_study

from nliprobe.people.store import open_store
from nliprobe.people.store.database import Database
from nliprobe.people.store.handing_out import next_item
from nliprobe.people.store.judging import judge_item, read_judgements
from nliprobe.people.store.own_work import read_standing
from nliprobe.people.store.progress import miscounted, read_log, read_progress
from nliprobe.people.store.projects import create_project, read_items, read_project
from nliprobe.people.store.raters import join_project, read_raters
from nliprobe.people.store.studies import invite_participant, keep_study, read_participant

VERSION_1 = Path(__file__).with_name("version1.sql").read_text(encoding="utf-8")
TABLES_1 = ("projects", "instructions", "items", "contents", "raters", "work", "judgements", "log")


def write_version_1(place: str) -> dict[str, list[tuple[object, ...]]]:
    """Make a store as version 1 did, and return all its rows."""
    url = place.replace("postgresql:", "postgresql+psycopg:") if "://" in place else f"sqlite:///{place}"
    engine = sqlalchemy.create_engine(url)
    with engine.begin() as connection:
        for statement in VERSION_1.partition("\n")[2].split(";\n"):
            if statement.strip():
                connection.exec_driver_sql(statement)
        rows = rows_of(connection)
    engine.dispose()
    return rows


def rows_of(connection: sqlalchemy.Connection) -> dict[str, list[tuple[object, ...]]]:
    # Later versions have a column more.
    columns = {"raters": "project, name, state, external, number, joined"}
    found = {name: connection.execute(text(f"SELECT {columns.get(name, '*')} FROM {name}")).all() for name in TABLES_1}
    return {name: sorted((tuple(row) for row in rows), key=repr) for name, rows in found.items()}


def shape_of(store: Database) -> dict[str, object]:
    """What a database says about its tables."""

    def read(connection: sqlalchemy.Connection) -> dict[str, object]:
        seen = inspect(connection)
        return {
            name: (
                [(column["name"], str(column["type"]), column["nullable"]) for column in seen.get_columns(name)],
                seen.get_pk_constraint(name)["constrained_columns"],
                sorted(str(index["column_names"]) for index in seen.get_indexes(name)),
                sorted(str(unique["column_names"]) for unique in seen.get_unique_constraints(name)),
                sorted((str(key["constrained_columns"]), key["referred_table"]) for key in seen.get_foreign_keys(name)),
                len(seen.get_check_constraints(name)),
            )
            for name in sorted(seen.get_table_names())
        }

    return store.read(read)


def test_a_store_of_version_1_keeps_everything(place: str, opened: Callable[[], Database]) -> None:
    before = write_version_1(place)
    assert all(before.values())
    store = opened()
    assert store.read(rows_of) == before
    assert read_project(store, "p").instructions == "# Read this, too"
    assert [item.name for item in read_items(store, "p")] == ["q0", "q1", "q2", "q3", "a0"]
    assert [(rater.name, rater.external, str(rater.state)) for rater in read_raters(store, "p")] == [
        ("ann", "worker-1", "active"),
        ("ben", "", "active"),
        ("cat", "", "blocked"),
    ]
    assert len(read_judgements(store, "p", all_states=True)) == 5
    assert read_log(store, "p")[0].what == "project made"
    assert read_progress(store, "p").flags[0].reason == "unclear"
    assert miscounted(store, "p") == []


def test_work_goes_on_in_a_store_of_version_1(place: str, opened: Callable[[], Database]) -> None:
    write_version_1(place)
    store = opened()
    judged = 0
    for rater in ("ann", "ben"):
        while (offer := next_item(store, "p", rater)) is not None:
            judge_item(store, "p", rater, offer.item.name, {"label": "E"}, request=offer.item.name)
            judged += 1
    assert judged > 0
    assert miscounted(store, "p") == []


def test_a_store_that_was_brought_up_to_date_is_like_a_new_one(
    place: str, opened: Callable[[], Database], tmp_path: Path
) -> None:
    write_version_1(place)
    shape = shape_of(opened())
    if "://" in place:
        # In the same database, a second one: its tables are dropped first.
        opened().write(lambda connection: connection.execute(text("DROP SCHEMA public CASCADE; CREATE SCHEMA public")))
        assert shape_of(opened()) == shape
    else:
        with open_store(tmp_path / "new.sqlite") as new:
            assert shape_of(new) == shape


def test_links_of_a_store_of_version_2_go_on(opened: Callable[[], Database]) -> None:
    study, _ = small_study()
    store = opened()
    create_project(store, project(), items(1))
    join_project(store, "p", "ann")
    keep_study(store, "s", study)
    invite_participant(store, "s", study, about="Ben")
    shape = shape_of(store)

    def make_older(connection: sqlalchemy.Connection) -> None:
        for column in ("raters DROP COLUMN link", "participants DROP COLUMN link", "participants DROP COLUMN expires"):
            connection.execute(text(f"ALTER TABLE {column}"))
        connection.execute(text("UPDATE meta SET value = '2' WHERE name = 'schema_version'"))

    store.write_once(make_older)
    store.close()
    newer = opened()
    assert shape_of(newer) == shape
    assert read_standing(newer, "p", "ann").link == 1
    known = read_participant(newer, "s", 1)
    assert (known.note, known.link, known.expires, known.refusal(1, 1e12)) == ("Ben", 1, None, "")
