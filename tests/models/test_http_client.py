"""The client of JSON services: what is asked again, when, how often, and what is decided at once."""

from __future__ import annotations

import asyncio
import gzip
import json
import logging
import random
import shutil
import ssl
import subprocess
import sys
from email.utils import formatdate
from itertools import pairwise
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.models import fault_server as faults
from tests.models.fault_server import Behaviour, Exchange, FaultServer, status

from nliprobe.base.errors import MissingExtraError, ModelError, UsageError
from nliprobe.models._http_pace import LONGEST_WAIT, Pace, backoff, retry_after
from nliprobe.models._http_place import Credentials, Place
from nliprobe.models._http_verdicts import LARGEST_BODY, Again, Answer, content_of, unpacked

pytest.importorskip("httpx2", reason="services are asked with httpx2, which is not installed")

from tests.models.http_helpers import FakeClock, client

from nliprobe.models.http_client import LONGEST_PAUSE, JsonClient, Reply, RequestFailed, RequestPolicy

PAIR = {"pairs": [{"id": "a", "premise": "p", "hypothesis": "it is E"}]}
ANSWER = {"answers": [{"id": "a", "label": "E"}]}


def post(asked: JsonClient) -> Reply:
    return asyncio.run(asked.post(PAIR))


# What passes: the request is sent again, and answered.
PASSING: dict[str, Behaviour] = {
    "closes mid-body": faults.cut,
    "closes mid-chunk": faults.cut_chunked,
    "closes at once": faults.close_at_once,
    "resets": faults.reset,
    "too long a length": faults.too_long_length,
    "not HTTP": faults.not_http,
    "HTML": faults.html,
    "nothing": faults.plain(b""),
    "half of a JSON": faults.plain(b'{"answers": [{"id"'),
    "deep JSON": faults.plain(b"[" * 100_000),
    "not UTF-8": faults.plain(b"\xff\xfe\x00"),
    "not gzip": faults.plain(b"\x1f\x8bgarbage", Content_Encoding="gzip"),
    "gzip cut short": faults.plain(gzip.compress(b'{"answers": []}' * 9)[:-9], Content_Encoding="gzip"),
    "unknown encoding": faults.plain(b"{}", Content_Encoding="br"),
    **{str(code): status(code) for code in (408, 409, 425, 429, 500, 502, 503, 504, 520, 529)},
    "200 with a limit": faults.error_200("Rate limit reached for requests"),
    "200 with overload": status(200, {"error": "the model is overloaded, try again later"}),
}


SLOW: dict[str, Behaviour] = {"hangs": faults.hang, "hangs in the body": faults.hang_in_body, "drips": faults.drip}


@pytest.mark.parametrize("fault", PASSING.values(), ids=PASSING)
def test_what_passes_is_asked_again(fault: Behaviour) -> None:
    with FaultServer(script=[fault, fault]) as server:
        reply = post(client(server, retries=2))
        assert reply.json == ANSWER
        assert (reply.status, reply.attempts) == (200, len(server.asked)) == (200, 3)


@pytest.mark.parametrize("fault", PASSING.values(), ids=PASSING)
def test_what_does_not_pass_is_the_failure_of_its_inputs(fault: Behaviour) -> None:
    with FaultServer(usual=fault) as server:
        with pytest.raises(RequestFailed, match=r"^The service http://127.0.0.1:\d+/nli .*2 attempts were made\.") as e:
            post(client(server, retries=1))
        assert e.value.attempts == len(server.asked) == 2


@pytest.mark.parametrize("fault", SLOW.values(), ids=SLOW)
def test_what_takes_too_long_is_asked_again(fault: Behaviour) -> None:
    with FaultServer(script=[fault]) as server:
        reply = post(client(server, timeout=1.5))
        assert reply.json == ANSWER
        assert reply.attempts > 1


