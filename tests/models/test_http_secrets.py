"""The client of JSON services: keys and passwords are sent where they belong, and told nobody."""

from __future__ import annotations

import asyncio
import json
import logging
from urllib.parse import quote

import pytest
from tests.models import fault_server as faults
from tests.models.fault_server import Behaviour, Exchange, FaultServer, status

from nliprobe.base.errors import ModelError, UsageError
from nliprobe.models._http_place import Credentials

pytest.importorskip("httpx2", reason="services are asked with httpx2, which is not installed")

from tests.models.http_helpers import FakeClock, client

from nliprobe.models.http_client import JsonClient, Reply, RequestFailed, RequestPolicy

PAIR = {"pairs": [{"id": "a", "premise": "p", "hypothesis": "it is E"}]}
ANSWER = {"answers": [{"id": "a", "label": "E"}]}


def post(asked: JsonClient) -> Reply:
    return asyncio.run(asked.post(PAIR))


def test_a_redirect_to_another_server_never_carries_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", "sk-0123456789")
    with FaultServer() as other, FaultServer(usual=faults.redirect(other.url)) as server:
        with pytest.raises(ModelError, match="at another place"):
            post(client(server, key_env="MY_KEY"))
        assert other.asked == []


def test_secrets_are_found_however_they_are_written() -> None:
    secret = 'S3c/r"3t+x'
    known = Credentials(f"https://me:{quote(secret, safe='')}@host/", "", "Authorization")
    for written in (secret, quote(secret, safe=""), json.dumps(secret), json.dumps(secret).replace("/", "\\/")):
        assert "r" not in known.scrub(f"<{written}>")
        assert b"r" not in known.scrub_body(f"<{written}>".encode())
    assert Credentials("https://me:e@host/", "", "Authorization").scrub("he said") == "he said"


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
