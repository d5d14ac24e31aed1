"""The way in, and what stands before every page."""

from __future__ import annotations

import asyncio
import json
import socket
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from tests.studio.helpers import TOKEN, Client, sign_in_owner

from nliprobe.base.errors import DataError, UsageError
from nliprobe.people.store.events import read_events
from nliprobe.studio.app import make_app, routes
from nliprobe.studio.context import Studio, open_studio
from nliprobe.studio.limits import LARGEST_BODY
from nliprobe.studio.serve import listen
from nliprobe.studio.settings import Settings
from nliprobe.studio.signing import Signer


def test_owner_signs_in_by_the_printed_token_and_out_again(anybody: Client) -> None:
    assert "Only the owner" in anybody.show("/log", 403)
    sign_in_owner(anybody)
    assert "Who did what" in anybody.show("/log")
    anybody.submit("/leave")
    anybody.show("/log", 403)


def test_a_wrong_token_is_refused_counted_and_logged(anybody: Client, studio: Studio) -> None:
    anybody.submit("/enter", 403, token="wrong")
    anybody.submit("/enter", 403)
    for _ in range(30):
        anybody.post("/enter", data={"token": "wrong"})
    answer = anybody.submit("/enter", 429, token=TOKEN)
    assert answer.headers["retry-after"]
    told = [entry.what for entry in read_events(studio.store)]
    assert "sign-in refused" in told
    assert TOKEN not in json.dumps([entry.about for entry in read_events(studio.store)])


@pytest.mark.parametrize("forged", ["", "x", "eyJ9.sig", "a" * 5000, "ü", '{"owner": 1}'])
def test_a_forged_cookie_is_nobody(anybody: Client, forged: str) -> None:
    answer = anybody.get("/log", headers={b"cookie": f"nliprobe_owner={forged}".encode()})
    assert answer.status_code == 403


def test_a_cookie_of_one_role_is_not_one_of_another(anybody: Client, studio: Studio) -> None:
    token = studio.signer.sign("rater", {"project": "p", "rater": "r"})
    assert anybody.get("/log", headers={"cookie": f"nliprobe_owner={token}"}).status_code == 403


def test_a_session_ends(app: Starlette, studio: Studio, anybody: Client) -> None:
    now = 0.0
    signer = Signer(b"secret", lambda: now, secure=False)
    token = signer.sign("owner", {"a": 1}, seconds=60)
    assert signer.read("owner", token) == signer.read("owner", token) == {"a": 1}
    now = 61.0
    with pytest.raises(DataError, match="The time of this link is over"):
        signer.read("owner", token)
    token = studio.signer.sign("owner", {}, seconds=-1)
    assert anybody.get("/log", headers={"cookie": f"nliprobe_owner={token}"}).status_code == 403


def test_whoever_is_in_keeps_the_session_until_half_of_its_time_is_over(owner: Client, studio: Studio) -> None:
    first = owner.cookies["nliprobe_owner"]
    assert "set-cookie" not in owner.post("/enter", data={"token": TOKEN}, follow_redirects=False).headers
    claims = studio.signer.read("owner", first)
    for days, is_kept in ((16, True), (14, False)):
        held = studio.signer.sign("owner", claims, seconds=days * 24 * 3600)
        owner.cookies.clear()
        owner.cookies.set("nliprobe_owner", held)
        answer = owner.post("/enter", data={"token": TOKEN}, follow_redirects=False)
        assert ("set-cookie" not in answer.headers) == is_kept


def test_cookies_are_kept_from_scripts_and_other_sites(anybody: Client) -> None:
    answer = anybody.post("/enter", data={"token": TOKEN}, follow_redirects=False)
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    assert TOKEN not in cookie


def test_behind_tls_cookies_never_travel_without_it(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("secure")
    assert Settings(folder, "x.sqlite", public="https://studio.example.org").is_secure
    for wrong in (
        "studio.example.org",
        "http://[",
        "https://studio:x",
        "https://me:pw@studio",
        "https://a?b",
        "https://a#b",
    ):
        with pytest.raises(UsageError, match="beginning of an address"):
            Settings(folder, "x.sqlite", public=wrong)


def test_who_listens_to_everybody_says_under_which_name(tmp_path: Path) -> None:
    for everybody in ("0.0.0.0", "::", ""):
        with pytest.raises(UsageError, match="public"):
            Settings(tmp_path, "x.sqlite", host=everybody)
    named = Settings(tmp_path, "x.sqlite", host="0.0.0.0", public="http://192.168.1.20:8080")
    assert "192.168.1.20" in named.hosts
    assert "0.0.0.0" not in named.hosts
    assert named.address(1) == "http://192.168.1.20:8080"
    assert Settings(tmp_path, "x.sqlite", host="::1").address(7) == "http://[::1]:7"


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        ({"host": "::1"}, "[::1]:8080"),
        ({"host": "2001:DB8::0:7"}, "[2001:db8::7]:8080"),
        ({"host": "::", "public": "http://[2001:db8::7]:8080"}, "[2001:db8::7]:8080"),
        ({"public": "https://übung.example"}, "xn--bung-zra.example"),
        ({"public": "https://Studio.Example.org"}, "studio.example.org"),
    ],
)
def test_a_studio_answers_under_the_name_that_browsers_make_of_its_own(
    told: dict[str, Any], asked: str, settings: Settings
) -> None:
    made = open_studio(replace(settings, **told), TOKEN)
    assert Client(make_app(made)).get("/enter", headers={"host": asked}).status_code == 200
    made.close()


