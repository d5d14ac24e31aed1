"""What requests send: taken apart beside the server's loop, and never more than one that asks may send."""

from __future__ import annotations

import asyncio

import pytest
from starlette.routing import Route
from tests.studio.helpers import Client

from nliprobe.base.errors import DataError
from nliprobe.studio.app import routes
from nliprobe.studio.limits import LARGEST_BODY_OF_ANYBODY
from nliprobe.studio.sent import Fields, Sent

FORM, JSON = "application/x-www-form-urlencoded", "application/json; charset=utf-8"
PART = '--b\r\nContent-Disposition: form-data; name="{}"\r\n\r\n{}\r\n'
FILE = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.json"\r\n\r\n{}\r\n--b--\r\n'


def test_forms_and_json_give_fields_by_name() -> None:
    said = {"a": "1 é", "b": ["x", "", "y"], "c": ""}
    assert Sent(FORM, b"a=1+%C3%A9&b=x&b=&b=y&c=").fields() == said
    parts = "".join(PART.format(*pair) for pair in (("a", "1 é"), ("b", "x"), ("b", ""), ("b", "y"), ("c", "")))
    assert Sent("multipart/form-data; boundary=b", f"{parts}--b--\r\n".encode()).fields() == said
    assert Sent(JSON, b'{"a": [1, 0.5, {"b": null}]}').fields() == {"a": [1, 0.5, {"b": None}]}
    assert Sent(JSON, b'{"a": ' + b"[" * 20 + b"]" * 20 + b"}").fields().keys() == {"a"}
    assert Sent("", b"").fields() == {}


def test_a_file_of_megabytes_is_one_text() -> None:
    text = "é" * 1_500_000
    assert Sent("multipart/form-data; boundary=b", FILE.format(text).encode()).fields() == {"file": text}


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        (FORM, b"&".join(b"f%d=1" % number for number in range(2001))),
        (FORM, b"&" * 900_000),
        ("multipart/form-data; boundary=b", "".join(PART.format(number, 1) for number in range(2001)).encode()),
        ("multipart/form-data", b"--b--"),
        ("text/plain", b"a=b"),
        (JSON, b'{"a": NaN}'),
        (JSON, b'{"a": -Infinity}'),
        (JSON, b'{"a": [1e999]}'),
        (JSON, b'{"a": ' + b"9" * 100_000 + b"}"),
        (JSON, b'{"a":' * 10_000),
        # As deep as can be read, but not be written.
        (JSON, b'{"a": ' + b"[" * 987 + b"]" * 987 + b"}"),
        (JSON, b'{"a": ' + b'{"a": ' * 21 + b"{}" + b"}" * 22),
        (JSON, b"\xff"),
    ],
)
def test_what_cannot_be_read_is_a_sentence(kind: str, body: bytes) -> None:
    with pytest.raises(DataError, match=r"\.$"):
        Sent(kind, body).fields()


def test_nobody_waits_while_a_form_is_taken_apart(owner: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """A form can take a second to read, and the loop answers everybody."""
    in_loop, real = [], Sent.fields

    def watched(sent: Sent) -> Fields:
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            in_loop.append(False)
        else:
            in_loop.append(True)
        return real(sent)

    monkeypatch.setattr(Sent, "fields", watched)
    owner.submit("/projects/preview", instructions="*x*")
    owner.submit_json("/projects/preview", {"instructions": "*x*"})
    owner.post("/projects/preview", data={"form_token": owner.form_token}, files={"file": ("a", b"b")})
    assert in_loop == [False] * 3


def test_who_has_not_come_in_can_send_little(anybody: Client) -> None:
    """What is read for somebody unknown costs them nothing, and the studio time."""
    asked = 0
    for route in routes():
        if not isinstance(route, Route) or getattr(route.endpoint, "role", None) or "POST" not in (route.methods or ()):
            continue
        path = route.path.replace("{key}", "0" * 12).replace("{token}", "x")
        assert anybody.post(path, data={"token": "x" * LARGEST_BODY_OF_ANYBODY}).status_code == 413, path
        asked += 1
    assert asked == 4
