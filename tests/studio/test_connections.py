"""Connections that say nothing make room for those that ask."""

from __future__ import annotations

import asyncio
import http.client
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import uvicorn
from starlette.types import Receive, Scope, Send
from tests.studio.load.server import Server

from nliprobe.studio.connections import Connection, connections

MOST = 4
SLOW_HEAD = b"GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nx: "
SLOW_BODY = b"POST / HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 100\r\n\r\nx"


class Waiting:
    """An app that answers when it is told to."""

    def __init__(self) -> None:
        self.asked, self.go_on = threading.Event(), asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] == "/wait":
            self.asked.set()
            await self.go_on.wait()
        while (await receive()).get("more_body"):
            pass
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body"})


@contextmanager
def served(app: Waiting) -> Iterator[uvicorn.Server]:
    made = uvicorn.Config(app, port=0, log_level="error", lifespan="off", http=connections(MOST), ws="none")
    server = uvicorn.Server(made)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    try:
        yield server
    finally:
        server.should_exit = True
        thread.join(20)


def port_of(server: uvicorn.Server) -> int:
    return int(server.servers[0].sockets[0].getsockname()[1])


def ask(port: int, path: str = "/") -> int:
    client = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    client.request("GET", path)
    status = client.getresponse().status
    client.close()
    return status


def test_the_one_that_has_waited_longest_makes_room() -> None:
    app = Waiting()
    with served(app) as server, ExitStack() as held:
        port, got = port_of(server), list[int]()
        slow = threading.Thread(target=lambda: got.append(ask(port, "/wait")))
        slow.start()
        assert app.asked.wait(60)
        for begun in (b"", SLOW_HEAD, SLOW_BODY) * 4:
            silent = held.enter_context(socket.create_connection(("127.0.0.1", port), timeout=60))
            silent.sendall(begun)
            assert ask(port) == 204
            assert len(server.server_state.connections) <= MOST
        # Whoever is being answered is not in the way, however long that takes.
        assert not got
        loop = next(one for one in server.server_state.connections if isinstance(one, Connection)).loop
        loop.call_soon_threadsafe(app.go_on.set)
        slow.join(60)
        assert got == [204]


def test_a_thousand_silent_connections_keep_nobody_out(tmp_path: Path) -> None:
    server = Server(str(tmp_path / "people.sqlite"), tmp_path, files=256)
    server.start()
    try:
        with ExitStack() as held:
            for _ in range(400):
                held.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=60))
            assert ask(server.port, "/enter") == 200
            assert ask(server.port, "/i/forged") == 422
    finally:
        server.kill()
