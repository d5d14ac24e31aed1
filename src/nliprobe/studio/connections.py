"""Connections of the server: where there are too many, those that ask nothing make room for those that do.

A process can open so many files, and each connection is one. Without a limit, a thousand connections that say nothing
kept everybody else out for as long as they liked, and what refused the others filled the log.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import NamedTuple

from uvicorn.protocols.http.h11_impl import H11Protocol

# Browsers of 300 raters have some six connections each; a connection takes 20 KB.
_MOST = 2000
_WANTED_FILES, _USUAL_FILES = 2 * _MOST, 1024
# So many connections are taken at once, before the first of them can be closed.
_AT_ONCE = 256


class Room(NamedTuple):
    """How many connections there may be, and how many may wait to be taken."""

    connections: int
    waiting: int


def make_room() -> Room:
    """Let this process open more files if it may, and return how much room there is for connections."""
    files = _USUAL_FILES
    with suppress(ImportError, OSError, ValueError):
        import resource

        files, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        if 0 <= files < _WANTED_FILES:
            wanted = _WANTED_FILES if most < 0 else min(most, _WANTED_FILES)
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
            files = wanted
    # No limit is written as a negative number. Databases, runs and systems open files, too.
    return room_of(_WANTED_FILES if files < 0 else files)


def room_of(files: int) -> Room:
    """Return how much room there is for connections in a process that can open so many files.

    >>> room_of(1024), room_of(1_000_000)
    (Room(connections=512, waiting=128), Room(connections=2000, waiting=256))
    """
    return Room(min(_MOST, files // 2), min(_AT_ONCE, files // 8))


class Connection(H11Protocol):
    """A connection that knows since when nothing was asked by it."""

    most: int = _MOST
    _since: float = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a new connection, in the place of another one where there are too many."""
        super().connection_made(transport)
        self._since = self.loop.time()
        own = [one for one in self.connections if isinstance(one, Connection) and not one.transport.is_closing()]
        if len(own) > self.most:
            # At once, with whatever was not taken by the other side: to wait for it would take as long as it likes.
            min(own, key=lambda one: (one.is_answered, one._since)).transport.abort()

    def on_response_complete(self) -> None:
        """Begin to wait for the next request."""
        self._since = self.loop.time()
        super().on_response_complete()

    @property
    def is_answered(self) -> bool:
        """Whether a whole request has come and its answer has not gone yet."""
        return self.cycle is not None and not self.cycle.more_body and not self.cycle.response_complete


def connections(most: int) -> type[Connection]:
    """Return connections of a server that has so many at most."""
    return type("Connections", (Connection,), {"most": most})
