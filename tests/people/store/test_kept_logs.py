"""Nobody rewrites the logs, not even with the database at hand."""

from __future__ import annotations

import pytest
from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from nliprobe.base.errors import StoreError
from nliprobe.people.records import Project
from nliprobe.people.store.database import Database
from nliprobe.people.store.events import read_events, record_event
from nliprobe.people.store.progress import read_log
from nliprobe.people.store.projects import create_project


@pytest.mark.parametrize("table", ["log", "events"])
@pytest.mark.parametrize("statement", ["DELETE FROM {}", "UPDATE {} SET who = 'nobody'"])
def test_lines_of_the_logs_are_only_added(store: Database, table: str, statement: str) -> None:
    create_project(store, Project("p", "verify"))
    record_event(store, "owner", "signed in")
    before = (read_log(store, "p"), read_events(store))
    assert all(before)

    def rewrite(connection: Connection) -> None:
        connection.execute(text(statement.format(table)))

    with pytest.raises((StoreError, DBAPIError), match="only added"):
        store.write_once(rewrite)
    assert (read_log(store, "p"), read_events(store)) == before
    record_event(store, "owner", "signed in again")
    assert len(read_events(store)) == len(before[1]) + 1
