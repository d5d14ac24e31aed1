"""A client of HTTP that costs little: two cores have to carry two hundred raters and the server."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import urlencode


class Answer(NamedTuple):
    """What a server answered: the status, the headers in lower case, and the body."""

    status: int
    headers: dict[str, str]
    body: bytes

    def json(self) -> dict[str, object]:
        """Return the object that a script is answered with."""
        content = json.loads(self.body)
        assert isinstance(content, dict)
        return content


class Connection:
    """One connection that is kept, and opened anew when the server has closed it.

    A request that fails raises an OSError; whoever asked does not know whether the server has done it.
    """

    def __init__(self, port: int) -> None:
        self._port = port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def get(self, path: str, headers: Mapping[str, str]) -> Answer:
        """Ask for something."""
        return await self._ask("GET", path, headers, b"")

    async def post_json(self, path: str, headers: Mapping[str, str], content: object) -> Answer:
        """Send JSON, as our scripts do."""
        return await self._ask(
            "POST", path, {**headers, "content-type": "application/json"}, json.dumps(content).encode()
        )

    async def post_form(self, path: str, headers: Mapping[str, str], fields: Mapping[str, str]) -> Answer:
        """Send a form."""
        kind = "application/x-www-form-urlencoded"
        return await self._ask("POST", path, {**headers, "content-type": kind}, urlencode(fields).encode())

    def close(self) -> None:
        """Give the connection up."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None

    async def _ask(self, method: str, path: str, headers: Mapping[str, str], body: bytes) -> Answer:
        try:
            if self._streams is not None and self._streams[0].at_eof():
                # A server closes a connection on which nothing was asked for a while; browsers open another one.
                self.close()
            if self._streams is None:
                self._streams = await asyncio.open_connection("127.0.0.1", self._port)
            reader, writer = self._streams
            lines = [f"{method} {path} HTTP/1.1", f"host: 127.0.0.1:{self._port}", f"content-length: {len(body)}"]
            lines += [f"{name}: {value}" for name, value in headers.items()]
            writer.write("\r\n".join([*lines, "", ""]).encode() + body)
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            got = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:] if line)}
            content = await reader.readexactly(int(got.get("content-length", "0")))
        except (OSError, asyncio.IncompleteReadError) as error:
            self.close()
            raise ConnectionError(str(error)) from error
        if got.get("connection") == "close":
            self.close()
        return Answer(int(head[0].split()[1]), got, content)