@pytest.mark.parametrize("fault", SLOW.values(), ids=SLOW)
def test_what_always_takes_too_long_is_the_failure_of_its_inputs(fault: Behaviour) -> None:
    with FaultServer(usual=fault) as server:
        with pytest.raises(RequestFailed, match=r"did not answer within 1 seconds. 2 attempts were made\.$") as e:
            post(client(server, timeout=1, retries=1))
        assert (e.value.attempts, e.value.status, e.value.fewer_may_do) == (2, None, True)


def test_more_bytes_than_announced_spoil_no_other_answer() -> None:
    with FaultServer(script=[faults.too_short_length]) as server:
        assert post(client(server)).json == ANSWER
        assert len(server.asked) in (2, 3), "what was left over may be taken for the answer to the next request"


@pytest.mark.parametrize("code", [400, 406, 411, 413, 414, 415, 418, 422, 431, 451, 501, 505])
def test_a_refusal_of_the_inputs_is_not_repeated(code: int) -> None:
    with FaultServer(usual=status(code, {"error": {"message": "too long", "param": "pairs"}})) as server:
        with pytest.raises(RequestFailed, match=rf"answered {code} \(too long\)\.$") as caught:
            post(client(server))
        assert (caught.value.status, caught.value.fewer_may_do) == (code, True)
        assert caught.value.content == {"error": {"message": "too long", "param": "pairs"}}
        assert len(server.asked) == 1


def test_200_with_an_error_is_the_failure_of_its_inputs() -> None:
    with FaultServer(usual=faults.error_200("tokens out of range")) as server:
        with pytest.raises(RequestFailed, match=r"answered 200 with an error \(tokens out of range\)"):
            post(client(server))
        assert len(server.asked) == 1


def test_a_list_is_no_answer() -> None:
    with FaultServer(usual=faults.plain(b"[1, 2]")) as server:
        with pytest.raises(RequestFailed, match="answered a JSON list instead of an object"):
            post(client(server))
        assert len(server.asked) == 1


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (status(401), r"answered 401 \(as told\): it does not let this request in. Name the variable .* key_env=\.$"),
        (status(403), "answered 403"),
        (status(402), "no money or quota left"),
        (status(429, {"error": {"code": "insufficient_quota"}}), "no money or quota left"),
        (faults.error_200("insufficient_quota"), "no money or quota left"),
        (status(404), r"nothing to ask there. Is the URL right, and the name of the model\?$"),
        (status(405), "nothing to ask there"),
        (status(410), "nothing to ask there"),
        (faults.redirect("https://elsewhere.example/nli"), "Use its URL: https://elsewhere.example/nli"),
        (
            faults.redirect("https://u:pw@elsewhere.example/?api_key=abc"),
            r"//\*\*\*@elsewhere.example/\?api_key=\*\*\*",
        ),
        (faults.redirect("/other", 301), "answered 301: what is asked for is at another place. Use its URL: /other"),
        (faults.redirect("/nli"), "redirected the request 3 times"),
        (status(429, Retry_After="86400"), "asks for a pause of 1440 minutes. What was answered is kept"),
    ],
)
def test_what_every_request_would_meet_stops_the_run(fault: Behaviour, message: str) -> None:
    with FaultServer(usual=fault) as server:
        with pytest.raises(ModelError, match=message) as caught:
            post(client(server))
        assert not isinstance(caught.value, RequestFailed)
        assert len(server.asked) == (3 if "redirected" in message else 1)


def test_a_server_that_was_never_reached_stops_the_run() -> None:
    with FaultServer() as server:
        gone = client(server, retries=3)
    with pytest.raises(
        ModelError, match=r"cannot be reached \(.*refused.*\). 4 attempts .* Is the service running"
    ) as e:
        post(gone)
    assert not isinstance(e.value, RequestFailed)


def test_a_server_that_dies_over_a_request_is_the_failure_of_its_inputs() -> None:
    def dies(exchange: Exchange) -> None:
        server._listener.close()
        faults.reset(exchange)

    with FaultServer(usual=dies) as server, pytest.raises(RequestFailed, match="cannot be reached"):
        post(client(server, retries=2))


