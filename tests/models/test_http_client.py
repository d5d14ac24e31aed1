"""The client of JSON services: what is asked again, when, how often, and what is decided at once."""

from __future__ import annotations

import asyncio
import gzip
import json
import shutil
import ssl
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.models import fault_server as faults
from tests.models.fault_server import Behaviour, Exchange, FaultServer, status

from nliprobe.base.errors import MissingExtraError, ModelError, UsageError
from nliprobe.models._http_place import Place
from nliprobe.models._http_verdicts import LARGEST_BODY, Again, Answer, content_of, unpacked

pytest.importorskip("httpx2", reason="services are asked with httpx2, which is not installed")

from tests.models.http_helpers import client

from nliprobe.models.http_client import JsonClient, Reply, RequestFailed, RequestPolicy

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
        MissingExtraError, match=r"httpx2, which is not installed. Install with: pip install 'nliprobe\[http\]'"
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


def test_halves_of_characters_become_whole() -> None:
    with FaultServer(usual=faults.plain(rb'{"raw": "cut \ud83d"}')) as server:
        assert post(client(server)).json == {"raw": "cut \ufffd"}


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