def test_pages_are_sent_without_delay(tmp_path: Path) -> None:
    """Otherwise every page on a connection that is kept takes 40 ms longer."""

    async def connected() -> int:
        told: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        def meet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            told.set_result(writer.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        listening = listen(Settings(tmp_path, "x.sqlite", port=0))
        async with await asyncio.start_server(meet, sock=listening):
            _, writer = await asyncio.open_connection(*listening.getsockname())
            at_once = await told
            writer.close()
            await writer.wait_closed()
            return at_once

    assert asyncio.run(connected())


def test_another_token_ends_the_sessions_of_the_old_one(owner: Client, studio: Studio) -> None:
    owner.show("/log")
    studio.token = "another-token-for-tests"
    assert owner.get("/log").status_code == 403
    studio.token = TOKEN
    owner.show("/log")


def test_forms_of_other_sites_do_nothing(owner: Client) -> None:
    token = owner.form_token
    for headers in (
        {"origin": "http://evil.example"},
        {"sec-fetch-site": "cross-site"},
        {"origin": "null"},
        {"origin": "http://["},
    ):
        assert owner.post("/leave", data={"form_token": token}, headers=headers).status_code == 403
    for wrong in ("", "0" * 40, token[:-1] + ("0" if token[-1] != "0" else "1"), "ü"):
        assert owner.post("/leave", data={"form_token": wrong}).status_code == 403
    assert owner.post("/leave").status_code == 403
    owner.show("/log")


def test_another_name_of_the_host_is_refused(app: Starlette) -> None:
    assert Client(app).get("/enter", headers={"host": "rebound.example"}).status_code == 400


def test_every_answer_has_the_headers(anybody: Client, owner: Client) -> None:
    for answer in (
        anybody.get("/enter"),
        anybody.get("/nowhere"),
        owner.get("/log"),
        anybody.get("/static/studio/studio.css"),
    ):
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "strict-origin"


def test_only_styles_and_scripts_are_served_from_folders(anybody: Client) -> None:
    assert anybody.get("/static/report/style.css").status_code == 200
    for path in (
        "/static/report/base.html",
        "/static/studio/../app.py",
        "/static/studio/%2e%2e/app.py",
        "/static/studio/",
    ):
        assert anybody.get(path).status_code in (404, 405), path


def test_too_much_is_refused_before_it_is_read(owner: Client) -> None:
    answer = owner.post("/leave", data={"form_token": owner.form_token, "x": "y" * 10_000_000})
    assert answer.status_code == 413
    assert "Nothing was done" in answer.text

    def pieces() -> object:
        for _ in range(LARGEST_BODY // 1000 + 10):
            yield b"x" * 1000

    answer = owner.post("/leave", content=pieces(), headers={"content-type": "application/json"})  # type: ignore[arg-type]
    assert answer.status_code == 413
    owner.show("/log")


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"null", b'"x"', b"[" * 15_000, b"\xff\xfe", b'{"token": 7}'])
def test_what_is_no_json_object_is_a_sentence(anybody: Client, body: bytes) -> None:
    headers = {"content-type": "application/json", "accept": "application/json"}
    answer = anybody.post("/enter", content=body, headers=headers)
    assert answer.status_code in (403, 422)
    assert answer.json()["error"].endswith(".")


def test_too_many_changes_wait(owner: Client) -> None:
    codes = [owner.post("/leave", data={"form_token": owner.form_token[:-1] + "g"}).status_code for _ in range(5)]
    assert set(codes) == {403}
    studio_requests = owner.app.state.studio.requests  # type: ignore[attr-defined]
    session = owner.cookies["nliprobe_owner"]
    while studio_requests.take(session):
        pass
    assert owner.post("/leave", data={"form_token": owner.form_token}).status_code == 429


def test_unknown_addresses_are_a_page_or_json(anybody: Client) -> None:
    assert "nothing at this address" in anybody.show("/nowhere", 404)
    answer = anybody.get("/nowhere", headers={"accept": "application/json"})
    assert answer.json() == {"error": "There is nothing at this address."}
    assert anybody.get("/leave").status_code == 405


def test_a_fault_of_ours_says_nothing_about_the_inside(
    owner: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*arguments: object, **named: object) -> None:
        raise RuntimeError("secret inside")

    monkeypatch.setattr("nliprobe.studio.events.read_events", broken)
    answer = owner.get("/log")
    assert answer.status_code == 500
    assert "secret inside" not in answer.text
    assert "secret inside" in caplog.text


def test_no_route_is_open_to_everybody_by_accident() -> None:
    """Whoever adds a route for everybody adds it here, too."""
    from starlette.routing import Route

    opened = {
        route.path
        for route in routes()
        if isinstance(route, Route) and getattr(route.endpoint, "role", "unset") is None
    }
    raters = {"/i/{token}", "/work/{key}/join", "/back/{token}"}
    participants = {"/study/{key}/come/{token}", "/study/{key}/join/{token}"}
    assert opened == {"/enter", *raters, *participants}