def test_a_redirect_on_the_same_server_is_followed_with_the_query() -> None:
    with FaultServer(script=[faults.redirect("/nli/")]) as server:
        asked = JsonClient(server.url + "?api_key=abc", RequestPolicy())
        assert post(asked).json == ANSWER
        assert [item.path for item in server.asked] == ["/nli?api_key=abc", "/nli/?api_key=abc"]


def test_a_redirect_may_spell_the_same_server_in_another_way() -> None:
    place = Place("http", "Host", "/nli", "")
    assert [place.serves(url) for url in ("http://host/x", "http://host:80/x", "http://HOST/")] == [True] * 3
    others = ("https://host/x", "http://host:81/", "http://host.evil/", "http://host@evil/", "http://host:x/")
    assert not any(map(place.serves, others))


def test_a_redirect_to_another_server_never_carries_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", "sk-0123456789")
    with FaultServer() as other, FaultServer(usual=faults.redirect(other.url)) as server:
        with pytest.raises(ModelError, match="at another place"):
            post(client(server, key_env="MY_KEY"))
        assert other.asked == []


def test_a_gigabyte_is_not_read() -> None:
    with FaultServer(usual=faults.huge) as server, pytest.raises(RequestFailed, match="more than 16 MB"):
        post(client(server, retries=0))
    assert server.sent[0] < LARGEST_BODY + (1 << 26), "the rest was never taken"


def test_an_announced_gigabyte_is_not_begun() -> None:
    with FaultServer(usual=faults.plain(b"", Content_Length=str(1 << 30))) as server:
        with pytest.raises(RequestFailed, match="more than 16 MB"):
            post(client(server))
        assert len(server.asked) == 1


def test_a_gzip_bomb_is_not_unpacked() -> None:
    bomb = gzip.compress(b" " * (1 << 28))
    with FaultServer(usual=faults.plain(bomb, Content_Encoding="gzip")) as server:
        with pytest.raises(RequestFailed, match="more than 16 MB"):
            post(client(server))
        assert len(server.asked) == 1


def test_gzip_that_was_not_asked_for_is_read() -> None:
    content = gzip.compress(b'{"answers": []}')
    with FaultServer(usual=faults.plain(content, Content_Encoding="gzip")) as server:
        assert post(client(server)).json == {"answers": []}
        assert server.asked[0].headers["accept-encoding"] == "identity"


def test_a_byte_order_mark_is_no_part_of_the_json() -> None:
    with FaultServer(usual=faults.plain(b'\xef\xbb\xbf{"answers": []}')) as server:
        assert post(client(server)).json == {"answers": []}


def test_notes_say_what_was_repeated() -> None:
    script = [status(503), status(503), faults.cut, faults.answer]
    with FaultServer(script=script) as server:
        asked = client(server)
        assert asked.notes() == []
        post(asked)
    shown = f"3 requests to {server.url} were repeated, because it answered 503 (2), broke off the connection (1)."
    assert asked.notes() == [shown]


def test_without_the_library_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "httpx2", None)
    with pytest.raises(
        MissingExtraError, match=r"httpx2, which is not installed. Install with: pip install nliprobe\[http\]"
    ):
        JsonClient("http://localhost/", RequestPolicy()).check()
    with pytest.raises(MissingExtraError):
        post(JsonClient("http://localhost/", RequestPolicy()))


