"""What may come: too much, script everywhere, forms of others, a lost database, one of a newer version."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError
from starlette.routing import Route
from tests.people.store.postgres import Postgres
from tests.studio.both import pytest_generate_tests as pytest_generate_tests
from tests.studio.helpers import TOKEN, Client
from tests.studio.manage.made import SCRIPT, make, work

from nliprobe.base.errors import StoreError
from nliprobe.people.store.database import Database
from nliprobe.people.store.judging import read_judgements
from nliprobe.people.store.progress import read_log
from nliprobe.people.store.projects import read_projects
from nliprobe.studio.context import Studio, open_studio
from nliprobe.studio.manage.form import DEFAULTS
from nliprobe.studio.manage.routes import ROUTES
from nliprobe.studio.settings import Settings
from nliprobe.studio.who import Owner

ACTIONS = [route.path for route in ROUTES if isinstance(route, Route) and "POST" in (route.methods or ())]
FIELDS = [*DEFAULTS, "days", "note", "reason", "sure", "label", "evidence", "outside", "form", "external", "queue",
          "batches", "version", "file", "go", "then", "queue"]  # fmt: skip


def paths(home: str) -> list[str]:
    key = home.rpartition("/")[2]
    return [path.replace("{key}", key).replace("{number}", "1").replace("{plan}", "x") for path in ACTIONS]


def test_every_route_is_the_owners() -> None:
    assert {getattr(route.endpoint, "role", None) for route in ROUTES} == {Owner}
    assert len(ACTIONS) >= 13


def test_script_in_every_field_of_every_action_stays_text(owner: Client, studio: Studio) -> None:
    home = make(studio.store)
    work(studio.store)
    before = len(read_projects(studio.store))
    for path in paths(home):
        answer = owner.post(path, data={**dict.fromkeys(FIELDS, SCRIPT), "form_token": owner.form_token})
        assert answer.status_code < 500, (path, answer.text[:300])
        assert SCRIPT not in answer.text, path
    for rest in ("", "/items/1", "/raters/2", "/log", "/instructions", "/rules", "/invitations", "/disagreements"):
        assert SCRIPT not in owner.show(f"{home}{rest}")
    assert len(read_projects(studio.store)) == before


def test_fields_of_the_wrong_kind_are_sentences(owner: Client, studio: Studio) -> None:
    home = make(studio.store)
    work(studio.store)
    for value in (None, 7, True, [1], {"x": 1}, ["a", ["b"]], 1e308, "\ud800", "\0", 2**31, "9" * 30):
        for path in paths(home):
            answer = owner.post(
                path,
                content=json.dumps(dict.fromkeys(FIELDS, value)),
                headers={"x-form-token": owner.form_token, "content-type": "application/json"},
            )
            assert answer.status_code < 500, (path, value, answer.text[:300])


def test_ten_megabytes_are_refused_everywhere_but_for_files(owner: Client, studio: Studio) -> None:
    home = make(studio.store)
    for path in paths(home):
        if path.endswith("/take"):
            continue
        answer = owner.post(path, data={"form_token": owner.form_token, "instructions": "x" * 10_000_000})
        assert answer.status_code == 413, path
    assert len(read_log(studio.store, "labels")) == 2


def test_forms_of_other_sites_and_sessions_do_nothing(owner: Client, studio: Studio) -> None:
    home = make(studio.store)
    work(studio.store)
    for path in paths(home):
        assert owner.post(path, data={"reason": "x"}).status_code == 403, path
        headers = {"origin": "http://evil.example"}
        data = {"form_token": owner.form_token, "reason": "x"}
        assert owner.post(path, data=data, headers=headers).status_code == 403, path
        assert owner.get(path).status_code in (200, 404, 405)


def test_a_lost_connection_is_said_loses_nothing_and_goes_on(
    owner: Client, studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = make(studio.store)
    work(studio.store)
    said = len(read_judgements(studio.store, "labels"))
    owner.show(home)
    real = Database._in_transaction

    def gone(*arguments: object, **named: object) -> object:
        raise OperationalError("select", {}, sqlite3.OperationalError("disk I/O error"))

    monkeypatch.setattr("nliprobe.people.store.database._PAUSE_SECONDS", 0.0)
    monkeypatch.setattr(Database, "_in_transaction", gone)
    for rest in ("", "/items", "/live", "/log"):
        answer = owner.get(f"{home}{rest}")
        assert answer.status_code == 503, rest
        assert answer.headers["retry-after"]
    answer = owner.post(f"{home}/raters/1/block", data={"form_token": owner.form_token, "reason": "x"})
    assert answer.status_code == 503
    assert "is kept" in answer.text
    monkeypatch.setattr(Database, "_in_transaction", real)
    owner.show(home)
    assert len(read_judgements(studio.store, "labels")) == said


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_a_server_of_databases_that_stops_hard_is_said_and_comes_back(
    owner: Client, studio: Studio, postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = make(studio.store)
    work(studio.store)
    said = owner.submit(f"{home}/export", form="ratings").text
    monkeypatch.setattr("nliprobe.people.store.database._PAUSE_SECONDS", 0.0)
    postgres.stop("immediate")
    try:
        assert owner.get(home).status_code == 503
    finally:
        postgres.start()
    owner.show(home)
    assert owner.submit(f"{home}/export", form="ratings").text == said


def test_a_database_of_a_newer_version_is_said(owner: Client, studio: Studio, settings: Settings) -> None:
    home = make(studio.store)
    work(studio.store)
    newer = text("UPDATE meta SET value = '99' WHERE name = 'schema_version'")
    studio.store.write(lambda connection: connection.execute(newer))
    with pytest.raises(StoreError, match="newer nliprobe"):
        open_studio(settings, TOKEN)
    # What opens the store anew says so, too; pages of the running server go on.
    assert "newer nliprobe" in owner.submit(f"{home}/export", 422, form="ratings").text
    owner.show(home)


def test_the_path_of_nothing_is_in_a_form(owner: Client, studio: Studio, tmp_path: Path) -> None:
    page = owner.show("/projects/new")
    assert str(tmp_path) not in page
