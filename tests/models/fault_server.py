"""A server on loopback that goes wrong in every way a service can, one way per request, and counts what it was asked.

    with FaultServer() as server:
        server.script = [status(500), html, cut]   # the first three requests; then it answers
        ask(server.url)
        assert [asked.number for asked in server.asked] == [0, 1, 2, 3]

A behaviour is a function that is given an :class:`Exchange` and writes to it. By default the server speaks the protocol
of ``http:``: the label of a pair is the last word of its hypothesis.
"""

from __future__ import annotations

import contextlib
import json
import socket
import ssl
import struct
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from types import TracebackType
from typing import Any, BinaryIO, Self

MEGABYTE = b" " * (1 << 20)


@dataclass(frozen=True)
class Asked:
    """One request as it came in."""

    number: int
    path: str
    headers: dict[str, str]
    body: Any

    @property
    def ids(self) -> list[str]:
        """The ids of the pairs that it asks, in the protocol of ``http:``."""
        return [pair["id"] for pair in self.body["pairs"]]


@dataclass
class Exchange:
    """A request, and the connection on which it is answered."""

    asked: Asked
    connection: socket.socket
    closing: threading.Event
    ends: bool = False
    sent: int = 0

    def send(self, content: bytes) -> None:
        """Write bytes as they are."""
        self.connection.sendall(content)
        self.sent += len(content)

    def head(self, status: int = 200, headers: Mapping[str, str] | None = None) -> None:
        """Write the status and the headers."""
        try:
            phrase = HTTPStatus(status).phrase
        except ValueError:
            phrase = "Odd"
        lines = [f"HTTP/1.1 {status} {phrase}", *(f"{name}: {value}" for name, value in (headers or {}).items())]
        self.send(("\r\n".join(lines) + "\r\n\r\n").encode("latin-1"))

    def answer(
        self,
        content: bytes,
        status: int = 200,
        headers: Mapping[str, str] | None = None,
        kind: str = "application/json",
    ) -> None:
        """Write a whole answer."""
        self.head(status, {"Content-Type": kind, "Content-Length": str(len(content)), **(headers or {})})
        self.send(content)

    def json(self, content: object, status: int = 200, headers: Mapping[str, str] | None = None) -> None:
        """Write a whole answer that is JSON."""
        self.answer(json.dumps(content).encode(), status, headers)


Behaviour = Callable[[Exchange], None]


def label_of(pair: Mapping[str, str]) -> str:
    """The last word of the hypothesis."""
    return pair["hypothesis"].split()[-1]


def answers_to(asked: Asked) -> list[dict[str, Any]]:
    """One right answer per pair of a request."""
    return [{"id": pair["id"], "label": label_of(pair)} for pair in asked.body["pairs"]]


def answer(exchange: Exchange) -> None:
    """Answer as ``http:`` expects it."""
    exchange.json({"answers": answers_to(exchange.asked)})


def altered(change: Callable[[list[dict[str, Any]]], object]) -> Behaviour:
    """Answer with what a function makes of the right answers."""
    return lambda exchange: exchange.json({"answers": change(answers_to(exchange.asked))})


def status(code: int, content: object = None, **headers: str) -> Behaviour:
    """Answer with a status, a JSON content and headers (``Retry_After="2"``)."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda exchange: exchange.json({"detail": "as told"} if content is None else content, code, named)


def error_200(message: str) -> Behaviour:
    """Say that all is well, and that it is not."""
    return status(200, {"error": {"message": message, "type": "some_error"}})


def plain(content: bytes, kind: str = "application/json", **headers: str) -> Behaviour:
    """Answer with bytes."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda exchange: exchange.answer(content, headers=named, kind=kind)


html = plain(b"<!DOCTYPE html><html><title>Welcome to a proxy</title><p>Log in</html>", "text/html; charset=utf-8")


def redirect(to: str, code: int = 307) -> Behaviour:
    """Send the client elsewhere."""
    return lambda exchange: exchange.answer(b"", code, {"Location": to})


def hang(exchange: Exchange) -> None:
    """Say nothing until the server is closed."""
    exchange.ends = True
    exchange.closing.wait(60)


def hang_in_body(exchange: Exchange) -> None:
    """Send the beginning of an answer, and nothing more."""
    exchange.head(headers={"Content-Type": "application/json", "Content-Length": "100"})
    exchange.send(b'{"answers": [')
    hang(exchange)


def drip(exchange: Exchange) -> None:
    """Send a byte now and then, for ever: no single read takes long."""
    exchange.ends = True
    exchange.head(headers={"Content-Type": "application/json", "Content-Length": "1000000"})
    while not exchange.closing.wait(0.02):
        exchange.send(b" ")


