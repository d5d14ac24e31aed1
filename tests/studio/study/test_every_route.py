"""Every address, asked by everybody, with nonsense: each answer is a sentence, and none is somebody else's."""

from __future__ import annotations

import json
import re
import sqlite3
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError
from starlette.applications import Starlette
from starlette.routing import Route
from tests.studio.helpers import TOKEN, Client
from tests.studio.study.walk import Walker
from tests.studio.work.desks import come_in, invitation, make_project, work

from nliprobe.people.records import Project
from nliprobe.people.store.database import Database
from nliprobe.studio.app import routes
from nliprobe.studio.context import Studio
from nliprobe.studio.who import Owner, ParticipantOf, RaterOf

if TYPE_CHECKING:
    from httpx2 import Response

ROUTES = [route for route in routes() if isinstance(route, Route)]
FIELDS = sorted({"item", "label", "request", "revise", "seen", "fields", "token", "worker", "visit", "answer", "points",
                 "participant", "days", "count", "note", "open", "most", "premise", "hypothesis", "reason", "sure",
                 "content", "unit", "file", "name", "choice", "remark", "answers", "systems", "table"})  # fmt: skip
NAMES = ("0", "-1", "9" * 30, "%00", "%F0%9F%98%80", "a.b", "%2e%2e%2fetc", "x" * 3000)
VALUES: tuple[object, ...] = ("", "\0", "\ud800", -1, 2**63, 1.5, None, [], {"a": [1]}, [["x"]], "9" * 30, "<script>")


def filled(route: Route, key: str, name: str) -> str:
    return re.sub(r"\{(\w+)[^}]*\}", lambda found: key if found[1] == "key" else name, route.path)


@pytest.fixture
def people(owner: Client, walker: Walker, app: Starlette, studio: Studio) -> dict[type | None, Client]:
    """One client of each role; the participant has begun, and so has the rater."""
    walker.walk("/stage/1/2")
    project = make_project(studio)
    rater = come_in(app, invitation(studio, project))
    return {None: Client(app), Owner: owner, RaterOf: rater, ParticipantOf: walker.client}


def test_nobody_gets_a_broken_page_or_what_is_anothers(
    people: dict[type | None, Client], walker: Walker, studio: Studio
) -> None:
    project = work(make_project(studio, "judge")).rpartition("/")[2]
    keys = (project, walker.base.rpartition("/")[2], "0" * 12)
    asked = 0
    for route in ROUTES:
        role = getattr(route.endpoint, "role", None)
        for place, name in enumerate(NAMES):
            path = filled(route, keys[place % len(keys)], name)
            for who, client in people.items():
                answer = _ask(client, route, path, VALUES[place])
                asked += 1
                assert answer.status_code < 500, (route.path, name, who, answer.text[-500:])
                if role is not None and who is not role:
                    # A name with a slash in it is another address, where there is nothing.
                    refused = (404,) if "%2f" in name else (403,)
                    assert answer.status_code in (403, *refused), (route.path, who, answer.status_code)
    assert asked > 1000


@pytest.mark.parametrize("value", VALUES)
def test_no_value_of_a_field_breaks_an_action(
    value: object, people: dict[type | None, Client], walker: Walker, studio: Studio
) -> None:
    project = work(make_project(studio, "judge")).rpartition("/")[2]
    for route in ROUTES:
        if "POST" not in (route.methods or ()) or route.path == "/leave" or route.path.endswith("/withdraw"):
            continue
        client = people[getattr(route.endpoint, "role", None)]
        for key in (project, walker.base.rpartition("/")[2]):
            answer = _ask(client, route, filled(route, key, "1"), value)
            assert answer.status_code < 500, (route.path, value, answer.text[-500:])


def test_a_lost_database_is_said_without_its_name(
    people: dict[type | None, Client], walker: Walker, studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those who are not the owner need not know which database it is, where it is, and what a study is called."""
    project, study = Project("p-verify", "verify", "t", "i"), walker.base.rpartition("/")[2]
    tokens = {
        "/i/": invitation(studio, project).rpartition("/")[2],
        "/back/": studio.signer.sign("return", {"project": "p-verify", "rater": "rater-1"}),
        "/study/{key}/come": walker.link.rpartition("/")[2],
        "/study/{key}/join": studio.signer.sign("study link", {"study": study}),
    }
    # Nothing in the store is kept in memory, and so everything that needs it fails.
    monkeypatch.setattr(Database, "_in_transaction", _lost)
    monkeypatch.setattr("nliprobe.people.store.database._PAUSE_SECONDS", 0.0)
    failed = 0
    for route in ROUTES:
        role = getattr(route.endpoint, "role", None)
        if role is Owner or route.path in ("/leave", "/enter"):
            continue
        token = next((one for start, one in tokens.items() if route.path.startswith(start)), "1")
        path = filled(route, work(project).rpartition("/")[2] if "/work/" in route.path else study, token)
        client = people[role]
        fields = {"token": tokens["/i/"], "request": "r", "item": "x"}
        if role is not None:
            fields["form_token"] = studio.signer.form_token(client.cookies[f"nliprobe_{role.purpose}"])
        if "POST" in (route.methods or ()):
            answer = client.post(path, data=fields, follow_redirects=False)
        else:
            answer = client.get(path, follow_redirects=False)
        assert answer.status_code == 503, (route.path, answer.status_code, answer.text[-300:])
        assert "cannot be reached right now" in answer.text, route.path
        assert not [word for word in ("secret", "sqlite", "postgres", "disk", "p-verify") if word in answer.text]
        failed += 1
    assert failed > 25
    answer = people[None].post("/enter", data={"token": TOKEN})
    assert answer.status_code == 503
    assert "cannot be reached right now" in answer.text
    assert people[Owner].get("/log").status_code == 503
    assert "refuses: disk" in people[Owner].get("/log").text, "the owner is told more"


def test_a_participant_of_before_a_backup_learns_no_name(walker: Walker, studio: Studio) -> None:
    walker.walk("/stage/1/2")
    join = f"{walker.base}/join/{studio.signer.sign('study link', {'study': walker.base.rpartition('/')[2]})}"
    studio.store.write(lambda connection: connection.execute(text("DELETE FROM study_answers")))
    studio.store.write(lambda connection: connection.execute(text("DELETE FROM participants")))
    for path in (walker.base, f"{walker.base}/stage/1/1", walker.link):
        assert "no longer known to this study" in walker.open(path, 404), path
    assert "Nobody new can join" in walker.open(join, 403)
    studio.store.write(lambda connection: connection.execute(text("DELETE FROM studies")))
    assert "no longer known to this study" in walker.open(join, 404)
    assert not [page for page in walker.received if "secret" in page]


def _lost(*arguments: object, **named: object) -> object:
    raise OperationalError("select", {}, sqlite3.OperationalError("disk I/O error"))


def _ask(client: Client, route: Route, path: str, value: object) -> Response:
    if "POST" not in (route.methods or ()):
        return client.get(path, follow_redirects=False)
    headers = {"x-form-token": client.form_token or "0", "content-type": "application/json"}
    body = json.dumps(dict.fromkeys(FIELDS, value))
    return client.post(path, content=body, headers=headers, follow_redirects=False)
