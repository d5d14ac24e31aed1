"""A request whose headers have no end is refused, whatever parsers are installed."""

from __future__ import annotations

import socket
from contextlib import suppress
from pathlib import Path

import pytest
from tests.studio.load.server import Server

pytestmark = pytest.mark.studio


def test_endless_headers_are_refused(tmp_path: Path) -> None:
    server = Server(str(tmp_path / "people.sqlite"), tmp_path)
    server.start()
    piece, sent = b"x: " + b"y" * 60_000, 0
    try:
        with socket.create_connection(("127.0.0.1", server.port), timeout=60) as client:
            client.sendall(b"GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n")
            with suppress(OSError):
                while sent < 100_000_000:
                    client.sendall(piece)
                    sent += len(piece)
        # The connection was closed: what the system holds for both sides is a few megabytes at most.
        assert sent < 20_000_000
        with socket.create_connection(("127.0.0.1", server.port), timeout=60) as client:
            client.sendall(b"GET /nowhere HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n")
            assert client.recv(100).startswith(b"HTTP/1.1 404")
    finally:
        server.kill()