def cut(exchange: Exchange) -> None:
    """Close the connection in the middle of the answer."""
    content = json.dumps({"answers": answers_to(exchange.asked)}).encode()
    exchange.head(headers={"Content-Type": "application/json", "Content-Length": str(len(content))})
    exchange.send(content[: len(content) // 2])
    exchange.ends = True


def cut_chunked(exchange: Exchange) -> None:
    """Close the connection before the last chunk."""
    exchange.head(headers={"Content-Type": "application/json", "Transfer-Encoding": "chunked"})
    exchange.send(b'd\r\n{"answers": [\r\n')
    exchange.ends = True


def close_at_once(exchange: Exchange) -> None:
    """Close the connection without a word."""
    exchange.ends = True


def reset(exchange: Exchange) -> None:
    """Reset the connection (RST)."""
    exchange.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    exchange.ends = True


def too_long_length(exchange: Exchange) -> None:
    """Announce more bytes than come."""
    exchange.answer(json.dumps({"answers": answers_to(exchange.asked)}).encode(), headers={"Content-Length": "99999"})
    exchange.ends = True


def too_short_length(exchange: Exchange) -> None:
    """Announce fewer bytes than come."""
    exchange.answer(json.dumps({"answers": answers_to(exchange.asked)}).encode(), headers={"Content-Length": "9"})


def not_http(exchange: Exchange) -> None:
    """Speak another protocol."""
    exchange.send(b"220 mail.example ESMTP ready\r\n")
    exchange.ends = True


def huge(exchange: Exchange) -> None:
    """Send a gigabyte, without saying so before."""
    exchange.ends = True
    exchange.head(headers={"Content-Type": "application/json"})
    for _ in range(1 << 10):
        exchange.send(MEGABYTE)


@dataclass
class FaultServer:
    """A server in threads of its own; see the module.

    Attributes:
        script: what it does with the next requests, one each; then ``usual``.
        usual: what it does with all others.
        asked: all requests, in the order in which they came.
        answered: the requests whose behaviour ran to its end.
        sent: how many bytes were written in answer to each request.
        tls: encrypts its connections.
    """

    script: list[Behaviour] = field(default_factory=list)
    usual: Behaviour = answer
    asked: list[Asked] = field(default_factory=list)
    answered: list[Asked] = field(default_factory=list)
    sent: dict[int, int] = field(default_factory=dict)
    most_at_once: int = 0
    connections: int = 0
    port: int = 0
    tls: ssl.SSLContext | None = None

    def __enter__(self) -> Self:
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._open: set[socket.socket] = set()
        self._threads: list[threading.Thread] = []
        self._busy = 0
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port = int(self._listener.getsockname()[1])
        self._start(self._accept)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing.set()
        # A thread that waits in accept() is woken by a connection, not by closing what it waits on.
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=5):
            pass
        self._listener.close()
        with self._lock:
            for connection in self._open:
                with contextlib.suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(10)

    @property
    def url(self) -> str:
        """Its URL."""
        return f"http://127.0.0.1:{self.port}/nli"

    def answered_ids(self) -> list[str]:
        """The ids of all pairs of requests that were answered, as often as they were."""
        return [name for asked in self.answered for name in asked.ids]

    def sizes(self) -> list[int]:
        """How many pairs each request asked."""
        return [len(asked.ids) for asked in self.asked]

    def _start(self, work: Callable[..., None], *arguments: object) -> None:
        thread = threading.Thread(target=work, args=arguments, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while not self._closing.is_set():
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            if self._closing.is_set():
                connection.close()
                return
            with self._lock:
                self._open.add(connection)
                self.connections += 1
            self._start(self._serve, connection)

    def _serve(self, connection: socket.socket) -> None:
        try:
            if self.tls is not None:
                connection = self.tls.wrap_socket(connection, server_side=True)
            with connection, connection.makefile("rb") as stream:
                while self._one(connection, stream):
                    pass
        except OSError:  # the client has gone
            pass
        finally:
            with self._lock:
                self._open.discard(connection)

    def _one(self, connection: socket.socket, stream: BinaryIO) -> bool:
        """Answer one request; whether the connection stays open."""
        first = stream.readline()
        if not first.strip():
            return False
        headers: dict[str, str] = {}
        while (line := stream.readline()) not in (b"\r\n", b""):
            name, _, value = line.decode("latin-1").partition(":")
            headers[name.strip().lower()] = value.strip()
        content = stream.read(int(headers.get("content-length", "0")))
        with self._lock:
            asked = Asked(len(self.asked), first.decode().split()[1], headers, json.loads(content) if content else None)
            self.asked.append(asked)
            behave = self.script.pop(0) if self.script else self.usual
            self._busy += 1
            self.most_at_once = max(self.most_at_once, self._busy)
        exchange = Exchange(asked, connection, self._closing)
        try:
            behave(exchange)
        finally:
            with self._lock:
                self._busy -= 1
                self.sent[asked.number] = exchange.sent
        with self._lock:
            self.answered.append(asked)
        return not exchange.ends