@pytest.mark.skipif(shutil.which("openssl") is None, reason="no openssl, which would make the certificate")
def test_a_certificate_that_nobody_has_signed_stops_the_run(tmp_path: Path) -> None:
    key, certificate = str(tmp_path / "key.pem"), str(tmp_path / "certificate.pem")
    curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]
    names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    made = ["openssl", "req", "-x509", "-nodes", *curve, *names, "-keyout", key, "-out", certificate]
    subprocess.run(made, check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    with FaultServer(tls=context) as server:
        with pytest.raises(ModelError, match="has a certificate that is not valid") as caught:
            post(JsonClient(f"https://127.0.0.1:{server.port}/nli", RequestPolicy()))
        assert not isinstance(caught.value, RequestFailed)
        assert server.asked == []


def test_secrets_are_found_however_they_are_written() -> None:
    secret = 'S3c/r"3t+x'
    known = Credentials(f"https://me:{quote(secret, safe='')}@host/", "", "Authorization")
    for written in (secret, quote(secret, safe=""), json.dumps(secret), json.dumps(secret).replace("/", "\\/")):
        assert "r" not in known.scrub(f"<{written}>")
        assert b"r" not in known.scrub_body(f"<{written}>".encode())
    assert Credentials("https://me:e@host/", "", "Authorization").scrub("he said") == "he said"


def test_halves_of_characters_become_whole() -> None:
    with FaultServer(usual=faults.plain(rb'{"raw": "cut \ud83d"}')) as server:
        assert post(client(server)).json == {"raw": "cut \ufffd"}


def test_waits_double_and_are_bounded() -> None:
    clock = FakeClock()
    with FaultServer(script=[status(500)] * 8) as server:
        assert post(client(server, clock, retries=8)).attempts == 9
    assert clock.slept == [1, 2, 4, 8, 16, 32, 60, 60]


@given(st.integers(0, 10_000), st.integers(0, 2**32))
def test_every_wait_is_drawn_between_zero_and_its_bound(attempt: int, seed: int) -> None:
    assert 0 <= backoff(attempt, random.Random(seed)) <= min(LONGEST_WAIT, 2.0 ** min(attempt, 10))


def test_retry_after_is_honoured_in_seconds_and_as_a_date() -> None:
    clock = FakeClock()
    now = clock.wall()
    date, until = formatdate(now - 500, usegmt=True), formatdate(now - 500 + 30, usegmt=True)
    script = [status(429, Retry_After="7"), status(503, Retry_After=until, Date=date), status(429, Retry_After="0.5")]
    with FaultServer(script=script) as server:
        assert post(client(server, clock)).attempts == 4
    assert clock.slept == [8, 31, 1.5], "a second on top at most, so that clients do not come back together"


@pytest.mark.parametrize(
    ("value", "seconds"),
    [(None, None), ("", None), ("soon", None), ("nan", None), ("-5", 0.0), ("12", 12.0), ("inf", float("inf"))],
)
def test_retry_after_of_any_kind(value: str | None, seconds: float | None) -> None:
    assert retry_after(value, None, FakeClock()) == seconds


@given(st.text(max_size=40), st.none() | st.text(max_size=40))
def test_retry_after_never_fails(value: str, date: str | None) -> None:
    wait = retry_after(value, date, FakeClock())
    assert wait is None or wait >= 0


def test_a_date_that_is_over_is_not_waited_for() -> None:
    assert retry_after("Wed, 21 Oct 2015 07:28:00 GMT", None, FakeClock()) == 0
    assert LONGEST_PAUSE < 3600


def test_after_a_429_all_requests_pause() -> None:
    """One of eight requests is refused: the seven others were sent before, and nothing else is sent in the pause."""
    clock = FakeClock()
    moments: list[float] = []

    def timed(exchange: Exchange) -> None:
        moments.append(clock.time)
        faults.answer(exchange)

    async def both(asked: JsonClient) -> None:
        first = asyncio.create_task(asked.post(PAIR))
        while not clock.slept:
            await asyncio.sleep(0.001)
        await asyncio.gather(first, *(asked.post(PAIR) for _ in range(8)))

    with FaultServer(script=[status(429, Retry_After="40")], usual=timed) as server:
        started = clock.time
        asyncio.run(both(client(server, clock, concurrency=9)))
        assert len(server.asked) == 10
    assert min(moments) >= started + 40


def test_the_rate_is_kept_by_all_requests_together() -> None:
    clock = FakeClock()
    moments: list[float] = []

    def timed(exchange: Exchange) -> None:
        moments.append(clock.time)
        faults.answer(exchange)

    async def many(asked: JsonClient) -> None:
        await asyncio.gather(*(asked.post(PAIR) for _ in range(10)))

    with FaultServer(usual=timed) as server:
        started = clock.time
        asyncio.run(many(client(server, clock, rate=30, concurrency=10)))
    assert clock.time - started == pytest.approx(18), "nine gaps of two seconds"


@given(st.integers(1, 20), st.integers(1, 600))
def test_pace_gives_each_turn_its_own_time(turns: int, rate: int) -> None:
    clock = FakeClock()
    pace = Pace(rate, clock)
    moments: list[float] = []

    async def turn() -> None:
        await pace.turn()
        moments.append(clock.time)

    async def all_turns() -> None:
        await asyncio.gather(*(turn() for _ in range(turns)))

    asyncio.run(all_turns())
    gaps = [later - earlier for earlier, later in pairwise(moments)]
    assert all(gap >= 60 / rate - 1e-6 for gap in gaps)


def test_connections_are_kept_and_used_again() -> None:
    async def many(asked: JsonClient) -> None:
        for _ in range(5):
            await asked.post(PAIR)

    with FaultServer() as server:
        asyncio.run(many(client(server)))
        assert (len(server.asked), server.connections) == (5, 1)


def test_a_client_works_in_one_event_loop_after_another() -> None:
    with FaultServer() as server:
        asked = client(server)
        assert [post(asked).json for _ in range(3)] == [ANSWER] * 3
        asked.close()
        asked.close()
        assert post(asked).json == ANSWER


def test_the_path_is_put_below_the_url_and_before_its_query() -> None:
    with FaultServer() as server:
        asked = JsonClient(f"http://127.0.0.1:{server.port}/v1/?api-version=2&x=a%20b", RequestPolicy())
        asyncio.run(asked.post(PAIR, "/chat/completions"))
        assert server.asked[0].path == "/v1/chat/completions?api-version=2&x=a%20b"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8) | st.just("error"), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(
    st.integers(100, 599) | st.sampled_from([200, 429]),
    st.dictionaries(st.sampled_from(["content-type", "location", "retry-after"]), st.text(max_size=20)),
    st.binary(max_size=60) | JSON.map(lambda value: json.dumps(value).encode()),
)
def test_every_answer_has_a_meaning(code: int, headers: dict[str, str], body: bytes) -> None:
    try:
        content = content_of(Answer(code, headers, body), "hint")
    except (Again, RequestFailed, ModelError):
        return
    assert 200 <= code < 300
    assert not content.get("error")


@given(st.binary(max_size=60), st.sampled_from(["", "identity", "gzip", "deflate", "br", "GZIP", "x"]))
def test_every_encoding_is_read_or_refused(body: bytes, encoding: str) -> None:
    try:
        assert len(unpacked(body, encoding)) <= LARGEST_BODY
    except Again:
        assert encoding.lower() not in ("", "identity")


# Secrets


KEY = "sk-S3cr3tS3cr3tS3cr3t"


@pytest.mark.parametrize(
    ("key", "header", "sent"),
    [
        (KEY, "Authorization", ("authorization", f"Bearer {KEY}")),
        (f"Basic {KEY}", "Authorization", ("authorization", f"Basic {KEY}")),
        (KEY, "api-key", ("api-key", KEY)),
    ],
)
def test_the_key_is_sent_and_told_nobody(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, key: str, header: str, sent: tuple[str, str]
) -> None:
    """The server repeats all that it was sent, in headers and bodies, of good and of bad answers."""
    monkeypatch.setenv("MY_KEY", key)
    caplog.set_level(logging.DEBUG)

    def repeats(code: int) -> Behaviour:
        def behave(exchange: Exchange) -> None:
            told = f"{exchange.asked.headers} {exchange.asked.path}"
            exchange.json({"detail": told, "raw": told}, code, {"X-Echo": told.replace("\n", " ")})

        return behave

    with FaultServer(script=[repeats(500), repeats(200), repeats(422), repeats(401)]) as server:
        url = f"{server.url}?api_key=S3cr3tS3cr3tQuery&lang=en"
        asked = JsonClient(url, RequestPolicy(key_env="MY_KEY", key_header=header), clock=FakeClock())
        reply = post(asked)
        assert server.asked[0].headers[sent[0]] == sent[1]
        assert server.asked[0].path == "/nli?api_key=S3cr3tS3cr3tQuery&lang=en"
        texts = [str(reply)]
        for kind in (RequestFailed, ModelError):
            with pytest.raises(kind) as caught:
                post(asked)
            texts += [str(caught.value), str(getattr(caught.value, "content", ""))]
    assert "lang" in texts[0]
    assert "***" in texts[0]
    for text in [*texts, caplog.text, asked.shown]:
        assert "S3cr3t" not in text


def test_user_and_password_of_the_url_are_sent_and_told_nobody(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with FaultServer(usual=status(401)) as server:
        asked = JsonClient(f"http://me:S3cr%40t@127.0.0.1:{server.port}/nli", RequestPolicy())
        with pytest.raises(ModelError) as caught:
            post(asked)
        assert server.asked[0].headers["authorization"] == "Basic bWU6UzNjckB0"
    assert f"http://***@127.0.0.1:{server.port}/nli" in str(caught.value)
    for secret in ("S3cr", "bWU6UzNjckB0", "me:"):
        assert secret not in str(caught.value)
        assert secret not in caplog.text


def test_a_key_that_is_missing_is_named_before_anything_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MY_KEY", raising=False)
    with FaultServer() as server:
        with pytest.raises(UsageError, match=r"variable MY_KEY, .* is not set. Set it, as in: export"):
            client(server, key_env="MY_KEY").check()
        with pytest.raises(UsageError, match="is not set"):
            post(client(server, key_env="MY_KEY"))
        monkeypatch.setenv("MY_KEY", "clé\n")
        with pytest.raises(UsageError, match="characters that no header can hold") as caught:
            client(server, key_env="MY_KEY").check()
        assert "clé" not in str(caught.value)
        assert server.asked == []


@pytest.mark.parametrize("given_key", [KEY, "hf_S3cr3tS3cr3t", "S3cr3t key"])
def test_a_key_in_place_of_its_name_is_not_repeated(given_key: str) -> None:
    with pytest.raises(UsageError, match="name of an environment variable") as caught:
        JsonClient("http://localhost/", RequestPolicy(key_env=given_key))
    assert "S3cr3t" not in str(caught.value)


@pytest.mark.parametrize(
    "url", ["", "host/nli", "ftp://host/", "https://", "https://me:S3c/r3t@host/", "http://host:99999/", "http://a b/"]
)
def test_what_is_no_url_is_said_at_once(url: str) -> None:
    with pytest.raises(UsageError, match="is not the URL of a service") as caught:
        JsonClient(url, RequestPolicy())
    assert "r3t" not in str(caught.value)


def test_a_host_that_no_name_can_be_stops_the_run() -> None:
    with pytest.raises(ModelError, match="has a URL that cannot be used"):
        post(JsonClient("http://☃.example/", RequestPolicy()))


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        ({"timeout": 0}, "'timeout' should be a positive number"),
        ({"timeout": float("nan")}, "'timeout'"),
        ({"retries": -1}, "'retries'"),
        ({"concurrency": 0}, "'concurrency'"),
        ({"rate": -1}, "'rate'"),
        ({"key_header": "a b"}, "'key_header'"),
        ({"key_header": "a\r\nb"}, "'key_header'"),
    ],
)
def test_policies_that_make_no_sense(policy: dict[str, float], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        RequestPolicy(**policy)  # type: ignore[arg-type]


def test_cancelling_leaves_no_connection_open() -> None:
    async def cancelled(asked: JsonClient) -> None:
        task = asyncio.create_task(asked.post(PAIR))
        while not server.asked:
            await asyncio.sleep(0.001)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    with FaultServer(usual=faults.hang) as server:
        asyncio.run(cancelled(client(server)))
